import TodoCore

/// The `todo` commands, over the interactor that the screen uses too.
@MainActor
struct TodoCommands {
    let interactor: TodoListInteractor
    let console: Console
    let today: Day
    /// Whether lines may have colours.
    let isStyled: Bool

    /// Runs a command whose verb is one of the todos'; any other lists the open ones.
    func run(_ command: ParsedCommand) async throws(ScriptFailure) -> ScriptResult {
        let names = command.operands
        let draft = command.definition.verb == .add ? try draft(command) : nil
        let change = command.definition.verb == .edit ? try change(command) : TodoChange()
        do throws(TodoError) {
            if let draft { return show([try await interactor.add(draft)], command) }
            switch command.definition.verb {
            case .edit:
                return show([try await interactor.edit(named: names.first ?? "", change)], command)
            case .done:
                return show(try await interactor.complete(named: names), command)
            case .undone:
                return show(try await interactor.reopen(named: names), command)
            case .remove:
                return show(try await interactor.remove(named: names), command)
            case .archive:
                return show(try await interactor.archive(), command)
            case .undo:
                return show([], command, message: try await interactor.undo())
            case .redo:
                return show([], command, message: try await interactor.redo())
            default:
                return try await list(command)
            }
        } catch {
            throw ScriptFailure(error)
        }
    }

    private func list(_ command: ParsedCommand) async throws(TodoError) -> ScriptResult {
        let filter = TodoFilter(
            status: command.has("all") ? .all : .open,
            text: command.value("filter") ?? "",
            includesArchived: command.has("all")
        )
        let todos = try await interactor.todos(matching: filter)
        var result = show(todos, command)
        // An empty list is an answer; words that match nothing are told by the exit code, as grep does.
        if todos.isEmpty, !filter.words.isEmpty { result.exitCode = .nothingMatched }
        return result
    }

    private func show(_ todos: [Todo], _ command: ParsedCommand, message: String? = nil) -> ScriptResult {
        if command.has("json") { return .json(TodoDocument(todos, message: message)) }
        let line = TodoLine(isStyled: isStyled, today: today)
        var output = todos.map { line.text(for: $0) + "\n" }.joined()
        if let message { output += printable(message, limit: 500) + "\n" }
        return ScriptResult(output: output)
    }
}
