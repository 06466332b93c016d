import LocalProvider

/// The files of a store: the journal of recent changes and, in a store with many todos, a ``TodoBase``.
final class TodoStorage {
    /// The number of values in the first journal at which they are moved to the second one, at least.
    static let moveThreshold = 2_000

    let recent: JSONDefaults
    let base: TodoBase
    private let moveThreshold: Int

    init(location: FileStoreLocation, moveThreshold: Int = TodoStorage.moveThreshold) {
        recent = JSONDefaults(location: location, name: "todos")
        base = TodoBase(location: location)
        self.moveThreshold = moveThreshold
    }

    /// The changes since the last move.
    struct Recent {
        var todos: [Todo] = []
        var removed: Set<TodoID> = []
        var mark: String?
        var failures: [String: LocalError] = [:]

        var count: Int { todos.count + removed.count }
        /// The IDs whose values in the base do not apply.
        var replaced: Set<TodoID> { removed.union(todos.map(\.id)) }

        init(_ slots: [TodoSlot], _ failures: [String: LocalError] = [:]) {
            self.failures = failures
            todos.reserveCapacity(slots.count)
            for slot in slots {
                switch slot {
                case .todo(let todo): todos.append(todo)
                case .removed(let id): removed.insert(id)
                case .base(let mark): self.mark = mark
                }
            }
        }
    }

    /// Reads the recent changes.
    ///
    /// - Parameter prefix: the beginning of the IDs of the todos that are read; the others are not decoded.
    /// - Returns: the changes.
    /// - Throws: the errors of reading, and ``LocalError/locked(path:)`` if todos are moved all the time.
    func readRecent(prefix: String = "") throws(LocalError) -> Recent {
        for _ in 0..<5 {
            let before = prefix.isEmpty ? nil : try mark()
            let (slots, failures) = try recent.readableValues(
                prefix: TodoTransaction.todoPrefix + prefix,
                reading: TodoSlot.read
            )
            var result = Recent(slots, failures)
            // The mark changes with each move: with the same mark before and after, no todo was moved meanwhile.
            if prefix.isEmpty { return result }
            result.mark = before
            if try mark() == before { return result }
        }
        throw .locked(path: recent.path)
    }

    private func mark() throws(LocalError) -> String? {
        let slot = try recent.value(for: LocalIdentifier(TodoSlot.baseKey), as: TodoSlot.self)
        if case .base(let mark) = slot { return mark }
        return nil
    }

    /// Reads both journals as one state: calls `body` with the recent changes and the base, and again if another process
    /// has moved todos meanwhile, or if the index is damaged (`body` returns `nil`).
    ///
    /// - Parameters:
    ///   - prefix: the beginning of the IDs of the recent todos that `body` uses.
    ///   - body: gets no source if there is no base.
    /// - Returns: the result of `body`.
    /// - Throws: the error of `body`, the errors of reading, and ``LocalError/locked(path:)`` if todos are moved all the time.
    func read<Result>(
        prefix: String = "",
        _ body: (Recent, TodoBase.Source?) throws(LocalError) -> Result?
    ) throws(LocalError) -> Result {
        for _ in 0..<5 {
            let recent = try readRecent(prefix: prefix)
            guard let mark = recent.mark else {
                if let result = try body(recent, nil) { return result }
                continue
            }
            var source = try base.source(for: mark)
            if source.mark != mark, try self.mark() != mark { continue }
            // If the marks still differ, a move was interrupted: the base has values of the first journal, too.
            if let result = try body(recent, source) { return result }
            source = try base.journalSource()
            if source.mark != mark, try self.mark() != mark { continue }
            if let result = try body(recent, source) {
                repairIndex()
                return result
            }
        }
        throw .locked(path: recent.path)
    }

    /// Writes the index again; nothing happens if the store cannot be locked or written.
    private func repairIndex() {
        try? recent.transaction { _ in base.writeIndex() }
    }

