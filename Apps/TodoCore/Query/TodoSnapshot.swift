import Threading

/// The todos of a store at one time, prepared for a list that is filtered at each key: sorted once, with their texts in one
/// block of memory.
public final class TodoSnapshot: Sendable {
    /// All todos in display order.
    public let todos: [Todo]
    /// The number of open todos that are not archived.
    public let openCount: Int
    /// The number of completed todos that are not archived.
    public let doneCount: Int
    /// The projects, contexts and labels in use, the most frequent first.
    public let names: TodoNames
    /// The index of the parent of each todo, or -1; empty if no todo has a parent that exists.
    let parents: [Int32]
    /// The numbers of subtasks of each todo that has any, by its index.
    let progress: [Int: TodoProgress]
    /// The days until which open todos are hidden from lists.
    private let thresholds: [Day]
    private let table: TodoRows
    /// The indices of all todos in the order that was requested last, and their last groups: a key in the filter compares no
    /// values of todos.
    private let lastOrder = Locked<(sort: TodoSort, indices: [Int32])?>(nil)
    private let lastGroups = Locked<(grouping: TodoGrouping, groups: TodoGroups)?>(nil)

    /// Prepares todos.
    ///
    /// - Parameters:
    ///   - todos: all todos of a store.
    ///   - order: the display order.
    public init(_ todos: [Todo], order: TodoOrder = TodoOrder()) {
        let rows = TodoRows(todos)
        let places = rows.order(order)
        // The todos of a store are in this order already: the array is shared with it.
        let isSorted = places.elementsEqual(places.indices)
        let sorted = isSorted ? todos : places.map { todos[$0] }
        self.todos = sorted
        var counts: (open: Int, done: Int) = (0, 0)
        var names = TodoNames.Counter()
        var thresholds: [Day] = []
        for todo in sorted where !todo.isArchived {
            if todo.isDone {
                counts.done += 1
            } else {
                counts.open += 1
                if let threshold = todo.threshold { thresholds.append(threshold) }
            }
            names.add(todo)
        }
        self.thresholds = thresholds
        (openCount, doneCount) = counts
        self.names = names.names
        table = isSorted ? rows : TodoRows(sorted)
        let parents = Self.parents(of: table.rows)
        self.parents = parents
        var progress: [Int: TodoProgress] = [:]
        for (child, parent) in parents.enumerated() where parent >= 0 {
            progress[Int(parent), default: TodoProgress()].add(sorted[child])
        }
        self.progress = progress
    }

    /// Prepares the todos of a store, in its order, outside the caller's actor.
    ///
    /// - Parameters:
    ///   - contents: the todos with their order.
    ///   - request: the list that is shown first.
    /// - Returns: the prepared todos.
    public static func prepare(_ contents: TodoContents, for request: TodoListRequest? = nil) async -> TodoSnapshot {
        let snapshot = TodoSnapshot(contents.todos, order: contents.order)
        if let sort = request?.sort { _ = snapshot.order(sort) }
        if let grouping = request?.grouping { _ = snapshot.groups(grouping) }
        return snapshot
    }

    private static func parents(of rows: [TodoRow]) -> [Int32] {
        let ids = Set(rows.compactMap(\.parent))
        guard !ids.isEmpty else { return [] }
        var places: [TodoID: Int32] = [:]
        for (index, row) in rows.enumerated() where ids.contains(row.id) { places[row.id] = Int32(index) }
        return places.isEmpty ? [] : rows.map { row in row.parent.flatMap { places[$0] } ?? -1 }
    }

    /// Returns the number of open todos that lists hide on a day, because their thresholds are later.
    package func waitingCount(on day: Day) -> Int { thresholds.count { $0 > day } }

    /// Returns the todos that pass a filter, in display order.
    public func matching(_ filter: TodoFilter) -> [Todo] {
        table.indices(matching: filter.condition).map { todos[$0] }
    }

    /// Returns whether each todo passes a filter, in display order; `nil` if the task was cancelled.
    func matches(_ filter: TodoFilter) -> [Bool]? {
        guard !Task.isCancelled else { return nil }
        let mask = table.mask(matching: filter.condition)
        return Task.isCancelled ? nil : mask
    }

    /// Returns the indices of all todos in an order.
    func order(_ sort: TodoSort) -> [Int32] {
        if let last = lastOrder.withLock({ $0 }), last.sort == sort { return last.indices }
        let order = sort.order(of: todos)
        lastOrder.withLock { $0 = (sort, order) }
        return order
    }

    /// Returns the groups of all todos.
    func groups(_ grouping: TodoGrouping) -> TodoGroups {
        if let last = lastGroups.withLock({ $0 }), last.grouping == grouping { return last.groups }
        let groups = TodoGroups(grouping, of: todos)
        lastGroups.withLock { $0 = (grouping, groups) }
        return groups
    }

    /// Returns the todo with an ID.
    public func todo(_ id: TodoID) -> Todo? { index(of: id).map { todos[$0] } }

    /// Returns the index of the todo with an ID.
    func index(of id: TodoID) -> Int? { table.rows.firstIndex { $0.id == id } }

    /// Returns the subtasks of a todo, in display order.
    public func subtasks(of id: TodoID) -> [Todo] {
        guard !parents.isEmpty, let index = index(of: id) else { return [] }
        return parents.indices.filter { parents[$0] == index }.map { todos[$0] }
    }

    /// Whether a todo is open and waits for another open one.
    func isBlocked(at index: Int) -> Bool { table.rows[index].flags.contains(.blocked) }

