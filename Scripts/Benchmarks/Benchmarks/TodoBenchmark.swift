import Foundation
import TestSupport
import TodoCore

/// Measures the commands of Dog on many todos, with taskwarrior on the same todos beside it.
struct TodoBenchmark: Benchmark {
    let area = "todo"
    let summary = "time and memory of todo list, add, done and the filter at 1,000 to 100,000 todos, beside taskwarrior"

    private static let taskwarrior = "/usr/bin/task"

    func run() async throws -> [BenchmarkRow] {
        guard let program = DogProgram.path else {
            return [row("todo list of 100,000 todos", nil, "ms CPU", atMost: 150, against: DogProgram.reason)]
        }
        var rows: [BenchmarkRow] = []
        for count in [1_000, 10_000, 100_000] { rows += try await measure(count, program) }
        return rows
    }

    /// Todos with the fields that the commands read; one in five is due on one of 60 days from the first.
    static func changes(_ count: Int, firstDay: Int = 0) throws -> [TodoChange] {
        let first = Day(Date()).adding(firstDay)
        return try (0..<count).map { number in
            try TodoChange(
                title: "todo number \(number) 우유",
                priority: number % 4 == 0 ? Priority("B") : nil,
                projects: ["project\(number % 20)"],
                contexts: number % 3 == 0 ? ["shop"] : [],
                due: number % 5 == 0 ? first.adding(number % 60) : nil
            )
        }
    }

    private func measure(_ count: Int, _ program: String) async throws -> [BenchmarkRow] {
        let folder = try TemporaryDirectory("pawkit-bench")
        let store = TodoStore(directory: folder.file("dog"))
        let todos = try await store.add(try Self.changes(count))
        let data = ["--data-dir", folder.path]
        // As in use: some changes since the index was written.
        for todo in todos.prefix(20) { _ = try await store.complete([todo.id]) }
        let runs = count > 10_000 ? 7 : 11
        let list = try ProcessTime.median(program, ["todo", "list"] + data, runs: runs)
        let add = try ProcessTime.median(program, ["todo", "add", "one more +home due:fri"] + data, runs: runs)
        var ids = todos.dropFirst(100).prefix(runs).map(\.id.description)[...]
        let done = try (0..<runs).map { _ in
            try ProcessTime(running: program, ["todo", "done", ids.popFirst() ?? ""] + data).milliseconds
        }.sorted()[runs / 2]
        let shown = todos[count / 2].id.description
        let show = try ProcessTime.median(program, ["todo", "show", shown, "--json"] + data, runs: runs)
        let peer = try peerList(todos, folder.url, runs: count > 10_000 ? 3 : 7)
        func name(_ text: String) -> String { "\(text), \(count) todos" }
        let against =
            peer.map { "taskwarrior's list: \($0.milliseconds.brief) ms, \($0.megabytes.brief) MB" }
            ?? "taskwarrior is not installed: apt-get install taskwarrior"
        var rows = [
            row(name("todo list"), list.milliseconds, "ms CPU", atMost: 150, against: against),
            row(name("memory of todo list"), list.megabytes, "MB", atMost: 150, against: against),
            row(name("todo add"), add.milliseconds, "ms CPU", atMost: 20, against: "the whole process"),
            row(name("todo done"), done, "ms CPU", atMost: 20, against: "the whole process"),
            row(name("todo show ID --json"), show.milliseconds, "ms CPU", atMost: 20, against: "the whole process"),
        ]
        // With fewer todos, the start of the process is most of the time.
        if count >= 100_000 {
            let ratio = peer.map { list.milliseconds / $0.milliseconds }
            rows.append(row(name("todo list against task list"), ratio, "x", atMost: 0.1, against: against))
        }
        let stored = try await store.todos()
        rows += try await searches(TodoSnapshot(stored), of: "", name)
        var families = stored
        for index in families.indices where index % 10 > 0 { families[index].parent = families[index / 10 * 10].id }
        rows += try await searches(TodoSnapshot(families), of: ", nine of ten are subtasks", name)
        let orders = count < 100_000 ? [FilterKeys.orders[0]] : FilterKeys.orders
        let keys = try await FilterKeys(program, folder.path, todos: stored, orders: orders)
        for order in orders {
            for (what, times) in [
                ("wall time", keys?.wallTimes[order.name]), ("processor time", keys?.processorTimes[order.name]),
            ] {
                let title = name("a key in the filter to the right frame by \(order.name), \(what)")
                let against = times?.max().map { "the median; the slowest key: \($0.brief) ms" }
                let middle = times.map { $0.sorted()[$0.count / 2] }
                rows.append(row(title, middle, "ms", atMost: 16, against: against ?? "needs /proc"))
            }
        }
        let memory = keys == nil ? "needs /proc" : "the peak"
        rows.append(row(name("memory of the app"), keys?.megabytes, "MB", atMost: 150, against: memory))
        return rows
    }

