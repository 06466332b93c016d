import LocalProvider

/// The todos and their history during one change.
///
/// The values: `todo/ID` for each todo, `serial` for the next name, `history` for where in the history we are, and
/// `history/N` for each step.
struct TodoTransaction {
    static let todoPrefix = "todo/"
    private static let serialKey = "serial"
    private static let historyKey = "history"

    var transaction: JSONDefaults.Transaction

    init(_ transaction: JSONDefaults.Transaction) {
        self.transaction = transaction
    }

    // MARK: Todos

    /// A name that no todo of this store has had.
    mutating func nextID() throws(TodoError) -> TodoID {
        let serial = try value(UInt64.self, Self.serialKey) ?? 0
        try set(serial + 1, Self.serialKey)
        return TodoID(serial: serial)
    }

    func all() throws(TodoError) -> [Todo] {
        do throws(LocalError) {
            return try transaction.values(prefix: Self.todoPrefix, reading: TodoReader.todo)
        } catch {
            throw .storage(error)
        }
    }

    func todo(_ id: TodoID) throws(TodoError) -> Todo {
        guard let todo = try value(Todo.self, Self.key(id)) else { throw .notFound(name: id.description) }
        return todo
    }

    /// The todos of these names, each once.
    func todos(_ ids: [TodoID]) throws(TodoError) -> [Todo] {
        var seen: Set<TodoID> = []
        var todos: [Todo] = []
        for id in ids where seen.insert(id).inserted { todos.append(try todo(id)) }
        return todos
    }

    /// Puts todos in place, as one step of the history; nothing happens where there are none.
    mutating func put(_ todos: [Todo], summary: String) throws(TodoError) {
        try put(Dictionary(todos.map { ($0.id, $0) }) { $1 }, summary: summary)
    }

    /// Puts todos in place, `nil` for removing one, as one step of the history.
    mutating func put(_ todos: [TodoID: Todo?], summary: String) throws(TodoError) {
        guard !todos.isEmpty else { return }
        var history = try value(TodoHistory.self, Self.historyKey) ?? TodoHistory()
        let step = TodoHistory.Step(summary: summary, others: try exchange(todos))
        // A new change ends what could be redone.
        for number in history.position..<history.end { try remove(Self.stepKey(number)) }
        try set(step, Self.stepKey(history.position))
        history.position += 1
        history.end = history.position
        while history.end - history.start > TodoStore.historyLimit {
            try remove(Self.stepKey(history.start))
            history.start += 1
        }
        try set(history, Self.historyKey)
    }

    // MARK: History

    /// Takes the last change back and returns its summary.
    mutating func undo() throws(TodoError) -> String {
        var history = try value(TodoHistory.self, Self.historyKey) ?? TodoHistory()
        guard history.position > history.start else { throw .nothingToUndo }
        history.position -= 1
        let summary = try turn(history.position) ?? ""
        try set(history, Self.historyKey)
        return summary
    }

    /// Makes the change again that was last taken back, and returns its summary.
    mutating func redo() throws(TodoError) -> String {
        var history = try value(TodoHistory.self, Self.historyKey) ?? TodoHistory()
        guard history.position < history.end else { throw .nothingToRedo }
        let summary = try turn(history.position) ?? ""
        history.position += 1
        try set(history, Self.historyKey)
        return summary
    }

    /// Exchanges the todos of a step with the present ones: the step then leads back.
    private mutating func turn(_ number: Int) throws(TodoError) -> String? {
        guard var step = try value(TodoHistory.Step.self, Self.stepKey(number)) else { return nil }
        step.others = try exchange(step.others)
        try set(step, Self.stepKey(number))
        return step.summary
    }

    /// Puts todos in place and returns those that were there.
    private mutating func exchange(_ todos: [TodoID: Todo?]) throws(TodoError) -> [TodoID: Todo?] {
        var old: [TodoID: Todo?] = [:]
        for (id, todo) in todos {
            old[id] = .some(try value(Todo.self, Self.key(id)))
            if let todo { try set(todo, Self.key(id)) } else { try remove(Self.key(id)) }
        }
        return old
    }

    // MARK: Values

    private static func key(_ id: TodoID) -> String { todoPrefix + id.description }
    private static func stepKey(_ number: Int) -> String { "\(historyKey)/\(number)" }

    private func value<Value: Codable & Sendable>(_ type: Value.Type, _ key: String) throws(TodoError) -> Value? {
        do throws(LocalError) {
            return try transaction.value(for: key, as: type)
        } catch {
            throw .storage(error)
        }
    }

    private mutating func set(_ value: some Codable & Sendable, _ key: String) throws(TodoError) {
        do throws(LocalError) {
            try transaction.set(value, for: key)
        } catch {
            throw .storage(error)
        }
    }

    private mutating func remove(_ key: String) throws(TodoError) {
        do throws(LocalError) {
            try transaction.remove(key)
        } catch {
            throw .storage(error)
        }
    }
}

/// Where in the history of changes a store is: steps `start..<position` can be undone, `position..<end` redone.
struct TodoHistory: Codable, Sendable {
    var start = 0
    var position = 0
    var end = 0

    /// One change: the todos as they were before it or, once it is undone, as they were after it.
    struct Step: Sendable {
        /// A few words on the change.
        var summary: String
        /// The other state of each todo it touched; `nil` for none.
        var others: [TodoID: Todo?]
    }
}

extension TodoHistory.Step: Codable {
    /// One todo of a step; a dictionary of optionals would lose the difference between none and null.
    private struct Item: Codable {
        var id: TodoID
        var todo: Todo?
    }

    private enum CodingKeys: CodingKey {
        case summary, others
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        summary = try container.decode(String.self, forKey: .summary)
        let items = try container.decode([Item].self, forKey: .others)
        others = Dictionary(items.map { ($0.id, $0.todo) }) { $1 }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(summary, forKey: .summary)
        let items = others.map { Item(id: $0.key, todo: $0.value) }
        try container.encode(items.sorted { $0.id.description < $1.id.description }, forKey: .others)
    }
}

/// A few words on a change, for undo and redo to say what they did.
enum TodoSummary {
    /// Such as `add "Buy milk"`, or `remove 3 todos`.
    static func text(_ verb: String, _ todos: [Todo]) -> String {
        guard todos.count == 1, let todo = todos.first else { return "\(verb) \(todos.count) todos" }
        let title = todo.title.count > 40 ? todo.title.prefix(39) + "…" : todo.title[...]
        return "\(verb) \"\(title)\""
    }
}
