import CommandKit
import TextEscaping
import TodoCore

/// The command `todo tree`, and the refusal to complete todos that wait for others.
extension TodoCommands {
    /// Prints todos with their subtasks, what they wait for and what waits for them, each relation followed to its end.
    func tree(_ command: AppCommand) async throws(ScriptFailure) -> ScriptResult {
        let roots = try await todos(command.operands)
        let all = try await contents(.everything)
        let tree = RelationTree(all.todos)
        let rows = roots.flatMap { tree.rows(from: $0) }
        if command.has("json") { return .json(["rows": rows]) }
        let line = TodoLine(isStyled: isStyled, today: today, time: clock.time, spoken: spoken)
        var output = ""
        for row in rows {
            let relation = row.relation.map { "\($0.rawValue) " } ?? ""
            let isBlocked = all.blocking.blocked.contains(row.todo.id)
            output += String(repeating: "  ", count: row.depth) + relation
            output += line.text(for: row.todo, isBlocked: isBlocked) + (row.isRepeated ? " (see above)" : "") + "\n"
        }
        return ScriptResult(output: output)
    }

    /// Refuses to complete todos that wait for open ones.
    func refuseBlocked(_ todos: [Todo]) async throws(ScriptFailure) {
        let blocked = try await attempt { () throws(TodoError) in try await store.blockers(of: todos) }
        if !blocked.isEmpty { throw ScriptFailure(blocked: blocked) }
    }
}

extension ScriptFailure {
    /// Creates the failure of completing todos that wait for open ones.
    fileprivate init(blocked: [(todo: Todo, blockers: [Todo])]) {
        let lines = blocked.map { todo, blockers in
            let names = blockers.prefix(5).map { "\($0.id) \($0.title.quoted(limit: 40))" }
            return "\(todo.id) waits for \(names.joined(separator: ", "))"
                + (blockers.count > 5 ? " and \(blockers.count - 5) more" : "")
        }
        self.init(
            .nothingMatched,
            lines.joined(separator: "\n") + "\nnothing was completed; complete what they wait for first, or add --force"
        )
    }
}

/// Which todos are open after some changes of a batch, and what they wait for.
struct BatchState {
    private var todos: [TodoID: Todo] = [:]
    private var ids: [UUID: TodoID] = [:]

    /// Creates the state before a batch.
    init(_ todos: [Todo]) {
        for var todo in todos {
            // Todos of the first version have none.
            let uuid = todo.uuid ?? UUID()
            (todo.uuid, self.ids[uuid]) = (uuid, todo.id)
            self.todos[todo.id] = todo
        }
    }

    /// Makes a change.
    ///
    /// - Throws: ``ScriptFailure`` if it completes a todo that waits for an open one, unless it is forced.
    mutating func make(_ mutation: TodoMutation, isForced: Bool = false) throws(ScriptFailure) {
        switch mutation {
        case .complete(let completed):
            let blocked = completed.compactMap { id -> (todo: Todo, blockers: [Todo])? in
                guard let todo = todos[id], !todo.isDone else { return nil }
                let blockers = todo.dependencies.compactMap { ids[$0].flatMap { todos[$0] } }
                    .filter { !$0.isDone && !completed.contains($0.id) }
                return blockers.isEmpty ? nil : (todo, blockers)
            }
            if !blocked.isEmpty, !isForced { throw ScriptFailure(blocked: blocked) }
            for id in completed { todos[id]?.completed = .distantPast }
        case .reopen(let ids): for id in ids { todos[id]?.completed = nil }
        case .remove(let ids): for id in ids { todos[id] = nil }
        case .edit(let id, let change):
            func uuids(_ ids: [TodoID]) -> [UUID] { ids.compactMap { todos[$0]?.uuid } }
            let (added, removed) = (uuids(change.addedDependencies), uuids(change.removedDependencies))
            let present = change.removesDependencies ? [] : todos[id]?.dependencies ?? []
            todos[id]?.dependencies = present.filter { !removed.contains($0) } + added
        default: break
        }
    }
}

/// The relations between todos as a tree.
private struct RelationTree {
    enum Relation: String, Encodable {
        case subtask, after, before
    }

    struct Row: Encodable {
        let todo: Todo
        /// The relation to the row above with one depth less; `nil` at the top.
        let relation: Relation?
        let depth: Int
        /// Whether the todo, with what follows from it, is above.
        let isRepeated: Bool

        private enum Key: String, CodingKey {
            case id, title, done, relation, depth, repeated
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(todo.id, forKey: .id)
            try container.encode(todo.title, forKey: .title)
            try container.encode(todo.isDone, forKey: .done)
            try container.encode(relation, forKey: .relation)
            try container.encode(depth, forKey: .depth)
            try container.encode(isRepeated, forKey: .repeated)
        }
    }

    private var subtasks: [TodoID: [Todo]] = [:]
    private var before: [TodoID: [Todo]] = [:]
    private var after: [TodoID: [Todo]] = [:]

    /// Reads the relations of all todos, which are in display order.
    init(_ todos: [Todo]) {
        var owners: [UUID: Todo] = [:]
        for todo in todos { if let uuid = todo.uuid { owners[uuid] = todo } }
        for todo in todos {
            if let parent = todo.parent { subtasks[parent, default: []].append(todo) }
            for uuid in todo.dependencies {
                guard let other = owners[uuid] else { continue }
                after[todo.id, default: []].append(other)
                before[other.id, default: []].append(todo)
            }
        }
    }

    /// Returns a todo and what is related to it. Subtasks and what the todo waits for are followed from it, and what waits for
    /// it from there on in that direction alone.
    func rows(from root: Todo) -> [Row] {
        var rows: [Row] = []
        var seen: [Relation?: Set<TodoID>] = [:]
        var stack: [(todo: Todo, relation: Relation?, depth: Int)] = [(root, nil, 0)]
        while let (todo, relation, depth) = stack.popLast() {
            let isNew = seen[relation, default: [root.id]].insert(todo.id).inserted || relation == nil
            rows.append(Row(todo: todo, relation: relation, depth: depth, isRepeated: !isNew))
            guard isNew else { continue }
            var next: [(Relation, [Todo])] = []
            if relation != .before { next += [(.subtask, subtasks[todo.id] ?? []), (.after, after[todo.id] ?? [])] }
            if relation == nil || relation == .before { next.append((.before, before[todo.id] ?? [])) }
            for (relation, todos) in next.reversed() {
                for todo in todos.reversed() { stack.append((todo, relation, depth + 1)) }
            }
        }
        return rows
    }
}
