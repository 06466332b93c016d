import Foundation
import TestSupport
import TodoCore

/// Measures the queries and the formats of Dog on 100,000 todos, with taskwarrior's command on the same todos beside those that
/// it has.
struct TodoFormatBenchmark: Benchmark {
    let area = "formats"
    let summary = "time and memory of queries, JSON, exports and import of 100,000 todos, beside taskwarrior"

    private static let taskwarrior = "/usr/bin/task"
    private static let count = 100_000

    /// A command with its bounds, and the command of taskwarrior that does the same.
    private struct Command {
        var name: String
        var arguments: [String]
        var milliseconds: Double
        var megabytes: Double?
        var peer: [String]?
    }

    private let commands: [Command] = [
        Command(
            name: "todo list --filter +project3",
            arguments: ["todo", "list", "--filter", "+project3"],
            milliseconds: 60,
            peer: ["project:project3", "list"]
        ),
        Command(
            name: "todo list --filter is:overdue",
            arguments: ["todo", "list", "--filter", "is:overdue"],
            milliseconds: 60,
            peer: ["+OVERDUE", "list"]
        ),
        Command(name: "todo count", arguments: ["todo", "count"], milliseconds: 100, peer: ["count"]),
        Command(name: "todo list --json", arguments: ["todo", "list", "--json"], milliseconds: 400, megabytes: 100),
    ]

    func run() async throws -> [BenchmarkRow] {
        guard let program = DogProgram.path else { return [row(commands[0], nil, nil, DogProgram.reason)] }
        let folder = try TemporaryDirectory("pawkit-bench")
        let store = TodoStore(directory: folder.file("dog"))
        _ = try await store.add(try TodoBenchmark.changes(Self.count, firstDay: -10))
        let file = folder.file("tasks.json").path
        let export = ["todo", "export", file, "--format", "taskwarrior", "--data-dir", folder.path]
        _ = try ProcessTime(running: program, export)
        // What follows reads the todos that taskwarrior's file has brought.
        let imported = folder.file("imported").path
        let data = ["--data-dir", imported]
        var rows = try importing(file, program, folder.url, into: imported)
        let exports = ["json", "taskwarrior", "todotxt", "ics", "markdown", "csv"].map { format in
            Command(
                name: "todo export --format \(format)",
                arguments: ["todo", "export", "--format", format],
                milliseconds: 1_000,
                peer: format == "taskwarrior" ? ["export"] : nil
            )
        }
        for command in commands + exports {
            let ours = try ProcessTime.median(program, command.arguments + data, runs: 3)
            rows += try self.rows(command, ours, folder.url, runs: 3)
        }
        return rows
    }

    /// Imports the file into an empty store, by Dog and by taskwarrior.
    private func importing(
        _ file: String,
        _ program: String,
        _ folder: URL,
        into empty: String
    ) throws -> [BenchmarkRow] {
        let settings = "data.location=\(folder.path)/task\nverbose=nothing\ngc=off\nconfirmation=off\n"
        try FileManager.default.createDirectory(atPath: folder.path + "/task", withIntermediateDirectories: true)
        try Data(settings.utf8).write(to: folder.appendingPathComponent("taskrc"))
        let command = Command(
            name: "todo import",
            arguments: ["todo", "import", file, "--format", "taskwarrior", "--data-dir", empty],
            milliseconds: 2_000,
            peer: ["import", file]
        )
        return try rows(command, try ProcessTime(running: program, command.arguments), folder, runs: 1)
    }

    /// Measures the command of taskwarrior, and returns the rows; without values if taskwarrior is missing.
    private func rows(_ command: Command, _ ours: ProcessTime, _ folder: URL, runs: Int) throws -> [BenchmarkRow] {
        var against = "taskwarrior has no such command"
        if let peer = command.peer {
            guard FileManager.default.isExecutableFile(atPath: Self.taskwarrior) else {
                return [row(command, nil, nil, "taskwarrior is not installed: apt-get install taskwarrior")]
            }
            let time = try ProcessTime.median(Self.taskwarrior, ["rc:\(folder.path)/taskrc"] + peer, runs: runs)
            against = "taskwarrior: \(time.milliseconds.brief) ms, \(time.megabytes.brief) MB"
        }
        return [row(command, ours.milliseconds, nil, against)]
            + (command.megabytes.map { [row(command, ours.megabytes, $0, against)] } ?? [])
    }

    /// Returns a row of the time or, with a bound in megabytes, of the memory.
    private func row(_ command: Command, _ value: Double?, _ megabytes: Double?, _ against: String) -> BenchmarkRow {
        let name = "\(megabytes == nil ? "" : "memory of ")\(command.name), \(Self.count) todos"
        let unit = megabytes == nil ? "ms CPU" : "MB"
        return row(name, value, unit, atMost: megabytes ?? command.milliseconds, against: against)
    }
}
