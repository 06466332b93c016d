import AppLanguage
import CommandKit
import EssentialFoundation
import TextEscaping
import TodoCore

/// The parsing of a line and of options into the fields of todos. Options take precedence over the line.
extension TodoCommands {
    /// The fields of a command line, before the todo is known.
    struct Fields {
        var entry: TodoEntry
        var options: TodoChange
    }

    /// Returns the todos that `todo add` describes: one, or one for each line of standard input or of a template.
    func newTodos(_ command: AppCommand) async throws(ScriptFailure) -> [TodoChange] {
        let template = command.value("template")
        let isInput = command.operands == ["-"]
        if template == nil ? command.operands.isEmpty : isInput {
            throw ScriptFailure(.usage, "todo add needs TEXT, - or --template NAME")
        }
        guard template != nil || isInput else { return [try await newTodo(command.operands, command)] }
        let lines = if let template { try templateLines(template) } else { try inputLines() }
        // The words of the command are added to each line of a template.
        let words = template == nil ? [] : command.operands
        var todos: [TodoChange] = []
        for (index, line) in lines.enumerated() where !line.isBlank {
            do throws(ScriptFailure) {
                let todo = try await newTodo([line] + words, command)
                todos.append(todo)
            } catch {
                let place = (template.map { "\(templates.file($0)), " } ?? "") + "line \(index + 1)"
                throw ScriptFailure(error.exitCode, "\(place): \(error.message ?? "")\nnothing was added")
            }
        }
        if todos.isEmpty { throw ScriptFailure(TodoError.emptyTitle) }
        return todos
    }

    private func templateLines(_ name: String) throws(ScriptFailure) -> [String] {
        do throws(TodoFieldError) {
            return try templates.lines(of: name)
        } catch {
            throw ScriptFailure(templates.names.contains(name) ? .data : .nothingMatched, error.message)
        }
    }

    private func inputLines() throws(ScriptFailure) -> [String] {
        guard let text = String(validating: try read(nil), as: UTF8.self) else {
            throw ScriptFailure(.usage, "standard input is not UTF-8; convert it first, for example with iconv")
        }
        return text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
    }

    private func newTodo(_ words: [String], _ command: AppCommand) async throws(ScriptFailure) -> TodoChange {
        let fields = try fields(of: words, command)
        var change = try await change(fields, command, due: fields.options.due?.value)
        if let context = try await context() { change.addLabels(ofContext: context.query) }
        return change
    }

    /// Returns the change that a command line describes.
    ///
    /// - Parameters:
    ///   - fields: the fields.
    ///   - command: the command.
    ///   - due: the due day, from which a relative threshold counts if the line has none.
    /// - Returns: the change.
    /// - Throws: ``ScriptFailure`` if the parent is not found, or if the threshold counts from a missing due day.
    func change(_ fields: Fields, _ command: AppCommand, due: Day?) async throws(ScriptFailure) -> TodoChange {
        var entry = fields.entry
        if let due = fields.options.due { entry.due = due }
        if fields.options.threshold == nil {
            try await attempt { () throws(TodoError) in try entry.checkThreshold(due: due) }
        }
        var change = entry.change(due: due).merging(fields.options)
        if let list = try await listChoice(command) { change.list = .init(list.name) }
        if let name = command.value("parent") ?? fields.entry.parent?.value, name != Self.none {
            change.parent = try await todos([name]).first.map { .set($0.id) }
        } else if command.value("parent") == Self.none {
            change.parent = .clear
        }
        let after = entry.after + (command.allValues("after") ?? [])
        change.removesDependencies = entry.removesDependencies || after.contains(Self.none)
        change.addedDependencies = try await todos(after.filter { $0 != Self.none }).map(\.id)
        change.removedDependencies = try await todos(command.allValues("not-after") ?? []).map(\.id)
        return change
    }

    /// Parses the line and the options of `todo add` and `todo edit`.
    func fields(of words: [String], _ command: AppCommand) throws(ScriptFailure) -> Fields {
        let line = words.joined(separator: " ")
        var entry: TodoEntry
        do throws(TodoError) {
            try TodoText.checkLine(line)
            if command.has("literal") {
                entry = try TodoEntry(literal: line)
            } else {
                entry = try TodoEntry(parsing: line, today: today, firstWeekday: dates.firstWeekday.number)
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
        for label in command.allValues("without") ?? [] {
            switch label.first {
            case "@": change.removedContexts.append(label)
            case "#": change.removedTags.append(label)
            default: change.removedProjects.append(label)
            }
        }
        if let phrase = try phrase("due", command) {
            change.due = .init(phrase.value?.day)
            change.dueTime = .init(phrase.value?.time)
        }
        if let phrase = try phrase("threshold", command) {
            guard phrase.value?.time == nil else {
                throw ScriptFailure(.usage, "--threshold: \(TodoForm.noTime.english)")
            }
            change.threshold = .init(phrase.value?.day)
        }
        change.recurrence = try field("recurrence", command) { text throws(TodoFieldError) in
            try TodoForm.recurrence(text)
        }
        if let note = command.value("note") { change.note = note == Self.none || note.isBlank ? .clear : .set(note) }
        guard
            command.verb == .add || !change.isEmpty || !entry.pieces.isEmpty
                || ["parent", "after", "not-after", "in"].contains(where: command.has)
        else {
            throw ScriptFailure(.usage, "nothing to change; add a text or an option such as --title or --due")
        }
        return Fields(entry: entry, options: change)
    }

    /// The word that removes the value of a field.
    private static let none = "none"

    /// Returns the values of an option, without `none` and those before it, which it removes.
    private func list(_ name: String, _ command: AppCommand) -> [String]? {
        guard let values = command.allValues(name) else { return nil }
        return Array(values[(values.lastIndex(of: Self.none).map { $0 + 1 } ?? 0)...])
    }

    private func field<Value>(
        _ name: String,
        _ command: AppCommand,
        _ parse: (String) throws(TodoFieldError) -> TodoChange.Update<Value>
    ) throws(ScriptFailure) -> TodoChange.Update<Value>? {
        try option(name, command) { text throws(TodoFieldError) in try parse(text == Self.none ? "" : text) }
    }

    private func phrase(_ name: String, _ command: AppCommand) throws(ScriptFailure) -> TodoChange.Update<DatePhrase>? {
        try field(name, command) { text throws(TodoFieldError) in
            if text.isBlank { return .clear }
            do throws(DateError) {
                return .set(try DatePhrase(parsing: text, today: today, firstWeekday: dates.firstWeekday.number))
            } catch {
                throw TodoFieldError(message: "\(error)")
            }
        }
    }
}
