/// Todos as comma-separated values (RFC 4180), for spreadsheets. There is no import.
enum CSVFormat {
    private static let columns: [TodoTemplate.Field] = [
        .id, .uuid, .title, .done, .archived, .priority, .projects, .contexts, .tags, .list, .due, .time, .threshold,
        .recurrence, .parent, .note, .created, .modified, .completed,
    ]

    /// Returns the rows, with a heading.
    static func text(_ todos: [Todo]) -> String {
        let rows = todos.map { todo in columns.map { quoted($0.value(of: todo)) } }
        return ([columns.map(\.rawValue)] + rows).map { $0.joined(separator: ",") + "\r\n" }.joined()
    }

    private static func quoted(_ field: String) -> String {
        guard field.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return field }
        return "\"" + field.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
