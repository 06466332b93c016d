import CommandKit
import TextEscaping
import TodoCore

/// The `todo` commands. They call the use cases of the store, as the screen does.
@MainActor
struct TodoCommands {
    let store: any TodoStoring
    let console: Console
    let today: Day
    /// Whether the output may contain colours.
    let isStyled: Bool

    /// Runs a `todo` command. Any other command lists the open todos.
    func run(_ command: AppCommand) async throws(ScriptFailure) -> ScriptResult {
        let mutation = try await mutation(command)
        do throws(TodoError) {
            if let mutation { return show(try await store.perform(mutation).todos, command) }
            switch command.verb {
            case .undo: return show([], command, message: try await store.undo())
            case .redo: return show([], command, message: try await store.redo())
            default: return try await list(command)
            }
        } catch {
            throw ScriptFailure(error)
        }
    }

    private func mutation(_ command: AppCommand) async throws(ScriptFailure) -> TodoMutation? {
        switch command.verb {
        case .add: return .add([try draft(command)])
        case .edit:
            let change = try change(command)
            guard let id = try await ids(command).first else { return nil }
            return .edit(id, change)
        case .done: return .complete(try await ids(command))
        case .undone: return .reopen(try await ids(command))
        case .remove: return .remove(try await ids(command))
        case .archive: return .archive
        default: return nil
        }
    }

    private func ids(_ command: AppCommand) async throws(ScriptFailure) -> [TodoID] {
        do {
            return try await store.ids(named: command.operands)
        } catch {
            throw ScriptFailure(error)
        }
    }

    private func list(_ command: AppCommand) async throws(TodoError) -> ScriptResult {
        let filter = TodoFilter(
            status: command.has("all") ? .all : .open,
            text: command.value("filter") ?? "",
            includesArchived: command.has("all")
        )
        let contents = try await store.contents()
        let todos = contents.todos.matching(filter)
        var result = show(todos, command)
        // An empty list is a valid result. Words that match nothing set the exit status, as in grep.
        if todos.isEmpty, !filter.query.isEmpty { result.exitCode = .nothingMatched }
        // A list with missing todos must not look like a complete one.
        if !contents.damage.isEmpty {
            result.notices = contents.damage.map(\.description)
            result.exitCode = .data
        }
        return result
    }

    private func show(_ todos: [Todo], _ command: AppCommand, message: String? = nil) -> ScriptResult {
        if command.has("json") { return .json(TodoDocument(todos, message: message)) }
        let line = TodoLine(isStyled: isStyled, today: today)
        var output = todos.map { line.text(for: $0) + "\n" }.joined()
        if let message { output += message.escapingControls(limit: 500) + "\n" }
        return ScriptResult(output: output)
    }
}

// MARK: - Fields

/// The parsing of options into the fields of todos.
extension TodoCommands {
    /// Returns the todo that `todo add` describes.
    private func draft(_ command: AppCommand) throws(ScriptFailure) -> TodoDraft {
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

    /// Returns the change that `todo edit` describes.
    private func change(_ command: AppCommand) throws(ScriptFailure) -> TodoChange {
        var change = TodoChange()
        change.title = command.value("title")
        change.priority = try priority(command)
        change.project = text("project", command)
        change.contexts = contexts(command)
        change.due = try due(command)
        change.note = text("note", command)
        guard !change.isEmpty else {
            throw ScriptFailure(.usage, "nothing to change; add an option such as --title or --due")
        }
        return change
    }

    /// Returns the operands as one text, or standard input for a single dash.
    private func title(_ command: AppCommand) throws(ScriptFailure) -> String {
        guard command.operands == ["-"] else { return command.operands.joined(separator: " ") }
        // One byte more than any title can have is enough to report that it is too long.
        let bytes = console.read(TodoText.titleLimit * 32 + 1)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ScriptFailure(.usage, "standard input is not UTF-8; convert it first, for example with iconv")
        }
        return text
    }

    /// The word that removes the value of a field.
    private static let none = "none"

    private func text(_ name: String, _ command: AppCommand) -> TodoChange.Update<String>? {
        guard let value = command.value(name) else { return nil }
        return value == Self.none || value.isBlank ? .clear : .set(value)
    }

    private func contexts(_ command: AppCommand) -> [String]? {
        command.allValues("context").map { $0 == [Self.none] ? [] : $0 }
    }

    private func priority(_ command: AppCommand) throws(ScriptFailure) -> TodoChange.Update<Priority>? {
        guard let value = command.value("priority") else { return nil }
        do {
            return try TodoForm.priority(value == Self.none ? "" : value)
        } catch {
            throw ScriptFailure(.usage, "--priority: \(error)")
        }
    }

    private func due(_ command: AppCommand) throws(ScriptFailure) -> TodoChange.Update<Day>? {
        guard let value = command.value("due") else { return nil }
        do {
            return try TodoForm.due(value == Self.none ? "" : value, today: today)
        } catch {
            throw ScriptFailure(.usage, "--due: \(error)")
        }
    }
}
