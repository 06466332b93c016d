/// Which todos to show.
public struct TodoFilter: Hashable, Sendable {
    /// Whether open, done or all todos pass.
    public enum Status: Hashable, Sendable, CaseIterable {
        /// Those still to be done.
        case open
        /// Those completed.
        case done
        /// Both.
        case all
    }

    /// Which by completion.
    public var status: Status
    /// Words that must all be found; each in the title, the note, the project or a context. `+word` looks at the
    /// project alone and `@word` at the contexts.
    public var words: [String]
    /// Only those due on this day or before it.
    public var dueBy: Day?
    /// Whether archived todos pass too.
    public var includesArchived: Bool

    /// Creates a filter; without arguments it passes what is open.
    ///
    /// - Parameters:
    ///   - status: which by completion.
    ///   - text: words with white space between, as ``words`` tells.
    ///   - dueBy: the last due day that passes.
    ///   - includesArchived: whether archived todos pass too.
    public init(
        status: Status = .open,
        text: String = "",
        dueBy: Day? = nil,
        includesArchived: Bool = false
    ) {
        self.status = status
        words = text.split(whereSeparator: \.isWhitespace).map { $0.lowercased() }
        self.dueBy = dueBy
        self.includesArchived = includesArchived
    }

    /// Whether `todo` is to be shown.
    public func passes(_ todo: Todo) -> Bool {
        switch status {
        case .open where todo.isDone: return false
        case .done where !todo.isDone: return false
        default: break
        }
        if todo.isArchived, !includesArchived { return false }
        if let dueBy {
            guard let due = todo.due, due <= dueBy else { return false }
        }
        return words.allSatisfy { Self.matches($0, todo) }
    }

    private static func matches(_ word: String, _ todo: Todo) -> Bool {
        switch word.first {
        case "+" where word.count > 1:
            return todo.project?.lowercased().hasPrefix(word.dropFirst()) ?? false
        case "@" where word.count > 1:
            return todo.contexts.contains { $0.lowercased().hasPrefix(word.dropFirst()) }
        default:
            return todo.title.lowercased().contains(word)
                || todo.note?.lowercased().contains(word) ?? false
                || todo.project?.lowercased().contains(word) ?? false
                || todo.contexts.contains { $0.lowercased().contains(word) }
        }
    }
}
