#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

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
    /// The last due day; `nil` for no filter by day.
    public var dueBy: Day?
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
    ///   - dueBy: the last due day; `nil` for no filter by day.
    ///   - includesArchived: whether archived todos pass, too.
    ///   - today: the present day, from which relative dates count and on which waiting todos are hidden.
    ///   - time: the present time, for todos that are overdue since a time of the present day.
    public init(
        status: Status = .open,
        text: String = "",
        dueBy: Day? = nil,
        includesArchived: Bool = false,
        today: Day = Day(Date()),
        time: TimeOfDay? = nil
    ) {
        let query = (try? TodoQuery(parsing: text, today: today, time: time)) ?? TodoQuery(words: text)
        self.init(status: status, query: query, dueBy: dueBy, includesArchived: includesArchived, today: today)
    }

    /// Creates a filter with a query.
    public init(
        status: Status = .open,
        query: TodoQuery,
        dueBy: Day? = nil,
        includesArchived: Bool = false,
        today: Day?
    ) {
        self.status = status
        self.query = query
        self.dueBy = dueBy
        self.includesArchived = includesArchived
        self.today = today
    }

    /// Whether a todo passes.
    public func passes(_ todo: Todo) -> Bool {
        if query.mentioned.isDisjoint(with: [.open, .done, .overdue]) {
            switch status {
            case .open where todo.isDone: return false
            case .done where !todo.isDone: return false
            default: break
            }
        }
        if todo.isArchived, !includesArchived, !query.mentioned.contains(.archived) { return false }
        if status == .open, let today, !query.mentioned.contains(.waiting), todo.isWaiting(on: today) { return false }
        if let dueBy {
            guard let due = todo.due, due <= dueBy else { return false }
        }
        return query.matches(todo)
    }
}
