import AppLanguage
import TerminalUI
import TodoCore

/// Draws a todo in a row of the list.
///
/// Where the room is short, contexts and labels are omitted first, then projects. The due day is always drawn.
@MainActor
struct TodoRow {
    let todo: Todo
    let depth: Int
    let today: Day
    let time: TimeOfDay?
    let language: AppLanguage
    let theme: Theme
    let isSelected: Bool
    let isMarked: Bool

    /// The columns of the box that a click ticks.
    static let box = 0..<4

    private var styles: TodoStyles { TodoStyles(theme: theme) }
    private var isOverdue: Bool { todo.isOverdue(on: today, at: time) }

    /// The todo in one line of text, with all its details.
    var plainText: String {
        var parts = [todo.isDone ? "[x]" : "[ ]"]
        if let priority = todo.priority { parts.append("(\(priority))") }
        parts.append(todo.title)
        parts += todo.projects.map { "+\($0)" } + todo.contexts.map { "@\($0)" } + todo.tags.map { "#\($0)" }
        if let due = todo.due {
            if isOverdue { parts.append(TodoStyles.overdueSign) }
            parts.append(DayText.text(due, todo.dueTime, today: today)(language))
        }
        let lead = (isSelected ? "> " : "  ") + (isMarked ? "● " : "")
        return lead + String(repeating: "  ", count: depth) + parts.joined(separator: " ")
    }

    func draw(in canvas: Canvas, y: Int, width: Int) {
        let lead = isMarked ? "●" : isSelected && theme.isMonochrome ? ">" : " "
        canvas.text(lead, x: 0, y: y, style: isMarked ? readable(styles.key) : .plain)
        var x = canvas.text(todo.isDone ? "[x]" : "[ ]", x: 1, y: y, style: todo.isDone ? theme.secondary : .plain) + 1
        let edge = width - 1
        x += min(depth * 2, max(0, edge - x) / 3)
        var title: [StyledText] = []
        if let priority = todo.priority {
            title.append(StyledText("(\(priority))", todo.isDone ? faded : readable(styles.priority(priority))))
        }
        title.append(StyledText(todo.title, todo.isDone ? faded : .plain))
        let details = details(room: edge - x, title: title.width)
        let end = details.isEmpty ? edge : edge - details.width - 1
        draw(title, in: canvas, from: x, to: end, y: y)
        canvas.parts(details, x: edge - details.width, y: y)
    }

    /// The style of completed todos.
    private var faded: Style { Style(attributes: [.strikethrough, .dim]) }

    /// On the colour of the selection, text has the colour of the selection.
    private func readable(_ style: Style) -> Style {
        var style = style
        if isSelected { style.foreground = .standard }
        return style
    }

    private func draw(_ title: [StyledText], in canvas: Canvas, from start: Int, to end: Int, y: Int) {
        var x = start
        for part in title where x < end {
            x = canvas.text(TextLayout.truncate(part.text, to: end - x), x: x, y: y, style: part.style) + 1
        }
    }

    /// Returns the parts at the right that fit.
    private func details(room: Int, title: Int) -> [StyledText] {
        let projects = todo.projects.map { StyledText("+\($0)", readable(styles.project)) }
        let labels =
            todo.contexts.map { StyledText("@\($0)", readable(styles.context)) }
            + todo.tags.map { StyledText("#\($0)", readable(styles.tag)) }
        var marks: [StyledText] = []
        if todo.recurrence != nil { marks.append(StyledText("↻", readable(theme.secondary))) }
        if todo.note != nil { marks.append(StyledText("…", readable(theme.secondary))) }
        let day = day(room: room).map { [$0] } ?? []
        // The title has its own width, or half of the room.
        let wanted = min(title, max(8, room / 2))
        for parts in [projects + labels + marks, projects + marks, marks, []] {
            let all = parts + day
            if all.isEmpty || room - all.width - 1 >= wanted { return all }
        }
        return day
    }

    private func day(room: Int) -> StyledText? {
        guard let due = todo.due else { return nil }
        let style =
            todo.isDone
            ? faded
            : isOverdue ? readable(styles.overdue) : due == today ? readable(styles.today) : readable(styles.day)
        let sign = isOverdue ? TodoStyles.overdueSign : ""
        let words = DayText.text(due, todo.dueTime, today: today)(language)
        let long = sign.isEmpty ? words : "\(sign) \(words)"
        if DisplayWidth.of(long) <= max(6, room - 9) { return StyledText(long, style) }
        let name = DayText.text(due, today: today)(language)
        let text = DisplayWidth.of(name) <= 6 ? name : DayText.short(due)
        return StyledText(sign + text, style)
    }
}
