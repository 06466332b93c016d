/// A filter of todos: a ``TodoQuery`` with what a list hides by default.
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

    /// The filter by completion. It does not apply if the query names a state, such as `is:done`.
    public var status: Status
    /// The query.
    public var query: TodoQuery
    /// Whether archived todos pass, too.
    public var includesArchived: Bool
    /// The day on which waiting todos are hidden; `nil` to hide none.
    public var today: Day?

    /// Creates a filter; without arguments, open todos pass.
    ///
    /// - Parameters:
    ///   - status: the filter by completion.
    ///   - text: a query. A text that is not a valid query, such as one that is not completely typed, is a list of words that
    ///     must all be found.
    ///   - includesArchived: whether archived todos pass, too.
    ///   - today: the present day, from which relative dates count and on which waiting todos are hidden.
    ///   - time: the present time, for todos that are overdue since a time of the present day.
    public init(
        status: Status = .open,
        text: String = "",
        includesArchived: Bool = false,
        today: Day = Day(Date()),
        time: TimeOfDay? = nil
    ) {
        let query = (try? TodoQuery(parsing: text, today: today, time: time)) ?? TodoQuery(words: text)
        self.init(status: status, query: query, includesArchived: includesArchived, today: today)
    }

    /// Creates a filter with a query.
    public init(status: Status = .open, query: TodoQuery, includesArchived: Bool = false, today: Day?) {
        (self.status, self.query) = (status, query)
        (self.includesArchived, self.today) = (includesArchived, today)
    }

    /// Creates the filter that todos with these IDs pass.
    package init(ids: [TodoID]) {
        self.init(status: .all, query: TodoQuery(root: .term(.ids(Set(ids)))), includesArchived: true, today: nil)
    }

    /// The IDs of the todos that can pass, if the filter is for a few todos.
    package var ids: Set<TodoID>? { if case .term(.ids(let ids)) = query.root { ids } else { nil } }

    /// Every todo passes.
    public static let everything = TodoFilter(status: .all, query: TodoQuery(), includesArchived: true, today: nil)

    /// The query with what the list hides.
    var condition: TodoQuery.Node {
        var parts: [TodoQuery.Node] = []
        let namesCompletion = query.mentions.contains(.completion)
        var hidden: TodoRow.Flags = status == .open && !namesCompletion ? .done : []
        if !includesArchived, !query.mentions.contains(.archived) { hidden.insert(.archived) }
        if !hidden.isEmpty { parts.append(.term(.without(hidden))) }
        if status == .done, !namesCompletion { parts.append(.term(.flag(.done))) }
        if status == .open, let today, !query.mentions.contains(.waiting) { parts.append(.not(.term(.waiting(today)))) }
        return .all(parts + [query.root])
    }

    /// Whether a todo passes.
    public func passes(_ todo: Todo) -> Bool { condition.matches(todo) }
}
