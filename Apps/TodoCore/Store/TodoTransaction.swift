import LocalProvider

/// The todos and their history during one change.
///
/// The values of the journal: `todo/ID` for each todo that has changed since the last move to a ``TodoBase``, `todo/base` for
/// the mark of the base, `serial` for the next ID, `history` for the position in the history, `history/N` for each step, and
/// `query/NAME` for each saved query, and `context` for the name of the query that every list obeys.
struct TodoTransaction {
    static let todoPrefix = "todo/"
    static let queryPrefix = "query/"
    static let contextKey = "context"
    static let serialKey = "serial"

    /// The todos before the changes of a batch, by ID; `nil` outside of a batch.
    var batch: [TodoID: Todo?]?
    /// The summary of the last change of a batch.
    var lastSummary = ""
    /// The todos that were stored, with their JSON.
    private(set) var changed: [TodoID: (todo: Todo, json: [UInt8])] = [:]
    /// The todos that a batch has marked for the next sync.
    var unsyncedInBatch: [UUID] = []

    var transaction: JSONDefaults.Transaction
    /// The next serial number, once it was read.
    private var serial: UInt64?
    private let storage: TodoStorage
    /// The time and the process of the change, for the history.
    let now: Date
    let process: String
    private let mark: String?
    /// The names of the synced lists; `nil` before their first use.
    var syncedLists: Set<String>?

    init(_ transaction: JSONDefaults.Transaction, storage: TodoStorage, now: Date, process: String) throws(TodoError) {
        (self.transaction, self.storage, self.now, self.process) = (transaction, storage, now, process)
        let slot = try stored { () throws(LocalError) -> TodoSlot? in
            try transaction.value(for: TodoSlot.baseKey)
        }
        if case .base(let mark) = slot { self.mark = mark } else { mark = nil }
    }

    // MARK: Todos

    /// Returns an ID that no todo of this store has had.
    mutating func nextID() throws(TodoError) -> TodoID {
        let id = try unreservedID()
        try setSerial(readSerial())
        return id
    }

    /// Returns an ID that no todo of this store has had. ``reserve(_:)`` ensures that later transactions do not return it again.
    mutating func unreservedID() throws(TodoError) -> TodoID {
        var serial = try readSerial()
        // The ID of an imported todo may be ahead of the serial number.
        while try todoIfPresent(TodoID(serial: serial)) != nil { serial += 1 }
        self.serial = serial + 1
        return TodoID(serial: serial)
    }

    private func readSerial() throws(TodoError) -> UInt64 {
        if let serial { return serial }
        return try value(UInt64.self, Self.serialKey) ?? 0
    }

    private mutating func setSerial(_ number: UInt64) throws(TodoError) {
        serial = number
        try set(json: Array("\(number)".utf8), Self.serialKey)
    }

    /// Ensures that the IDs of imported todos are never assigned to others.
    mutating func reserve(_ ids: [TodoID]) throws(TodoError) {
        guard let last = ids.compactMap(\.serial).max() else { return }
        try setSerial(max(last + 1, readSerial()))
    }

    /// Returns an ID for the todo that follows a recurring one; `nil` for other todos.
    mutating func nextIDIfRecurring(_ todo: Todo) throws(TodoError) -> TodoID? {
        todo.recurrence == nil ? nil : try nextID()
    }

    /// Returns a todo; `nil` if it does not exist.
    func todoIfPresent(_ id: TodoID) throws(TodoError) -> Todo? {
        switch try value(TodoSlot.self, Self.key(id)) {
        case .todo(let todo): return todo
        case .removed, .base: return nil
        case nil: return try baseTodo(id)
        }
    }

    private func baseTodo(_ id: TodoID) throws(TodoError) -> Todo? {
        guard let mark else { return nil }
        return try stored { () throws(LocalError) in try storage.baseTodo(id, mark: mark) }
    }

    func todo(_ id: TodoID) throws(TodoError) -> Todo {
        guard let todo = try todoIfPresent(id) else { throw .notFound(name: id.description) }
        return todo
    }

    /// Returns the todos with these IDs, each once.
    func todos(_ ids: [TodoID]) throws(TodoError) -> [Todo] {
        var seen: Set<TodoID> = []
        var todos: [Todo] = []
        for id in ids where seen.insert(id).inserted { todos.append(try todo(id)) }
        return todos
    }

