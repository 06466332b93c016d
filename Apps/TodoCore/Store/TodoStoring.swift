/// Where todos are kept: what the apps' features ask of a store.
///
/// Every change is whole or not at all, is kept for good when the call returns, and can be undone.
public protocol TodoStoring: Sendable {
    /// All todos, archived ones included, in no particular order.
    func todos() async throws(TodoError) -> [Todo]

    /// Adds a todo and gives it its name.
    func add(_ draft: TodoDraft) async throws(TodoError) -> Todo

    /// Changes a todo and returns it as it is then.
    func edit(_ id: TodoID, _ change: TodoChange) async throws(TodoError) -> Todo

    /// Marks todos done, all or none; those done already stay as they are.
    func complete(_ ids: [TodoID]) async throws(TodoError) -> [Todo]

    /// Marks todos open again, all or none.
    func reopen(_ ids: [TodoID]) async throws(TodoError) -> [Todo]

    /// Deletes todos, all or none, and returns what they were.
    func remove(_ ids: [TodoID]) async throws(TodoError) -> [Todo]

    /// Puts the completed todos away and returns them.
    func archive() async throws(TodoError) -> [Todo]

    /// Takes the last change back and returns a few words on what it was.
    func undo() async throws(TodoError) -> String

    /// Makes the change again that was last taken back, and returns a few words on it.
    func redo() async throws(TodoError) -> String

    /// An element each time the todos have changed, by this process or by another; ends with the store.
    func changes() async -> AsyncStream<Void>
}

/// The use cases that name todos as people type them: a whole ID or a unique prefix of one.
extension TodoStoring {
    /// Returns the todos that pass a filter, in display order.
    package func todos(matching filter: TodoFilter) async throws(TodoError) -> [Todo] {
        try await todos().matching(filter)
    }

    /// Changes the todo with this name and returns it.
    package func edit(named name: String, _ change: TodoChange) async throws(TodoError) -> Todo {
        try await edit(todos().named(name).id, change)
    }

    /// Completes the todos with these names, all or none.
    package func complete(named names: [String]) async throws(TodoError) -> [Todo] {
        try await complete(ids(named: names))
    }

    /// Reopens the todos with these names, all or none.
    package func reopen(named names: [String]) async throws(TodoError) -> [Todo] {
        try await reopen(ids(named: names))
    }

    /// Deletes the todos with these names, all or none.
    package func remove(named names: [String]) async throws(TodoError) -> [Todo] {
        try await remove(ids(named: names))
    }

    /// Returns the IDs of the named todos, each once, in the order of the names.
    private func ids(named names: [String]) async throws(TodoError) -> [TodoID] {
        let todos = try await todos()
        var ids: [TodoID] = []
        for name in names {
            let id = try todos.named(name).id
            if !ids.contains(id) { ids.append(id) }
        }
        return ids
    }
}
