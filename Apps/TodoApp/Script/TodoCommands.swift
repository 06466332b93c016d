import AppLanguage
import CommandKit
import TextEscaping
import TodoCore

/// The `todo` commands. They call the use cases of the store, as the screen does. Listing, fields, transfer and history are
/// extensions in files of their topics.
@MainActor
struct TodoCommands {
    let store: any TodoStoring
    let console: Console
    let clock: TodoClock
    /// Whether the output may contain colours.
    let isStyled: Bool
    /// The language of days in lines on a terminal; `nil` for a pipe or a file, where days are in ISO 8601.
    var spoken: AppLanguage?

    /// The present day.
    var today: Day { clock.today }

    /// Runs a `todo` command. Any other command lists the open todos.
    func run(_ command: AppCommand) async throws(ScriptFailure) -> ScriptResult {
        if command.verb == .queries { try checkQuery(command) }
        let mutation = try await mutation(command)
        do throws(TodoError) {
            if let mutation { return try show(try await store.perform(mutation).todos, command) }
            switch command.verb {
            case .undo: return try show([], command, message: "undone: " + (try await store.undo()))
            case .redo: return try show([], command, message: "redone: " + (try await store.redo()))
            default: break
            }
        } catch {
            throw ScriptFailure(error)
        }
        switch command.verb {
        case .show: return try await details(command)
        case .count: return try await count(command)
        case .log: return try await log(command)
        case .queries: return try await queries(command)
        case .importTodos: return try await importFile(command)
        case .exportTodos: return try await exportFile(command)
        case .names: return try await names(command)
        default: return try await list(command)
        }
    }

    private func mutation(_ command: AppCommand) async throws(ScriptFailure) -> TodoMutation? {
        switch command.verb {
        case .add: return .add([try await draft(command)])
        case .edit:
            guard let name = command.operands.first else { return nil }
            // What is to be changed is checked first, so that its errors do not depend on the todo.
            let fields = try fields(of: Array(command.operands.dropFirst()), command)
            guard let todo = try await todos([name]).first else { return nil }
            return .edit(todo.id, try await change(fields, command, todo))
        case .done: return .complete(try await todos(command.operands).map(\.id))
        case .undone: return .reopen(try await todos(command.operands).map(\.id))
        case .remove: return .remove(try await todos(command.operands).map(\.id))
        case .archive: return .archive
        case .restore:
            guard let todo = try await restored(command) else { return nil }
            return todo
        default: return nil
        }
    }

    /// Returns the todos with these names.
    func todos(_ names: [String]) async throws(ScriptFailure) -> [Todo] {
        do throws(TodoError) {
            return try await store.todos(named: names)
        } catch {
            throw ScriptFailure(error)
        }
    }

    /// Reads all todos.
    func contents() async throws(ScriptFailure) -> TodoContents {
        do throws(TodoError) {
            return try await store.contents()
        } catch {
            throw ScriptFailure(error)
        }
    }

    /// Returns the output for todos: JSON, IDs alone, lines of a template, or lines.
    func show(
        _ todos: [Todo],
        _ command: AppCommand,
        message: String? = nil,
        depths: [Int]? = nil
    ) throws(TodoError) -> ScriptResult {
        if command.has("json") { return .json(TodoDocument(todos, message: message)) }
        if command.has("quiet") { return ScriptResult(output: todos.map { "\($0.id)\n" }.joined()) }
        let line = TodoLine(isStyled: isStyled, today: today, time: clock.time, spoken: spoken)
        var output = ""
        for (index, todo) in todos.enumerated() {
            output += String(repeating: "  ", count: depths?[index] ?? 0) + line.text(for: todo) + "\n"
        }
        if let message { output += message.escapingControls(limit: 500) + "\n" }
        return ScriptResult(output: output)
    }
}
