import CommandKit
import EssentialFoundation
import TextEscaping
import TodoCore

/// The commands for lists with a name: `todo view`, `todo context` and `todo due`.
extension TodoCommands {
    /// The query of the context; the empty query without one, and with `--no-context`.
    func contextQuery(_ command: AppCommand) async throws(ScriptFailure) -> TodoQuery {
        guard !command.has("no-context"), let context = try await context() else { return TodoQuery() }
        return try query(context.query)
    }

    /// The context.
    func context() async throws(ScriptFailure) -> TodoView? {
        try await attempt { () throws(TodoError) in try await store.contextView() }
    }

    func view(_ command: AppCommand) async throws(ScriptFailure) -> ScriptResult {
        let context = try await contextQuery(command)
        guard let name = command.operands.first else {
            let views = try await attempt { () throws(TodoError) in try await store.views() }
            let all = try await contents(.everything)
            var counts: [ViewCount] = []
            for view in views {
                let filter = TodoFilter(query: try query(view.query).and(context), today: today)
                let count = all.todos.matching(filter, all.order).count
                counts.append(ViewCount(name: view.name, query: view.query, count: count))
            }
            let lines = counts.map { view in
                "\(view.name.escapingControls())\t\(view.count)\t\(view.query.escapingControls())\n"
            }
            var result = command.has("json") ? .json(["views": counts]) : ScriptResult(output: lines.joined())
            note(all.damage, in: &result)
            return result
        }
        return try await list(view: name, command)
    }

    private struct ViewCount: Encodable {
        let name: String
        let query: String
        let count: Int
    }

    /// Lists the todos of a view.
    func list(view name: String, _ command: AppCommand) async throws(ScriptFailure) -> ScriptResult {
        let view = try await attempt { () throws(TodoError) in try await store.view(name) }
        let query = try query(view.query).and(try await contextQuery(command))
        let contents = try await contents(TodoFilter(query: query, today: today))
        var result = shown(
            contents.with(view.sort?.sorted(contents.todos) ?? contents.todos),
            command,
            grouping: view.grouping
        )
        note(contents.damage, in: &result)
        return result
    }

    func setContext(_ command: AppCommand) async throws(ScriptFailure) -> ScriptResult {
        guard let name = command.operands.first else {
            let context = try await context()
            if command.has("json") { return .json(["context": context?.name, "query": context?.query]) }
            return ScriptResult(
                output: context.map { "\($0.name.escapingControls())\t\($0.query.escapingControls())\n" } ?? ""
            )
        }
        try await attempt { () throws(TodoError) in try await store.setContext(name == "none" ? nil : name) }
        return ScriptResult()
    }

    /// Lists what is overdue or due until a time.
    func due(_ command: AppCommand) async throws(ScriptFailure) -> ScriptResult {
        let now = clock.now()
        var end = clock.zone.date(today.adding(1)).addingTimeInterval(-60)
        if let text = command.value("within") {
            guard let seconds = Self.seconds(text) else {
                throw ScriptFailure(
                    .usage,
                    "--within: \(text.quoted(limit: 40)) is not a time; write 15m, 2h, 3d or 1w"
                )
            }
            end = now.addingTimeInterval(Double(seconds))
        }
        let (lastDay, lastTime) = clock.zone.local(end)
        let contents = try await contents(TodoFilter(query: try query("due<=\(lastDay)"), today: today))
        let todos = TodoSort([TodoSort.Key(.due)]).sorted(contents.todos).filter { todo in
            if command.has("upcoming"), todo.isOverdue(on: today, at: clock.time) { return false }
            guard todo.due == lastDay, let time = todo.dueTime else { return true }
            return time <= lastTime
        }
        var result = shown(contents.with(todos), command)
        if todos.isEmpty, command.has("exit-code") { result.exitCode = .nothingMatched }
        note(contents.damage, in: &result)
        return result
    }

    /// Parses `15m`, `2h`, `3d` or `1w` as seconds.
    private static func seconds(_ text: String) -> Int? {
        guard let unit = text.last, let length = ["m": 60, "h": 3_600, "d": 86_400, "w": 604_800][unit],
            let count = Int(text.dropLast()), (0...9_999).contains(count)
        else { return nil }
        return count * length
    }
}
