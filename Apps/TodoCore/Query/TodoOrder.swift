#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Todo {
    /// The order in which people see todos: open before done, the pressing and the soon due first, then the oldest;
    /// among the done, the latest first.
    public static func comesBefore(_ left: Todo, _ right: Todo) -> Bool {
        TodoOrderKey(left, index: 0) < TodoOrderKey(right, index: 0)
    }
}

extension Sequence where Element == Todo {
    /// Those that pass the filter, in the order in which people see them.
    public func matching(_ filter: TodoFilter) -> [Todo] {
        let todos = self.filter(filter.passes)
        // What is compared is worked out once for each, and a todo is much to move about.
        return todos.enumerated().map { TodoOrderKey($1, index: $0) }.sorted().map { todos[$0.index] }
    }

    /// The todo that a person means by a name or the beginning of one.
    ///
    /// - Parameter typed: a whole name, or as much of it as only one todo has; a whole name goes before any prefix.
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

/// What decides a todo's place in ``Todo/comesBefore(_:_:)``, with where the todo stood before.
struct TodoOrderKey: Comparable {
    let index: Int
    /// Seconds before the reference date at which it was completed, so that the latest comes first; lowest while open.
    private let completed: Double
    private let rank: UInt8
    private let day: Int
    /// Seconds after the reference date at which it was added.
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

    static func < (left: TodoOrderKey, right: TodoOrderKey) -> Bool {
        if left.completed != right.completed { return left.completed < right.completed }
        if left.rank != right.rank { return left.rank < right.rank }
        if left.day != right.day { return left.day < right.day }
        if left.created != right.created { return left.created < right.created }
        return left.id.description < right.id.description
    }
}