    /// Measures searches in every order and with every kind of headings, after a list of all todos in that order.
    private func searches(
        _ snapshot: TodoSnapshot,
        of what: String,
        _ name: (String) -> String
    ) async throws -> [BenchmarkRow] {
        func processorTime() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
            return Double(time.tv_sec) * 1_000 + Double(time.tv_nsec) / 1e6
        }
        func measure(_ title: String, _ sort: TodoSort?, _ grouping: TodoGrouping?) async -> BenchmarkRow {
            _ = await snapshot.listing(TodoListRequest(filter: TodoFilter(), sort: sort, grouping: grouping))
            var times: [Double] = []
            for text in ["m", "mi", "+project1", "number 9 due<7d", "우유 or x", "not 9", ""] {
                let request = TodoListRequest(filter: TodoFilter(text: text), sort: sort, grouping: grouping)
                let before = processorTime()
                _ = await snapshot.listing(request, locating: snapshot.todos.last?.id)
                times.append(processorTime() - before)
            }
            let median = times.sorted()[times.count / 2]
            let name = name("a key in the filter: the search by \(title)\(what)")
            let against = "the slowest of seven, without the frame; the median: \(median.brief) ms"
            return row(name, times.max() ?? 0, "ms CPU", atMost: 16, against: against)
        }
        var rows = [await measure("display order", nil, nil)]
        guard what.isEmpty else { return rows }
        for field in TodoSort.Field.allCases {
            rows.append(await measure(field.rawValue, TodoSort([TodoSort.Key(field)]), nil))
        }
        for grouping in TodoGrouping.allCases {
            rows.append(await measure("display order in groups of \(grouping.rawValue)", nil, grouping))
        }
        return rows
    }

    /// Measures `task list` on the same todos; `nil` without taskwarrior.
    private func peerList(_ todos: [Todo], _ folder: URL, runs: Int) throws -> ProcessTime? {
        guard FileManager.default.isExecutableFile(atPath: Self.taskwarrior) else { return nil }
        let data = folder.appendingPathComponent("task")
        try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
        // The file of taskwarrior 2, written directly: an import of 100,000 tasks takes minutes.
        let lines = todos.map { todo in
            var fields = [
                ("description", todo.title), ("entry", "1780000000"), ("modified", "1780000000"), ("status", "pending"),
                ("uuid", todo.uuid?.uuidString.lowercased() ?? UUID().uuidString.lowercased()),
                ("project", todo.project ?? ""),
            ]
            if todo.priority != nil { fields.append(("priority", "M")) }
            if !todo.contexts.isEmpty { fields.append(("tags", todo.contexts.joined(separator: ","))) }
            if let due = todo.due { fields.append(("due", "\(due.number * 86_400)")) }
            return "[" + fields.map { "\($0.0):\"\($0.1)\"" }.joined(separator: " ") + "]\n"
        }
        try Data(lines.joined().utf8).write(to: data.appendingPathComponent("pending.data"))
        let settings = folder.appendingPathComponent("taskrc")
        try Data("data.location=\(data.path)\nverbose=nothing\ngc=off\nconfirmation=off\n".utf8).write(to: settings)
        return try ProcessTime.median(Self.taskwarrior, ["rc:\(settings.path)", "list"], runs: runs)
    }
}
