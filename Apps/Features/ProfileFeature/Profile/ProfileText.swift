import AccountCore
import AppLanguage

/// The texts of the profile and of the account.
enum ProfileText {
    static let name = LocalizedText("Name", ko: "이름")
    static let nameHint = LocalizedText("your name", ko: "이름")
    static let breed = LocalizedText("Breed", ko: "품종")
    static let account = LocalizedText("Account", ko: "계정")
    static let guest = LocalizedText("guest", ko: "손님")
    static let sync = LocalizedText("Sync", ko: "동기화")
    static let onlyHere = LocalizedText("only on this machine", ko: "이 컴퓨터에만 저장")
    static let version = LocalizedText("Version", ko: "버전")
    static let files = LocalizedText("Files", ko: "파일")
    static let counting = LocalizedText("counting", ko: "세는 중")
    static let unknown = LocalizedText("unknown", ko: "알 수 없음")
    static let unsaved = LocalizedText("The changed profile is not saved.", ko: "바꾼 프로필이 저장되지 않았습니다.")
    static let unreadable = LocalizedText(
        "the saved settings cannot be read; press Save again to replace them",
        ko: "저장된 설정을 읽을 수 없습니다. 바꾸려면 저장을 다시 누르세요"
    )

    static let gender = LocalizedText("Gender", ko: "성별")
    static let pushToken = LocalizedText("Push token", ko: "푸시 토큰")
    static let pushTokenHint = LocalizedText("from the device that receives messages", ko: "알림을 받을 기기의 토큰")
    static let savePushToken = LocalizedText("Save the push token", ko: "푸시 토큰 저장")
    static let pushTokenSaved = LocalizedText("The push token is saved.", ko: "푸시 토큰을 저장했습니다.")
    static let accountSaved = LocalizedText("The account is saved.", ko: "계정을 저장했습니다.")
    static let queue = LocalizedText("Waiting list", ko: "대기자 명단")
    static let enterQueue = LocalizedText("Join the waiting list", ko: "대기자로 등록")
    static let leaveQueue = LocalizedText("Leave the waiting list", ko: "대기 취소")
    static let working = LocalizedText("Sending…", ko: "보내는 중…")
    static let withdraw = LocalizedText("Delete account", ko: "회원 탈퇴")
    static let withdrawTitle = LocalizedText("Delete the account?", ko: "탈퇴할까요?")
    static let withdrawMessage = LocalizedText(
        "The account and its data on the server are deleted. Your todos stay on this machine. Enter your password to confirm.",
        ko: "서버의 계정과 정보가 삭제됩니다. 할 일은 이 컴퓨터에 남습니다. 확인을 위해 비밀번호를 입력하세요."
    )
    static let password = LocalizedText("password", ko: "비밀번호")
    static let changePassword = LocalizedText("Change password", ko: "비밀번호 바꾸기")
    static let changePasswordMessage = LocalizedText(
        "Every other session of the account ends.",
        ko: "다른 기기에서는 로그아웃됩니다."
    )
    static let presentPassword = LocalizedText("present password", ko: "현재 비밀번호")
    static let newPassword = LocalizedText("new password", ko: "새 비밀번호")
    static let passwordChanged = LocalizedText("The password is changed.", ko: "비밀번호를 바꿨습니다.")
    static let withdrawn = LocalizedText(
        "The account is deleted. Your todos stay on this machine.",
        ko: "탈퇴했습니다. 할 일은 이 컴퓨터에 남아 있습니다."
    )

    /// Returns why the account of a user was closed.
    static func otherAccount(_ name: String) -> LocalizedText {
        LocalizedText(
            "The account of \(name) was closed, because another one is logged in now.",
            ko: "다른 계정으로 로그인하여 \(name) 님의 계정 화면을 닫았습니다."
        )
    }

    /// Returns the placeholder of the breed.
    static func anyBreed(_ animal: String) -> LocalizedText { LocalizedText("any \(animal)", ko: "모든 품종") }

    /// Returns the numbers of todos.
    static func counts(_ counts: ProfileModel.Counts) -> LocalizedText {
        LocalizedText(
            "\(counts.open) open, \(counts.done) done, \(counts.archived) archived",
            ko: "할 일 \(counts.open)개, 완료 \(counts.done)개, 보관 \(counts.archived)개"
        )
    }

    /// Returns why the settings were not saved.
    static func notSaved(_ reason: String) -> LocalizedText {
        LocalizedText("not saved: \(reason)", ko: "저장하지 못했습니다: \(reason)")
    }

    /// Returns the status of the queue.
    static func status(_ status: QueueStatus) -> LocalizedText {
        status.isQueued
            ? LocalizedText(
                "place \(status.position) of \(status.count)",
                ko: "\(status.count)명 중 \(status.position)번째"
            )
            : .count(status.count, one: "person", several: "people", ko: "대기자", counter: "명")
    }
}
