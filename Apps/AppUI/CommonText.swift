package import AppLanguage

/// The labels that several screens have.
package enum CommonText {
    package static let back = LocalizedText("Back", ko: "뒤로")
    package static let cancel = LocalizedText("Cancel", ko: "취소")
    package static let continueAsGuest = LocalizedText("Continue as a guest", ko: "손님으로 계속")
    package static let discard = LocalizedText("Discard", ko: "버리기")
    package static let editOn = LocalizedText("Edit on", ko: "계속 편집")
    package static let logIn = LocalizedText("Log in", ko: "로그인")
    package static let loggedIn = LocalizedText("Logged in.", ko: "로그인 성공")
    /// The terms of automatic login.
    package static let loginTerms = LocalizedText(
        "The app stores a token on this machine, sealed with a key file, so that you stay logged in. Log out to remove it.",
        ko: "로그인을 유지하기 위해 토큰을 암호화하여 이 컴퓨터에 저장합니다. 로그아웃하면 삭제됩니다."
    )
    package static let logOut = LocalizedText("Log out", ko: "로그아웃")
    package static let next = LocalizedText("Next", ko: "다음")
    package static let profile = LocalizedText("Profile", ko: "프로필")
    package static let quit = LocalizedText("Quit", ko: "끝내기")
    package static let save = LocalizedText("Save", ko: "저장")
    package static let signUp = LocalizedText("Sign up", ko: "회원가입")
    package static let skip = LocalizedText("Skip", ko: "건너뛰기")
    package static let todos = LocalizedText("Todos", ko: "할 일")
    package static let undo = LocalizedText("Undo", ko: "실행 취소")

    /// Returns that a field has not accepted the last characters of its input.
    package static func notInserted(_ count: Int) -> LocalizedText {
        let english = count == 1 ? "1 character was" : "\(count) characters were"
        return LocalizedText("\(english) not inserted", ko: "\(count)자가 입력되지 않았습니다")
    }

    /// Returns the message after a login.
    package static func loggedIn(as name: String) -> LocalizedText {
        LocalizedText("Logged in as \(name).", ko: "\(name) 님으로 로그인했습니다.")
    }
}
