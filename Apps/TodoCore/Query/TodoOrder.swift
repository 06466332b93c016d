#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Todo {
    /// The display order: open before completed; open ones by priority, due day and age, completed ones with the latest
    /// first.
    public static func comesBefore(_ left: Todo, _ right: Todo) -> Bool {
        TodoOrderKey(left, index: 0) < TodoOrderKey(right, index: 0)
    }
}

extension Sequence where Element == Todo {
    /// Returns the todos that pass a filter, in display order.
    public func matching(_ filter: TodoFilter) -> [Todo] {
        let todos = self.filter { filter.passes($0) }
        // The keys are computed once, and moving a key is cheaper than moving a todo.
        return todos.enumerated().map { TodoOrderKey($1, index: $0) }.sorted().map { todos[$0.index] }
    }

    /// Returns the todo with an ID or a unique prefix of one.
    ///
    /// - Parameter typed: the ID or the prefix. A complete ID takes precedence over a prefix.
    /// - Returns: the todo.
    /// - Throws: ``TodoError/notFound(name:)`` or ``TodoError/ambiguous(name:candidates:)``.
    public func named(_ typed: some StringProtocol) throws(TodoError) -> Todo {
        let name = TodoID.normalised(typed)
        var candidates: [Todo] = []
        for todo in self where !name.isEmpty && todo.id.description.hasPrefix(name) {
            if todo.id.description == name { return todo }
            candidates.append(todo)
        }
        guard let first = candidates.first else { throw .notFound(name: String(typed)) }
        guard candidates.count == 1 else {
            throw .ambiguous(name: String(typed), candidates: candidates.map(\.id).sorted { "\($0)" < "\($1)" })
        }
        return first
    }
}

/// The values that ``Todo/comesBefore(_:_:)`` compares, with the index of the todo.
struct TodoOrderKey: Comparable {
    let index: Int
    /// The negative time of completion in seconds, so that the latest comes first; negative infinity while open.
    private let completed: Double
    private let rank: UInt8
    private let day: Int
    /// The time of creation in seconds after the reference date.
    private let created: Double
    private let id: TodoID

    init(_ todo: Todo, index: Int) {
        self.index = index
        completed = todo.completed.map { -$0.timeIntervalSinceReferenceDate } ?? -.infinity
        rank = todo.priority?.rank ?? .max
        day = todo.due?.number ?? .max
        created = todo.created.timeIntervalSinceReferenceDate
        id = todo.id
    }

    /// Creates the key of a row of an index.
    init(_ row: TodoIndexFormat.Row) {
        index = 0
        completed = row.completed.map { -$0 } ?? -.infinity
        rank = row.rank
        day = row.due ?? .max
        created = row.created
        id = row.id
    }

    static func < (left: TodoOrderKey, right: TodoOrderKey) -> Bool {
        if left.completed != right.completed { return left.completed < right.completed }
        if left.rank != right.rank { return left.rank < right.rank }
        if left.day != right.day { return left.day < right.day }
        if left.created != right.created { return left.created < right.created }
        return left.id.description < right.id.description
    }
}
