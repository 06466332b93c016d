/// A store of todos, as the features and the commands of the app use it.
///
/// Each change is made completely or not at all, is on the disk when the call returns, and can be undone.
public protocol TodoStoring: TodoListStoring {
    /// Reads all todos in display order, archived ones included.
    func contents() async throws(TodoError) -> TodoContents

    /// Reads the todos that pass a filter, in display order.
    func contents(matching filter: TodoFilter) async throws(TodoError) -> TodoContents

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

    /// Returns the todos with these names, each an ID, a unique prefix of one or a UUID, each todo once.
    func todos(named names: [String]) async throws(TodoError) -> [Todo]

    /// Returns the todos that pass a filter as plain lines in UTF-8, in display order; `nil` if the store cannot do this faster
    /// than its caller.
    func plainLines(_ filter: TodoFilter) async throws(TodoError) -> [UInt8]?

    /// Returns the saved queries by name.
    func savedQueries() async throws(TodoError) -> [String: String]

    /// Saves a query; `nil` removes it.
    func saveQuery(_ name: String, _ query: String?) async throws(TodoError)

    /// Returns the name of the saved query that every list obeys; `nil` without one.
    func context() async throws(TodoError) -> String?

    /// Sets the saved query that every list obeys; `nil` for none.
    func setContext(_ name: String?) async throws(TodoError)

    /// Removes all todos, lists and saved queries with their history from this machine, for good.
    func erase() async throws(TodoError)

    /// Returns a stream with an element after each change of the todos or the context, by this process or by another. It
    /// ends with the store.
    func changes() async -> AsyncStream<Void>
}

/// The todos of a store, and what could not be read.
public struct TodoContents: Sendable {
    /// The readable todos.
    public let todos: [Todo]
    /// Everything that is missing from ``todos``, or may be.
    public let damage: [TodoDamage]
    /// Which of ``todos`` wait for others of the store.
    public let blocking: TodoBlocking
    /// The display order at the time of reading.
    public let order: TodoOrder

    /// Creates contents.
    ///
    /// - Parameters:
    ///   - todos: the todos.
    ///   - damage: what is missing.
    ///   - blocking: which todos wait for others; computed if `todos` are all todos of the store.
    ///   - order: the display order.
    public init(
        todos: [Todo],
        damage: [TodoDamage] = [],
        blocking: TodoBlocking? = nil,
        order: TodoOrder = TodoOrder()
    ) {
        (self.todos, self.damage) = (todos, damage)
        self.blocking = blocking ?? TodoBlocking(todos)
        self.order = order
    }

    /// Returns contents with other todos of the same store.
    package func with(_ todos: [Todo]) -> TodoContents {
        TodoContents(todos: todos, damage: damage, blocking: blocking, order: order)
    }

    /// Returns the terms of a todo's urgency that are not zero, the largest first; none if it is completed.
    public func urgency(of todo: Todo) -> [TodoUrgency.Term] {
        order.terms(of: row(of: todo)).sorted { abs($0.value) > abs($1.value) }
    }

    /// Returns the urgency of a todo, the sum of its terms; `nil` if it is completed.
    package func urgencySum(of todo: Todo) -> Double? { order.sum(of: row(of: todo)) }

    private func row(of todo: Todo) -> TodoRow {
        var row = TodoRow(todo)
        if blocking.blocked.contains(todo.id) { row.flags.insert(.blocked) }
        if blocking.blocking.contains(todo.id) { row.flags.insert(.blocking) }
        return row
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
    public func todos() async throws(TodoError) -> [Todo] { try await contents().todos }

    /// Adds a todo and returns it.
    public func add(_ values: TodoChange) async throws(TodoError) -> Todo {
        let todos = try await perform(.add([values])).todos
        guard let todo = todos.first else { throw .notFound(name: values.title ?? "") }
        return todo
    }

    /// Adds several todos as one change.
    public func add(_ values: [TodoChange]) async throws(TodoError) -> [Todo] {
        try await perform(.add(values)).todos
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
    public func archive() async throws(TodoError) -> [Todo] { try await perform(.archive).todos }

    /// Returns the change that a line describes, with its parent and the todos for which it waits.
    ///
    /// - Parameters:
    ///   - entry: the line.
    ///   - due: the current due day, from which a relative threshold counts if the line has none.
    /// - Returns: the change.
    /// - Throws: ``TodoError`` if one of them is not found, or if the threshold counts from a missing due day.
    package func change(_ entry: TodoEntry, due: Day? = nil) async throws(TodoError) -> TodoChange {
        try entry.checkThreshold(due: due)
        let parent: TodoID? = if let name = entry.parent?.value { try await ids(named: [name]).first } else { nil }
        return entry.change(
            due: due,
            parent: parent,
            after: try await entry.after.isEmpty ? [] : ids(named: entry.after)
        )
    }

    /// Finds the todos with these names, each once, in the order of the names.
    package func ids(named names: [String]) async throws(TodoError) -> [TodoID] {
        try await todos(named: names).map(\.id)
    }
}

/// What a store in memory does not need to implement.
extension TodoStoring {
    public func erase() async throws(TodoError) {
        let ids = try await todos().map(\.id)
        if !ids.isEmpty { _ = try await remove(ids) }
    }

    public func log() async throws(TodoError) -> [TodoLogEntry] { [] }

    public func add(
        _ records: [TodoRecord],
        _ mode: TodoImportMode,
        progress: @Sendable (TodoImportProgress) -> Void
    ) async throws(TodoError) -> TodoReceipt { try await perform(.importing(records, mode)) }

    public func todos(named names: [String]) async throws(TodoError) -> [Todo] {
        let todos = try await todos()
        var found: [Todo] = []
        for name in names {
            let known = UUID(text: name).flatMap { uuid in todos.first { $0.uuid == uuid } }
            let id = if let known { known.id } else { try TodoID.named(name, among: todos.lazy.map(\.id)) }
            found += todos.filter { $0.id == id && !found.contains($0) }
        }
        return found
    }

    public func contents(matching filter: TodoFilter) async throws(TodoError) -> TodoContents {
        let contents = try await contents()
        return contents.with(contents.todos.matching(filter, contents.order))
    }

    public func plainLines(_ filter: TodoFilter) async throws(TodoError) -> [UInt8]? { nil }

    public func savedQueries() async throws(TodoError) -> [String: String] { [:] }

    public func saveQuery(_ name: String, _ query: String?) async throws(TodoError) {}

    public func context() async throws(TodoError) -> String? { nil }

    public func setContext(_ name: String?) async throws(TodoError) {}
}
