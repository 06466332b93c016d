import AppLanguage
import CommandKit
import TextEscaping
import TodoCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The commands that print todos: `todo list`, `todo count`, `todo show`, and the names for the completions of a shell.
extension TodoCommands {
    func list(_ command: AppCommand) async throws(ScriptFailure) -> ScriptResult {
        let filter = try await filter(command)
        let sort = try option("sort", command) { text throws(TodoFieldError) in try TodoSort(parsing: text) }
        let template = try template(command)
        let isPlain = ["json", "quiet", "tree", "group"].allSatisfy { !command.has($0) }
        if filter.query.isEmpty, sort == nil, template == nil, isPlain, !isStyled, spoken == nil {
            do throws(TodoError) {
                let bytes = try await store.plainLines(includesAll: command.has("all"), today: today)
                if let bytes { return ScriptResult(output: String(decoding: bytes, as: UTF8.self)) }
            } catch {
                throw ScriptFailure(error)
            }
        }
        let contents = try await contents()
        var todos = contents.todos.matching(filter)
        if let sort { todos = sort.sorted(todos) }
        var result: ScriptResult
        if let template, !command.has("json") {
            result = ScriptResult(output: todos.map { template.text(for: $0) + "\n" }.joined())
        } else if command.has("tree") {
            let rows = TodoTree.rows(todos)
            result = try shown(rows.map(\.todo), command, depths: rows.map(\.depth))
        } else if let name = command.value("group"), let grouping = TodoGrouping(rawValue: name), !command.has("json") {
            result = ScriptResult()
            for group in grouping.groups(todos) {
                var heading = group.name ?? "no \(name)"
                if let spoken, let day = Day(iso: heading) { heading = DayText.text(day, today: today)(spoken) }
                result.output += (result.output.isEmpty ? "" : "\n") + heading.escapingControls() + "\n"
                result.output += try shown(group.todos, command).output
            }
        } else {
            result = try shown(todos, command)
        }
        // An empty list is a valid result. A query that matches nothing sets the exit status, as in grep.
        if todos.isEmpty, !filter.query.isEmpty { result.exitCode = .nothingMatched }
        note(contents.damage, in: &result)
        return result
    }

    func count(_ command: AppCommand) async throws(ScriptFailure) -> ScriptResult {
        let filter = try await filter(command)
        let contents = try await contents()
        let count = contents.todos.count { filter.passes($0) }
        var result = command.has("json") ? ScriptResult.json(["count": count]) : ScriptResult(output: "\(count)\n")
        if count == 0, !filter.query.isEmpty { result.exitCode = .nothingMatched }
        note(contents.damage, in: &result)
        return result
    }

    /// A list with missing todos must not look like a complete one.
    private func note(_ damage: [TodoDamage], in result: inout ScriptResult) {
        guard !damage.isEmpty else { return }
        result.notices = damage.map(\.description)
        result.exitCode = .data
    }

    func details(_ command: AppCommand) async throws(ScriptFailure) -> ScriptResult {
        let todos = try await todos(command.operands)
        if command.has("json") || command.has("quiet") { return try shown(todos, command) }
        if let template = try template(command) {
            return ScriptResult(output: todos.map { template.text(for: $0) + "\n" }.joined())
        }
        let all = try await contents().todos
        let line = TodoLine(isStyled: isStyled, today: today, time: clock.time, spoken: spoken)
        var output = ""
        for todo in todos {
            output += (output.isEmpty ? "" : "\n") + line.text(for: todo) + "\n"
            var rows: [(String, String)] = []
            if let parent = todo.parent {
                rows.append(("part of", all.first { $0.id == parent }.map { "\(parent) \($0.title)" } ?? "\(parent)"))
            }
            for child in all where child.parent == todo.id {
                rows.append(("subtask", "\(child.id) \(child.isDone ? "[x]" : "[ ]") \(child.title)"))
            }
            for link in todo.links { rows.append(("link", link)) }
            rows.append(("created", DateText.text(todo.created, clock.zone)))
            rows.append(("modified", DateText.text(todo.modified, clock.zone)))
            if let completed = todo.completed { rows.append(("completed", DateText.text(completed, clock.zone))) }
            if let uuid = todo.uuid { rows.append(("uuid", uuid.uuidString.lowercased())) }
            for (name, value) in rows { output += "  \(name): \(value.escapingControls())\n" }
            for line in (todo.note ?? "").split(separator: "\n", omittingEmptySubsequences: false)
            where todo.note != nil {
                output += "  | \(line.escapingControls())\n"
            }
        }
        return ScriptResult(output: output)
    }

