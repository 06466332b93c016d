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
    /// The language of texts that a person edits.
    var language = AppLanguage.english
    /// How days are written, and with which day a week begins.
    var dates = DateStyle()
    /// The view and the order of a list that has neither a query nor an order.
    var defaults: (view: String?, sort: TodoSort?) = (nil, nil)
    /// The templates of `todo add`.
    var templates = TemplateFolder(nil)
    /// Opens a file in the user's editor and returns its exit status.
    let openEditor: @MainActor (_ path: String) async -> Int32
    /// Parses a line of `todo batch`.
    let parse: ([String]) throws(UsageError) -> AppCommand

    /// The current day.
    var today: Day { clock.today }

    /// Runs a `todo` command. Any other command lists the open todos.
    func run(_ command: AppCommand) async throws(ScriptFailure) -> ScriptResult {
        if command.verb == .queries { try checkQuery(command) }
        if command.verb == .edit, command.has("editor") { return try await editText(command) }
        if command.verb == .batch { return try await batch(command) }
        let mutation = try await mutation(command)
        do throws(TodoError) {
            if let mutation { return try await show(try await store.perform(mutation).todos, command) }
            switch command.verb {
            case .undo: return try await show([], command, message: "undone: " + (try await undo(command)))
            case .redo: return try await show([], command, message: "redone: " + (try await store.redo()))
            default: break
            }
        } catch {
            throw ScriptFailure(error)
        }
        switch command.verb {
        case .lists: return try await noting(try await lists(command))
        case .listAdd, .listRename, .listRemove: return try await lists(command)
        case .show: return try await noting(try await details(command))
        case .tree: return try await noting(try await tree(command))
        case .view: return try await view(command)
        case .due: return try await due(command)
        case .context: return try await setContext(command)
        case .count: return try await count(command)
        case .log: return try await noting(try await log(command))
        case .queries: return try await queries(command)
        case .importTodos: return try await importFile(command)
        case .exportTodos: return try await exportFile(command)
        case .names: return try await noting(try await names(command))
        default: return try await list(command)
        }
    }

    /// Returns the change that a command makes; `nil` for a command that makes none.
    func mutation(_ command: AppCommand, isInBatch: Bool = false) async throws(ScriptFailure) -> TodoMutation? {
        switch command.verb {
        case .add: return .add(try await newTodos(command))
        case .edit:
            guard let name = command.operands.first else { return nil }
            // What is to be changed is checked first, so that its errors do not depend on the todo.
            let fields = try fields(of: Array(command.operands.dropFirst()), command)
            try await refuseSecondID(command)
            guard let todo = try await todos([name]).first else { return nil }
            return .edit(todo.id, try await change(fields, command, due: todo.due))
        case .annotate:
            let text = command.operands.dropFirst().joined(separator: " ").trimmed
            guard !text.isEmpty else { throw ScriptFailure(.usage, "todo annotate needs an ID and a text") }
            guard let todo = try await todos(Array(command.operands.prefix(1))).first else { return nil }
            var change = TodoChange()
            change.addedNote = TodoAnnotation.line(text, at: clock.now(), zone: clock.zone)
            return .edit(todo.id, change)
        case .done:
            let todos = try await todos(command.operands)
            if !isInBatch, !command.has("force") { try await refuseBlocked(todos) }
            return .complete(todos.map(\.id))
        case .start: return .start(try await todos(command.operands).map(\.id))
        case .stop: return .stop(try await todos(command.operands).map(\.id))
        case .undone: return .reopen(try await todos(command.operands).map(\.id))
        case .remove: return .remove(try await todos(command.operands).map(\.id))
        case .archive: return .archive
        case .restore: return try await restored(command)
        default: return nil
        }
    }

    /// Refuses the ID of another todo as the only word of a text: `todo edit` changes one todo, unlike `todo done`. A beginning of
    /// an ID counts if it has a digit, since many a word begins an ID.
    private func refuseSecondID(_ command: AppCommand) async throws(ScriptFailure) {
        guard command.operands.count == 2, !command.has("literal"), let word = command.operands.last,
            let id = try? await store.ids(named: [word]).first?.description,
            id == word.lowercased() || word.contains(where: \.isNumber)
        else { return }
        throw ScriptFailure(
            .usage,
            "\(word.quoted()) is a todo, and todo edit changes one at a time; for it as the title, add --title or --literal"
        )
    }

    /// Changes a todo as the user does in an editor.
    private func editText(_ command: AppCommand) async throws(ScriptFailure) -> ScriptResult {
        guard command.operands.count == 1, let todo = try await todos(command.operands).first else {
            throw ScriptFailure(.usage, "todo edit --editor needs one ID, and no further words")
        }
        let edit = TodoTextEdit(
            todo,
            in: store,
            today: today,
            firstWeekday: dates.firstWeekday.number,
            language: language,
            open: openEditor
        )
        var changed: [Todo] = []
        do throws(TodoTextEdit.Failure) {
            let isChanged = try await edit.run { change throws(TodoError) in
                changed = try await store.perform(.merge(todo, change)).todos
            }
            guard isChanged else { return ScriptResult(notices: ["nothing was changed"]) }
        } catch {
            throw ScriptFailure(.usage, error.text(.english))
        }
        return try await attempt { () throws(TodoError) in try await show(changed, command) }
    }

    /// Returns the todos with these names.
    func todos(_ names: [String]) async throws(ScriptFailure) -> [Todo] {
        try await attempt { () throws(TodoError) in try await store.todos(named: names) }
    }

    /// Reads the todos that pass a filter, in display order.
    func contents(_ filter: TodoFilter) async throws(ScriptFailure) -> TodoContents {
        try await attempt { () throws(TodoError) in try await store.contents(matching: filter) }
    }

    /// Returns the output for changed todos: JSON, IDs alone, or lines.
    private func show(
        _ todos: [Todo],
        _ command: AppCommand,
        message: String? = nil
    ) async throws(TodoError) -> ScriptResult {
        guard command.has("json") else { return shown(TodoContents(todos: todos), command, message: message) }
        // Whether a todo is blocked depends on others.
        let present = try await store.contents(matching: TodoFilter(ids: todos.map(\.id)))
        let contents = TodoContents(todos: todos, blocking: present.blocking, order: present.order)
        return .json(TodoDocument(contents, message: message))
    }

    /// Returns the output for todos: JSON, IDs alone, or lines.
    func shown(
        _ contents: TodoContents,
        _ command: AppCommand,
        message: String? = nil,
        depths: [Int]? = nil,
        grouping: TodoGrouping? = nil
    ) -> ScriptResult {
        if let grouping, !command.has("json"), !command.has("quiet") { return grouped(contents, command, grouping) }
        if command.has("json") { return .json(TodoDocument(contents, message: message)) }
        if command.has("quiet") { return ScriptResult(output: contents.todos.map { "\($0.id)\n" }.joined()) }
        let line = TodoLine(isStyled: isStyled, today: today, time: clock.time, spoken: spoken, dates: dates)
        var output = ""
        for (index, todo) in contents.todos.enumerated() {
            output += String(repeating: "  ", count: depths?[index] ?? 0)
            output += line.text(for: todo, isBlocked: contents.blocking.blocked.contains(todo.id)) + "\n"
        }
        if let message { output += message.escapingControls(limit: 500) + "\n" }
        return ScriptResult(output: output)
    }

    /// Returns the lines of todos below the headings of their groups.
    private func grouped(_ contents: TodoContents, _ command: AppCommand, _ grouping: TodoGrouping) -> ScriptResult {
        var result = ScriptResult()
        for group in grouping.groups(contents.todos) {
            var heading = group.name ?? "no \(grouping.rawValue)"
            if let spoken, let day = Day(iso: heading) {
                heading = DayText.text(day, today: today, style: dates)(spoken)
            }
            result.output += (result.output.isEmpty ? "" : "\n") + heading.escapingControls() + "\n"
            result.output += shown(contents.with(group.todos), command).output
        }
        return result
    }

    /// Makes the changes of the lines of standard input.
    private func batch(_ command: AppCommand) async throws(ScriptFailure) -> ScriptResult {
        let changes = try await changes(command)
        do throws(TodoError) {
            return try await show(try await store.perform(.batch(changes.map(\.mutation))).todos, command)
        } catch {
            guard case .inBatch(let index, let reason) = error else { throw ScriptFailure(error) }
            throw Self.failure(changes[index].line, ScriptFailure(reason))
        }
    }

    /// Returns the failure of a line of a batch, counted from 1.
    private static func failure(_ line: Int, _ reason: ScriptFailure) -> ScriptFailure {
        ScriptFailure(reason.exitCode, "line \(line): \(reason.message ?? "")\nnothing was changed")
    }

    /// Returns the changes of the lines of standard input, each with the number of its line.
    private func changes(
        _ command: AppCommand
    ) async throws(ScriptFailure) -> [(line: Int, mutation: TodoMutation)] {
        let bytes = console.read(TodoFileFormat.sizeLimit + 1)
        guard let text = String(validating: bytes, as: UTF8.self), bytes.count <= TodoFileFormat.sizeLimit else {
            throw ScriptFailure(.usage, "standard input is not UTF-8, or too long; convert or divide it")
        }
        var changes: [(line: Int, mutation: TodoMutation)] = []
        var state: BatchState?
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            func failure(_ message: String) -> ScriptFailure {
                Self.failure(index + 1, ScriptFailure(.usage, message))
            }
            guard let words = Self.words(line) else { throw failure("a quotation mark is not closed") }
            guard let verb = words.first, !verb.hasPrefix("#") else { continue }
            let parsed: AppCommand
            do throws(UsageError) {
                parsed = try parse(["todo"] + words)
            } catch {
                throw failure("\(error)")
            }
            guard [.add, .edit, .annotate, .done, .undone, .start, .stop, .remove].contains(parsed.verb) else {
                throw failure(
                    "\(verb.quoted()) is not a command of a batch; it is add, edit, annotate, done, undone, start, stop or rm"
                )
            }
            guard parsed.operands != ["-"], !parsed.has("editor") else {
                throw failure("a line of a batch cannot read standard input or start an editor; write the text in it")
            }
            do throws(ScriptFailure) {
                guard let mutation = try await mutation(parsed, isInBatch: true) else { continue }
                // What a line completes may have become free, or have begun to wait, by the lines before it.
                if parsed.verb == .done, state == nil, !command.has("force") {
                    state = BatchState(try await contents(.everything).todos)
                    for earlier in changes { try state?.make(earlier.mutation) }
                }
                try state?.make(mutation, isForced: parsed.has("force"))
                changes.append((index + 1, mutation))
            } catch {
                throw Self.failure(index + 1, error)
            }
        }
        return changes
    }

    /// Splits a line at spaces outside of quotation marks; `nil` if one is not closed.
    private static func words(_ line: Substring) -> [String]? {
        var words: [String] = []
        var word: String?
        var quote: Character?
        for character in line {
            if let open = quote {
                if character == open { quote = nil } else { word?.append(character) }
            } else if character == "\"" || character == "'", word?.last?.isLetter != true {
                quote = character
                word = word ?? ""
            } else if character.isWhitespace {
                if let word { words.append(word) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        if let word { words.append(word) }
        return quote == nil ? words : nil
    }
}
