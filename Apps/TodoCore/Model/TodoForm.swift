/// The editor's fields, as they are typed.
package struct TodoForm: Hashable, Sendable {
    package var title = ""
    package var priority = ""
    package var project = ""
    package var contexts = ""
    package var due = ""
    package var note = ""

    /// The fields of a todo.
    package init(_ todo: Todo) {
        title = todo.title
        priority = todo.priority?.description ?? ""
        project = todo.project ?? ""
        contexts = todo.contexts.joined(separator: " ")
        due = todo.due?.description ?? ""
        note = todo.note ?? ""
    }

    /// What has to change about `todo` so that it says what the fields say; fields left alone change nothing.
    ///
    /// - Throws: a message for the first field that cannot be understood.
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

    /// Reads a priority as people type it; blank takes it away.
    package static func priority(_ text: String) throws(TodoFieldError) -> TodoChange.Update<Priority> {
        if text.isBlank { return .clear }
        guard let priority = Priority(text) else {
            throw TodoFieldError(message: "the priority \"\(printable(text))\" is no letter from A to Z")
        }
        return .set(priority)
    }

    /// Reads a day as people type it; blank takes it away.
    package static func due(_ text: String, today: Day) throws(TodoFieldError) -> TodoChange.Update<Day> {
        if text.isBlank { return .clear }
        guard let day = Day(text, today: today) else {
            throw TodoFieldError(
                message: "\"\(printable(text))\" is no day; write 2026-03-09, today, tomorrow, fri, 3d or 2w"
            )
        }
        return .set(day)
    }
}

/// A field that cannot be understood, in words for the user.
package struct TodoFieldError: Error, Hashable, CustomStringConvertible {
    /// What is wrong, and what would be right.
    package let message: String

    package var description: String { message }
}

extension String {
    /// Whether there is nothing but white space.
    package var isBlank: Bool { allSatisfy(\.isWhitespace) }

    /// The text without the white space around it.
    package var trimmed: String {
        let tail = drop(while: \.isWhitespace)
        return String(tail[..<(tail.lastIndex { !$0.isWhitespace }.map(tail.index(after:)) ?? tail.startIndex)])
    }
}
