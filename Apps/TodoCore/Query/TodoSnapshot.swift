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
    /// The index of the parent of each subtask whose parent exists.
    let parents: [Int32: Int32]
    private let table: TodoSearchTable
    /// The IDs of the todos, which are searched without reading the todos.
    private let ids: [TodoID]

    /// Prepares todos.
    public init(_ todos: [Todo]) {
        let sorted = todos.indices.map { TodoOrderKey(todos[$0], index: $0) }.sorted().map { todos[$0.index] }
        self.todos = sorted
        var counts: (open: Int, done: Int) = (0, 0)
        var names = TodoNames.Counter()
        var parentIDs: Set<TodoID> = []
        for todo in sorted {
            if !todo.isArchived {
                if todo.isDone { counts.done += 1 } else { counts.open += 1 }
                names.add(todo)
            }
            if let parent = todo.parent { parentIDs.insert(parent) }
        }
        (openCount, doneCount) = counts
        self.names = names.names
        parents = Self.parents(of: sorted, parentIDs)
        ids = sorted.map(\.id)
        table = TodoSearchTable(sorted)
    }

    /// Prepares todos outside the caller's actor.
    public static func prepare(_ todos: [Todo]) async -> TodoSnapshot { TodoSnapshot(todos) }

    private static func parents(of todos: [Todo], _ ids: Set<TodoID>) -> [Int32: Int32] {
        guard !ids.isEmpty else { return [:] }
        var places: [TodoID: Int32] = [:]
        for (index, todo) in todos.enumerated() where ids.contains(todo.id) { places[todo.id] = Int32(index) }
        var parents: [Int32: Int32] = [:]
        for (index, todo) in todos.enumerated() {
            if let parent = todo.parent.flatMap({ places[$0] }) { parents[Int32(index)] = parent }
        }
        return parents
    }

    /// Returns the todos that pass a filter, in display order.
    public func matching(_ filter: TodoFilter) -> [Todo] {
        (matchingIndices(filter) ?? []).map { todos[Int($0)] }
    }

    /// Returns the indices of the todos that pass a filter, in display order; `nil` if the task was cancelled.
    func matchingIndices(_ filter: TodoFilter) -> [Int32]? { table.indices(passing: filter) }

    /// Returns the todo with an ID.
    public func todo(_ id: TodoID) -> Todo? { index(of: id).map { todos[Int($0)] } }

    /// Returns the index of the todo with an ID.
    func index(of id: TodoID) -> Int32? { ids.firstIndex(of: id).map { Int32($0) } }

    /// Returns the subtasks of a todo, in display order.
    public func subtasks(of id: TodoID) -> [Todo] {
        parents.isEmpty ? [] : parents.keys.sorted().map { todos[Int($0)] }.filter { $0.parent == id }
    }

    /// Returns the number of open todos that are due on each day of a range.
    public func dueCounts(_ days: ClosedRange<Day>) -> [Day: Int] {
        var counts: [Day: Int] = [:]
        for todo in todos where !todo.isDone && !todo.isArchived {
            if let due = todo.due, days.contains(due) { counts[due, default: 0] += 1 }
        }
        return counts
    }
}

/// The projects, contexts and labels in use, each list with the most frequent first.
public struct TodoNames: Hashable, Sendable {
    /// The projects without their sign.
    public let projects: [String]
    /// The contexts without their sign.
    public let contexts: [String]
    /// The labels without their sign.
    public let tags: [String]

    /// Creates lists of names.
    public init(projects: [String] = [], contexts: [String] = [], tags: [String] = []) {
        (self.projects, self.contexts, self.tags) = (projects, contexts, tags)
    }

    struct Counter {
        private var projects: [String: Int] = [:]
        private var contexts: [String: Int] = [:]
        private var tags: [String: Int] = [:]

        mutating func add(_ todo: Todo) {
            for name in todo.projects { projects[name, default: 0] += 1 }
            for name in todo.contexts { contexts[name, default: 0] += 1 }
            for name in todo.tags { tags[name, default: 0] += 1 }
        }

        var names: TodoNames {
            func sorted(_ counts: [String: Int]) -> [String] {
                counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
            }
            return TodoNames(projects: sorted(projects), contexts: sorted(contexts), tags: sorted(tags))
        }
    }

    /// Returns the names that complete a word with a sign, such as `+ho`, with the sign. A complete name is not one of them.
    public func completions(of word: some StringProtocol) -> [String] {
        guard let sign = word.first else { return [] }
        let start = word.dropFirst().lowercased()
        let names =
            switch sign {
            case "+": projects
            case "@": contexts
            case "#": tags
            default: [String]()
            }
        return names.filter { $0.lowercased().hasPrefix(start) && $0.lowercased() != start }.map { "\(sign)\($0)" }
    }
}

/// A todo with its parent and its subtasks.
public struct TodoFamily: Hashable, Sendable {
    /// The todo.
    public let todo: Todo
    /// The todo of which it is a part.
    public let parent: Todo?
    /// Its parts, in display order.
    public let subtasks: [Todo]

    /// Creates a family.
    public init(todo: Todo, parent: Todo? = nil, subtasks: [Todo] = []) {
        (self.todo, self.parent, self.subtasks) = (todo, parent, subtasks)
    }
}

// The searches that run outside the caller's actor.
extension TodoSnapshot {
    /// Returns a todo with its parent and its subtasks; `nil` if there is no such todo.
    public func family(of id: TodoID) async -> TodoFamily? {
        guard let todo = todo(id) else { return nil }
        return TodoFamily(todo: todo, parent: todo.parent.flatMap { self.todo($0) }, subtasks: subtasks(of: id))
    }

    /// Returns those of the IDs whose todos exist.
    public func existing(_ ids: Set<TodoID>) async -> Set<TodoID> {
        Set(self.ids.lazy.filter { ids.contains($0) })
    }

    /// Returns the number of open todos that are due on each day of a range, and the todos of one day.
    public func due(in days: ClosedRange<Day>, on day: Day) async -> (counts: [Day: Int], todos: [Todo]) {
        (dueCounts(days), todos.filter { $0.due == day && !$0.isDone && !$0.isArchived })
    }
}
