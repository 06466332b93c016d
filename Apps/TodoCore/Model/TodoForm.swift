package import AppLanguage
import TextEscaping

/// The values of a todo as text, as a form shows and edits them.
package struct TodoForm: Hashable, Sendable {
    package var title = ""
    package var priority = ""
    /// The projects, separated by spaces.
    package var project = ""
    /// The contexts, separated by spaces.
    package var contexts = ""
    /// The labels, separated by spaces.
    package var tags = ""
    package var due = ""
    package var recurrence = ""
    package var threshold = ""
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
        tags = todo.tags.joined(separator: " ")
        recurrence = todo.recurrence?.description ?? ""
        threshold = todo.threshold?.description ?? ""
        due = todo.due.map { "\($0)" + (todo.dueTime.map { " \($0)" } ?? "") } ?? ""
        note = todo.note ?? ""
    }

    /// Computes the change that makes `todo` equal to the form. Fields that still have the todo's text change nothing.
    ///
    /// - Parameters:
    ///   - todo: the todo that was shown in the form.
    ///   - today: the day that relative dates such as `fri` count from.
    ///   - firstWeekday: the day with which weeks begin, 0 for Monday to 6 for Sunday.
    /// - Returns: the change.
    /// - Throws: ``TodoFieldError`` for the first invalid field.
    package func change(from todo: Todo, today: Day, firstWeekday: Int = 0) throws(TodoFieldError) -> TodoChange {
        let before = TodoForm(todo)
        var change = TodoChange()
        if title != before.title { change.title = title }
        if priority != before.priority { change.priority = try Self.priority(priority) }
        if project != before.project { try setProjects(&change) }
        if contexts != before.contexts {
            change.contexts = contexts.split(whereSeparator: \.isWhitespace).map(String.init)
        }
        if due != before.due {
            let phrase = try Self.date(due, today, firstWeekday)
            change.due = .init(phrase?.day)
            let time = phrase?.time
            if time != todo.dueTime { change.dueTime = .init(time) }
        }
        if tags != before.tags { change.tags = tags.split(whereSeparator: \.isWhitespace).map(String.init) }
        if recurrence != before.recurrence { change.recurrence = try Self.recurrence(recurrence) }
        if threshold != before.threshold {
            change.threshold = .init(try Self.date(threshold, today, firstWeekday)?.day)
        }
        if note != before.note { change.note = note.isBlank ? .clear : .set(note) }
        var copy = todo
        do {
            try change.apply(to: &copy)
        } catch {
            throw TodoFieldError(error.text)
        }
        return change
    }

    private func setProjects(_ change: inout TodoChange) throws(TodoFieldError) {
        let words = project.split(whereSeparator: \.isWhitespace).map(String.init)
        guard words.count > 1 else {
            change.projects = words
            return
        }
        // Of several words, each must show that it is a project: `two words` is more likely a mistake.
        guard words.allSatisfy({ $0.hasPrefix("+") }) else {
            throw TodoFieldError(TodoError.notOneWord(field: "project", text: project.trimmed).text)
        }
        change.projects = words
    }

    /// Parses a priority. A blank text removes the priority.
    package static func priority(_ text: String) throws(TodoFieldError) -> TodoChange.Update<Priority> {
        if text.isBlank { return .clear }
        guard let priority = Priority(text) else {
            throw TodoFieldError(
                LocalizedText(
                    "\(text.quoted()) is not a priority; write a letter from A to Z",
                    ko: "\(text.quoted())은(는) 우선순위가 아닙니다. A부터 Z까지의 글자를 적어 주세요"
                )
            )
        }
        return .set(priority)
    }

    /// Parses a repetition. A blank text removes it.
    package static func recurrence(_ text: String) throws(TodoFieldError) -> TodoChange.Update<Recurrence> {
        if text.isBlank { return .clear }
        guard let recurrence = Recurrence(text.trimmed) else {
            throw TodoFieldError(
                LocalizedText(
                    "\(text.quoted()) is not a recurrence; write \(Recurrence.validForms)",
                    ko: "\(text.quoted())은(는) 반복이 아닙니다. daily, weekly, monthly, yearly, 3d, 2w, 1m, 1y처럼 적어 주세요"
                )
            )
        }
        return .set(recurrence)
    }

    /// Parses a day; `nil` for a blank text.
    private static func date(_ text: String, _ today: Day, _ firstWeekday: Int) throws(TodoFieldError) -> DatePhrase? {
        if text.isBlank { return nil }
        do {
            return try DatePhrase(parsing: text, today: today, firstWeekday: firstWeekday)
        } catch {
            throw TodoFieldError(error.text)
        }
    }
}

/// An invalid field of a ``TodoForm``.
package struct TodoFieldError: Error, Hashable, CustomStringConvertible {
    /// What is wrong, and what would be right, in the languages of the screens.
    package let text: LocalizedText

    /// Creates an error with a message in every language.
    package init(_ text: LocalizedText) {
        self.text = text
    }

    /// Creates an error of a command, whose messages are English.
    package init(message: String) {
        self.init(LocalizedText(verbatim: message))
    }

    /// What is wrong, and what would be right.
    package var message: String { text.english }

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
