import CommandKit
import TextEscaping
import TodoCore

/// The `todo` commands, over the use cases of the store that the screen uses too.
@MainActor
struct TodoCommands {
    let store: any TodoStoring
    let console: Console
    let today: Day
    /// Whether lines may have colours.
    let isStyled: Bool

    /// Runs a command whose verb is one of the todos'; any other lists the open ones.
    func run(_ command: AppCommand) async throws(ScriptFailure) -> ScriptResult {
        let names = command.operands
        let draft = command.verb == .add ? try draft(command) : nil
        let change = command.verb == .edit ? try change(command) : TodoChange()
        do throws(TodoError) {
            if let draft { return show([try await store.add(draft)], command) }
            switch command.verb {
            case .edit:
                return show([try await store.edit(named: names.first ?? "", change)], command)
            case .done:
                return show(try await store.complete(named: names), command)
            case .undone:
                return show(try await store.reopen(named: names), command)
            case .remove:
                return show(try await store.remove(named: names), command)
            case .archive:
                return show(try await store.archive(), command)
            case .undo:
                return show([], command, message: try await store.undo())
            case .redo:
                return show([], command, message: try await store.redo())
            default:
                return try await list(command)
            }
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
        let todos = try await store.todos(matching: filter)
        var result = show(todos, command)
        // An empty list is an answer; words that match nothing are told by the exit code, as grep does.
        if todos.isEmpty, !filter.words.isEmpty { result.exitCode = .nothingMatched }
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

/// Reads todos' fields off the command line.
extension TodoCommands {
    /// The todo that `todo add` is to add.
    func draft(_ command: AppCommand) throws(ScriptFailure) -> TodoDraft {
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
    func change(_ command: AppCommand) throws(ScriptFailure) -> TodoChange {
        var change = TodoChange()
        change.title = command.value("title")
        change.priority = try priority(command)
        change.project = text("project", command)
        change.contexts = contexts(command)
        change.due = try due(command)
        change.note = text("note", command)
        guard !change.isEmpty else {
            throw ScriptFailure(.usage, "nothing to change; name an option such as --title or --due")
        }
        return change
    }

    /// The words of the command line, or standard input for a lone dash.
    private func title(_ command: AppCommand) throws(ScriptFailure) -> String {
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
