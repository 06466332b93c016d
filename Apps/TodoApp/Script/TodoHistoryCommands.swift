import CommandKit
import TextEscaping
import TodoCore

/// The commands for the history and the saved queries: `todo log`, `todo restore`, `todo query`.
extension TodoCommands {
    func log(_ command: AppCommand) async throws(ScriptFailure) -> ScriptResult {
        var entries = try await attempt { () throws(TodoError) in try await store.log() }
        var id: TodoID?
        if let name = command.operands.first { id = try await known(name, entries.flatMap { $0.versions }) }
        if let id { entries = entries.filter { $0.versions.contains { $0.id == id } } }
        if let text = command.value("limit") {
            guard let limit = Int(text), limit > 0 else {
                throw ScriptFailure(.usage, "--limit: write a number such as 10")
            }
            entries = Array(entries.prefix(limit))
        }
        if command.has("json") { return .json(TodoLogDocument(entries, id: id)) }
        let ids = try await ids(entries)
        var output = ""
        for entry in entries {
            var head = [
                "\(entry.number)", entry.date.map { DateText.text($0, clock.zone) } ?? "-", entry.process ?? "-",
            ]
            head.append((entry.isUndone ? "(undone) " : "") + entry.summary)
            output += head.map { $0.escapingControls() }.joined(separator: "  ") + "\n"
            // The named todo may be any of those that an import has changed.
            for version in id.map({ id in entry.versions.filter { $0.id == id } }) ?? Array(entry.versions.prefix(20)) {
                for difference in version.differences {
                    let values = [difference.before, difference.after].map { Self.short($0, difference.field, ids) }
                    output += "    \(version.id) \(difference.field): \(values.joined(separator: " -> "))\n"
                }
            }
            if id == nil, entry.versions.count > 20 { output += "    and \(entry.versions.count - 20) more\n" }
        }
        return ScriptResult(output: output)
    }

    /// Undoes the last change. That of another program that is running, whose user would be surprised, only with `--force`.
    func undo(_ command: AppCommand) async throws(TodoError) -> String {
        guard let step = try await store.lastStep() else { throw .nothingToUndo }
        if let process = step.process, !command.has("force"),
            let id = process.split(separator: "[").last.flatMap({ Int32($0.dropLast()) }), id != RunningProcess.current,
            RunningProcess.exists(id)
        {
            throw .changedByOther(summary: step.summary, process: process)
        }
        return try await store.undo(step, afterLaterChanges: false)
    }

    /// Returns the IDs by UUID of the todos that dependencies may name, if a change has changed any.
    private func ids(_ entries: [TodoLogEntry]) async throws(ScriptFailure) -> [String: String] {
        let versions = entries.flatMap(\.versions)
        guard versions.contains(where: { ($0.before?.dependencies ?? []) != ($0.after?.dependencies ?? []) }) else {
            return [:]
        }
        // A deleted todo is in the history alone.
        let todos = versions.compactMap { $0.after ?? $0.before } + (try await contents(.everything).todos)
        return todos.reduce(into: [:]) { ids, todo in if let uuid = todo.uuid { ids[uuid.text] = "\(todo.id)" } }
    }

    /// Returns the value of a field, with the IDs of todos instead of their UUIDs.
    private static func short(_ value: String?, _ field: String, _ ids: [String: String]) -> String {
        guard let value, field == "dependencies" else { return value.map { $0.quoted(limit: 60) } ?? "none" }
        let names = value.split(separator: " ").map { ids[String($0)] ?? String($0) }
        return names.joined(separator: " ").quoted(limit: 60)
    }

    /// Returns the change of `todo restore ID --change N`.
    func restored(_ command: AppCommand) async throws(ScriptFailure) -> TodoMutation? {
        guard let name = command.operands.first else { return nil }
        guard let text = command.value("change"), let number = Int(text) else {
            throw ScriptFailure(
                .usage,
                "--change needs the number of a change; `todo log \(name.escapingControls())` lists them"
            )
        }
        let entries = try await attempt { () throws(TodoError) in try await store.log() }
        // A beginning of an ID can mean one of the todos of the change that is ambiguous, or deleted, otherwise.
        let changed = entries.first { $0.number == number && !$0.isUndone }?.versions ?? []
        if let id = try? TodoID.named(name, among: changed.map(\.id)) { return .restore(id, before: number) }
        return .restore(try await known(name, entries.flatMap(\.versions)), before: number)
    }

    /// Returns the ID that a name means, of a todo in the history or in the store. A deleted todo is in the history alone.
    private func known(_ name: String, _ versions: [TodoLogEntry.Version]) async throws(ScriptFailure) -> TodoID {
        if let id = try? TodoID.named(name, among: versions.map(\.id)) { return id }
        let ids = try await attempt { () throws(TodoError) in try await store.ids(named: [name]) }
        guard let id = ids.first else { throw ScriptFailure(TodoError.notFound(name: name)) }
        return id
    }

    func queries(_ command: AppCommand) async throws(ScriptFailure) -> ScriptResult {
        guard let name = command.operands.first else {
            let saved = try await attempt { () throws(TodoError) in try await store.savedQueries() }
            if command.has("json") { return .json(["queries": saved]) }
            let lines = saved.sorted { $0.key < $1.key }.map { name, query in
                "\(name.escapingControls())\t\(query.escapingControls())\n"
            }
            return ScriptResult(output: lines.joined(), exitCode: lines.isEmpty ? .nothingMatched : .done)
        }
        let query = command.has("remove") ? nil : command.operands.dropFirst().joined(separator: " ")
        try await attempt { () throws(TodoError) in try await store.saveQuery(name, query) }
        return ScriptResult()
    }

    /// Checks the query of `todo query NAME QUERY` before it is saved.
    func checkQuery(_ command: AppCommand) throws(ScriptFailure) {
        if let name = command.operands.first, name.isBlank || name == "none" && !command.has("remove") {
            let reason = name.isBlank ? "the name of a query is empty" : "none as the name of a query means no view"
            throw ScriptFailure(.usage, "\(reason); write another word")
        }
        guard command.operands.count > 1 else {
            guard command.operands.isEmpty || command.has("remove") else {
                throw ScriptFailure(.usage, "todo query NAME needs a query, or --remove")
            }
            return
        }
        _ = try query(command.operands.dropFirst().joined(separator: " "))
    }
}
