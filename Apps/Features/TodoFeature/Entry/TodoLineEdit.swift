import TodoCore

/// The edit of a todo as one line, in the grammar of new todos.
///
/// The change is the difference between the line before and after, so that a word of the title that looks like a field, which
/// another program may have written, stays as it is.
struct TodoLineEdit {
    /// The todo that is edited.
    let todo: Todo
    /// The line at the beginning.
    let line: String

    /// Creates the edit of a todo.
    init(_ todo: Todo) {
        self.todo = todo
        var words: [String] = []
        if let priority = todo.priority { words.append("(\(priority))") }
        words.append(todo.title)
        words += todo.projects.map { "+\($0)" } + todo.contexts.map { "@\($0)" } + todo.tags.map { "#\($0)" }
        if let due = todo.due { words.append("due:\(due)" + (todo.dueTime.map { " \($0)" } ?? "")) }
        if let threshold = todo.threshold { words.append("t:\(threshold)") }
        if let recurrence = todo.recurrence { words.append("rec:\(recurrence)") }
        line = words.joined(separator: " ")
    }

    /// Parses a line. The labels of the todo are labels also if they begin with a digit, which a typed word must not.
    func entry(_ line: String, today: Day, firstWeekday: Int = 0) throws(TodoError) -> TodoEntry {
        let labels = todo.projects.map { "+\($0)" } + todo.contexts.map { "@\($0)" } + todo.tags.map { "#\($0)" }
        return try TodoEntry(parsing: line, today: today, firstWeekday: firstWeekday, labels: Set(labels))
    }

    /// Returns the change that makes a todo of a line; an empty one for the same line.
    func change(to line: String, today: Day, firstWeekday: Int = 0) throws(TodoError) -> TodoChange {
        let (before, after) = (
            try entry(self.line, today: today, firstWeekday: firstWeekday),
            try entry(line, today: today, firstWeekday: firstWeekday)
        )
        guard !after.title.isEmpty else { throw .emptyTitle }
        var change = TodoChange()
        if after.title != before.title { change.title = after.title }
        if after.priority != before.priority { change.priority = after.priority ?? .clear }
        change.projects = Self.list(todo.projects, before.projects, after.projects)
        change.contexts = Self.list(todo.contexts, before.contexts, after.contexts)
        change.tags = Self.list(todo.tags, before.tags, after.tags)
        if after.due != before.due || after.dueTime != before.dueTime {
            change.due = after.due ?? .clear
            if after.due?.value != nil { change.dueTime = .init(after.dueTime) }
        }
        if after.threshold != before.threshold {
            try after.checkThreshold(due: todo.due)
            let day = after.threshold?.value?.day(due: after.due?.value ?? todo.due)
            change.threshold = .init(day)
        }
        if after.recurrence != before.recurrence { change.recurrence = after.recurrence ?? .clear }
        return change
    }

    /// Returns the names of a todo with the difference of two lines; `nil` without a difference.
    private static func list(_ names: [String], _ before: [String], _ after: [String]) -> [String]? {
        guard before != after else { return nil }
        let stay = names.filter { after.contains($0) || !before.contains($0) }
        return stay + after.filter { !before.contains($0) && !stay.contains($0) }
    }
}
