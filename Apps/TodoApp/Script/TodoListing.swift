import AppLanguage
import CommandKit
import EssentialFoundation
import TextEscaping
import TodoCore

/// What `todo names` prints.
enum NameKind: String, CaseIterable {
    /// The IDs of open, completed or all todos, with their titles.
    case open, done, all
    /// Words of todos.
    case projects, contexts, tags
    /// Saved queries, views and the files of templates.
    case queries, views, templates
    /// The actions whose keys `keys.json` changes.
    case actions

    /// The kinds, with commas between them.
    static let list = allCases.map(\.rawValue).joined(separator: ", ")

    /// Returns the kind of a name.
    static func named(_ word: String) throws(ScriptFailure) -> NameKind {
        if let kind = NameKind(rawValue: word) { return kind }
        let nearest = NearestName.of(word, among: allCases.map(\.rawValue)).map { "did you mean \($0.quoted())?" }
        throw ScriptFailure(
            .usage,
            "there is no kind \(word.quoted(limit: 40)); " + (nearest ?? "write one of \(list)")
        )
    }
}

/// The commands that print todos: `todo list`, `todo count`, `todo show`, and the names for the completions of a shell.
extension TodoCommands {
    func list(_ command: AppCommand) async throws(ScriptFailure) -> ScriptResult {
        let isBare = ["all", "filter", "saved", "sort", "group", "tree", "format", "columns", "in"].allSatisfy {
            !command.has($0)
        }
        guard command.verb == .list, isBare, command.operands.isEmpty, let name = defaults.view else {
            return try await listFiltered(command)
        }
        let views = try await attempt { () throws(TodoError) in try await store.views() }
        if views.contains(where: { $0.name == name }) { return try await list(view: name, command) }
        // The query may have been removed since it was chosen.
        var result = try await listFiltered(command)
        let notice = "config.json: view: there is no view \(name.quoted()); `config set view none` lists all open todos"
        result.notices.insert(notice, at: 0)
        return result
    }

    private func listFiltered(_ command: AppCommand) async throws(ScriptFailure) -> ScriptResult {
        let filter = try await filter(command)
        let chosen = try option("sort", command) { text throws(TodoFieldError) in try TodoSort(parsing: text) }
        // The order of urgency is the one in which the todos come.
        let sort = (chosen ?? defaults.sort).flatMap { $0 == TodoSort([TodoSort.Key(.urgency)]) ? nil : $0 }
        let template = try template(command)
        guard template == nil || !command.has("group") && !command.has("tree") else {
            throw ScriptFailure(.usage, "--group and --tree exclude --format and --columns; write one of them")
        }
        let isPlain = ["json", "quiet", "tree", "group"].allSatisfy { !command.has($0) }
        if sort == nil, template == nil, isPlain, !isStyled, spoken == nil {
            let bytes = try await attempt { () throws(TodoError) in try await store.plainLines(filter) }
            if let bytes {
                let exitCode: ExitCode = bytes.isEmpty && !filter.query.isEmpty ? .nothingMatched : .done
                return ScriptResult(bytes: bytes, exitCode: exitCode)
            }
        }
        let contents = try await contents(filter)
        let todos = sort?.sorted(contents.todos) ?? contents.todos
        var result: ScriptResult
        if let template, !command.has("json"), !command.has("quiet") {
            result = ScriptResult(output: todos.map { template.text(for: $0) + "\n" }.joined())
        } else if command.has("tree") {
            let rows = TodoTree.rows(todos)
            result = shown(contents.with(rows.map(\.todo)), command, depths: rows.map(\.depth))
        } else {
            let grouping = command.value("group").flatMap { TodoGrouping(rawValue: $0) }
            result = shown(contents.with(todos), command, grouping: grouping)
        }
        // An empty list is a valid result. A query that matches nothing sets the exit status, as in grep.
        if todos.isEmpty, !filter.query.isEmpty { result.exitCode = .nothingMatched }
        note(contents.damage, in: &result)
        return result
    }

