import TextEscaping

/// The values of a todo as text, as a form shows and edits them.
package struct TodoForm: Hashable, Sendable {
    package var title = ""
    package var priority = ""
    package var project = ""
    /// The contexts, separated by spaces.
    package var contexts = ""
    package var due = ""
    package var note = ""

    /// Creates an empty form.
    package init() {}

    /// Creates the form of a todo.
    package init(_ todo: Todo) {
        title = todo.title
        priority = todo.priority?.description ?? ""
        project = todo.project ?? ""
        contexts = todo.contexts.joined(separator: " ")
        due = todo.due?.description ?? ""
        note = todo.note ?? ""
    }

    /// Computes the change that makes `todo` equal to the form. Fields that still have the todo's text change nothing.
    ///
    /// - Parameters:
    ///   - todo: the todo that was shown in the form.
    ///   - today: the day that relative dates such as `fri` count from.
    /// - Returns: the change.
    /// - Throws: ``TodoFieldError`` for the first invalid field.
    package func change(from todo: Todo, today: Day) throws(TodoFieldError) -> TodoChange {
        let before = TodoForm(todo)
        var change = TodoChange()
        if title != before.title { change.title = title }
        if priority != before.priority { change.priority = try Self.priority(priority) }
        if project != before.project { change.project = project.isBlank ? .clear : .set(project) }
        if contexts != before.contexts {
            change.contexts = contexts.split(whereSeparator: \.isWhitespace).map(String.init)
        }
        if due != before.due { change.due = try Self.due(due, today: today) }
        if note != before.note { change.note = note.isBlank ? .clear : .set(note) }
        var copy = todo
        do {
            try change.apply(to: &copy)
        } catch {
            throw TodoFieldError(message: "\(error)")
        }
        return change
    }

    /// Parses a priority. A blank text removes the priority.
    package static func priority(_ text: String) throws(TodoFieldError) -> TodoChange.Update<Priority> {
        if text.isBlank { return .clear }
        guard let priority = Priority(text) else {
            throw TodoFieldError(message: "\(text.quoted()) is not a priority; write a letter from A to Z")
        }
        return .set(priority)
    }

    /// Parses a due day. A blank text removes the day.
    package static func due(_ text: String, today: Day) throws(TodoFieldError) -> TodoChange.Update<Day> {
        if text.isBlank { return .clear }
        guard let day = Day(text, today: today) else {
            throw TodoFieldError(
                message: "\(text.quoted()) is not a date; write 2026-03-09, today, tomorrow, fri, 3d or 2w"
            )
        }
        return .set(day)
    }
}

/// An invalid field of a ``TodoForm``.
package struct TodoFieldError: Error, Hashable, CustomStringConvertible {
    /// What is wrong, and what would be right.
    package let message: String

    package var description: String { message }
}

extension String {
    /// Whether the text consists of white space only.
    package var isBlank: Bool { allSatisfy(\.isWhitespace) }

    /// The text without white space at its start and end.
    package var trimmed: String {
        let tail = drop(while: \.isWhitespace)
        return String(tail[..<(tail.lastIndex { !$0.isWhitespace }.map(tail.index(after:)) ?? tail.startIndex)])
    }
}
