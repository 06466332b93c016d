package import AppLanguage
import TextEscaping

/// A todo as one line of text for a terminal or a pipe.
package struct TodoLine {
    /// Whether the line contains colours.
    package let isStyled: Bool
    /// The current day, for overdue todos.
    package let today: Day

    /// The language in which days are written as people say them; `nil` for days in ISO 8601, as scripts read them.
    package let spoken: AppLanguage?

    /// The present time, for todos that are overdue since a time of the current day; `nil` compares days alone.
    package let time: TimeOfDay?

    /// How days are written for people.
    package let dates: DateStyle

    package init(
        isStyled: Bool,
        today: Day,
        time: TimeOfDay? = nil,
        spoken: AppLanguage? = nil,
        dates: DateStyle = DateStyle()
    ) {
        (self.isStyled, self.today, self.time) = (isStyled, today, time)
        (self.spoken, self.dates) = (spoken, dates)
    }

    /// Returns the line without its line break: ID, state, priority, title, labels, dates.
    ///
    /// - Parameters:
    ///   - todo: the todo.
    ///   - isBlocked: whether it waits for another one, which lines for people show.
    /// - Returns: the line.
    package func text(for todo: Todo, isBlocked: Bool = false) -> String {
        var parts = [dim(todo.id.description), todo.isDone ? "[x]" : "[ ]"]
        if let priority = todo.priority { parts.append(bold("(\(priority))")) }
        // Typed text is validated, but another program may have written the file.
        let title = todo.title.escapingControls()
        parts.append(todo.isDone ? dim(title) : title)
        parts += todo.projects.map { colour("+\($0)".escapingControls(), 34) }
        parts += todo.contexts.map { colour("@\($0)".escapingControls(), 36) }
        parts += todo.tags.map { colour("#\($0)".escapingControls(), 35) }
        if let list = todo.list { parts.append(dim("list:\(TodoList.word(list))".escapingControls())) }
        if let due = todo.due {
            let isOverdue = todo.isOverdue(on: today, at: time)
            let text =
                if let spoken {
                    // The sign marks an overdue todo also without colours.
                    (isOverdue ? "! " : "") + DayText.text(due, todo.dueTime, today: today, style: dates)(spoken)
                } else {
                    "due:\(due)" + (todo.dueTime.map { " \($0)" } ?? "")
                }
            parts.append(isOverdue ? colour(text, 31) : text)
        }
        if let threshold = todo.threshold {
            let text =
                spoken.map { DayText.hidden(until: threshold, today: today, style: dates)($0) } ?? "t:\(threshold)"
            parts.append(dim(text))
        }
        if let recurrence = todo.recurrence {
            parts.append(dim(spoken.map { DayText.text(recurrence, style: dates)($0) } ?? "rec:\(recurrence)"))
        }
        if isBlocked, let spoken { parts.append(dim(Self.blocked(spoken))) }
        if todo.note != nil { parts.append(dim("…")) }
        if todo.isArchived { parts.append(dim("archived")) }
        return parts.joined(separator: " ")
    }

    /// The mark of a todo that waits for another one.
    package static let blocked = LocalizedText("blocked", ko: "대기 중")

    private func dim(_ text: String) -> String { styled(text, 2) }
    private func bold(_ text: String) -> String { styled(text, 1) }
    private func colour(_ text: String, _ code: Int) -> String { styled(text, code) }

    private func styled(_ text: String, _ code: Int) -> String {
        isStyled ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
