import TextEscaping

/// The values of a todo as text, as a form shows and edits them.
package struct TodoForm: Hashable, Sendable {
    package var title = ""
    package var priority = ""
    /// The projects, separated by spaces.
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
        // A single project is shown without its sign; see ``setProjects(_:)``.
        project = todo.projects.count > 1 ? todo.projects.map { "+" + $0 }.joined(separator: " ") : todo.project ?? ""
        contexts = todo.contexts.joined(separator: " ")
        due = todo.due.map { "\($0)" + (todo.dueTime.map { " \($0)" } ?? "") } ?? ""
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
        if project != before.project { try setProjects(&change) }
        if contexts != before.contexts {
            change.contexts = contexts.split(whereSeparator: \.isWhitespace).map(String.init)
        }
        if due != before.due {
            change.due = try Self.due(due, today: today)
            let time = try? DatePhrase(parsing: due, today: today).time
            if time != todo.dueTime { change.dueTime = time.map { .set($0) } ?? .clear }
        }
        if note != before.note { change.note = note.isBlank ? .clear : .set(note) }
        var copy = todo
        do {
            try change.apply(to: &copy)
        } catch {
            throw TodoFieldError(message: "\(error)")
        }
        return change
    }

    private func setProjects(_ change: inout TodoChange) throws(TodoFieldError) {
        let words = project.split(whereSeparator: \.isWhitespace).map(String.init)
        guard words.count > 1 else {
            change.project = words.first.map { .set($0) } ?? .clear
            return
        }
        // Of several words, each must show that it is a project: `two words` is more likely a mistake.
        guard words.allSatisfy({ $0.hasPrefix("+") }) else {
            throw TodoFieldError(message: "\(TodoError.notOneWord(field: "project", text: project.trimmed))")
        }
        change.projects = words
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
        do {
            return .set(try DatePhrase(parsing: text, today: today).day)
        } catch {
            throw TodoFieldError(message: "\(error)")
        }
    }
}

/// An invalid field of a ``TodoForm``.
package struct TodoFieldError: Error, Hashable, CustomStringConvertible {
    /// What is wrong, and what would be right.
    package let message: String

    /// Creates an error.
    package init(message: String) {
        self.message = message
    }

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
