import AppLanguage
import TextEscaping
import TodoSync

/// The texts of the `sync` commands.
enum SyncCommandText {
    static let nothing = LocalizedText("nothing to sync", ko: "동기화할 것이 없습니다")
    static let none = LocalizedText("no sync is set up", ko: "동기화가 설정되지 않았습니다")
    static let user = LocalizedText("User", ko: "사용자")
    static let password = LocalizedText("Password", ko: "비밀번호")
    static let lists = LocalizedText(
        "Lists to sync, with commas between them (empty for all)",
        ko: "동기화할 목록을 쉼표로 구분해 쓰세요(비워 두면 모두)"
    )
    static let localList = LocalizedText(
        "List for the todos of this machine, created if missing (empty: they stay here)",
        ko: "이 컴퓨터의 할 일을 옮길 목록. 없으면 만듭니다(비워 두면 옮기지 않음)"
    )
    static let noList = LocalizedText(
        "the server has no list for todos; --local-to NAME creates one",
        ko: "서버에 할 일 목록이 없습니다. --local-to NAME으로 만들 수 있습니다"
    )

    /// Returns that the server does not have a list.
    static func noList(_ name: String, of names: [String]) -> LocalizedText {
        let text = LocalizedText("the server has no list \(name.quoted())", ko: "서버에 \(name.quoted()) 목록이 없습니다")
        if names.isEmpty { return text }
        let known = names.map { $0.quoted() }.joined(separator: ", ")
        return LocalizedText("\(text.english); it has \(known)", ko: "\(text.korean). 있는 목록: \(known)")
    }

    /// Returns that there is an account, and the commands that change it.
    static func present(_ account: SyncAccount) -> LocalizedText {
        let text = LocalizedText(
            "a sync is set up already; `sync status` shows it, `sync rm` ends it",
            ko: "이미 동기화가 설정되어 있습니다. `sync status`로 보고 `sync rm`으로 끝낼 수 있습니다"
        )
        return signIn(account, after: text)
    }

    /// Returns a text with the command that replaces the password.
    static func signIn(_ account: SyncAccount, after text: LocalizedText) -> LocalizedText {
        let command = "`sync add \(account.address) --user \(account.user)`".escapingControls()
        return LocalizedText(
            "\(text.english); \(command) replaces the password",
            ko: "\(text.korean). 비밀번호는 \(command)로 바꿉니다"
        )
    }

    /// Returns the result of `sync rm`.
    static func removed(_ address: String, unsent: Int) -> LocalizedText {
        let address = address.escapingControls()
        let text = LocalizedText(
            "the sync with \(address) has ended; all todos stay",
            ko: "\(address.with(.and)) 동기화를 끝냈습니다. 할 일은 모두 남아 있습니다"
        )
        if unsent == 0 { return text }
        return LocalizedText(
            "\(text.english); \(unsent) changed or deleted here were not sent",
            ko: "\(text.korean). 여기서 바꾸거나 지운 \(unsent)개는 보내지 않았습니다"
        )
    }

    /// Returns that a value is missing on standard input.
    static func missing(_ label: LocalizedText) -> LocalizedText {
        LocalizedText(
            "standard input ended; the next line should be: \(label.english.lowercased())",
            ko: "표준 입력이 끝났습니다. 다음 줄에는 \(label.korean.with(.subject)) 있어야 합니다"
        )
    }

    private static let problem = LocalizedText("problem", ko: "문제")

    /// Returns the rows of `sync status`, without its log.
    static func rows(_ account: SyncAccount, waiting: Int, lastSync: String?) -> [(LocalizedText, LocalizedText)] {
        let status = account.status
        var rows = [
            (LocalizedText("server", ko: "서버"), LocalizedText(verbatim: account.address)),
            (LocalizedText("user", ko: "사용자"), LocalizedText(verbatim: account.user)),
            (
                LocalizedText("lists", ko: "목록"),
                LocalizedText(verbatim: account.lists.map(\.name).joined(separator: ", "))
            ),
            (LocalizedText("waiting", ko: "대기"), LocalizedText(verbatim: "\(waiting)")),
        ]
        if let lastSync { rows.append((LocalizedText("last sync", ko: "마지막"), LocalizedText(verbatim: lastSync))) }
        if let detail = status.problem {
            let korean = SyncProblem(status.kind ?? .server, detail: detail).korean
            var text = LocalizedText(detail, ko: korean)
            if status.kind == .login { text = signIn(account, after: text) }
            rows.append((problem, text))
        }
        for event in status.problems ?? [] {
            rows.append((problem, LocalizedText(event.text(.english), ko: event.text(.korean))))
        }
        for refusal in status.refusals ?? [] { rows.append((problem, refusal.textWithCommand)) }
        return rows
    }
}
