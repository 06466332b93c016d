/// A filter of todos.
public struct TodoFilter: Hashable, Sendable {
    /// The filter by completion.
    public enum Status: Hashable, Sendable, CaseIterable {
        /// Open todos.
        case open
        /// Completed todos.
        case done
        /// Open and completed todos.
        case all
    }

    /// The filter by completion.
    public var status: Status
    /// The words that must all be found, in lower case. A word is searched in the title, the note, the project and the
    /// contexts; `+word` only at the start of the project, `@word` only at the start of the contexts.
    public var words: [String]
    /// The last due day; `nil` for no filter by day.
    public var dueBy: Day?
    /// Whether archived todos pass, too.
    public var includesArchived: Bool

    /// Creates a filter; without arguments, open todos pass.
    ///
    /// - Parameters:
    ///   - status: the filter by completion.
    ///   - text: the ``words``, separated by white space.
    ///   - dueBy: the last due day; `nil` for no filter by day.
    ///   - includesArchived: whether archived todos pass, too.
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

    /// Whether a todo passes.
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
