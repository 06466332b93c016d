import TerminalUI
import TodoCore

/// A todo as a row of the list.
@MainActor
struct TodoCellText {
    let todo: Todo
    /// The day it is, for what is overdue.
    let today: Day?

    /// Fills a cell.
    func fill(_ cell: TextCell) {
        cell.mark = todo.isDone ? "[x]" : "[ ]"
        cell.text = (todo.priority.map { "(\($0)) " } ?? "") + todo.title
        cell.isStruck = todo.isDone
        cell.detail = detail
        let theme = cell.theme
        cell.style = todo.isDone ? theme.secondary : isOverdue ? theme.error : nil
    }

    private var isOverdue: Bool {
        guard let due = todo.due, let today else { return false }
        return due < today && !todo.isDone
    }

    private var detail: String {
        var parts: [String] = []
        if let project = todo.project { parts.append("+\(project)") }
        parts += todo.contexts.map { "@\($0)" }
        if let due = todo.due { parts.append(dueText(due)) }
        if todo.note != nil { parts.append("…") }
        return parts.joined(separator: " ")
    }

    private func dueText(_ due: Day) -> String {
        guard let today else { return "\(due)" }
        switch due.number - today.number {
        case 0: return "today"
        case 1: return "tomorrow"
        default: return "\(due)"
        }
    }
}
