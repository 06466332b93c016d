import TodoCore

/// Reads todos' fields off the command line.
extension TodoCommands {
    /// The todo that `todo add` is to add.
    func draft(_ command: ParsedCommand) throws(ScriptFailure) -> TodoDraft {
        let title = try title(command)
        let priority = try priority(command)?.value
        let due = try due(command)?.value
        do {
            return try TodoDraft(
                title: title,
                priority: priority,
                project: text("project", command)?.value,
                contexts: contexts(command) ?? [],
                due: due,
                note: text("note", command)?.value
            )
        } catch {
            throw ScriptFailure(error)
        }
    }

    /// What `todo edit` is to change.
    func change(_ command: ParsedCommand) throws(ScriptFailure) -> TodoChange {
        var change = TodoChange()
        change.title = command.value("title")
        change.priority = try priority(command)
        change.project = text("project", command)
        change.contexts = contexts(command)
        change.due = try due(command)
        change.note = text("note", command)
        guard !change.isEmpty else { throw ScriptFailure(UsageError.nothingToChange) }
        return change
    }

    /// The words of the command line, or standard input for a lone dash.
    private func title(_ command: ParsedCommand) throws(ScriptFailure) -> String {
        guard command.operands == ["-"] else { return command.operands.joined(separator: " ") }
        // One byte more than any title can have: enough to see that it is too long, however long it is.
        let bytes = console.read(TodoText.titleLimit * 32 + 1)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ScriptFailure(.usage, "standard input is not UTF-8; convert it first, for example with iconv")
        }
        return text
    }

    /// The word that takes a field's value away.
    private static let none = "none"

    private func text(_ name: String, _ command: ParsedCommand) -> TodoChange.Update<String>? {
        guard let value = command.value(name) else { return nil }
        return value == Self.none || value.isBlank ? .clear : .set(value)
    }

    private func contexts(_ command: ParsedCommand) -> [String]? {
        command.allValues("context").map { $0 == [Self.none] ? [] : $0 }
    }

    private func priority(_ command: ParsedCommand) throws(ScriptFailure) -> TodoChange.Update<Priority>? {
        guard let value = command.value("priority") else { return nil }
        do {
            return try TodoEditorFields.priority(value == Self.none ? "" : value)
        } catch {
            throw ScriptFailure(.usage, "--priority: \(error)")
        }
    }

    private func due(_ command: ParsedCommand) throws(ScriptFailure) -> TodoChange.Update<Day>? {
        guard let value = command.value("due") else { return nil }
        do {
            return try TodoEditorFields.due(value == Self.none ? "" : value, today: today)
        } catch {
            throw ScriptFailure(.usage, "--due: \(error)")
        }
    }
}
