public import LocalProvider

/// The todos of a folder, stored as one value each in a journal of LocalProvider.
///
/// When a call returns, its change is on the disk. Several processes can use the same folder: no change is lost, and
/// ``changes()`` reports the changes of all. Any process can undo the last ``historyLimit`` changes, also after a restart.
public actor TodoStore: TodoStoring {
    /// The maximum number of changes that can be undone.
    public static let historyLimit = 100

    private let storage: TodoStorage
    let clock: TodoClock
    private let process: String
    private let urgency: TodoUrgency
    private let review: (any TodoReviewing)?

    /// Opens the todos of a folder. Nothing is written before the first todo is added.
    ///
    /// - Parameters:
    ///   - directory: the folder; the file is `todos.journal`, with `todos-base.journal` and its index for many todos.
    ///   - zone: the time zone of the user, in which the next todo of a recurrence is due.
    ///   - process: the name of the process in the history.
    ///   - urgency: the coefficients of the display order.
    ///   - review: inspects changes before they are stored; `nil` for none.
    ///   - now: the clock for the times at which todos are added, changed and completed.
    public init(
        directory: FileStoreLocation,
        zone: Zone = .system,
        process: String = TodoStore.processName,
        urgency: TodoUrgency = TodoUrgency(),
        review: (any TodoReviewing)? = nil,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.init(
            storage: TodoStorage(location: directory),
            clock: TodoClock(zone: zone, now: now),
            process: process,
            urgency: urgency,
            review: review
        )
    }

    /// Opens the todos of a folder by its file URL.
    public init(directory: URL, zone: Zone = .system, now: @escaping @Sendable () -> Date = { Date() }) {
        self.init(directory: FileStoreLocation(directory: directory), zone: zone, now: now)
    }

    init(
        storage: sending TodoStorage,
        clock: TodoClock,
        process: String,
        urgency: TodoUrgency = TodoUrgency(),
        review: (any TodoReviewing)? = nil
    ) {
        recent = storage.recent
        (self.storage, self.clock, self.process) = (storage, clock, process)
        (self.urgency, self.review) = (urgency, review)
    }

    /// A batch whose changes are being made.
    private struct Batch {
        /// The transaction; `nil` while a change uses it.
        var store: TodoTransaction?
        /// The todos before the batch.
        let todos: [Todo]
    }
    private var openBatch: Batch?

    /// The display order at the present time.
    private var order: TodoOrder { TodoOrder(urgency, clock: clock) }

    private nonisolated let recent: JSONDefaults

    /// The name and the ID of this process, such as `Dog[4711]`.
    public static var processName: String {
        let path = CommandLine.arguments.first ?? "?"
        return "\(path.split(separator: "/").last ?? "?")[\(ProcessInfo.processInfo.processIdentifier)]"
    }

    /// The damage that this process has found and repaired, as the journal reports it.
    public nonisolated var recoveries: [LocalRecovery] { recent.recoveries }

    // MARK: Reading

    public func contents() throws(TodoError) -> TodoContents { try contents(.everything) }

    private func contents(_ filter: TodoFilter) throws(TodoError) -> TodoContents {
        let order = order
        do throws(LocalError) {
            let found = try storage.contents(matching: filter, order)
            if found.todos.count > TodoStorage.moveThreshold { storage.moveIfNeeded(try recent.count()) }
            var damage: [TodoDamage] = []
            if let copy = recent.damagedCopy { damage.append(.damagedFile(path: recent.path, copy: copy)) }
            if let copy = storage.base.damagedCopy { damage.append(.damagedFile(path: storage.base.path, copy: copy)) }
            for (name, path, error) in found.failures.sorted(by: { $0.name < $1.name }) {
                guard case .undecodable(_, _, let detail) = error else { throw error }
                damage.append(.unreadable(name: name, path: path, detail: detail))
            }
            // Without permission to write there is neither a repair nor a copy.
            if storage.base.isUnrepaired { damage.insert(.unrepairedFile(path: storage.base.path), at: 0) }
            if recent.unrepairedDamage != nil { damage.insert(.unrepairedFile(path: recent.path), at: 0) }
            return TodoContents(todos: found.todos, damage: damage, blocking: found.blocking, order: order)
        } catch {
            throw .storage(error)
        }
    }

    // Asynchronous, although they do not wait: otherwise a call in an asynchronous function would prefer the default
    // implementations of the protocol.

    public func contents(matching filter: TodoFilter) async throws(TodoError) -> TodoContents {
        try contents(filter)
    }

    public func todos(named names: [String]) async throws(TodoError) -> [Todo] {
        var found: [Todo] = []
        for name in names {
            if let uuid = UUID(text: name), let todo = try contents().todos.first(where: { $0.uuid == uuid }) {
                if !found.contains(where: { $0.id == todo.id }) { found.append(todo) }
                continue
            }
            let prefix = TodoID.normalised(name)
            let id = try TodoID.named(
                name,
                among: try stored { () throws(LocalError) in try storage.ids(prefix: prefix) }
            )
            if !found.contains(where: { $0.id == id }) { found.append(try todo(id)) }
        }
        return found
    }

    private func todo(_ id: TodoID) throws(TodoError) -> Todo {
        let todo = try stored { () throws(LocalError) in
            try storage.read(prefix: id.description) { recent, source throws(LocalError) -> Todo?? in
                if let todo = recent.todos.first(where: { $0.id == id }) { return todo }
                guard let mark = recent.mark, source != nil, !recent.removed.contains(id) else { return .some(nil) }
                return .some(try storage.baseTodo(id, mark: mark))
            }
        }
        guard let todo else { throw .notFound(name: id.description) }
        return todo
    }

    public func plainLines(_ filter: TodoFilter) async throws(TodoError) -> [UInt8]? {
        // Damage is reported by ``contents()``.
        guard !hasDamage else { return nil }
        let lines = try stored { () throws(LocalError) in try storage.lines(matching: filter.condition, order) }
        // Reading repairs a damaged journal, and saves a copy of it.
        return recent.unrepairedDamage == nil && !hasDamage ? lines : nil
    }

    /// Whether there is a copy of a damaged journal.
    private var hasDamage: Bool { storage.base.damagedCopy != nil || recent.damagedCopy != nil }

    public func savedQueries() async throws(TodoError) -> [String: String] {
        let prefix = TodoTransaction.queryPrefix
        let values = try stored { () throws(LocalError) in try recent.values(of: String.self, prefix: prefix) }
        return Dictionary(uniqueKeysWithValues: values.map { (String($0.key.dropFirst(prefix.count)), $0.value) })
    }

    public func saveQuery(_ name: String, _ query: String?) async throws(TodoError) {
        // A name has no sigil: it is found again as it was typed.
        guard let name = try TodoText.tag(name, field: "name of the query", sigil: " ") else {
            throw .notOneWord(field: "name of the query", text: name)
        }
        try change { store throws(TodoError) in
            let key = TodoTransaction.queryPrefix + name
            if let query {
                try store.set(query, key)
            } else {
                guard try store.value(String.self, key) != nil else { throw .noQuery(name: name) }
                try store.remove(key)
            }
        }
    }

    public func context() async throws(TodoError) -> String? {
        try stored { () throws(LocalError) in
            try recent.value(for: LocalIdentifier(TodoTransaction.contextKey), as: String.self)
        }
    }

    public func setContext(_ name: String?) async throws(TodoError) {
        try change { store throws(TodoError) in
            guard let name else { return try store.remove(TodoTransaction.contextKey) }
            guard try store.value(String.self, TodoTransaction.queryPrefix + name) != nil else {
                throw .noQuery(name: name)
            }
            try store.set(name, TodoTransaction.contextKey)
        }
    }

    /// Removes everything but the number of the next ID, since IDs are never reused. A copy of a damaged file stays until the
    /// user deletes it. It is async, since a call that awaits would be one of the default of ``TodoStoring`` otherwise.
    public func erase() async throws(TodoError) {
        try stored { () throws(LocalError) in
            let serial = try LocalIdentifier(TodoTransaction.serialKey)
            let next = try recent.value(for: serial, as: UInt64.self)
            try recent.removeAll(durability: .synced)
            if let next { try recent.set(next, for: serial, rule: .set, durability: .synced) }
            try storage.base.erase()
        }
    }

    public func changes() -> AsyncStream<Void> {
        let changes = recent.changes()
        // Several changes that were not consumed yet become one element.
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let task = Task {
            for await change in changes
            where change.identifier.hasPrefix(TodoTransaction.todoPrefix)
                || change.identifier == TodoTransaction.contextKey
            {
                continuation.yield()
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }

    // MARK: Changing

    public func perform(_ mutation: TodoMutation) async throws(TodoError) -> TodoReceipt {
        guard let review, mutation.isReviewed, review.isActive else { return try make(mutation) }
        return try await perform(mutation, reviewedBy: review)
    }

    public func lastStep() throws(TodoError) -> TodoStep? {
        try reading { store throws(TodoError) in try store.lastStep() }
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

    public func log() async throws(TodoError) -> [TodoLogEntry] {
        try reading { store throws(TodoError) in try store.log() }
    }

    /// Runs `body` on one state of the store, without changing it.
    func reading<Result>(_ body: (TodoTransaction) throws(TodoError) -> Result) throws(TodoError) -> Result {
        try stored { () throws(LocalError) in
            try recent.reading { transaction in
                Swift.Result { () throws(TodoError) in
                    try body(TodoTransaction(transaction, storage: storage, now: clock.now(), process: process))
                }
            }
        }.get()
    }

    /// Makes several changes as one step.
    func batch(_ mutations: [TodoMutation]) throws(TodoError) -> TodoReceipt {
        // The journal cannot be read completely during a transaction.
        let present = try contents().todos
        return try change { store throws(TodoError) in
            let (todos, summary) = try make(.batch(mutations), as: &store, present)
            return TodoReceipt(todos: todos, step: try store.endBatch(summary: summary))
        }
    }

    /// Makes a change, or the changes of a batch, as part of a batch that has not ended.
    ///
    /// - Parameters:
    ///   - mutation: the change.
    ///   - store: the transaction.
    ///   - present: the todos before the change.
    /// - Returns: the changed todos, each once, and the summary for the history.
    /// - Throws: ``TodoError``.
    func make(
        _ mutation: TodoMutation,
        as store: inout TodoTransaction,
        _ present: [Todo]
    ) throws(TodoError) -> (todos: [Todo], summary: String) {
        guard openBatch == nil else { throw .nestedBatch }
        defer { openBatch = nil }
        store.batch = [:]
        openBatch = Batch(store: store, todos: present)
        var todos: [TodoID: Todo] = [:]
        var order: [TodoID] = []
        func make(_ mutation: TodoMutation) throws(TodoError) {
            for todo in try self.make(mutation).todos {
                if todos.updateValue(todo, forKey: todo.id) == nil { order.append(todo.id) }
            }
        }
        guard case .batch(let mutations) = mutation else {
            try make(mutation)
            if let ended = openBatch?.store { store = ended }
            return (order.compactMap { todos[$0] }, store.lastSummary)
        }
        for (index, mutation) in mutations.enumerated() {
            do throws(TodoError) {
                try make(mutation)
            } catch {
                throw .inBatch(index: index, error)
            }
        }
        if let ended = openBatch?.store { store = ended }
        return (order.compactMap { todos[$0] }, "batch of \(mutations.count) changes")
    }

    /// All todos, also during a batch.
    func allTodos() throws(TodoError) -> [Todo] {
        guard let openBatch, let store = openBatch.store else { return try contents().todos }
        let changed = store.batch ?? [:]
        var todos = openBatch.todos.filter { changed[$0.id] == nil }
        for id in changed.keys { if let todo = try store.todoIfPresent(id) { todos.append(todo) } }
        return todos
    }

    /// Runs `body` as one change that is made completely or not at all, and is on the disk when this returns.
    func change<Result>(_ body: (inout TodoTransaction) throws(TodoError) -> Result) throws(TodoError) -> Result {
        if var store = openBatch?.store {
            openBatch?.store = nil
            let result = try body(&store)
            openBatch?.store = store
            return result
        }
        do {
            let time = clock.now()
            let (result, changed) = try recent.transaction(durability: .synced) { transaction in
                var store = try TodoTransaction(transaction, storage: storage, now: time, process: process)
                let result = try body(&store)
                transaction = store.transaction
                return (result, store.changed)
            }
            storage.moveIfNeeded(try recent.count(), changed)
            return result
        } catch let error as TodoError {
            throw error
        } catch let error as LocalError {
            throw .storage(error)
        } catch {
            throw .storage(.io(path: recent.path, operation: "write", errno: 0))
        }
    }
}
