extension Todo {
    /// The order in which people see todos: open before done, the pressing and the soon due first, then the oldest;
    /// among the done, the latest first.
    public static func comesBefore(_ left: Todo, _ right: Todo) -> Bool {
        switch (left.completed, right.completed) {
        case (nil, .some): return true
        case (.some, nil): return false
        case (.some(let first), .some(let second)) where first != second: return first > second
        default: break
        }
        let ranks = (left.priority?.rank ?? .max, right.priority?.rank ?? .max)
        if ranks.0 != ranks.1 { return ranks.0 < ranks.1 }
        let days = (left.due?.number ?? .max, right.due?.number ?? .max)
        if days.0 != days.1 { return days.0 < days.1 }
        if left.created != right.created { return left.created < right.created }
        return left.id.description < right.id.description
    }
}

extension Sequence where Element == Todo {
    /// Those that pass the filter, in the order in which people see them.
    public func matching(_ filter: TodoFilter) -> [Todo] {
        self.filter(filter.passes).sorted(by: Todo.comesBefore)
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
