import EssentialFoundation
import TodoCore

/// The document of `--json`. Every field is present; missing values are `null`. `todos.schema.json` describes it.
struct TodoDocument: Encodable {
    /// The listed or changed todos.
    let todos: [TodoFields]
    /// The change that was undone or redone; `nil` for other commands.
    let message: String?

    init(_ contents: TodoContents, message: String? = nil) {
        todos = contents.todos.map { TodoFields(todo: $0, contents: contents) }
        self.message = message
    }

    private enum Key: String, CodingKey {
        case todos
        case message
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(todos, forKey: .todos)
        try container.encode(message, forKey: .message)
    }
}

/// A todo in the document of `--json`.
struct TodoFields: Encodable {
    let todo: Todo
    let contents: TodoContents

    private enum Key: String, CodingKey {
        case id, uuid, title, done, archived, priority, project, projects, contexts, tags, list, due, time, threshold
        case recurrence, parent, dependencies, blocked, blocking, urgency, links, note, created, modified, completed
        case started, spent
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(todo.id, forKey: .id)
        // `encode` writes null for `nil`; `encodeIfPresent` would omit the field.
        try container.encode(todo.uuid?.uuidString.lowercased(), forKey: .uuid)
        try container.encode(todo.title, forKey: .title)
        try container.encode(todo.isDone, forKey: .done)
        try container.encode(todo.isArchived, forKey: .archived)
        try container.encode(todo.priority, forKey: .priority)
        try container.encode(todo.project, forKey: .project)
        try container.encode(todo.projects, forKey: .projects)
        try container.encode(todo.contexts, forKey: .contexts)
        try container.encode(todo.tags, forKey: .tags)
        try container.encode(todo.list, forKey: .list)
        try container.encode(todo.due, forKey: .due)
        try container.encode(todo.dueTime, forKey: .time)
        try container.encode(todo.threshold, forKey: .threshold)
        try container.encode(todo.recurrence, forKey: .recurrence)
        try container.encode(todo.parent, forKey: .parent)
        try container.encode(todo.dependencies.map { $0.uuidString.lowercased() }, forKey: .dependencies)
        try container.encode(contents.blocking.blocked.contains(todo.id), forKey: .blocked)
        try container.encode(contents.blocking.blocking.contains(todo.id), forKey: .blocking)
        try container.encode(urgency, forKey: .urgency)
        try container.encode(todo.links, forKey: .links)
        try container.encode(todo.note, forKey: .note)
        try container.encode(todo.created, forKey: .created)
        try container.encode(todo.modified, forKey: .modified)
        try container.encode(todo.completed, forKey: .completed)
        try container.encode(todo.started, forKey: .started)
        try container.encode(Int(todo.timeSpent(at: contents.order.date).rounded()), forKey: .spent)
    }
}

extension TodoFields {
    /// The urgency, to four digits after the point; `nil` if the todo is completed.
    private var urgency: Double? {
        if todo.isDone { return nil }
        return (contents.urgency(of: todo).reduce(0) { $0 + $1.value } * 10_000).rounded() / 10_000
    }
}

/// The document of `todo log --json`.
struct TodoLogDocument: Encodable {
    struct Change: Encodable {
        let number: Int
        let summary: String
        let date: Date?
        let process: String?
        let undone: Bool
        let fields: [Field]
    }

    struct Field: Encodable {
        let id: TodoID
        let field: String
        let before: String?
        let after: String?
    }

    let changes: [Change]

    /// - Parameters:
    ///   - entries: the changes.
    ///   - id: the todo whose fields are listed; `nil` for all.
    init(_ entries: [TodoLogEntry], id: TodoID?) {
        changes = entries.map { entry in
            let fields = entry.versions.filter { id == nil || $0.id == id }.flatMap { version in
                version.differences.map {
                    Field(id: version.id, field: $0.field, before: $0.before, after: $0.after)
                }
            }
            return Change(
                number: entry.number,
                summary: entry.summary,
                date: entry.date,
                process: entry.process,
                undone: entry.isUndone,
                fields: fields
            )
        }
    }
}

/// The document of `todo import --json`.
struct TodoImportDocument: Encodable {
    struct Outcome: Encodable {
        let line: Int
        let kind: String
        let id: TodoID?
        let title: String
        let fields: [String]
    }

    struct Problem: Encodable {
        let line: Int
        let column: Int
        let message: String
    }

    let dryRun: Bool
    let imported: [Outcome]
    let refused: [Problem]

    init(_ outcomes: [TodoImportOutcome], problems: [TodoImportProblem], isDryRun: Bool) {
        dryRun = isDryRun
        imported = outcomes.map { outcome in
            // A todo that is only planned has no ID yet.
            let id = isDryRun && outcome.kind == .added ? nil : outcome.id
            return Outcome(
                line: outcome.line,
                kind: outcome.kind.rawValue,
                id: id,
                title: outcome.title,
                fields: outcome.fields
            )
        }
        refused = problems.map { Problem(line: $0.line, column: $0.column, message: $0.message) }
    }
}
