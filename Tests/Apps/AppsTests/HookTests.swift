import Foundation
import TerminalTesting
import TerminalUI
import TestSupport
import Testing

@Suite("Hooks: programs of the user that see each change before it is stored")
struct HookTests {
    private let app: AppFixture
    private var hooks: String { "\(app.folder.path)/.config/pawkit/hooks" }

    init() throws { app = try AppFixture() }

    /// Writes a shell script as a hook.
    private func hook(_ name: String, _ script: String, isExecutable: Bool = true) throws {
        let path = ".config/pawkit/hooks/\(name)"
        try app.folder.writeProgram("#!/bin/sh\n\(script)\n", to: path, isExecutable: isExecutable)
    }

    private func titles() async throws -> [String] {
        try await app.todos("todo", "list", "--all").compactMap { $0["title"] as? String }.sorted()
    }

    @Test(
        "The hooks of an event amend a new todo one after the other; those of other events and other files do not run"
    )
    func add() async throws {
        try hook("add", #"sed 's/^{"after":{\(.*\)}}$/{"priority":"A","projects":["home"],\1}/'"#)
        // The second one matches what the first has written.
        try hook("add-note", #"sed 's/^{"after":{\(.*"priority":"A".*\)}}$/{"note":"second",\1}/'"#)
        for name in ["change", "complete", "address", "add~"] { try hook(name, "exit 1") }
        try hook("add.off", "exit 1", isExecutable: false)
        let todo = try #require(await app.todos("todo", "add", "milk", "@shop").first)
        #expect(todo["priority"] as? String == "A" && todo["projects"] as? [String] == ["home"])
        #expect(todo["note"] as? String == "second" && todo["contexts"] as? [String] == ["shop"])
        let stored = try #require(await app.todos("todo", "list").first)
        #expect(stored["id"] as? String == todo["id"] as? String && stored["note"] as? String == "second")
        // One step of the history holds the change and what the hooks made of it.
        #expect(try await app.run("todo", "undo").status == 0)
        #expect(try await titles().isEmpty)
        let report = try await app.run("doctor")
        #expect(report.output.contains("add.off does not run") && report.output.contains("\(hooks)/add-note\n"))
    }

    @Test("A hook refuses with its reason, and nothing of the change is stored")
    func refusal() async throws {
        let id = try await app.add("milk")
        try hook("add", #"grep -q later || exit 0; printf 'say when\033[31m' >&2; exit 1"#)
        try hook("change.1", "exit 3")
        let refused = try await app.run(["todo", "add", "-"], input: Data("now\nlater\n".utf8))
        #expect(refused.status == 1 && refused.errors.contains("say when"), "\(refused.errors)")
        #expect(refused.errors.contains("\(hooks)/add") && !refused.errors.contains("\u{1B}"))
        // A parent that ignores the end of its child processes passes that on.
        let inherited = try await ChildProcess.run(
            URL(fileURLWithPath: "/bin/bash"),
            ["-c", "trap '' CHLD; exec \"$0\" todo add later", app.executable.path],
            environment: app.environment
        )
        #expect(inherited.status == 1 && inherited.errors.contains("say when"), "\(inherited.errors)")
        #expect(try await titles() == ["milk"])
        let change = try await app.run("todo", "edit", id, "bread")
        #expect(change.status == 1 && change.errors.contains("without a reason"))
        #expect(try await app.run("todo", "batch", input: "add now\nedit \(id) bread\n").status == 1)
        #expect(try await titles() == ["milk"])
        // What is not a change of a field or a state is not reviewed.
        #expect(try await app.run("todo", "rm", id).status == 0)
        #expect(try await app.run("todo", "undo").status == 0)
        #expect(try await app.run("todo", "add", "now").status == 0)
        #expect(try await titles() == ["milk", "now"])
    }

    @Test("A change is one call with both states of each todo; completing a recurring one also adds the next")
    func change() async throws {
        let log = "\(app.folder.path)/log"
        let bothTitles = #"s/^{"after":{.*"title":"\([^"]*\)".*"before":{.*"title":"\([^"]*\)".*/\2>\1/"#
        let newTitle = #"s/^{"after":{.*"title":"\([^"]*\)".*/->\1/"#
        for event in ["add", "change", "complete"] {
            try hook(event, "echo $1 $(sed -e '\(bothTitles)' -e '\(newTitle)') >>'\(log)'")
        }
        let first = try await app.add("one", "due:2030-01-31", "rec:+1m")
        let second = try await app.add("two")
        #expect(try await app.run("todo", "edit", second, "three").status == 0)
        #expect(try await app.run("todo", "edit", second, "three").status == 0, "nothing to change")
        #expect(try await app.run("todo", "start", first, second).status == 0)
        #expect(try await app.run("todo", "done", first, second).status == 0)
        let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
        #expect(
            lines == [
                "add ->one", "add ->two", "change two>three", "change one>one three>three", "add ->one",
                "complete one>one three>three",
            ]
        )
        let due = try await app.todos("todo", "list").compactMap { $0["due"] as? String }
        #expect(due == ["2030-02-28"])
        #expect(try await app.run("todo", "undo").output.contains("complete 2 todos"))
        #expect(try await titles() == ["one", "three"])
    }

    @Test(
        "A hook that fails is named with what it did, and nothing is stored",
        arguments: [
            ("sleep 60", "did not end in 5 seconds"),
            ("cat; cat /dev/null; echo '{}'", "read 1 lines and wrote 2"),
            ("echo '{'", "wrote a line 1 that is not the todo"),
            (#"sed 's/^{"after":\(.*\)}$/\1/; s/"id":"[^"]*"/"id":"zzzz"/'"#, "it is zzzz, and not"),
            (#"sed 's/^{"after":\(.*\)}$/\1/; s/"milk"/""/'"#, "the title is empty"),
            ("yes", "wrote more than 16777216 bytes"),
        ]
    )
    func failure(body: String, message: String) async throws {
        try hook("add", body)
        let result = try await app.run("todo", "add", "milk")
        #expect(result.status == 3 && result.errors.contains(message), "\(result.errors)")
        #expect(result.errors.contains("\(hooks)/add") && result.errors.contains("nothing was changed"))
        #expect(try await titles().isEmpty)
    }

    @Test("A program that a hook starts can change the todos, and runs no hooks")
    func nested() async throws {
        try hook("add", "'\(app.executable.path)' todo add nested >&2")
        #expect(try await app.run("todo", "add", "milk").status == 0)
        #expect(try await titles() == ["milk", "nested"])
        // A hook that changes the same todo again and again is refused in the end.
        let id = try await app.add("bread")
        try hook("change", "'\(app.executable.path)' todo annotate \(id) more >&2")
        #expect(try await app.run("todo", "edit", id, "cake").errors.contains("was changed by another process"))
    }

    @Test("A hook's refusal is on the screen, and the text is still there")
    func screen() async throws {
        try hook("add", "echo no new todos today >&2; exit 1")
        let screen = try await AppScreen(app, showing: "Nothing to do")
        defer { screen.terminal.end() }
        try await screen.type("nmilk\r", waitingFor: "no new todos today")
        #expect(screen.now.screen.text.contains("milk"))
        try FileManager.default.removeItem(atPath: "\(hooks)/add")
        try await screen.type("\r", waitingFor: "[ ] milk")
        #expect(try await titles() == ["milk"])
    }
}
