public import LocalProvider

/// What can go wrong with todos.
public enum TodoError: Error, Sendable {
    /// The title is empty, or nothing but white space.
    case emptyTitle
    /// A text has more characters than its field takes.
    case tooLong(field: String, limit: Int)
    /// A text holds a control character or a mark that turns the direction of text.
    case controlCharacter(field: String, scalar: UnicodeScalar)
    /// A project or a context has white space in it.
    case notOneWord(field: String, text: String)
    /// No todo has a name that begins with this.
    case notFound(name: String)
    /// Several todos have names that begin with this.
    case ambiguous(name: String, candidates: [TodoID])
    /// There is nothing to undo.
    case nothingToUndo
    /// There is nothing to redo.
    case nothingToRedo
    /// The todos could not be read or written.
    case storage(LocalError)
}

extension TodoError: CustomStringConvertible {
    /// What failed, and what to do about it.
    public var description: String {
        switch self {
        case .emptyTitle:
            "the title is empty; say what is to be done"
        case .tooLong(let field, let limit):
            "the \(field) is longer than \(limit) characters; shorten it, or put the rest into the note"
        case .controlCharacter(let field, let scalar):
            "the \(field) holds the control character U+\(Self.hex(scalar)); take it out and try again"
        case .notOneWord(let field, let text):
            "the \(field) \"\(text)\" has a space in it; write it as one word, such as \"\(Self.joined(text))\""
        case .notFound(let name):
            "no todo is called \"\(name)\"; `todo list --all` shows every name"
        case .ambiguous(let name, let candidates):
            "\"\(name)\" could be \(candidates.map(\.description).joined(separator: ", ")); type one more character"
        case .nothingToUndo:
            "there is nothing to undo"
        case .nothingToRedo:
            "there is nothing to redo"
        case .storage(let error):
            error.description
        }
    }

    private static func hex(_ scalar: UnicodeScalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    private static func joined(_ text: String) -> String {
        String(text.map { $0.isWhitespace ? "-" : $0 })
    }
}
