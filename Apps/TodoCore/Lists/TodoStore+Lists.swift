import LocalProvider
import TextEscaping

/// The lists of a store are one value of the journal.
extension TodoStore {
    public func lists() async throws(TodoListError) -> [TodoList] {
        let names = Set(try attempt { () throws(TodoError) in try contents().todos }.compactMap(\.list))
        let known = try attempt { () throws(TodoError) in
            try reading { store throws(TodoError) in try store.lists() }
        }
        let others = names.subtracting(known.map(\.name)).map { TodoList(name: $0) }
        return (known + others).sorted { ($0.name.lowercased(), $0.name) < ($1.name.lowercased(), $1.name) }
    }

    public func addList(named text: String) async throws(TodoListError) -> TodoList {
        let list = TodoList(name: try TodoList.name(text))
        let lists = try await lists()
        guard !lists.contains(where: { $0.name.lowercased() == list.name.lowercased() }) else {
            throw .exists(name: list.name)
        }
        try attempt { () throws(TodoError) in
            try change { store throws(TodoError) in try store.setList(list.name, to: list) }
        }
        return list
    }

    public func renameList(_ name: String, to new: String) async throws(TodoListError) -> TodoList {
        var list = try await list(named: name)
        guard !list.isSynced else { throw .isSynced(name: list.name) }
        let old = list.name
        list.name = try TodoList.name(new)
        guard list.name != old else { return list }
        let isTaken = try await lists().contains { other in
            other.name != old && other.name.lowercased() == list.name.lowercased()
        }
        guard !isTaken else { throw .exists(name: list.name) }
        let todos = try attempt { () throws(TodoError) in try contents().todos.filter { $0.list == old }.map(\.id) }
        try attempt { () throws(TodoError) in
            try change { store throws(TodoError) in
                try store.setList(old, to: list)
                try store.renameLists([old: list.name], todos)
            }
        }
        return list
    }

    public func removeList(_ name: String) async throws(TodoListError) -> Int {
        let list = try await list(named: name)
        guard !list.isSynced else { throw .isSynced(name: list.name) }
        return try attempt { () throws(TodoError) in
            let ids = try contents().todos.filter { $0.list == list.name }.map(\.id)
            return try change { store throws(TodoError) in
                var todos: [Todo] = []
                for id in ids {
                    guard var todo = try store.todoIfPresent(id), todo.list == list.name else { continue }
                    (todo.list, todo.modified) = (nil, store.now)
                    todos.append(todo)
                }
                try store.setList(list.name, to: nil)
                _ = try store.put(todos, verb: "remove the list \(list.name) of")
                return todos.count
            }
        }
    }

    private func attempt<Result>(_ body: () throws(TodoError) -> Result) throws(TodoListError) -> Result {
        do throws(TodoError) { return try body() } catch { throw .store(error) }
    }
}

extension TodoTransaction {
    private static let listsKey = "lists"

    /// The lists that were added or are synced.
    func lists() throws(TodoError) -> [TodoList] { try value([TodoList].self, Self.listsKey) ?? [] }

    /// Adds, replaces or, with `nil`, removes a list.
    mutating func setList(_ name: String, to list: TodoList?) throws(TodoError) {
        var lists = try lists().filter { $0.name != name && $0.name != list?.name }
        if let list { lists.append(list) }
        try setLists(lists)
    }

    /// Replaces all lists.
    mutating func setLists(_ lists: [TodoList]) throws(TodoError) {
        if lists.isEmpty { try remove(Self.listsKey) } else { try set(lists, Self.listsKey) }
        syncedLists = nil
    }

    /// Changes the lists of todos and of their states in the history, which is no step of the history itself.
    ///
    /// - Parameters:
    ///   - names: the new names by the old ones, all changed at once: one may be the old name of another list.
    ///   - ids: the todos of these lists.
    /// - Throws: ``TodoError``.
    mutating func renameLists(_ names: [String: String], _ ids: [TodoID]) throws(TodoError) {
        func renamed(_ todo: Todo?) -> Todo? {
            var todo = todo
            if let name = todo?.list.flatMap({ names[$0] }) { todo?.list = name }
            return todo
        }
        for id in ids {
            if let todo = renamed(try todoIfPresent(id)) { _ = try exchange([id: todo], marksUnsynced: false) }
        }
        let history = try history()
        for number in history.start..<history.end {
            guard var step = try step(number), step.others.values.contains(where: { renamed($0) != $0 })
            else { continue }
            step.others = step.others.mapValues { renamed($0) }
            try set(step, TodoHistory.stepKey(number))
        }
    }
}
