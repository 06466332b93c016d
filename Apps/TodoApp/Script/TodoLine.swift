import TodoCore

/// A todo on one line, for a terminal or a pipe.
struct TodoLine {
    /// Whether colours and other attributes may be used.
    let isStyled: Bool
    /// The day it is, for what is overdue.
    let today: Day

    /// The line, without its end: name, state, priority, title, tags, due day.
    func text(for todo: Todo) -> String {
        var parts = [dim(todo.id.description), todo.isDone ? "[x]" : "[ ]"]
        if let priority = todo.priority { parts.append(bold("(\(priority))")) }
        // The texts are checked when they are typed, yet a file can have been written by anything.
        let title = printable(todo.title, limit: .max)
        parts.append(todo.isDone ? dim(title) : title)
        if let project = todo.project { parts.append(colour(printable("+\(project)", limit: .max), 34)) }
        parts += todo.contexts.map { colour(printable("@\($0)", limit: .max), 36) }
        if let due = todo.due {
            let text = "due:\(due)"
            parts.append(!todo.isDone && due < today ? colour(text, 31) : text)
        }
        if todo.note != nil { parts.append(dim("…")) }
        if todo.isArchived { parts.append(dim("archived")) }
        return parts.joined(separator: " ")
    }

    private func dim(_ text: String) -> String { styled(text, 2) }
    private func bold(_ text: String) -> String { styled(text, 1) }
    private func colour(_ text: String, _ code: Int) -> String { styled(text, code) }

    private func styled(_ text: String, _ code: Int) -> String {
        isStyled ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
