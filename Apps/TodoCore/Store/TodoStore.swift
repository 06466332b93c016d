public import LocalProvider

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The todos of a folder, kept as one value each in a journal of LocalProvider.
///
/// What a call has returned for is on the disk. Several processes may use the same folder: each change is made with the
/// others' in view, none is lost, and ``changes()`` tells of all. The last ``historyLimit`` changes can be undone, by
/// whichever process, also after a restart.
public actor TodoStore: TodoStoring {
    /// How many changes can be undone.
    public static let historyLimit = 100

    private let defaults: JSONDefaults
    private let now: @Sendable () -> Date

    /// Opens the todos of a folder; nothing is written before the first is added.
    ///
    /// - Parameters:
    ///   - directory: the folder; the todos are in `todos.journal` there.
    ///   - now: the clock that tells when todos were added, changed and completed.
    public init(directory: FileStoreLocation, now: @escaping @Sendable () -> Date = { Date() }) {
        self.init(defaults: JSONDefaults(location: directory, name: "todos"), now: now)
    }

    /// Opens the todos of a folder by its file URL.
    public init(directory: URL, now: @escaping @Sendable () -> Date = { Date() }) {
        self.init(directory: FileStoreLocation(directory: directory), now: now)
    }

    init(defaults: JSONDefaults, now: @escaping @Sendable () -> Date) {
        self.defaults = defaults
        self.now = now
    }

    /// What was found damaged in the files so far, and dealt with.
    public nonisolated var recoveries: [LocalRecovery] { defaults.recoveries }

    // MARK: Reading

    public func todos() throws(TodoError) -> [Todo] {
        do throws(LocalError) {
            return try defaults.values(prefix: TodoTransaction.todoPrefix, reading: TodoReader.todo)
        } catch {
            throw .storage(error)
        }
    }

    /// An element each time the todos have changed, by this process or by another; several changes that nobody has looked
    /// at yet are one element. Ends with the store.
    public func changes() -> AsyncStream<Void> {
        let changes = defaults.changes()
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let task = Task {
            for await change in changes where change.identifier.hasPrefix(TodoTransaction.todoPrefix) {
                continuation.yield()
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }

    // MARK: Changing

    public func add(_ draft: TodoDraft) throws(TodoError) -> Todo {
        let time = now()
        return try change { store throws(TodoError) in
            let todo = Todo(id: try store.nextID(), draft: draft, now: time)
            try store.put([todo], summary: TodoSummary.text("add", [todo]))
            return todo
        }
    }

    /// Adds several todos as one change, which one undo takes back; all or none.
    public func add(_ drafts: [TodoDraft]) throws(TodoError) -> [Todo] {
        let time = now()
        return try change { store throws(TodoError) in
            var todos: [Todo] = []
            for draft in drafts { todos.append(Todo(id: try store.nextID(), draft: draft, now: time)) }
            try store.put(todos, summary: TodoSummary.text("add", todos))
            return todos
        }
    }

    public func edit(_ id: TodoID, _ change: TodoChange) throws(TodoError) -> Todo {
        let time = now()
        return try self.change { store throws(TodoError) in
            let old = try store.todo(id)
            var todo = old
            try change.apply(to: &todo)
            guard todo != old else { return old }
            todo.modified = time
            try store.put([todo], summary: TodoSummary.text("edit", [todo]))
            return todo
        }
    }

    public func complete(_ ids: [TodoID]) throws(TodoError) -> [Todo] {
        let time = now()
        return try alter(ids, "complete") { todo in
            guard !todo.isDone else { return }
            todo.completed = time
            todo.modified = time
        }
    }

    public func reopen(_ ids: [TodoID]) throws(TodoError) -> [Todo] {
        let time = now()
        return try alter(ids, "reopen") { todo in
            guard todo.isDone || todo.isArchived else { return }
            todo.completed = nil
            todo.isArchived = false
            todo.modified = time
        }
    }

    public func remove(_ ids: [TodoID]) throws(TodoError) -> [Todo] {
        try change { store throws(TodoError) in
            let todos = try store.todos(ids)
            let gone = Dictionary(uniqueKeysWithValues: todos.map { ($0.id, Todo?.none) })
            try store.put(gone, summary: TodoSummary.text("remove", todos))
            return todos
        }
    }

    public func archive() throws(TodoError) -> [Todo] {
        try change { store throws(TodoError) in
            var todos = try store.all().filter { $0.isDone && !$0.isArchived }
            for index in todos.indices { todos[index].isArchived = true }
            try store.put(todos, summary: TodoSummary.text("archive", todos))
            return todos
        }
    }

    public func undo() throws(TodoError) -> String {
        try change { store throws(TodoError) in try store.undo() }
    }

    public func redo() throws(TodoError) -> String {
        try change { store throws(TodoError) in try store.redo() }
    }

    private func alter(
        _ ids: [TodoID],
        _ verb: String,
        _ body: (inout Todo) -> Void
    ) throws(TodoError) -> [Todo] {
        try change { store throws(TodoError) in
            let old = try store.todos(ids)
            var new = old
            for index in new.indices { body(&new[index]) }
            let changed = zip(old, new).filter { $0 != $1 }.map(\.1)
            try store.put(changed, summary: TodoSummary.text(verb, changed))
            return new
        }
    }

    /// Runs `body` as one change that is whole or not at all, and on the disk when this returns.
    private func change<Result>(
        _ body: (inout TodoTransaction) throws(TodoError) -> Result
    ) throws(TodoError) -> Result {
        do {
            return try defaults.transaction(durability: .synced) { transaction in
                var store = TodoTransaction(transaction)
                let result = try body(&store)
                transaction = store.transaction
                return result
            }
        } catch let error as TodoError {
            throw error
        } catch let error as LocalError {
            throw .storage(error)
        } catch {
            throw .storage(.io(path: defaults.path, operation: "write", errno: 0))
        }
    }
}
