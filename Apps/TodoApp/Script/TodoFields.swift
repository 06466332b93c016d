import CommandKit
import TextEscaping
import TodoCore

/// The parsing of a line and of options into the fields of todos. Options take precedence over the line.
extension TodoCommands {
    /// The fields of a command line, before the todo is known.
    struct Fields {
        var entry: TodoEntry
        var change: TodoChange
    }

    /// Returns the todo that `todo add` describes.
    func draft(_ command: AppCommand) async throws(ScriptFailure) -> TodoDraft {
        let fields = try fields(of: command.operands, command)
        let parent = try await parent(fields, command)
        do throws(TodoError) {
            var draft = try fields.entry.draft(parent: parent)
            var todo = Todo(id: TodoID(serial: 0), draft: draft, now: clock.now())
            try fields.change.apply(to: &todo)
            draft = try TodoDraft(
                title: draft.title,
                priority: todo.priority,
                projects: todo.projects,
                contexts: todo.contexts,
                tags: todo.tags,
                due: todo.due,
                note: todo.note
            )
            (draft.dueTime, draft.threshold, draft.recurrence) = (todo.dueTime, todo.threshold, todo.recurrence)
            if case .set(.relative(let days)) = fields.entry.threshold, fields.change.threshold == nil {
                draft.threshold = todo.due?.adding(days)
            }
            draft.parent = parent
            return draft
        } catch {
            throw ScriptFailure(error)
        }
    }

    /// Returns the change that `todo edit` describes.
    func change(_ fields: Fields, _ command: AppCommand, _ todo: Todo) async throws(ScriptFailure) -> TodoChange {
        let parent = try await parent(fields, command)
        var change = fields.entry.change(due: todo.due, parent: parent)
        let options = fields.change
        change.title = options.title ?? change.title
        change.priority = options.priority ?? change.priority
        change.projects = options.projects ?? change.projects
        change.contexts = options.contexts ?? change.contexts
        change.tags = options.tags ?? change.tags
        change.due = options.due ?? change.due
        change.dueTime = options.dueTime ?? change.dueTime
        change.threshold = options.threshold ?? change.threshold
        change.recurrence = options.recurrence ?? change.recurrence
        change.note = options.note ?? change.note
        if let parent {
            change.parent = .set(parent)
        } else if command.value("parent") == Self.none {
            change.parent = .clear
        }
        return change
    }

    /// Parses the line and the options of `todo add` and `todo edit`.
    func fields(of words: [String], _ command: AppCommand) throws(ScriptFailure) -> Fields {
        let line = try line(words)
        var entry: TodoEntry
        do throws(TodoError) {
            try TodoText.checkLine(line)
            if command.has("literal") {
                entry = try TodoEntry(literal: line)
            } else {
                entry = try TodoEntry(parsing: line, today: today)
            }
        } catch {
            throw ScriptFailure(error)
        }
        if let problem = entry.problems.first {
            throw ScriptFailure(
                .usage,
                "\(problem)\n\(line)\n\(String(repeating: " ", count: problem.column - 1))^\n"
                    + "--literal takes the text as it is"
            )
        }
        var change = TodoChange()
        change.title = command.value("title")
        change.priority = try field("priority", command) { text throws(TodoFieldError) in try TodoForm.priority(text) }
        change.projects = list("project", command)
        change.contexts = list("context", command)
        change.tags = list("tag", command)
        if let phrase = try phrase("due", command) {
            change.due = phrase.value.map { .set($0.day) } ?? .clear
            change.dueTime = phrase.value?.time.map { .set($0) } ?? .clear
        }
        if let phrase = try phrase("threshold", command) {
            change.threshold = phrase.value.map { .set($0.day) } ?? .clear
        }
        change.recurrence = try field("recurrence", command) { text throws(TodoFieldError) in
            if text.isEmpty { return .clear }
            guard let recurrence = Recurrence(text) else {
                throw TodoFieldError(message: "\(text.quoted()) is not a recurrence; write daily, 2w, 1m or +1w")
            }
            return .set(recurrence)
        }
        if let note = command.value("note") { change.note = note == Self.none || note.isBlank ? .clear : .set(note) }
        guard command.verb == .add || !change.isEmpty || !entry.pieces.isEmpty || command.has("parent") else {
            throw ScriptFailure(.usage, "nothing to change; add a text or an option such as --title or --due")
        }
        return Fields(entry: entry, change: change)
    }

    private func parent(_ fields: Fields, _ command: AppCommand) async throws(ScriptFailure) -> TodoID? {
        guard let name = command.value("parent") ?? fields.entry.parent?.value, name != Self.none else { return nil }
        return try await todos([name]).first?.id
    }

    /// Returns the operands as one text, or standard input for a single dash.
    private func line(_ words: [String]) throws(ScriptFailure) -> String {
        guard words == ["-"] else { return words.joined(separator: " ") }
        // One byte more than any title can have is enough to report that it is too long.
        let bytes = console.read(TodoText.titleLimit * 32 + 1)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ScriptFailure(.usage, "standard input is not UTF-8; convert it first, for example with iconv")
        }
        return text
    }

    /// The word that removes the value of a field.
    private static let none = "none"

    private func list(_ name: String, _ command: AppCommand) -> [String]? {
        command.allValues(name).map { $0 == [Self.none] ? [] : $0 }
    }

    private func field<Value>(
        _ name: String,
        _ command: AppCommand,
        _ parse: (String) throws(TodoFieldError) -> TodoChange.Update<Value>
    ) throws(ScriptFailure) -> TodoChange.Update<Value>? {
        guard let value = command.value(name) else { return nil }
        do throws(TodoFieldError) {
            return try parse(value == Self.none ? "" : value)
        } catch {
            throw ScriptFailure(.usage, "--\(name): \(error)")
        }
    }

    private func phrase(_ name: String, _ command: AppCommand) throws(ScriptFailure) -> TodoChange.Update<DatePhrase>? {
        try field(name, command) { text throws(TodoFieldError) in
            if text.isBlank { return .clear }
            do throws(DateError) {
                return .set(try DatePhrase(parsing: text, today: today))
            } catch {
                throw TodoFieldError(message: "\(error)")
            }
        }
    }
}
