/// Which open todos wait for other open ones, and which todos have lost their parent.
public struct TodoBlocking: Hashable, Sendable {
    /// The open todos that wait for another one.
    public internal(set) var blocked: Set<TodoID> = []
    /// The open todos for which another one waits.
    public internal(set) var blocking: Set<TodoID> = []
    /// The todos whose parent does not exist. The link to it stays, since an undo can bring it back.
    public internal(set) var orphans: Set<TodoID> = []

    /// Creates the value of a store without dependencies.
    public init() {}

    /// Finds the todos of a store that wait, and those for which they wait.
    public init(_ todos: [Todo]) {
        self.init(todos.contains { !$0.dependencies.isEmpty || $0.parent != nil } ? TodoRows(todos).rows : [])
    }

    init(_ rows: some Sequence<TodoRow>) {
        for row in rows {
            if row.flags.contains(.blocked) { blocked.insert(row.id) }
            if row.flags.contains(.blocking) { blocking.insert(row.id) }
            if row.flags.contains(.orphan) { orphans.insert(row.id) }
        }
    }
}

/// The dependencies of all todos of a store, by UUID.
struct TodoDependencyGraph {
    private var todos: [UUID: Todo] = [:]

    init(_ todos: [Todo]) { for todo in todos { if let uuid = todo.uuid { self.todos[uuid] = todo } } }

    /// Returns the shortest chain of todos by which one waits for another: both and those between them; `nil` if it does not.
    func path(from start: UUID, to end: UUID) -> [Todo]? {
        var previous: [UUID: UUID] = [:]
        var waiting = [start][...]
        while let uuid = waiting.popFirst() {
            if uuid == end {
                return sequence(first: end) { $0 == start ? nil : previous[$0] }.reversed().compactMap { todos[$0] }
            }
            for next in todos[uuid]?.dependencies ?? [] where next != start && previous[next] == nil {
                previous[next] = uuid
                waiting.append(next)
            }
        }
        return nil
    }
}

extension TodoTransaction {
    /// Resolves the dependencies of a change, whose other fields have been applied.
    ///
    /// - Parameters:
    ///   - change: the change.
    ///   - todo: the changed todo.
    ///   - all: all todos of the store as they were read before the change.
    /// - Returns: the todos for which it waits and which have no UUID yet, with one.
    /// - Throws: ``TodoError/dependencyCycle(path:)``, and ``TodoError/notFound(name:)``.
    mutating func setDependencies(
        _ change: TodoChange,
        of todo: inout Todo,
        _ all: () throws(TodoError) -> [Todo]
    ) throws(TodoError) -> [Todo] {
        for id in change.removedDependencies {
            guard let uuid = try self.todo(id).uuid else { continue }
            todo.dependencies.removeAll { $0 == uuid }
        }
        guard !change.addedDependencies.isEmpty else { return [] }
        let own = todo.uuid ?? UUID()
        todo.uuid = own
        let graph = TodoDependencyGraph(try all())
        var identified: [Todo] = []
        for id in change.addedDependencies {
            guard id != todo.id else { throw .dependencyCycle(path: [id, id]) }
            var other = try self.todo(id)
            let uuid = other.uuid ?? UUID()
            if other.uuid == nil {
                other.uuid = uuid
                identified.append(other)
            }
            if let path = graph.path(from: uuid, to: own) {
                throw .dependencyCycle(path: [todo.id] + path.map(\.id))
            }
            if !todo.dependencies.contains(uuid) { todo.dependencies.append(uuid) }
        }
        return identified
    }
}

extension TodoTransaction {
    /// Checks that an old version of a todo makes no cycle with what others have become since. Links to todos that no longer
    /// exist stay.
    ///
    /// - Parameters:
    ///   - todo: the old version.
    ///   - all: all todos of the store as they were read before the change.
    /// - Throws: ``TodoError/parentCycle(id:)`` and ``TodoError/dependencyCycle(path:)``.
    func checkLinks(ofRestored todo: Todo, among all: [Todo]) throws(TodoError) {
        if let parent = todo.parent, try todoIfPresent(parent) != nil { try checkParent(of: todo) }
        guard let own = todo.uuid, !todo.dependencies.isEmpty else { return }
        let graph = TodoDependencyGraph(all)
        for uuid in todo.dependencies {
            if let path = graph.path(from: uuid, to: own) { throw .dependencyCycle(path: [todo.id] + path.map(\.id)) }
        }
    }
}

extension TodoStoring {
    /// Returns the open todos for which open todos wait, by the waiting one, in display order. Todos of the list itself do not
    /// count: completing all of them at once completes these, too.
    package func blockers(of todos: [Todo]) async throws(TodoError) -> [(todo: Todo, blockers: [Todo])] {
        let own = Set(todos.map(\.id))
        guard todos.contains(where: { !$0.isDone && !$0.dependencies.isEmpty }) else { return [] }
        let open = try await self.todos().filter { !$0.isDone && !own.contains($0.id) }
        return todos.filter { !$0.isDone }.compactMap { todo in
            let blockers = open.filter { $0.uuid.map(todo.dependencies.contains) == true }
            return blockers.isEmpty ? nil : (todo, blockers)
        }
    }
}