    func count(_ command: AppCommand) async throws(ScriptFailure) -> ScriptResult {
        let filter = try await filter(command)
        // Lines take a fraction of the time of todos.
        let lines = try await attempt { () throws(TodoError) in try await store.plainLines(filter) }
        let contents = lines == nil ? try await contents(filter) : nil
        // Not on the main actor, whose isolation would be checked at each byte.
        let count = contents?.todos.count ?? lines?.count { @Sendable in $0 == UInt8(ascii: "\n") } ?? 0
        var result = command.has("json") ? ScriptResult.json(["count": count]) : ScriptResult(output: "\(count)\n")
        if count == 0, !filter.query.isEmpty { result.exitCode = .nothingMatched }
        note(contents?.damage ?? [], in: &result)
        return result
    }

    /// Returns a result with the damage of the store.
    func noting(_ result: ScriptResult) async throws(ScriptFailure) -> ScriptResult {
        var result = result
        note(try await contents(TodoFilter(ids: [])).damage, in: &result)
        return result
    }

    /// A list with missing todos must not look like a complete one.
    func note(_ damage: [TodoDamage], in result: inout ScriptResult) {
        guard !damage.isEmpty else { return }
        result.notices = damage.map(\.description)
        result.exitCode = .data
    }

    func details(_ command: AppCommand) async throws(ScriptFailure) -> ScriptResult {
        let todos = try await todos(command.operands)
        if command.has("quiet") { return shown(TodoContents(todos: todos), command) }
        if command.has("json") {
            let present = try await contents(TodoFilter(ids: todos.map(\.id)))
            return shown(present.with(todos), command)
        }
        if let template = try template(command) {
            return ScriptResult(output: todos.map { template.text(for: $0) + "\n" }.joined())
        }
        let all = try await contents(.everything)
        let line = TodoLine(isStyled: isStyled, today: today, time: clock.time, spoken: spoken)
        var output = ""
        for todo in todos {
            let isBlocked = all.blocking.blocked.contains(todo.id)
            output += (output.isEmpty ? "" : "\n") + line.text(for: todo, isBlocked: isBlocked) + "\n"
            if command.has("urgency") {
                output += Self.urgency(all.urgency(of: todo))
                continue
            }
            var rows: [(String, String)] = []
            if let parent = todo.parent, let found = all.todos.first(where: { $0.id == parent }) {
                rows.append(("part of", "\(parent) \(found.title)"))
            }
            func row(_ other: Todo) -> String { "\(other.id) \(other.isDone ? "[x]" : "[ ]") \(other.title)" }
            for child in all.todos where child.parent == todo.id { rows.append(("subtask", row(child))) }
            for other in all.todos where other.uuid.map(todo.dependencies.contains) == true {
                rows.append(("after", row(other)))
            }
            for other in all.todos where todo.uuid.map(other.dependencies.contains) == true {
                rows.append(("before", row(other)))
            }
            for link in todo.links { rows.append(("link", link)) }
            rows.append(("created", DateText.text(todo.created, clock.zone)))
            rows.append(("modified", DateText.text(todo.modified, clock.zone)))
            if let started = todo.started {
                rows.append(("in progress since", DateText.text(started, clock.zone)))
            }
            let spent = todo.timeSpent(at: clock.now()).rounded()
            if spent > 0 || todo.isActive { rows.append(("time spent", DayText.duration(spent).english)) }
            if let completed = todo.completed { rows.append(("completed", DateText.text(completed, clock.zone))) }
            if let uuid = todo.uuid { rows.append(("uuid", uuid.text)) }
            for (name, value) in rows { output += "  \(name): \(value.escapingControls())\n" }
            for line in (todo.note ?? "").split(separator: "\n", omittingEmptySubsequences: false)
            where todo.note != nil {
                output += "  | \(line.escapingControls())\n"
            }
        }
        return ScriptResult(output: output)
    }

