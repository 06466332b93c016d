import TodoCore

/// The actions themselves: what script mode calls, and what the screen's events come down to.
extension TodoListInteractor {
    /// The todos that pass a filter, in the order in which people see them.
    func todos(matching filter: TodoFilter) async throws(TodoError) -> [Todo] {
        try await store.todos().matching(filter)
    }

    /// Adds a todo.
    func add(_ draft: TodoDraft) async throws(TodoError) -> Todo {
        try await store.add(draft)
    }

    /// Changes a todo.
    func edit(_ id: TodoID, _ change: TodoChange) async throws(TodoError) -> Todo {
        try await store.edit(id, change)
    }

    /// Changes the todo that a name, or the beginning of one, means.
    func edit(named name: String, _ change: TodoChange) async throws(TodoError) -> Todo {
        try await store.edit(store.todos().named(name).id, change)
    }

    /// Completes the todos that the names mean, all or none.
    func complete(named names: [String]) async throws(TodoError) -> [Todo] {
        try await store.complete(ids(named: names))
    }

    /// Opens the todos again that the names mean, all or none.
    func reopen(named names: [String]) async throws(TodoError) -> [Todo] {
        try await store.reopen(ids(named: names))
    }

    /// Deletes the todos that the names mean, all or none.
    func remove(named names: [String]) async throws(TodoError) -> [Todo] {
        try await store.remove(ids(named: names))
    }

    /// Puts the completed todos away.
    func archive() async throws(TodoError) -> [Todo] {
        try await store.archive()
    }

    /// Takes the last change back.
    func undo() async throws(TodoError) -> String {
        try await store.undo()
    }

    /// Makes the change again that was taken back.
    func redo() async throws(TodoError) -> String {
        try await store.redo()
    }

    /// The names' todos, each once, in the order in which they were named.
    private func ids(named names: [String]) async throws(TodoError) -> [TodoID] {
        let todos = try await store.todos()
        var ids: [TodoID] = []
        for name in names {
            let id = try todos.named(name).id
            if !ids.contains(id) { ids.append(id) }
        }
        return ids
    }
}