    /// Checks that a todo is not a part of itself, directly or through others.
    ///
    /// - Throws: ``TodoError/parentCycle(id:)``, and ``TodoError/notFound(name:)`` if the parent does not exist.
    func checkParent(of todo: Todo, among others: [TodoID: Todo] = [:]) throws(TodoError) {
        guard let first = todo.parent else { return }
        guard first != todo.id else { throw .parentCycle(id: todo.id) }
        var ancestor = others[first]
        if ancestor == nil { ancestor = try self.todo(first) }
        var seen: Set<TodoID> = [todo.id]
        while let present = ancestor {
            guard seen.insert(present.id).inserted else { throw .parentCycle(id: todo.id) }
            guard let next = present.parent else { return }
            ancestor = others[next]
            if ancestor == nil { ancestor = try todoIfPresent(next) }
        }
    }

    /// Stores todos as one step of the history. Without todos, nothing changes.
    ///
    /// - Parameters:
    ///   - todos: the todos.
    ///   - verb: the first word of the summary.
    ///   - named: the todos that the summary names, by default all.
    ///   - progress: called with the number of todos that are stored.
    /// - Returns: the step; `nil` without todos.
    /// - Throws: ``TodoError/storage(_:)``.
    mutating func put(
        _ todos: [Todo],
        verb: String,
        named: [Todo]? = nil,
        progress: (Int) -> Void = { _ in }
    ) throws(TodoError) -> TodoStep? {
        let values = todos.lazy.map { todo -> (key: TodoID, value: Todo?) in
            var todo = todo
            // Todos of the first version have none.
            if todo.uuid == nil { todo.uuid = .random() }
            return (todo.id, todo)
        }
        return try put(values, summary: Self.summary(verb, named ?? todos), progress: progress)
    }

    /// Deletes todos as one step of the history. Without todos, nothing changes.
    mutating func remove(_ todos: [Todo], verb: String) throws(TodoError) -> TodoStep? {
        try put(todos.lazy.map { (key: $0.id, value: nil) }, summary: Self.summary(verb, todos))
    }

    /// A short description of a change, such as `add "Buy milk"` or `remove 3 todos`.
    private static func summary(_ verb: String, _ todos: [Todo]) -> String { summary(verb, titles: todos.map(\.title)) }

    static func summary(_ verb: String, titles: [String]) -> String {
        guard titles.count == 1, let first = titles.first else { return "\(verb) \(titles.count) todos" }
        let title = first.count > 40 ? first.prefix(39) + "…" : first[...]
        return "\(verb) \"\(title)\""
    }

    /// Stores todos and returns the ones that they replaced.
    ///
    /// - Parameters:
    ///   - todos: the new todos; `nil` deletes one. Of several with the same ID, the last one is stored.
    ///   - marksUnsynced: whether changes in synced lists are recorded for the next sync.
    ///   - progress: called with the number of todos that are stored.
    /// - Returns: the todos that were replaced; `nil` for those that did not exist.
    /// - Throws: ``TodoError/storage(_:)``.
    mutating func exchange(
        _ todos: some Collection<(key: TodoID, value: Todo?)>,
        marksUnsynced: Bool = true,
        progress: (Int) -> Void = { _ in }
    ) throws(TodoError) -> [TodoID: Todo?] {
        var old: [TodoID: Todo?] = [:]
        old.reserveCapacity(todos.count)
        transaction.reserve(todos.count)
        changed.reserveCapacity(todos.count)
        for (id, todo) in todos {
            let before = try todoIfPresent(id)
            if old[id] == nil { old[id] = .some(before) }
            if marksUnsynced { try markUnsynced(before, todo) }
            if let todo {
                let json = todo.json
                changed[id] = (todo, json)
                try set(json: json, Self.key(id))
            } else if try baseTodo(id) != nil {
                try set(TodoSlot.removed(id), Self.key(id))
            } else {
                try remove(Self.key(id))
            }
            progress(old.count)
        }
        return old
    }

    // MARK: Values

    private static func key(_ id: TodoID) -> String { todoPrefix + id.description }

    func value<Value: Codable & Sendable>(_ type: Value.Type, _ key: String) throws(TodoError) -> Value? {
        try stored { () throws(LocalError) in try transaction.value(for: key, as: type) }
    }

    mutating func set(_ value: some Codable & Sendable, _ key: String) throws(TodoError) {
        try stored { () throws(LocalError) in try transaction.set(value, for: key) }
    }

    mutating func set(json: [UInt8], _ key: String) throws(TodoError) {
        try stored { () throws(LocalError) in try transaction.set(json: json, for: key) }
    }

    mutating func remove(_ key: String) throws(TodoError) {
        try stored { () throws(LocalError) in try transaction.remove(key) }
    }
}

/// Accesses the files of the store, and converts the error.
func stored<Result>(_ body: () throws(LocalError) -> Result) throws(TodoError) -> Result {
    do throws(LocalError) { return try body() } catch { throw .storage(error) }
}
