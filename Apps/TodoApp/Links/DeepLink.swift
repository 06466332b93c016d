import AppLanguage
import CommandKit
import TextEscaping

/// A link to a place in the app, such as `todo/k7f2`.
enum DeepLink: Hashable, Sendable {
    /// A todo, by its ID or a unique prefix of it.
    case todo(String)
    /// The profile.
    case profile
    /// A picture of a breed.
    case picture(breed: String)

    /// Reads a link: `todo/ID`, `profile` or `picture/BREED`; `nil` for any other text.
    ///
    /// A breed may contain slashes, as in `picture/hound/afghan`.
    init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let rest = parts.count > 1 ? String(parts[1]) : ""
        switch (parts.first.map(String.init), parts.count) {
        case ("profile", 1): self = .profile
        case ("todo", 2) where !rest.isEmpty: self = .todo(rest)
        case ("picture", 2) where !rest.isEmpty: self = .picture(breed: rest)
        default: return nil
        }
    }

    /// The forms of a link, for messages.
    static let forms = "todo/ID, profile or picture/BREED"
}

/// The reason why a link cannot be opened. ``text`` says what to do.
enum DeepLinkError: Error, Hashable, Sendable {
    /// No todo has the ID.
    case noTodo(String)
    /// Several todos have an ID that begins with the text.
    case ambiguous(String)
    /// The todos cannot be read.
    case unreadable(String)
    /// There are no pictures of the breed.
    case noBreed(String)

    /// What happened, and what to do.
    var text: LocalizedText {
        switch self {
        case .noTodo(let id):
            LocalizedText(
                "There is no todo \(id.quoted(limit: 30)): it may be deleted. The list shows those that exist.",
                ko: "\(id.quoted(limit: 30)) 할 일이 없습니다. 삭제되었을 수 있습니다. 목록에서 확인하세요."
            )
        case .ambiguous(let id):
            LocalizedText(
                "Several todos begin with \(id.quoted(limit: 30)): write more of the ID.",
                ko: "\(id.quoted(limit: 30).with(.direction)) 시작하는 할 일이 여럿입니다. 아이디를 더 길게 쓰세요."
            )
        case .unreadable(let reason):
            LocalizedText("The todos cannot be read: \(reason)", ko: "할 일을 읽을 수 없습니다: \(reason)")
        case .noBreed(let breed):
            LocalizedText(
                "There are no pictures of \(breed.quoted(limit: 30)): `breeds` lists the breeds.",
                ko: "\(breed.quoted(limit: 30)) 사진이 없습니다. `breeds` 명령으로 품종을 확인하세요."
            )
        }
    }
}
