import EssentialFoundation
import JSONValues
import TodoCore

/// The document of `--json`. Every field is present; missing values are `null`. `todos.schema.json` describes it.
struct TodoDocument: Sendable {
    /// The listed or changed todos.
    private let contents: TodoContents
    /// The change that was undone or redone; `nil` for other commands.
    private let message: String?

    init(_ contents: TodoContents, message: String? = nil) { (self.contents, self.message) = (contents, message) }

    /// Writes the text in pieces, in the form of ``jsonDocument(_:)-(Encodable)``, and returns whether all are written.
    func write(to write: (UnsafeRawBufferPointer) -> Bool) -> Bool {
        var writer = JSONWriter(isPretty: true, writesNull: true)
        var isWritten = true
        writer.object { writer in
            writer.member("message", message)
            writer.member("todos") { writer in
                writer.array(contents.todos) { writer, todo in
                    self.write(todo, &writer)
                    if isWritten, writer.count > 65_536 { isWritten = writer.removeBytes(write) }
                }
            }
        }
        return isWritten && (writer.bytes + [UInt8(ascii: "\n")]).withUnsafeBytes(write)
    }

    private func write(_ todo: Todo, _ writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("archived", todo.isArchived)
            writer.member("blocked", contents.blocking.blocked.contains(todo.id))
            writer.member("blocking", contents.blocking.blocking.contains(todo.id))
            writer.member("completed", todo.completed.map(Timestamp.extended))
            writer.member("contexts", todo.contexts)
            writer.member("created", Timestamp.extended(todo.created))
            writer.member("dependencies", todo.dependencies.map { $0.text })
            writer.member("done", todo.isDone)
            writer.member("due", todo.due?.description)
            writer.member("id", todo.id.description)
            writer.member("links", todo.links)
            writer.member("list", todo.list)
            writer.member("modified", Timestamp.extended(todo.modified))
            writer.member("note", todo.note)
            let isOrphan = contents.blocking.orphans.contains(todo.id)
            writer.member("parent", isOrphan ? nil : todo.parent?.description)
            writer.member("priority", todo.priority?.description)
            writer.member("project", todo.project)
            writer.member("projects", todo.projects)
            writer.member("recurrence", todo.recurrence?.description)
            writer.member("spent", Int(todo.timeSpent(at: contents.order.date).rounded()))
            writer.member("started", todo.started.map(Timestamp.extended))
            writer.member("tags", todo.tags)
            writer.member("threshold", todo.threshold?.description)
            writer.member("time", todo.dueTime?.description)
            writer.member("title", todo.title)
            // To four digits after the point; `nil` if the todo is completed.
            writer.member("urgency", contents.urgencySum(of: todo).map { ($0 * 10_000).rounded() / 10_000 })
            writer.member("uuid", todo.uuid?.text)
        }
    }
}

/// The document of `todo log --json`.
struct TodoLogDocument: Encodable {
    struct Change: Encodable {
        let number: Int
        let summary: String
        @OrNull var date: Date?
        @OrNull var process: String?
        let undone: Bool
        let fields: [Field]
    }

    struct Field: Encodable {
        let id: TodoID
        let field: String
        @OrNull var before: String?
        @OrNull var after: String?
    }

    let changes: [Change]

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
        @OrNull var id: TodoID?
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
