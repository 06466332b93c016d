import CommandKit
import TextEscaping
import TodoCore

/// The commands for the history and the saved queries: `todo log`, `todo restore`, `todo query`.
extension TodoCommands {
    func log(_ command: AppCommand) async throws(ScriptFailure) -> ScriptResult {
        var entries: [TodoLogEntry]
        var id: TodoID?
        do throws(TodoError) {
            entries = try await store.log()
        } catch {
            throw ScriptFailure(error)
        }
        if let name = command.operands.first {
            // A deleted todo is in the log, too.
            let prefix = TodoID.normalised(name)
            let known = Set(entries.flatMap { $0.versions.map(\.id) }.filter { $0.description.hasPrefix(prefix) })
            if known.count == 1, let only = known.first { id = only } else { id = try await todos([name]).first?.id }
        }
        if let id { entries = entries.filter { $0.versions.contains { $0.id == id } } }
        if let text = command.value("limit") {
            guard let limit = Int(text), limit > 0 else {
                throw ScriptFailure(.usage, "--limit: write a number such as 10")
            }
            entries = Array(entries.prefix(limit))
        }
        if command.has("json") { return .json(TodoLogDocument(entries, id: id)) }
        var output = ""
        for entry in entries {
            var head = [
                "\(entry.number)", entry.date.map { DateText.text($0, clock.zone) } ?? "-", entry.process ?? "-",
            ]
            head.append((entry.isUndone ? "(undone) " : "") + entry.summary)
            output += head.map { $0.escapingControls() }.joined(separator: "  ") + "\n"
            for version in entry.versions.prefix(20) where id == nil || version.id == id {
                for difference in version.differences {
                    let (before, after) = (Self.short(difference.before), Self.short(difference.after))
                    output += "    \(version.id) \(difference.field): \(before) -> \(after)\n"
                }
            }
            if id == nil, entry.versions.count > 20 { output += "    and \(entry.versions.count - 20) more\n" }
        }
        return ScriptResult(output: output)
    }

    private static func short(_ value: String?) -> String { value.map { $0.quoted(limit: 60) } ?? "none" }

    /// Returns the change of `todo restore ID --change N`.
    func restored(_ command: AppCommand) async throws(ScriptFailure) -> TodoMutation? {
        guard let name = command.operands.first else { return nil }
        guard let text = command.value("change"), let number = Int(text) else {
            throw ScriptFailure(
                .usage,
                "--change needs the number of a change; `todo log \(name.escapingControls())` lists them"
            )
        }
        let entries: [TodoLogEntry]
        do throws(TodoError) {
            entries = try await store.log()
        } catch {
            throw ScriptFailure(error)
        }
        let prefix = TodoID.normalised(name)
        let versions = entries.first { $0.number == number && !$0.isUndone }?.versions ?? []
        if let id = versions.map(\.id).first(where: { $0.description.hasPrefix(prefix) }) {
            return .restore(id, before: number)
        }
        guard let id = try await todos([name]).first?.id else { return nil }
        return .restore(id, before: number)
    }

    func queries(_ command: AppCommand) async throws(ScriptFailure) -> ScriptResult {
        do throws(TodoError) {
            guard let name = command.operands.first else {
                let saved = try await store.savedQueries()
                if command.has("json") { return .json(["queries": saved]) }
                let lines = saved.sorted { $0.key < $1.key }.map { name, query in
                    "\(name.escapingControls())\t\(query.escapingControls())\n"
                }
                return ScriptResult(output: lines.joined(), exitCode: lines.isEmpty ? .nothingMatched : .done)
            }
            let text = command.operands.dropFirst().joined(separator: " ")
            if command.has("remove") {
                try await store.saveQuery(name, nil)
            } else {
                try await store.saveQuery(name, text)
            }
            return ScriptResult()
        } catch {
            throw ScriptFailure(error)
        }
    }

    /// Checks the query of `todo query NAME QUERY` before it is saved.
    func checkQuery(_ command: AppCommand) throws(ScriptFailure) {
        guard command.operands.count > 1 else {
            guard command.operands.isEmpty || command.has("remove") else {
                throw ScriptFailure(.usage, "todo query NAME needs a query, or --remove")
            }
            return
        }
        _ = try query(command.operands.dropFirst().joined(separator: " "))
    }
}
