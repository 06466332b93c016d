import TextEscaping

/// A todo as one line of text for a terminal or a pipe.
package struct TodoLine {
    /// Whether the line contains colours.
    package let isStyled: Bool
    /// The current day, for overdue todos.
    package let today: Day

    package init(isStyled: Bool, today: Day) {
        self.isStyled = isStyled
        self.today = today
    }

    /// Returns the line without its line break: ID, state, priority, title, labels, dates.
    package func text(for todo: Todo) -> String {
        var parts = [dim(todo.id.description), todo.isDone ? "[x]" : "[ ]"]
        if let priority = todo.priority { parts.append(bold("(\(priority))")) }
        // Typed text is validated, but another program may have written the file.
        let title = todo.title.escapingControls()
        parts.append(todo.isDone ? dim(title) : title)
        parts += todo.projects.map { colour("+\($0)".escapingControls(), 34) }
        parts += todo.contexts.map { colour("@\($0)".escapingControls(), 36) }
        parts += todo.tags.map { colour("#\($0)".escapingControls(), 35) }
        if let due = todo.due {
            let text = "due:\(due)" + (todo.dueTime.map { " \($0)" } ?? "")
            parts.append(todo.isOverdue(on: today) ? colour(text, 31) : text)
        }
        if let threshold = todo.threshold { parts.append(dim("t:\(threshold)")) }
        if let recurrence = todo.recurrence { parts.append(dim("rec:\(recurrence)")) }
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
