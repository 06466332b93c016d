#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Todos as comma-separated values (RFC 4180), for spreadsheets. There is no import.
enum CSVFormat {
    private static let columns = [
        "id", "uuid", "title", "done", "archived", "priority", "projects", "contexts", "tags", "due", "time",
        "threshold",
        "recurrence", "parent", "note", "created", "modified", "completed",
    ]

    /// Returns the rows, with a heading.
    static func text(_ todos: [Todo]) -> String {
        var text = columns.joined(separator: ",") + "\r\n"
        for todo in todos {
            let fields = [
                todo.id.description, todo.uuid?.uuidString.lowercased() ?? "", todo.title,
                todo.isDone ? "true" : "false",
                todo.isArchived ? "true" : "false", todo.priority?.description ?? "",
                todo.projects.joined(separator: " "),
                todo.contexts.joined(separator: " "), todo.tags.joined(separator: " "), todo.due?.description ?? "",
                todo.dueTime?.description ?? "", todo.threshold?.description ?? "", todo.recurrence?.description ?? "",
                todo.parent?.description ?? "", todo.note ?? "", Timestamp.extended(todo.created),
                Timestamp.extended(todo.modified), todo.completed.map(Timestamp.extended) ?? "",
            ]
            text += fields.map(quoted).joined(separator: ",") + "\r\n"
        }
        return text
    }

    private static func quoted(_ field: String) -> String {
        guard field.contains(where: { ",\"\n\r\r\n".contains($0) || $0.isNewline }) else { return field }
        return "\"" + field.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