    /// Prints the words that a shell offers, with a description after a tab.
    func names(_ command: AppCommand) async throws(ScriptFailure) -> ScriptResult {
        let todos = try await contents().todos
        var lines: [String] = []
        switch command.operands.first {
        case "projects": lines = Set(todos.flatMap(\.projects)).sorted()
        case "contexts": lines = Set(todos.flatMap(\.contexts)).sorted()
        case "tags": lines = Set(todos.flatMap(\.tags)).sorted()
        case "done":
            lines = todos.matching(TodoFilter(status: .done, today: today)).map { "\($0.id)\t\($0.title.prefix(60))" }
        case "all":
            let filter = TodoFilter(status: .all, includesArchived: true, today: today)
            lines = todos.matching(filter).map { "\($0.id)\t\($0.title.prefix(60))" }
        default:
            lines = todos.matching(TodoFilter(today: today)).map { "\($0.id)\t\($0.title.prefix(60))" }
        }
        return ScriptResult(
            output: lines.map { line in
                line.split(separator: "\t").map { $0.escapingControls() }.joined(separator: "\t") + "\n"
            }.joined()
        )
    }

    // MARK: Options

    func shown(_ todos: [Todo], _ command: AppCommand, depths: [Int]? = nil) throws(ScriptFailure) -> ScriptResult {
        do throws(TodoError) {
            return try show(todos, command, depths: depths)
        } catch {
            throw ScriptFailure(error)
        }
    }

    /// Returns the filter of the operands, `--filter` and `--saved`, which must all match.
    func filter(_ command: AppCommand) async throws(ScriptFailure) -> TodoFilter {
        var texts = [command.operands.joined(separator: " "), command.value("filter") ?? ""]
        if let name = command.value("saved") {
            let saved: [String: String]
            do throws(TodoError) {
                saved = try await store.savedQueries()
                guard let query = saved[name] else { throw .noQuery(name: name) }
                texts.append(query)
            } catch {
                throw ScriptFailure(error)
            }
        }
        var parts: [String] = []
        for text in texts where !text.isBlank {
            _ = try query(text)
            parts.append("(\(text))")
        }
        let query = try query(parts.count == 1 ? texts.first { !$0.isBlank } ?? "" : parts.joined(separator: " "))
        return TodoFilter(
            status: command.has("all") ? .all : .open,
            query: query,
            includesArchived: command.has("all"),
            today: today
        )
    }

    func query(_ text: String) throws(ScriptFailure) -> TodoQuery {
        do throws(TodoQueryError) {
            return try TodoQuery(parsing: text, today: today, time: clock.time, zone: clock.zone)
        } catch {
            throw ScriptFailure(.usage, "the query is invalid, column \(error.column)\n\(error.diagram)")
        }
    }

    private func template(_ command: AppCommand) throws(ScriptFailure) -> TodoTemplate? {
        if let template = try option(
            "columns",
            command,
            { text throws(TodoFieldError) in try TodoTemplate(columns: text) }
        ) {
            return template
        }
        return try option("format", command) { text throws(TodoFieldError) in try TodoTemplate(parsing: text) }
    }

    /// Parses the value of an option.
    private func option<Value>(
        _ name: String,
        _ command: AppCommand,
        _ parse: (String) throws(TodoFieldError) -> Value
    ) throws(ScriptFailure) -> Value? {
        guard let text = command.value(name) else { return nil }
        do throws(TodoFieldError) {
            return try parse(text)
        } catch {
            throw ScriptFailure(.usage, "--\(name): \(error)")
        }
    }
}
