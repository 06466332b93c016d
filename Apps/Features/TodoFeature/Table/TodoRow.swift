import AppLanguage
import TerminalUI
import TodoCore

/// Draws a todo in a row of the list. Its project, labels, signs and due day are in the columns of the list.
@MainActor
struct TodoRow {
    let todo: Todo
    let depth: Int
    /// The number of subtasks that are folded away; `nil` for a todo without subtasks in the list.
    var hiddenSubtasks: Int?
    /// The numbers of subtasks; `nil` for a todo without any.
    var progress: TodoProgress?
    /// Whether it waits for another open todo.
    var isBlocked = false
    let today: Day
    let time: TimeOfDay?
    var dates = DateStyle()
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
            parts.append(DayText.text(due, todo.dueTime, today: today, style: dates)(language))
        }
        if let progress { parts.append("(\(progress))") }
        if todo.isActive { parts.append(TodoStyles.activeSign) }
        if isBlocked { parts.append(TodoStyles.blockedSign) }
        let lead = (isSelected ? "> " : "  ") + (isMarked ? "● " : "")
        return lead + String(repeating: "  ", count: depth) + parts.joined(separator: " ")
    }

    /// The column in which the title begins, in a row of a width.
    func titleStart(width: Int) -> Int { 5 + min(depth * 2, max(0, width - 6) / 3) }

    /// Draws the todo.
    func draw(in canvas: Canvas, y: Int, width: Int, columns: TodoColumns) {
        let lead = isMarked ? "●" : isSelected && theme.isMonochrome ? ">" : " "
        canvas.text(lead, x: 0, y: y, style: isMarked ? readable(styles.key) : .plain)
        canvas.text(todo.isDone ? "[x]" : "[ ]", x: 1, y: y, style: todo.isDone ? theme.secondary : .plain)
        // The title may extend over the columns that are empty in this row.
        var end = width - 1
        var x = width - 1
        let parts = [due(columns.dueForm), signs, labels, projects]
        for (part, columnWidth) in zip(parts, [columns.due, columns.signs, columns.labels, columns.projects]) {
            guard columnWidth > 0 else { continue }
            x -= columnWidth
            if !part.isEmpty {
                canvas.text(part, from: x, to: x + columnWidth, y: y)
                end = x - 1
            }
            x -= 1
        }
        let start = titleStart(width: width)
        // Without their column, projects have the room that the title leaves.
        if columns.projects == 0, !projects.isEmpty, start + titleWidth + 2 + projects.width <= end {
            canvas.text(projects, from: end - projects.width, to: end, y: y)
            end -= projects.width + 1
        }
        // A title that is cut leaves room for the numbers of subtasks.
        let room = numbers.isEmpty ? 0 : numbers.width + 1
        let next = canvas.text(title, from: start, to: end - room, y: y)
        canvas.text(numbers, from: next, to: end, y: y)
    }

    // MARK: Parts

    /// The sign of subtasks, the priority, and the title.
    var title: [StyledText] {
        let priority = todo.priority.map {
            StyledText("(\($0))", todo.isDone ? faded : readable(styles.priority($0)))
        }
        let isFolded = (hiddenSubtasks ?? 0) > 0
        let sign = hiddenSubtasks.map { _ in StyledText(isFolded ? "▸" : "▾", readable(theme.secondary)) }
        return [sign, priority, StyledText(todo.title, todo.isDone ? faded : .plain)].compactMap(\.self)
    }

    /// The numbers of subtasks, behind the title.
    private var numbers: [StyledText] { progress.map { [StyledText("\($0)", readable(theme.secondary))] } ?? [] }

    /// The width of the title and the numbers.
    var titleWidth: Int { (title + numbers).width }

    /// The projects.
    var projects: [StyledText] { todo.projects.map { StyledText("+\($0)", readable(styles.project)) } }

    /// The contexts and labels.
    var labels: [StyledText] {
        todo.contexts.map { StyledText("@\($0)", readable(styles.context)) }
            + todo.tags.map { StyledText("#\($0)", readable(styles.tag)) }
    }

    /// Returns the projects, contexts and labels of a todo.
    static func labels(of todo: Todo) -> String {
        (todo.projects.map { "+\($0)" } + todo.contexts.map { "@\($0)" } + todo.tags.map { "#\($0)" })
            .joined(separator: " ")
    }

    /// The signs of a todo that is in progress, of one that waits for another one, of a repetition and of a note.
    var signs: [StyledText] {
        var signs: [StyledText] = []
        if todo.isActive { signs.append(StyledText(TodoStyles.activeSign, readable(styles.key))) }
        if isBlocked { signs.append(StyledText(TodoStyles.blockedSign, readable(theme.secondary))) }
        if todo.recurrence != nil { signs.append(StyledText("↻", readable(theme.secondary))) }
        if todo.note != nil { signs.append(StyledText("✎", readable(theme.secondary))) }
        return signs
    }

    /// Returns the due day in a form, after the sign of its urgency; nothing without one.
    func due(_ form: TodoColumns.DueForm) -> [StyledText] {
        guard let due = todo.due else { return [] }
        let urgency = TodoStyles.Urgency(due: due, isOverdue: isOverdue, today: today)
        let style = todo.isDone ? faded : readable(styles.day(urgency))
        let sign = todo.isDone ? " " : urgency.sign
        let text =
            switch form {
            case .long: " " + DayText.text(due, todo.dueTime, today: today, style: dates)(language)
            case .brief: " " + DayText.brief(due, todo.dueTime, today: today, style: dates)(language)
            case .short: DayText.short(due, todo.dueTime, today: today, style: dates)(language)
            }
        return [StyledText(sign + text, style)]
    }

    /// The style of completed todos.
    private var faded: TextStyle { TextStyle(attributes: [.strikethrough, .dim]) }

    /// On the colour of the selection, text has the colour of the selection.
    private func readable(_ style: TextStyle) -> TextStyle {
        var style = style
        if isSelected { style.foreground = .standard }
        return style
    }
}

