import LocalProvider

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The todos and their history during one change.
///
/// The values: `todo/ID` for each todo, `serial` for the next ID, `history` for the position in the history, and
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

    /// Returns an ID that no todo of this store has had.
    mutating func nextID() throws(TodoError) -> TodoID {
        let serial = try value(UInt64.self, Self.serialKey) ?? 0
        try set(serial + 1, Self.serialKey)
        return TodoID(serial: serial)
    }

    func todo(_ id: TodoID) throws(TodoError) -> Todo {
        guard let todo = try value(Todo.self, Self.key(id)) else { throw .notFound(name: id.description) }
        return todo
    }

    /// Returns the todos with these IDs, each once.
    func todos(_ ids: [TodoID]) throws(TodoError) -> [Todo] {
        var seen: Set<TodoID> = []
        var todos: [Todo] = []
        for id in ids where seen.insert(id).inserted { todos.append(try todo(id)) }
        return todos
    }

    /// Stores todos as one step of the history. Without todos, nothing changes.
    mutating func put(_ todos: [Todo], verb: String) throws(TodoError) -> TodoStep? {
        var values: [TodoID: Todo?] = [:]
        for var todo in todos {
            // Todos of the first version have none.
            if todo.uuid == nil { todo.uuid = UUID() }
            values[todo.id] = todo
        }
        return try put(values, summary: Self.summary(verb, todos))
    }

    /// Deletes todos as one step of the history. Without todos, nothing changes.
    mutating func remove(_ todos: [Todo], verb: String) throws(TodoError) -> TodoStep? {
        let values = Dictionary(todos.map { ($0.id, Todo?.none) }) { $1 }
        return try put(values, summary: Self.summary(verb, todos))
    }

    /// Stores todos, and deletes those that are `nil`, as one step of the history.
    private mutating func put(_ todos: [TodoID: Todo?], summary: String) throws(TodoError) -> TodoStep? {
        guard !todos.isEmpty else { return nil }
        var history = try history()
        let mark = String(UInt64.random(in: 0 ... .max), radix: 36)
        let step = TodoHistory.Step(summary: summary, mark: mark, others: try exchange(todos))
        // Undone changes cannot be redone after a new one.
        for number in history.position..<history.end { try remove(Self.stepKey(number)) }
        try set(step, Self.stepKey(history.position))
        let reference = TodoStep(number: history.position, mark: mark, summary: summary)
        history.position += 1
        history.end = history.position
        while history.end - history.start > TodoStore.historyLimit {
            try remove(Self.stepKey(history.start))
            history.start += 1
        }
        try set(history, Self.historyKey)
        return reference
    }

    /// A short description of a change, such as `add "Buy milk"` or `remove 3 todos`.
    private static func summary(_ verb: String, _ todos: [Todo]) -> String {
        guard todos.count == 1, let todo = todos.first else { return "\(verb) \(todos.count) todos" }
        let title = todo.title.count > 40 ? todo.title.prefix(39) + "…" : todo.title[...]
        return "\(verb) \"\(title)\""
    }

    // MARK: History

    /// Returns the change that ``undo()`` would undo.
    func lastStep() throws(TodoError) -> TodoStep? {
        let history = try history()
        guard history.position > history.start, let step = try step(history.position - 1) else { return nil }
        return TodoStep(number: history.position - 1, mark: step.mark ?? "", summary: step.summary)
    }

    /// Undoes the last change and returns its summary.
    mutating func undo() throws(TodoError) -> String {
        var history = try history()
        guard history.position > history.start else { throw .nothingToUndo }
        history.position -= 1
        let summary = try turn(history.position) ?? ""
        try set(history, Self.historyKey)
        return summary
    }

    /// Undoes one change and returns its summary. If there are later changes, it is undone by a new change.
    mutating func undo(_ reference: TodoStep, afterLaterChanges: Bool) throws(TodoError) -> String {
        let history = try history()
        guard (history.start..<history.position).contains(reference.number),
            let found = try step(reference.number), found.mark ?? "" == reference.mark
        else { throw .stepIsGone(summary: reference.summary) }
        guard reference.number < history.position - 1 else { return try undo() }
        var later: TodoHistory.Step?
        for number in reference.number + 1..<history.position {
            guard let step = try step(number) else { continue }
            guard step.others.keys.allSatisfy({ found.others[$0] == nil }) else {
                throw .changedSince(summary: found.summary)
            }
            later = step
        }
        if let later, !afterLaterChanges { throw .laterChange(summary: found.summary, later: later.summary) }
        _ = try put(found.others, summary: "undo \(found.summary)")
        return found.summary
    }

    /// Makes the last undone change again and returns its summary.
    mutating func redo() throws(TodoError) -> String {
        var history = try history()
        guard history.position < history.end else { throw .nothingToRedo }
        let summary = try turn(history.position) ?? ""
        history.position += 1
        try set(history, Self.historyKey)
        return summary
    }

    /// Exchanges the todos of a step with the current ones, so that the step then leads back.
    private mutating func turn(_ number: Int) throws(TodoError) -> String? {
        guard var step = try step(number) else { return nil }
        step.others = try exchange(step.others)
        try set(step, Self.stepKey(number))
        return step.summary
    }

    /// Stores todos and returns the ones that they replaced.
    private mutating func exchange(_ todos: [TodoID: Todo?]) throws(TodoError) -> [TodoID: Todo?] {
        var old: [TodoID: Todo?] = [:]
        for (id, todo) in todos {
            old[id] = .some(try value(Todo.self, Self.key(id)))
            if let todo { try set(todo, Self.key(id)) } else { try remove(Self.key(id)) }
        }
        return old
    }

    private func history() throws(TodoError) -> TodoHistory {
        try value(TodoHistory.self, Self.historyKey) ?? TodoHistory()
    }

    private func step(_ number: Int) throws(TodoError) -> TodoHistory.Step? {
        try value(TodoHistory.Step.self, Self.stepKey(number))
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

/// The position in the history of a store: steps `start..<position` can be undone, `position..<end` redone.
struct TodoHistory: Codable, Sendable {
    var start = 0
    var position = 0
    var end = 0

    /// One change: the todos as they were before it or, after it was undone, as they were after it.
    struct Step: Sendable {
        /// A short description of the change.
        var summary: String
        /// A random text that identifies the change; `nil` for changes of earlier versions of the program.
        var mark: String?
        /// The other state of each todo; `nil` if the todo does not exist in it.
        var others: [TodoID: Todo?]
    }
}

extension TodoHistory.Step: Codable {
    /// One todo of a step. A dictionary of optionals would lose the difference between a missing value and `nil`.
    private struct Item: Codable {
        var id: TodoID
        var todo: Todo?
    }

    private enum CodingKeys: CodingKey {
        case summary, mark, others
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        summary = try container.decode(String.self, forKey: .summary)
        mark = try container.decodeIfPresent(String.self, forKey: .mark)
        let items = try container.decode([Item].self, forKey: .others)
        others = Dictionary(items.map { ($0.id, $0.todo) }) { $1 }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(summary, forKey: .summary)
        try container.encodeIfPresent(mark, forKey: .mark)
        let items = others.map { Item(id: $0.key, todo: $0.value) }
        try container.encode(items.sorted { $0.id.description < $1.id.description }, forKey: .others)
    }
}
