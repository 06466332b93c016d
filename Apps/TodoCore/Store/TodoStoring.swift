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
