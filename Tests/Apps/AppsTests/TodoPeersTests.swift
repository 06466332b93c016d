import Foundation
import TestSupport
import Testing

/// Runs a program of Debian with its files in a folder of the test.
private func peer(_ program: String, _ arguments: [String], _ folder: URL, input: String = "") async throws
    -> ChildResult
{
    try await ChildProcess.run(
        URL(fileURLWithPath: program),
        arguments,
        environment: [
            "TASKDATA": folder.appendingPathComponent("task").path,
            "TASKRC": folder.appendingPathComponent("taskrc").path,
            "HOME": folder.path, "TZ": "UTC",
        ],
        input: Data(input.utf8)
    )
}

private let taskwarrior = "/usr/bin/task"
private let todoTxt = "/usr/bin/todo-txt"

@Suite("Todos exchanged with the programs of Debian")
struct TodoPeersTests {
    private let app: AppFixture

    init() throws {
        app = try AppFixture()
        try FileManager.default.createDirectory(at: app.folder.file("task"), withIntermediateDirectories: true)
        try Data("confirmation=off\nverbose=nothing\nnews.version=2.6.0\n".utf8).write(to: app.folder.file("taskrc"))
    }

    private var folder: URL { URL(fileURLWithPath: app.folder.path) }

    @Test(
        "taskwarrior's export is imported, changed, and imported by taskwarrior again, matched by UUID",
        .enabled(if: FileManager.default.isExecutableFile(atPath: taskwarrior), "taskwarrior is not installed")
    )
    func taskwarriorBothWays() async throws {
        for arguments in [
            ["add", "Buy milk", "project:home", "+errand", "due:2026-12-01", "priority:H"], ["add", "우유 사기"],
            ["add", "depends on it", "depends:1"], ["1", "annotate", "first note"], ["2", "done"], ["3", "start"],
        ] { #expect(try await peer(taskwarrior, arguments, folder).status == 0, "\(arguments)") }
        let exported = try await peer(taskwarrior, ["export"], folder)
        let utc: [String: String?] = ["TZ": "UTC"]
        let report = try await app.run(
            "todo",
            "import",
            "--format",
            "taskwarrior",
            input: exported.output,
            environment: utc
        )
        #expect(
            report.status == 0 && report.output.hasSuffix("3 added, 0 changed, 0 unchanged, 0 refused\n"),
            "\(report)"
        )
        let todos = try await app.todos("todo", "list", "--all")
        let milk = try #require(todos.first { $0["title"] as? String == "Buy milk" })
        #expect(milk["due"] as? String == "2026-12-01" && milk["priority"] as? String == "A")
        #expect(milk["note"] as? String == "first note" && milk["tags"] as? [String] == ["errand"])
        #expect(todos.first { $0["title"] as? String == "우유 사기" }?["done"] as? Bool == true)
        let waiting = try #require(todos.first { $0["title"] as? String == "depends on it" })
        #expect(
            waiting["started"] is String && waiting["blocked"] as? Bool == true && milk["blocking"] as? Bool == true
        )
        #expect(try await app.run("todo", "stop", waiting["id"] as? String ?? "").status == 0)
        let id = try #require(milk["id"] as? String)
        #expect(try await app.run("todo", "edit", id, "Buy oat milk @shop rec:weekly", environment: utc).status == 0)
        _ = try await app.add("new here", "--project", "work")
        let ours = try await app.run("todo", "export", "--format", "taskwarrior", environment: utc)
        let taken = try await peer(taskwarrior, ["import", "-"], folder, input: ours.output)
        #expect(taken.status == 0, "\(taken.errors)")
        let after = try await peer(taskwarrior, ["export"], folder)
        let tasks = try #require(try JSONSerialization.jsonObject(with: after.standardOutput) as? [[String: Any]])
        let changed = tasks.filter { $0["uuid"] as? String == milk["uuid"] as? String }
        #expect(changed.count == 1 && changed[0]["description"] as? String == "Buy oat milk")
        #expect(Set(changed[0]["tags"] as? [String] ?? []) == ["errand", "@shop"])
        let stopped = tasks.first { $0["uuid"] as? String == waiting["uuid"] as? String }
        #expect(stopped?["start"] == nil && (stopped?["depends"] as? [String])?.count == 1)
        #expect(changed[0]["recur"] as? String == "weekly" && changed[0]["annotations"] != nil)
        #expect(tasks.contains { $0["description"] as? String == "new here" && $0["project"] as? String == "work" })
        // Nothing that taskwarrior has written is a change for us, but for what it computes.
        let second = try await app.run(
            "todo",
            "import",
            "--format",
            "taskwarrior",
            input: after.output,
            environment: utc
        )
        #expect(second.status == 0 && second.output.contains("0 added"), "\(second.output)")
    }

    @Test(
        "todo.txt-cli lists, adds and completes lines of an exported file, and its file is imported again",
        .enabled(if: FileManager.default.isExecutableFile(atPath: todoTxt), "todotxt-cli is not installed")
    )
    func todoTxtBothWays() async throws {
        let path = app.folder.file("todo.txt").path
        let settings = """
            export TODO_DIR=\(folder.path)
            export TODO_FILE=\(path)
            export DONE_FILE=\(folder.path)/done.txt
            export REPORT_FILE=\(folder.path)/report.txt

            """
        try app.folder.write(settings, to: "config")
        func cli(_ arguments: String...) async throws -> ChildResult {
            try await peer(todoTxt, ["-p", "-d", app.folder.file("config").path] + arguments, folder)
        }
        _ = try await app.add("(A) Call Mum +Family +Home @phone due:2026-12-01")
        _ = try await app.add("우유 사기")
        #expect(try await app.run("todo", "export", path).status == 0)
        let before = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
        let listed = try await cli("ls", "+Family")
        #expect(listed.output.contains("Call Mum +Family +Home @phone due:2026-12-01"), "\(listed)")
        #expect(try await cli("add", "from the other side +x").status == 0)
        #expect(try await cli("-a", "do", "1").status == 0)
        let theirs = try String(contentsOfFile: path, encoding: .utf8)
        let report = try await app.run("todo", "import", path)
        #expect(
            report.output.contains("1 added, 1 changed, 1 unchanged, 0 refused"),
            "\(report.output) of \(theirs), before \(before)"
        )
        #expect(try await app.run("todo", "export", path).status == 0)
        let after = try String(contentsOfFile: path, encoding: .utf8)
        // Byte for byte the lines of the other program.
        let lines = [after, theirs].map { Set($0.split(separator: "\n")) }
        #expect(lines[0] == lines[1])
        #expect(try await app.run("todo", "undo").output.hasPrefix("undone: import"))
    }
}