    /// Reads all todos. Damage is recorded by name.
    func contents() throws(LocalError) -> (todos: [Todo], failures: [(name: String, path: String, error: LocalError)]) {
        let (todos, failures, isUnindexed) = try read { recent, source throws(LocalError) in
            var failures = recent.failures.map { ($0.key, self.recent.path, $0.value) }
            let replaced = recent.replaced
            switch source {
            case nil: return (recent.todos, failures, false)
            case .index(let index):
                guard let todos = index.todos(isReplaced: { replaced.contains($0) }) else { return nil }
                return (todos + recent.todos, failures, false)
            case .journal(let journal, _):
                let (todos, others) = try TodoBase.read(journal)
                for (name, error) in others { failures.append((name, base.path, error)) }
                return (todos.filter { !replaced.contains($0.id) } + recent.todos, failures, true)
            }
        }
        if isUnindexed { repairIndex() }
        return (todos, failures.map { (String($0.0.dropFirst(TodoTransaction.todoPrefix.count)), $0.1, $0.2) })
    }

    /// Returns the plain lines of a list in display order; `nil` if the index or a value is damaged.
    func lines(where isShown: (_ isDone: Bool, _ isArchived: Bool, _ threshold: Int) -> Bool) throws(LocalError)
        -> [UInt8]?
    {
        try read { recent, source throws(LocalError) -> [UInt8]?? in
            guard recent.failures.isEmpty else { return .some(nil) }
            let line = TodoLine(isStyled: false, today: Day(number: 0))
            let shown = recent.todos.filter { isShown($0.isDone, $0.isArchived, $0.threshold?.number ?? .min) }
            let keys = shown.indices.map { TodoOrderKey(shown[$0], index: $0) }.sorted()
            let lines = keys.map { (key: $0, line: Array((line.text(for: shown[$0.index]) + "\n").utf8)) }
            switch source {
            case nil: return lines.flatMap(\.line)
            case .journal: return .some(nil)
            case .index(let index):
                let bytes = index.lines(with: lines, replacing: recent.replaced) { flags in
                    isShown(flags.isDone, flags.isArchived, flags.threshold)
                }
                return bytes.map { .some($0) }
            }
        }
    }

    /// Returns the IDs that begin with a text, at most `limit` of them; a complete ID alone.
    func ids(prefix: String, limit: Int = 20) throws(LocalError) -> [TodoID] {
        try read(prefix: prefix) { recent, source throws(LocalError) in
            let replaced = recent.replaced
            var ids = recent.todos.map(\.id).filter { $0.description.hasPrefix(prefix) }
            switch source {
            case nil: break
            case .index(let index):
                // Removed ones are among them.
                guard let found = index.ids(prefix: prefix, limit: limit + replaced.count) else { return nil }
                ids += found.filter { !replaced.contains($0) }
            case .journal(let journal, _):
                ids += try TodoBase.read(journal).todos.map(\.id).filter {
                    $0.description.hasPrefix(prefix) && !replaced.contains($0)
                }
            }
            if let exact = ids.first(where: { $0.description == prefix }) { return [exact] }
            return Array(ids.prefix(limit))
        }
    }

    // MARK: Changing

    /// Returns a todo of the base during a transaction of the first journal.
    func baseTodo(_ id: TodoID, mark: String) throws(LocalError) -> Todo? {
        if case .index(let index) = try base.source(for: mark) {
            switch index.todo(id) {
            case .found(let todo): return todo
            case .absent: return nil
            case .damaged: break
            }
        }
        guard case .journal(let journal, _) = try base.journalSource() else { return nil }
        let key = try LocalIdentifier(TodoTransaction.todoPrefix + id.description)
        return try journal.value(for: key, as: Todo.self)
    }

    /// Moves the recent changes to the base if there are many. A failure changes nothing, and is not reported: the move is
    /// tried again after the next change.
    func moveIfNeeded(_ count: Int) {
        guard count > moveThreshold else { return }
        try? recent.transaction(durability: .synced) { transaction in
            let slots: [TodoSlot] = try transaction.values(prefix: TodoTransaction.todoPrefix, reading: TodoSlot.read)
            guard slots.count > moveThreshold else { return }
            let mark = try base.append(slots)
            for slot in slots {
                switch slot {
                case .todo(let todo): try transaction.remove(TodoTransaction.todoPrefix + todo.id.description)
                case .removed(let id): try transaction.remove(TodoTransaction.todoPrefix + id.description)
                case .base: break
                }
            }
            try transaction.set(TodoSlot.base(mark), for: TodoSlot.baseKey)
            base.writeIndex()
        }
    }
}
