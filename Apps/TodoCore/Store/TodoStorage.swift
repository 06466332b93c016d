import LocalProvider

/// The files of a store: the journal of recent changes and, in a store with many todos, a ``TodoBase``.
final class TodoStorage {
    /// The number of values in the first journal at which they are moved to the second one, at least.
    static let moveThreshold = 2_000

    let recent: JSONDefaults
    let base: TodoBase
    private let moveThreshold: Int
    /// The todos of the last list of all.
    private var decoded: Decoded?

    init(
        location: FileStoreLocation,
        moveThreshold: Int = TodoStorage.moveThreshold,
        system: FileSystem = FileSystem()
    ) {
        recent = JSONDefaults(location: location, name: "todos", options: JSONDefaults.Options(), system: system)
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
            // The mark changes with each move: with the same mark before and after, no todo was moved.
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
    /// has moved todos, or if the index is damaged (`body` returns `nil`).
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
    private func repairIndex() { try? recent.transaction { _ in base.writeIndex() } }

    /// The todos of a store, and what cannot be decoded.
    struct Contents {
        var todos: [Todo]
        var blocking = TodoBlocking()
        var failures: [(name: String, path: String, error: LocalError)]
        var isUnindexed = false

        fileprivate mutating func note(_ errors: [String: LocalError], _ path: String) {
            for (key, error) in errors {
                failures.append((String(key.dropFirst(TodoTransaction.todoPrefix.count)), path, error))
            }
        }
    }

    /// The todos of a list of all, so that the next one decodes only what has changed since. The array is shared with the list.
    private struct Decoded {
        /// The mark of the base.
        let mark: String
        let todos: [Todo]
        /// The index in ``todos`` by row of the base; -1 for a row that a change has replaced.
        let places: [Int32]

        func todo(_ row: Int) -> Todo? { places[row] < 0 ? nil : todos[Int(places[row])] }
    }

    /// Reads the todos that pass a filter, in display order.
    func contents(matching filter: TodoFilter, _ order: TodoOrder) throws(LocalError) -> Contents {
        let condition = filter.condition
        let contents = try read { recent, source throws(LocalError) -> Contents? in
            var contents = Contents(todos: [], failures: [])
            contents.note(recent.failures, self.recent.path)
            if case .index(let index) = source {
                if let ids = filter.ids, let todos = unlinked(ids, index, recent) {
                    contents.todos = todos.matching(filter, order)
                    return contents
                }
                guard let table = TodoTable(index, recent, readsTexts: condition.readsTexts) else { return nil }
                let found = table.indices(matching: condition, order)
                guard let todos = todos(found, of: table, index, recent) else { return nil }
                contents.todos = todos
                contents.blocking = TodoBlocking(found.lazy.map { table.rows.rows[$0] })
                return contents
            }
            var todos = recent.todos
            if case .journal(let journal, _) = source {
                let (found, errors) = try TodoBase.read(journal)
                contents.note(errors, base.path)
                let replaced = recent.replaced
                todos += found.filter { !replaced.contains($0.id) }
                contents.isUnindexed = true
            }
            let rows = TodoRows(todos)
            let found = rows.indices(matching: condition, order)
            contents.blocking = TodoBlocking(found.lazy.map { rows.rows[$0] })
            contents.todos = found.map { todos[$0] }
            return contents
        }
        if contents.isUnindexed { repairIndex() }
        return contents
    }

    /// Returns the todos with a few IDs if they have no links to others, so that nothing else decides which of them wait or are
    /// subtasks; otherwise, and if the index is damaged, `nil`.
    private func unlinked(_ ids: Set<TodoID>, _ index: TodoIndex, _ recent: Recent) -> [Todo]? {
        guard ids.count <= 100, let links = index.links() else { return nil }
        let wanted = Set(recent.todos.lazy.flatMap(\.dependencies)).union(links)
        var todos = recent.todos.filter { ids.contains($0.id) }
        for id in ids.subtracting(recent.replaced) {
            switch index.todo(id) {
            case .found(let todo): todos.append(todo)
            case .absent: break
            case .damaged: return nil
            }
        }
        let hasLinks = todos.contains {
            $0.parent != nil || !$0.dependencies.isEmpty || $0.uuid.map(wanted.contains) ?? false
        }
        return hasLinks ? nil : todos
    }

    /// Returns the todos of rows; `nil` if the index is damaged.
    private func todos(_ found: [Int], of table: TodoTable, _ index: TodoIndex, _ recent: Recent) -> [Todo]? {
        // All threads share the empty array, to which the initializer below would write its count.
        if found.isEmpty { return [] }
        let known = decoded?.mark == index.mark && decoded?.places.count == table.places.count ? decoded : nil
        var places = [Int32](repeating: -1, count: table.places.count)
        var positions = [Int32](repeating: -1, count: table.sources.count)
        for (position, row) in found.enumerated() { positions[row] = Int32(position) }
        var piece = TodoIndex.Piece()
        var isIntact = true
        let missing = Todo(id: Todo.noID, title: "", now: .distantPast)
        let todos = [Todo](unsafeUninitializedCapacity: found.count) { buffer, count in
            // In the order of the file, so that it is read in pieces.
            for (row, position) in positions.enumerated() where position >= 0 {
                var todo: Todo?
                switch table.sources[row] {
                case .recent(let place): todo = recent.todos[place]
                case .base(let place):
                    places[place] = position
                    todo = known?.todo(place)
                    if todo?.id != table.rows.rows[row].id { todo = index.todo(table.places[place], &piece) }
                }
                if todo == nil { isIntact = false }
                buffer.initializeElement(at: Int(position), to: todo ?? missing)
            }
            count = found.count
        }
        guard isIntact else { return nil }
        if found.count == table.sources.count { decoded = Decoded(mark: index.mark, todos: todos, places: places) }
        return todos
    }

    /// Returns the plain lines of the todos that meet a condition, in display order; `nil` if the index or a value is damaged.
    func lines(matching condition: TodoQuery.Node, _ order: TodoOrder) throws(LocalError) -> [UInt8]? {
        try read { recent, source throws(LocalError) -> [UInt8]?? in
            guard recent.failures.isEmpty else { return .some(nil) }
            let line = TodoLine(isStyled: false, today: Day(number: 0))
            var output: [UInt8] = []
            func add(_ index: Int) { output += (line.text(for: recent.todos[index]) + "\n").utf8 }
            switch source {
            case nil: for index in TodoRows(recent.todos).indices(matching: condition, order) { add(index) }
            case .journal: return .some(nil)
            case .index(let index):
                guard let table = TodoTable(index, recent, readsTexts: condition.readsTexts), let lines = index.lines()
                else { return nil }
                for row in table.indices(matching: condition, order) {
                    switch table.sources[row] {
                    case .recent(let place): add(place)
                    case .base(let place):
                        let range = table.places[place].line
                        guard range.upperBound <= lines.count else { return nil }
                        output += lines[range]
                    }
                }
            }
            return output
        }
    }

    /// Returns the IDs that begin with a text.
    func ids(prefix: String) throws(LocalError) -> [TodoID] {
        try read(prefix: prefix) { recent, source throws(LocalError) in
            let replaced = recent.replaced
            var ids = recent.todos.map(\.id).filter { $0.description.hasPrefix(prefix) }
            switch source {
            case nil: break
            case .index(let index):
                guard let found = index.ids(prefix: prefix) else { return nil }
                ids += found.filter { !replaced.contains($0) }
            case .journal(let journal, _):
                ids += try TodoBase.read(journal).todos.map(\.id).filter {
                    $0.description.hasPrefix(prefix) && !replaced.contains($0)
                }
            }
            return ids
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
    ///
    /// - Parameters:
    ///   - count: the number of recent changes.
    ///   - stored: todos that the caller has just stored, with their JSON, which need not be parsed.
    func moveIfNeeded(_ count: Int, _ stored: [TodoID: (todo: Todo, json: [UInt8])] = [:]) {
        guard count > moveThreshold else { return }
        try? recent.transaction(durability: .synced) { transaction in
            let values = transaction.json(prefix: TodoTransaction.todoPrefix)
            guard values.count > moveThreshold else { return }
            let mark = try base.append(values)
            transaction.reserve(values.count)
            for value in values { try transaction.remove(value.identifier) }
            try transaction.set(TodoSlot.base(mark), for: TodoSlot.baseKey)
            base.writeIndex(stored)
        }
    }
}
