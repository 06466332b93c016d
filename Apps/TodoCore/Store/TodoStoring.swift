/// A store of todos, as the features and the commands of the app use it.
///
/// Each change is made completely or not at all, is on the disk when the call returns, and can be undone.
public protocol TodoStoring: Sendable {
    /// Reads all todos, archived ones included.
    func contents() async throws(TodoError) -> TodoContents

    /// Makes a change and returns the changed todos.
    func perform(_ mutation: TodoMutation) async throws(TodoError) -> TodoReceipt

    /// Adds and changes todos from a file, as one change.
    ///
    /// - Parameters:
    ///   - records: the todos of the file.
    ///   - mode: whether todos that exist are changed.
    ///   - progress: called after each todo.
    /// - Returns: the receipt, with the result of each record.
    /// - Throws: ``TodoError``; then nothing is changed.
    func add(
        _ records: [TodoRecord],
        _ mode: TodoImportMode,
        progress: @Sendable (TodoImportProgress) -> Void
    ) async throws(TodoError) -> TodoReceipt

    /// Returns the change that ``undo()`` would undo, whichever process made it; `nil` if the history is empty.
    func lastStep() async throws(TodoError) -> TodoStep?

    /// Undoes the last change, whichever process made it, and returns its summary.
    func undo() async throws(TodoError) -> String

    /// Undoes one particular change.
    ///
    /// - Parameters:
    ///   - step: the change, from the receipt of ``perform(_:)``.
    ///   - afterLaterChanges: whether it may be undone although other changes were made after it. These stay.
    /// - Returns: the summary of the change.
    /// - Throws: ``TodoError/laterChange(summary:later:)`` if `afterLaterChanges` is false and there are later changes,
    ///   ``TodoError/changedSince(summary:)`` if one of the todos was changed again, ``TodoError/stepIsGone(summary:)`` if
    ///   the change is already undone or no longer in the history.
    func undo(_ step: TodoStep, afterLaterChanges: Bool) async throws(TodoError) -> String

    /// Makes the last undone change again and returns its summary.
    func redo() async throws(TodoError) -> String

    /// Returns the changes of the history with both states of each todo, the latest first; undone ones before all others.
    func log() async throws(TodoError) -> [TodoLogEntry]

    /// Returns the todos with these names, each an ID or a unique prefix of one, each todo once.
    func todos(named names: [String]) async throws(TodoError) -> [Todo]

    /// Returns the open todos as plain lines in display order, or `nil` if the store cannot do this faster than its caller.
    ///
    /// - Parameters:
    ///   - includesAll: whether completed, waiting and archived todos are listed, too.
    ///   - today: the present day.
    /// - Returns: the lines in UTF-8.
    /// - Throws: ``TodoError/storage(_:)``.
    func plainLines(includesAll: Bool, today: Day) async throws(TodoError) -> [UInt8]?

    /// Returns the saved queries by name.
    func savedQueries() async throws(TodoError) -> [String: String]

    /// Saves a query; `nil` removes it.
    func saveQuery(_ name: String, _ query: String?) async throws(TodoError)

    /// Returns a stream with an element after each change of the todos, by this process or by another. It ends with the
    /// store.
    func changes() async -> AsyncStream<Void>
}

/// The todos of a store, and what could not be read.
public struct TodoContents: Sendable {
    /// The readable todos, in no particular order.
    public let todos: [Todo]
    /// Everything that is missing from ``todos``, or may be.
    public let damage: [TodoDamage]

    /// Creates contents.
    public init(todos: [Todo], damage: [TodoDamage] = []) {
        self.todos = todos
        self.damage = damage
    }
}

/// A loss of todos that the store has noticed.
public enum TodoDamage: Hashable, Sendable, CustomStringConvertible {
    /// The file was damaged. The store works on with the readable part and saved a copy of the damaged file, which
    /// exists until the user deletes it.
    case damagedFile(path: String, copy: String)
    /// The file is damaged and cannot be repaired, because it may not be written or the disk is full. The store works on
    /// with the readable part.
    case unrepairedFile(path: String)
    /// A todo cannot be decoded.
    case unreadable(name: String, path: String, detail: String)

    /// What is missing, where it is, and what to do next.
    public var description: String {
        switch self {
        case .damagedFile(let path, let copy):
            "\(path) was damaged: todos may be missing. The damaged file is saved as \(copy); recover what you need "
                + "from it or from a backup, then delete it to dismiss this message"
        case .unrepairedFile(let path):
            "\(path) is damaged: todos may be missing. It cannot be repaired, because it cannot be written: make the file "
                + "and its folder writable, or free some space, and start again; or restore it from a backup"
        case .unreadable(let name, let path, let detail):
            "the todo \(name) in \(path) cannot be read (\(detail)) and is not shown; it is unchanged, and a newer "
                + "version of this program may be able to read it"
        }
    }
}

/// The use cases of the app, which name todos as people type them: by a whole ID or a unique prefix.
extension TodoStoring {
    /// Reads the todos, without those that cannot be read.
    public func todos() async throws(TodoError) -> [Todo] {
        try await contents().todos
    }

    /// Adds a todo and returns it.
    public func add(_ draft: TodoDraft) async throws(TodoError) -> Todo {
        let todos = try await perform(.add([draft])).todos
        guard let todo = todos.first else { throw .notFound(name: draft.title) }
        return todo
    }

    /// Adds several todos as one change.
    public func add(_ drafts: [TodoDraft]) async throws(TodoError) -> [Todo] {
        try await perform(.add(drafts)).todos
    }

    /// Changes a todo and returns it.
    public func edit(_ id: TodoID, _ change: TodoChange) async throws(TodoError) -> Todo {
        let todos = try await perform(.edit(id, change)).todos
        guard let todo = todos.first else { throw .notFound(name: id.description) }
        return todo
    }

    /// Marks todos as done, all or none.
    public func complete(_ ids: [TodoID]) async throws(TodoError) -> [Todo] {
        try await perform(.complete(ids)).todos
    }

    /// Marks todos as open, all or none.
    public func reopen(_ ids: [TodoID]) async throws(TodoError) -> [Todo] {
        try await perform(.reopen(ids)).todos
    }

    /// Deletes todos, all or none, and returns them as they were.
    public func remove(_ ids: [TodoID]) async throws(TodoError) -> [Todo] {
        try await perform(.remove(ids)).todos
    }

    /// Archives the completed todos and returns them.
    public func archive() async throws(TodoError) -> [Todo] {
        try await perform(.archive).todos
    }

    /// Finds the todos with these names, each once, in the order of the names.
    package func ids(named names: [String]) async throws(TodoError) -> [TodoID] {
        try await todos(named: names).map(\.id)
    }
}

/// What a store in memory does not need to implement.
extension TodoStoring {
    public func log() async throws(TodoError) -> [TodoLogEntry] { [] }

    public func add(
        _ records: [TodoRecord],
        _ mode: TodoImportMode,
        progress: @Sendable (TodoImportProgress) -> Void
    ) async throws(TodoError) -> TodoReceipt {
        try await perform(.importing(records, mode))
    }

    public func todos(named names: [String]) async throws(TodoError) -> [Todo] {
        let todos = try await todos()
        var found: [Todo] = []
        for name in names {
            let todo = try todos.named(name)
            if !found.contains(where: { $0.id == todo.id }) { found.append(todo) }
        }
        return found
    }

    public func plainLines(includesAll: Bool, today: Day) async throws(TodoError) -> [UInt8]? { nil }

    public func savedQueries() async throws(TodoError) -> [String: String] { [:] }

    public func saveQuery(_ name: String, _ query: String?) async throws(TodoError) {}
}