/// The widths of the columns at the right of the list, so that the parts of all rows are below one another.
struct TodoColumns: Hashable {
    /// How a due day is written.
    enum DueForm: Hashable, Sendable {
        /// As people say it.
        case long
        /// With the weekday or the time alone, where one of them suffices.
        case brief
        /// In five columns, without a space before it.
        case short
    }

    /// The widest column of projects, and of labels.
    private static let limits = (projects: 16, labels: 20)
    /// The width of a due day in its short form: a sign and five columns.
    private static let shortDue = 6

    /// The fewest columns of projects and labels.
    private static let shortest = 6
    /// The columns of projects for which the due day is written in fewer columns.
    private static let readable = 8
    /// The columns below which a title that is cut has those of the due day.
    private static let narrow = 40

    /// The width of the projects; 0 for no column, as with the others.
    private(set) var projects = 0
    /// The width of the contexts and labels.
    private(set) var labels = 0
    /// The width of the signs of repetitions and notes.
    private(set) var signs = 0
    /// The width of the due day.
    private(set) var due = 0
    /// The width of the due day in its brief form.
    private var briefDue = 0
    /// How the due day is written.
    private(set) var dueForm = DueForm.long

    /// Widens the columns so that the parts of a row fit.
    @MainActor
    mutating func widen(for row: TodoRow) {
        projects = max(projects, min(row.projects.width, Self.limits.projects))
        labels = max(labels, min(row.labels.width, Self.limits.labels))
        signs = max(signs, row.signs.width)
        due = max(due, row.due(.long).width)
        briefDue = max(briefDue, row.due(.brief).width)
    }

    /// Returns the columns that fit beside the titles.
    ///
    /// A title has its own width, but at most three fifths of the room while there is something else to show. The due day is
    /// written in fewer columns first, then the labels, the projects and the signs are omitted; the due day is always there.
    ///
    /// - Parameters:
    ///   - room: the number of columns from the beginning of the titles.
    ///   - title: the width of most titles.
    /// - Returns: the columns.
    func fitting(_ room: Int, title: Int) -> TodoColumns {
        let share = room * 3 / 5
        var rest = room - min(title, share)
        var columns = self
        let others = [signs, min(projects, Self.readable)].reduce(0) { $0 + ($1 > 0 ? $1 + 1 : 0) }
        if due + 1 + others > rest {
            if briefDue + 1 + others <= rest, title <= share || room >= Self.narrow {
                (columns.due, columns.dueForm) = (briefDue, .brief)
            } else if due > Self.shortDue {
                (columns.due, columns.dueForm) = (Self.shortDue, .short)
            }
        }
        rest -= columns.due > 0 ? columns.due + 1 : 0
        for path in [\TodoColumns.signs, \.projects, \.labels] {
            // A name that is cut to fewer columns says nothing.
            if columns[keyPath: path] >= rest { columns[keyPath: path] = rest > Self.shortest ? rest - 1 : 0 }
            if columns[keyPath: path] > 0 { rest -= columns[keyPath: path] + 1 }
        }
        return columns
    }
}
