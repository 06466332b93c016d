/// The todos of a store at one time, prepared for a list that is filtered at each key: sorted once, with their texts in one
/// block of memory.
public final class TodoSnapshot: Sendable {
    /// All todos in display order.
    public let todos: [Todo]
    /// The number of open todos that are not archived.
    public let openCount: Int
    /// The number of completed todos that are not archived.
    public let doneCount: Int
    private let text: TodoSearchText

    /// Prepares todos.
    public init(_ todos: [Todo]) {
        self.todos = todos.matching(TodoFilter(status: .all, query: TodoQuery(), includesArchived: true, today: nil))
        openCount = todos.count { !$0.isDone && !$0.isArchived }
        doneCount = todos.count { $0.isDone && !$0.isArchived }
        text = TodoSearchText(self.todos)
    }

    /// Prepares todos outside the caller's actor.
    public static func prepare(_ todos: [Todo]) async -> TodoSnapshot { TodoSnapshot(todos) }

    /// Returns the todos that pass a filter, in display order.
    public func matching(_ filter: TodoFilter) -> [Todo] {
        var found: [Todo] = []
        text.forEach { index, text in
            if filter.passes(todos[index], text) { found.append(todos[index]) }
        }
        return found
    }

    /// Returns the todos that pass a filter, outside the caller's actor.
    public func search(_ filter: TodoFilter) async -> [Todo] { matching(filter) }
}
