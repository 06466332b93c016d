package import AppLanguage
import EssentialFoundation
import TodoCore
package import TodoSync

/// The texts of the sync.
package enum SyncText {
    /// The title of the screen.
    package static let title = LocalizedText("Sync", ko: "동기화")

    /// Returns the state in a sign, which has the same meaning without colours.
    package static func sign(_ summary: SyncState.Summary) -> String {
        switch summary {
        case .notSetUp: ""
        case .syncing: "↻"
        case .synced: "✓"
        case .waiting(let count): "⇡\(count)"
        case .offline(let count): count == 0 ? "✕" : "✕\(count)"
        case .problem: "!"
        }
    }

    /// Returns the state in words.
    package static func name(_ summary: SyncState.Summary) -> LocalizedText {
        switch summary {
        case .notSetUp: LocalizedText("not set up", ko: "설정 안 함")
        case .syncing: LocalizedText("syncing", ko: "동기화 중")
        case .synced: LocalizedText("synced", ko: "동기화됨")
        case .waiting(let count): LocalizedText("\(count) waiting", ko: "\(count)개 대기")
        case .offline(0): LocalizedText("offline", ko: "오프라인")
        case .offline(let count): LocalizedText("offline, \(count) waiting", ko: "오프라인, \(count)개 대기")
        case .problem: LocalizedText("sync problem", ko: "동기화 문제")
        }
    }

    /// Returns the result of a sync that the user has requested.
    package static func result(_ state: SyncState) -> LocalizedText {
        if let explanation = explanation(state) { return explanation }
        return state.summary == .synced
            ? LocalizedText("All todos are synced.", ko: "할 일을 모두 동기화했습니다.") : name(state.summary)
    }

    /// Returns the reason of a problem and the next step; `nil` without a problem.
    package static func explanation(_ state: SyncState) -> LocalizedText? {
        if let problem = state.problem { return problem.reason.followed(by: problem.nextStep) }
        if let refusal = state.refusals.first { return refusal.text }
        return state.failures.first.map { LocalizedText($0.text(.english), ko: $0.text(.korean)) }
    }

    /// While quitting sends the last changes.
    package static let sending = LocalizedText(
        "sending the last changes to the server; press Ctrl-C to stop waiting",
        ko: "마지막 변경을 서버에 보내는 중입니다. 기다리지 않으려면 Ctrl-C를 누르세요"
    )

    static let server = LocalizedText("Server", ko: "서버")
    static let serverHint = LocalizedText("URL or mail address", ko: "URL 또는 메일 주소")
    static let user = LocalizedText("User", ko: "사용자")
    static let password = LocalizedText("Password", ko: "비밀번호")
    static let lists = LocalizedText("Lists", ko: "목록")
    static let state = LocalizedText("State", ko: "상태")
    static let last = LocalizedText("Last sync", ko: "마지막")
    static let never = LocalizedText("not yet", ko: "아직 없음")
    static let introduction = LocalizedText(
        "Todos can be on all your devices: by Nextcloud, Radicale, Fastmail or another CalDAV server.",
        ko: "Nextcloud, Radicale, Fastmail 같은 CalDAV 서버로 할 일을 모든 기기에서 볼 수 있습니다."
    )
    static let connect = LocalizedText("Connect", ko: "연결")
    static let connecting = LocalizedText("Connecting…", ko: "연결하는 중…")
    static let saving = LocalizedText("Saving…", ko: "저장하는 중…")
    static let incomplete = LocalizedText("Fill in server, user and password.", ko: "서버와 사용자, 비밀번호를 모두 입력하세요.")
    static let chooseLists = LocalizedText("Which lists are synced?", ko: "어느 목록을 동기화할까요?")
    static let noLists = LocalizedText("The server has no list for todos yet.", ko: "서버에 할 일 목록이 아직 없습니다.")
    static let readOnly = LocalizedText("read only", ko: "읽기 전용")
    static let localTodos = LocalizedText("Todos without a list", ko: "목록 없는 할 일")
    static let stay = LocalizedText("stay on this machine", ko: "이 컴퓨터에만 두기")
    static let toNew = LocalizedText("go to a new list", ko: "새 목록으로 옮기기")
    static let newList = LocalizedText("New list", ko: "새 목록")
    static let newListHint = LocalizedText("its name", ko: "새 목록의 이름")
    static let nameMissing = LocalizedText("Write the name of the new list.", ko: "새 목록의 이름을 입력하세요.")
    static let nameInvalid = LocalizedText(
        "No list can have this name; write another one.",
        ko: "목록에 쓸 수 없는 이름입니다. 다른 이름을 쓰세요."
    )
    static let noList = LocalizedText("Choose at least one list.", ko: "목록을 하나 이상 고르세요.")
    static let start = LocalizedText("Start sync", ko: "동기화 시작")
    static let isRunning = LocalizedText(
        "A sync is under way; try again in a moment.",
        ko: "동기화하는 중입니다. 잠시 뒤에 다시 시도하세요."
    )
    static let now = LocalizedText("Sync now", ko: "지금 동기화")
    static let change = LocalizedText("Change lists", ko: "목록 바꾸기")
    static let signIn = LocalizedText("Sign in again", ko: "다시 로그인")
    static let remove = LocalizedText("End the sync", ko: "동기화 끝내기")
    static let removeQuestion = LocalizedText("End the sync?", ko: "동기화를 끝낼까요?")
    static let removeMessage = LocalizedText(
        "All todos stay, here and on the server. The password is removed from this machine.",
        ko: "할 일은 여기와 서버에 모두 남습니다. 이 컴퓨터에 저장된 비밀번호는 지웁니다."
    )
    static let removed = LocalizedText("The sync has ended. All todos stay.", ko: "동기화를 끝냈습니다. 할 일은 모두 남아 있습니다.")
    static let delete = LocalizedText("Delete them", ko: "삭제하기")
    static let keep = LocalizedText("Keep them", ko: "남겨 두기")
    static let log = LocalizedText("What was done", ko: "동기화 기록")

    /// Returns where the local todos go.
    static func to(_ list: String) -> LocalizedText {
        LocalizedText("go to \(list)", ko: "\(list.with(.direction)) 옮기기")
    }

    /// Returns a time: `today 15:00`.
    static func time(_ date: Date, today: Day) -> LocalizedText {
        DayText.text(date, today: today)
    }
}
