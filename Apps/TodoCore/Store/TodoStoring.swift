/// A store of todos, as the features and the commands of the app use it.
///
/// Each change is made completely or not at all, is on the disk when the call returns, and can be undone.
public protocol TodoStoring: Sendable {
    /// Reads all todos, archived ones included.
    func contents() async throws(TodoError) -> TodoContents

    /// Makes a change and returns the changed todos.
    func perform(_ mutation: TodoMutation) async throws(TodoError) -> TodoReceipt

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

    /// Returns a stream with an element after each change of the todos, by this process or by another. It ends with the
    /// store.
    func changes() async -> AsyncStream<Void>
}

/// A change of the todos.
public enum TodoMutation: Hashable, Sendable {
    /// Adds todos.
    case add([TodoDraft])
    /// Changes the fields of a todo.
    case edit(TodoID, TodoChange)
    /// Marks todos as done. Todos that are done already retain their time.
    case complete([TodoID])
    /// Marks todos as open.
    case reopen([TodoID])
    /// Deletes todos.
    case remove([TodoID])
    /// Archives the completed todos.
    case archive
}

/// The result of a change.
public struct TodoReceipt: Sendable {
    /// The todos as they are after the change; deleted ones as they were before.
    public let todos: [Todo]
    /// The step of the history; `nil` if nothing had to be changed.
    public let step: TodoStep?

    /// Creates a receipt.
    public init(todos: [Todo], step: TodoStep?) {
        self.todos = todos
        self.step = step
    }
}

/// Identifies a change in the history of a store.
public struct TodoStep: Hashable, Sendable {
    /// The position in the history.
    public let number: Int
    /// A random text that distinguishes two changes with the same position.
    public let mark: String
    /// A short description of the change, such as `add "Buy milk"`.
    public let summary: String

    /// Creates a reference to a change.
    public init(number: Int, mark: String, summary: String) {
        self.number = number
        self.mark = mark
        self.summary = summary
    }
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
        let todos = try await todos()
        var ids: [TodoID] = []
        for name in names {
            let id = try todos.named(name).id
            if !ids.contains(id) { ids.append(id) }
        }
        return ids
    }
}