    /// Returns the terms of an urgency in columns, with their sum.
    private static func urgency(_ terms: [TodoUrgency.Term]) -> String {
        let rows = terms.map { term in
            (term.name, "\(fixed(term.factor, 3)) * \(fixed(term.coefficient, 2)) =", fixed(term.value, 3))
        }
        let sum = [("urgency", "", fixed(terms.reduce(0) { $0 + $1.value }, 3))]
        func padded(_ text: String, _ width: Int) -> String {
            String(repeating: " ", count: max(0, width - text.count)) + text
        }
        return (rows + sum).map { name, product, value in
            "  " + name + padded(product, 28 - name.count) + padded(value, 9) + "\n"
        }.joined()
    }

    /// Returns a number with a fixed number of digits after the point.
    private static func fixed(_ value: Double, _ digits: Int) -> String {
        let scale = (0..<digits).reduce(1) { scale, _ in scale * 10 }
        let whole = Int((value * Double(scale)).rounded())
        let fraction = String(abs(whole) % scale)
        return (whole < 0 ? "-" : "") + "\(abs(whole) / scale)."
            + String(repeating: "0", count: digits - fraction.count) + fraction
    }

    /// Prints the words that a shell offers, with a description after a tab.
    func names(_ command: AppCommand) async throws(ScriptFailure) -> ScriptResult {
        let kind = try command.operands.first.map { word throws(ScriptFailure) in try NameKind.named(word) } ?? .open
        let todos = try await contents(.everything).todos
        let (views, saved) = try await attempt { () throws(TodoError) in
            (try await store.views(), try await store.savedQueries())
        }
        func lines(_ filter: TodoFilter) -> [String] {
            todos.matching(filter).map { "\($0.id)\t\($0.title.prefix(60))" }
        }
        let words =
            switch kind {
            case .open: lines(TodoFilter(today: today))
            case .done: lines(TodoFilter(status: .done, today: today))
            case .all: lines(.everything)
            case .projects: Set(todos.flatMap(\.projects)).sorted()
            case .contexts: Set(todos.flatMap(\.contexts)).sorted()
            case .tags: Set(todos.flatMap(\.tags)).sorted()
            case .queries: ["none"] + views.map(\.name).filter { saved[$0] != nil }
            case .views: views.map(\.name)
            case .templates: templates.names
            case .actions: KeyMapFile.names(language)
            }
        return ScriptResult(
            output: words.map { line in
                line.split(separator: "\t").map { $0.escapingControls() }.joined(separator: "\t") + "\n"
            }.joined()
        )
    }

    // MARK: Options

    /// Returns the filter of the operands, `--filter` and `--saved`, which must all match.
    func filter(_ command: AppCommand) async throws(ScriptFailure) -> TodoFilter {
        let list = try await listChoice(command)
        var texts = [command.operands.joined(separator: " "), command.value("filter") ?? ""]
        if let name = command.value("saved") {
            let saved = try await attempt { () throws(TodoError) in try await store.savedQueries() }
            guard let query = saved[name] else { throw ScriptFailure(TodoError.noQuery(name: name)) }
            texts.append(query)
        }
        var parts: [String] = []
        for text in texts where !text.isBlank {
            _ = try query(text)
            parts.append("(\(text))")
        }
        var query = try query(parts.count == 1 ? texts.first { !$0.isBlank } ?? "" : parts.joined(separator: " "))
        if let list { query = query.restricted(toList: list.name) }
        return TodoFilter(
            status: command.has("all") ? .all : .open,
            query: query.and(try await contextQuery(command)),
            includesArchived: command.has("all"),
            today: today
        )
    }

    func query(_ text: String) throws(ScriptFailure) -> TodoQuery {
        do throws(TodoQueryError) {
            return try TodoQuery(
                parsing: text,
                today: today,
                time: clock.time,
                zone: clock.zone,
                firstWeekday: dates.firstWeekday.number
            )
        } catch {
            throw ScriptFailure(.usage, "the query is invalid, column \(error.column)\n\(error.diagram)")
        }
    }

    private func template(_ command: AppCommand) throws(ScriptFailure) -> TodoTemplate? {
        let columns = try option("columns", command) { text throws(TodoFieldError) in try TodoTemplate(columns: text) }
        if let columns { return columns }
        return try option("format", command) { text throws(TodoFieldError) in try TodoTemplate(parsing: text) }
    }

    /// Parses the value of an option.
    func option<Value>(
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
