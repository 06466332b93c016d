/// Todos as comma-separated values (RFC 4180), for spreadsheets. There is no import.
enum CSVFormat {
    private static let columns: [TodoTemplate.Field] = [
        .id, .uuid, .title, .done, .archived, .priority, .projects, .contexts, .tags, .list, .due, .time, .threshold,
        .recurrence, .parent, .note, .created, .modified, .completed,
    ]

    /// Returns the rows, with a heading.
    static func text(_ todos: [Todo]) -> String {
        var text = columns.map(\.rawValue).joined(separator: ",") + "\r\n"
        for todo in todos {
            for (index, column) in columns.enumerated() {
                if index > 0 { text += "," }
                text += quoted(column.value(of: todo))
            }
            text += "\r\n"
        }
        return text
    }

    private static func quoted(_ field: String) -> String {
        guard field.utf8.contains(where: { specials.contains($0) }) else { return field }
        return "\"" + field.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }

    private static let specials = Array(",\"\r\n".utf8)
}
