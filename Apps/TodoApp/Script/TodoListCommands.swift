import CommandKit
import TextEscaping
import TodoCore

/// The commands of the lists, and the option `--in`.
extension TodoCommands {
    /// The document of `lists --json`.
    struct ListsDocument: Encodable {
        struct List: Encodable {
            @OrNull var name: String?
            @OrNull var color: String?
            let synced: Bool
            let readOnly: Bool
            let open: Int
            let total: Int
        }

        let lists: [List]

        init(_ summaries: [TodoListSummary]) {
            lists = summaries.map { summary in
                List(
                    name: summary.list?.name,
                    color: summary.list?.color,
                    synced: summary.list?.isSynced ?? false,
                    readOnly: summary.list?.isReadOnly ?? false,
                    open: summary.open,
                    total: summary.total
                )
            }
        }
    }

    /// Runs `lists` and the commands that change them, which print the lists that they have changed.
    func lists(_ command: AppCommand) async throws(ScriptFailure) -> ScriptResult {
        let name = command.operands.joined(separator: " ")
        let summaries = try await attempt { () throws(TodoListError) in
            let list: TodoList
            switch command.verb {
            case .listAdd: list = try await store.addList(named: name)
            case .listRename: list = try await store.renameList(name, to: command.value("to") ?? "")
            case .listRemove: list = try await store.list(named: name)
            default: return try await store.listSummaries()
            }
            let changed = try await store.listSummaries().filter { $0.list == list }
            if command.verb == .listRemove { _ = try await store.removeList(name) }
            return changed
        }
        return result(summaries, command)
    }

    private func result(_ summaries: [TodoListSummary], _ command: AppCommand) -> ScriptResult {
        if command.has("json") { return .json(ListsDocument(summaries)) }
        var output = ""
        for summary in summaries {
            if command.has("quiet") {
                if let list = summary.list { output += list.name.escapingControls() + "\n" }
                continue
            }
            var parts = [summary.list?.name ?? "(local)", "\(summary.open) open of \(summary.total)"]
            if summary.list?.isSynced == true { parts.append("synced") }
            if summary.list?.isReadOnly == true { parts.append("read-only") }
            output += parts.map { $0.escapingControls() }.joined(separator: "\t") + "\n"
        }
        return ScriptResult(output: output)
    }

    /// The value of `--in`: a list, or `nil` for todos without one.
    struct ListChoice {
        let name: String?
    }

    /// Returns the list that `--in` names; `nil` without the option.
    func listChoice(_ command: AppCommand) async throws(ScriptFailure) -> ListChoice? {
        guard let name = command.value("in") else { return nil }
        if name == "none" { return ListChoice(name: nil) }
        let list = try await attempt { () throws(TodoListError) in try await store.list(named: name) }
        return ListChoice(name: list.name)
    }
}
