public import LocalProvider

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The todos of a folder, stored as one value each in a journal of LocalProvider.
///
/// When a call returns, its change is on the disk. Several processes can use the same folder: no change is lost, and
/// ``changes()`` reports the changes of all. Any process can undo the last ``historyLimit`` changes, also after a restart.
public actor TodoStore: TodoStoring {
    /// The maximum number of changes that can be undone.
    public static let historyLimit = 100

    private let defaults: JSONDefaults
    private let now: @Sendable () -> Date

    /// Opens the todos of a folder. Nothing is written before the first todo is added.
    ///
    /// - Parameters:
    ///   - directory: the folder; the file is `todos.journal`.
    ///   - now: the clock for the times at which todos are added, changed and completed.
    public init(directory: FileStoreLocation, now: @escaping @Sendable () -> Date = { Date() }) {
        defaults = JSONDefaults(location: directory, name: "todos")
        self.now = now
    }

    /// Opens the todos of a folder by its file URL.
    public init(directory: URL, now: @escaping @Sendable () -> Date = { Date() }) {
        self.init(directory: FileStoreLocation(directory: directory), now: now)
    }

    /// The damage that this process has found and repaired, as the journal reports it.
    public nonisolated var recoveries: [LocalRecovery] { defaults.recoveries }

    // MARK: Reading

    public func contents() throws(TodoError) -> TodoContents {
        do throws(LocalError) {
            var damage: [TodoDamage] = []
            let todos: [Todo]
            do throws(LocalError) {
                todos = try defaults.values(prefix: TodoTransaction.todoPrefix, reading: TodoReader.todo)
            } catch .undecodable {
                todos = try readableTodos(&damage)
            }
            // The repair of the journal leaves a copy of the damaged file; it is the lasting trace of the loss.
            let copy = defaults.path + ".damaged"
            if FileManager.default.fileExists(atPath: copy) {
                damage.insert(.damagedFile(path: defaults.path, copy: copy), at: 0)
            }
            // Without permission to write there is neither a repair nor a copy.
            if defaults.unrepairedDamage != nil { damage.insert(.unrepairedFile(path: defaults.path), at: 0) }
            return TodoContents(todos: todos, damage: damage)
        } catch {
            throw .storage(error)
        }
    }

    /// Reads the todos one by one and records those that cannot be decoded.
    private func readableTodos(_ damage: inout [TodoDamage]) throws(LocalError) -> [Todo] {
        var todos: [Todo] = []
        for identifier in try defaults.identifiers().sorted()
        where identifier.hasPrefix(TodoTransaction.todoPrefix) {
            do throws(LocalError) {
                // `nil`: another process has deleted it meanwhile.
                if let todo = try defaults.value(for: LocalIdentifier(identifier), as: Todo.self) { todos.append(todo) }
            } catch .undecodable(_, let path, let detail) {
                let name = String(identifier.dropFirst(TodoTransaction.todoPrefix.count))
                damage.append(.unreadable(name: name, path: path, detail: detail))
            }
        }
        return todos
    }

    public func changes() -> AsyncStream<Void> {
        let changes = defaults.changes()
        // Several changes that were not consumed yet become one element.
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

    public func perform(_ mutation: TodoMutation) throws(TodoError) -> TodoReceipt {
        let time = now()
        switch mutation {
        case .add(let drafts):
            return try change { store throws(TodoError) in
                var todos: [Todo] = []
                for draft in drafts { todos.append(Todo(id: try store.nextID(), draft: draft, now: time)) }
                return TodoReceipt(todos: todos, step: try store.put(todos, verb: "add"))
            }
        case .edit(let id, let change):
            return try self.change { store throws(TodoError) in
                let old = try store.todo(id)
                var todo = old
                try change.apply(to: &todo)
                guard todo != old else { return TodoReceipt(todos: [old], step: nil) }
                todo.modified = time
                return TodoReceipt(todos: [todo], step: try store.put([todo], verb: "edit"))
            }
        case .complete(let ids):
            return try alter(ids, "complete") { todo in
                guard !todo.isDone else { return }
                todo.completed = time
                todo.modified = time
            }
        case .reopen(let ids):
            return try alter(ids, "reopen") { todo in
                guard todo.isDone || todo.isArchived else { return }
                todo.completed = nil
                todo.isArchived = false
                todo.modified = time
            }
        case .remove(let ids):
            return try change { store throws(TodoError) in
                let todos = try store.todos(ids)
                return TodoReceipt(todos: todos, step: try store.remove(todos, verb: "remove"))
            }
        case .archive:
            let done = try contents().todos.filter { $0.isDone && !$0.isArchived }
            var receipt = try alter(done.map(\.id), "archive") { todo in
                // Another process may have reopened it meanwhile.
                if todo.isDone { todo.isArchived = true }
            }
            receipt = TodoReceipt(todos: receipt.todos.filter(\.isArchived), step: receipt.step)
            return receipt
        }
    }

    public func lastStep() throws(TodoError) -> TodoStep? {
        try change { store throws(TodoError) in try store.lastStep() }
    }

    public func undo() throws(TodoError) -> String {
        try change { store throws(TodoError) in try store.undo() }
    }

    public func undo(_ step: TodoStep, afterLaterChanges: Bool) throws(TodoError) -> String {
        try change { store throws(TodoError) in try store.undo(step, afterLaterChanges: afterLaterChanges) }
    }

    public func redo() throws(TodoError) -> String {
        try change { store throws(TodoError) in try store.redo() }
    }

    private func alter(
        _ ids: [TodoID],
        _ verb: String,
        _ body: (inout Todo) -> Void
    ) throws(TodoError) -> TodoReceipt {
        try change { store throws(TodoError) in
            let old = try store.todos(ids)
            var new = old
            for index in new.indices { body(&new[index]) }
            let changed = zip(old, new).filter { $0 != $1 }.map(\.1)
            return TodoReceipt(todos: new, step: try store.put(changed, verb: verb))
        }
    }

    /// Runs `body` as one change that is made completely or not at all, and is on the disk when this returns.
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