    /// Returns the todos for which a todo waits, or which wait for it, in display order, completed ones included.
    func dependencies(of todo: Todo) -> (waitsFor: [Todo], neededBy: [Todo]) {
        (
            todo.dependencies.isEmpty ? [] : todos.filter { $0.uuid.map(todo.dependencies.contains) == true },
            todo.uuid.map { uuid in
                table.rows.indices.lazy.filter { self.table.rows[$0].dependencies.count > 0 }.map { self.todos[$0] }
                    .filter { $0.dependencies.contains(uuid) }
            } ?? []
        )
    }

    /// Returns what is still open around todos that are to be completed.
    ///
    /// - Parameter ids: the todos.
    /// - Returns: the open todos for which they wait, and their open subtasks at every level, in display order and without the
    ///   todos themselves.
    public func openWork(around ids: Set<TodoID>) -> (blockers: [Todo], subtasks: [Todo]) {
        let own = Set(table.rows.indices.lazy.filter { ids.contains(self.table.rows[$0].id) })
        var below: Set<Int> = []
        var level = own
        while !parents.isEmpty, !level.isEmpty {
            level = Set(parents.indices.filter { level.contains(Int(parents[$0])) }).subtracting(below).subtracting(own)
            below.formUnion(level)
        }
        func open(_ indices: some Sequence<Int>) -> [Todo] { indices.sorted().map { todos[$0] }.filter { !$0.isDone } }
        let needed = Set(own.filter(isBlocked).flatMap { todos[$0].dependencies })
        let blockers = needed.isEmpty ? [] : table.rows.indices.filter { needed.contains(table.rows[$0].uuid) }
        return (open(Set(blockers).subtracting(own)), open(below))
    }

    /// Returns the todos that a typed text can mean: open ones whose title contains it or whose ID begins with it, in display
    /// order.
    package func candidates(_ text: String, limit: Int) -> [Todo] {
        let (name, needle) = (TodoID.normalised(text), TodoRow.folded(text))
        let found = table.texts.withUnsafeBytes { texts in
            table.rows.indices.lazy.filter { index in
                let row = self.table.rows[index]
                return row.flags.isDisjoint(with: [.done, .archived])
                    && (TodoRow.contains(.title, texts, row.text) {
                        needle.isEmpty || TodoRow.find(needle, texts, $0) != nil
                    } || row.id.description.hasPrefix(name))
            }
            .prefix(limit).map { self.todos[$0] }
        }
        return Array(found)
    }

    /// Returns the todo that an ID or a unique beginning of one names.
    ///
    /// - Throws: ``TodoError/notFound(name:)``, or ``TodoError/ambiguous(name:candidates:)``.
    package func todo(named name: String) throws(TodoError) -> Todo {
        guard let todo = todo(try TodoID.named(name, among: table.rows.lazy.map(\.id))) else {
            throw .notFound(name: name)
        }
        return todo
    }

    /// Returns the number of open todos that are due on each day of a range, waiting ones included.
    public func dueCounts(_ days: ClosedRange<Day>) -> [Day: Int] {
        var counts: [Day: Int] = [:]
        for todo in todos where !todo.isDone && !todo.isArchived {
            if let due = todo.due, days.contains(due) { counts[due, default: 0] += 1 }
        }
        return counts
    }
}

/// How many subtasks of a todo are completed.
public struct TodoProgress: Hashable, Sendable, CustomStringConvertible {
    /// The number of completed subtasks.
    public private(set) var done = 0
    /// The number of all subtasks, archived ones included.
    public private(set) var count = 0

    /// Creates the progress of a todo without subtasks.
    public init() {}

    mutating func add(_ todo: Todo) {
        count += 1
        if todo.isDone { done += 1 }
    }

    /// Both numbers: `2/5`.
    public var description: String { "\(done)/\(count)" }
}

/// A todo with its parent, its subtasks and its dependencies.
public struct TodoFamily: Hashable, Sendable {
    /// The todo.
    public let todo: Todo
    /// The todo of which it is a part.
    public let parent: Todo?
    /// Its parts, in display order.
    public let subtasks: [Todo]
    /// The todos that must be done before it, in display order, completed ones included.
    public let waitsFor: [Todo]
    /// The todos that must be done after it, in display order, completed ones included.
    public let neededBy: [Todo]

    /// Whether it is open and waits for an open todo.
    public var isBlocked: Bool { !todo.isDone && waitsFor.contains { !$0.isDone } }

    /// Creates a family.
    public init(todo: Todo, parent: Todo? = nil, subtasks: [Todo] = [], waitsFor: [Todo] = [], neededBy: [Todo] = []) {
        (self.todo, self.parent, self.subtasks) = (todo, parent, subtasks)
        (self.waitsFor, self.neededBy) = (waitsFor, neededBy)
    }
}

// The searches that run outside the caller's actor.
extension TodoSnapshot {
    /// Returns a todo with its parent, its subtasks and its dependencies; `nil` if there is no such todo.
    public func family(of id: TodoID) async -> TodoFamily? {
        guard let todo = todo(id) else { return nil }
        let (waitsFor, neededBy) = dependencies(of: todo)
        return TodoFamily(
            todo: todo,
            parent: todo.parent.flatMap { self.todo($0) },
            subtasks: subtasks(of: id),
            waitsFor: waitsFor,
            neededBy: neededBy
        )
    }

    /// Returns the number of open todos that are due on each day of a range, and the todos of one day, waiting ones included
    /// in both.
    public func due(in days: ClosedRange<Day>, on day: Day) async -> (counts: [Day: Int], todos: [Todo]) {
        (dueCounts(days), todos.filter { $0.due == day && !$0.isDone && !$0.isArchived })
    }
}
