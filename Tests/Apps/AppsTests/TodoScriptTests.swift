import Foundation
import TestSupport
import Testing

@Suite("Script mode: todos")
struct TodoScriptTests {
    @Test("A todo is added, edited, completed, opened again and deleted", arguments: AppFixture.FlavourName.allCases)
    func life(flavour: AppFixture.FlavourName) async throws {
        let app = try AppFixture(flavour)
        let id = try await app.add("우유", "사기", "--due", "2026-12-01", "--priority", "b", "--project", "+home")
        var todo = try #require(try await app.todos("todo", "list").first)
        #expect(todo["id"] as? String == id)
        #expect(todo["title"] as? String == "우유 사기")
        #expect(todo["due"] as? String == "2026-12-01")
        #expect(todo["priority"] as? String == "B")
        #expect(todo["project"] as? String == "home")
        #expect(todo["done"] as? Bool == false)

        let edited = try await app.run("todo", "edit", id, "--title", "Buy oat milk", "--due", "none")
        #expect(edited.status == 0)
        #expect(edited.output.contains("Buy oat milk"))
        todo = try #require(try await app.todos("todo", "list").first)
        #expect(todo["title"] as? String == "Buy oat milk")
        #expect(todo["due"] is NSNull)
        #expect(todo["priority"] as? String == "B")

        #expect(try await app.run("todo", "done", String(id.prefix(2))).status == 0)
        #expect(try await app.todos("todo", "list").isEmpty)
        #expect(try await app.todos("todo", "list", "--all").first?["done"] as? Bool == true)
        #expect(try await app.run("todo", "undone", id).status == 0)
        #expect(try await app.todos("todo", "list").count == 1)
        #expect(try await app.run("todo", "rm", id).status == 0)
        #expect(try await app.todos("todo", "list", "--all").isEmpty)
        #expect(try await app.run("todo", "undo").status == 0)
        #expect(try await app.todos("todo", "list").count == 1)
    }

    @Test("The JSON document always has the same fields, absent values as null")
    func stableFields() async throws {
        let app = try AppFixture()
        _ = try await app.add("milk")
        let document = try await app.json("todo", "list")
        #expect(Set(document.keys) == ["todos", "message"])
        let todo = try #require((document["todos"] as? [[String: Any]])?.first)
        #expect(
            Set(todo.keys) == [
                "id", "uuid", "title", "done", "archived", "priority", "project", "projects", "contexts", "tags", "due",
                "time", "threshold", "recurrence", "parent", "dependencies", "blocked", "blocking", "urgency", "links",
                "list", "note", "created", "modified", "completed", "started", "spent",
            ]
        )
        for field in ["priority", "project", "due", "time", "recurrence", "note", "completed"] {
            #expect(todo[field] is NSNull)
        }
        #expect(try await app.todos("todo", "list", "--filter", "nothing").isEmpty)
    }

    @Test("On a pipe the app lists the open todos as plain lines")
    func plainLines() async throws {
        let app = try AppFixture()
        let id = try await app.add("Buy milk", "--context", "shop")
        let result = try await app.run()
        #expect(result.status == 0)
        #expect(result.output == "\(id) [ ] Buy milk @shop\n")
    }

    @Test(
        "Nothing found exits with 1; invalid arguments exit with 2 and a suggestion",
        arguments: [
            (["todo", "list", "--filter", "zebra"], 1, ""),
            (["todo", "done", "zzzz"], 1, "todo list --all"),
            (["todo", "lsit"], 2, "\"todo list\""),
            (["todo", "add", "x", "--priorty", "A"], 2, "\"--priority\""),
            (["todo", "add", "x", "--priority", "AA"], 2, "A to Z"),
            (["todo", "add", "x", "--due", "someday"], 2, "2026-03-09"),
            (["todo", "add", ""], 2, "say what is to be done"),
            (["todo", "add", "a\u{1B}[31mb"], 2, "U+001B"),
            (["todo", "edit", "zzzz"], 2, "nothing to change"),
            (["todo", "undo"], 1, "nothing to undo"),
            (["picture", "--size", "0x5"], 2, "COLUMNSxROWS"),
            (["picture", "--image-api", "ftp://example"], 2, "http://HOST:PORT"),
            (["dcotor"], 2, "\"doctor\""),
        ]
    )
    func exitCodes(arguments: [String], code: Int32, hint: String) async throws {
        let app = try AppFixture()
        let result = try await app.run(arguments)
        #expect(result.status == code, "\(result.errors)")
        #expect(result.output.isEmpty)
        #expect(hint.isEmpty ? result.errors.isEmpty : result.errors.contains(hint))
        #expect(!result.errors.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0.value == 0x7F })
    }

    @Test("Each line of standard input is a todo, all of them or none, and input that is not UTF-8 is an error")
    func standardInput() async throws {
        let app = try AppFixture()
        #expect(try await app.run("todo", "add", "-", "--project", "x", input: "Buy milk due:fri\n\n우유\n").status == 0)
        #expect(try await app.run("todo", "undo").output == "undone: add 2 todos\n")
        #expect(try await app.run("todo", "redo").status == 0)
        let todos = try await app.todos("todo", "list")
        #expect(Set(todos.compactMap { $0["title"] as? String }) == ["Buy milk", "우유"])
        #expect(todos.allSatisfy { $0["project"] as? String == "x" })
        let wrong = try await app.run("todo", "add", "-", input: "fine\npay due:2026-02-30\n")
        #expect(wrong.status == 2 && wrong.errors.contains("line 2: column 5"))
        #expect(try await app.run("todo", "add", "-", input: "\n \n").status == 2)
        let result = try await app.run(["todo", "add", "-"], input: Data([0x61, 0xFF, 0xFE]))
        #expect(result.status == 2)
        #expect(result.errors.contains("UTF-8"))
        #expect(try await app.todos("todo", "list").count == 2)
    }

    @Test("An edit adds +home, removes -home, -@shop and -#cheap, and project: replaces all; urgency is shown by terms")
    func labels() async throws {
        let app = try AppFixture()
        let id = try await app.add("paint +home +work @shop #cheap")
        func edit(_ words: String...) async throws -> [String] {
            let todo = try await app.todos("todo", "edit", id, words[0], words.last ?? "").first ?? [:]
            return ["projects", "contexts", "tags"].map { (todo[$0] as? [String] ?? []).joined(separator: " ") }
        }
        #expect(try await edit("+garden", "-work") == ["home garden", "shop", "cheap"])
        #expect(try await edit("+g", "-@shop").last == "cheap")
        #expect(try await edit("-g", "-#cheap") == ["home garden", "", ""])
        #expect(try await edit("project:attic", "pri:A") == ["attic", "", ""])
        #expect(try await app.run("todo", "edit", id, "--title", "-home", "--", "-x").status == 0)
        #expect(try await app.run("todo", "edit", id, "-jsn").status == 0, "a project that it does not have")
        #expect(try await app.run("todo", "edit", id, "-json").errors.contains("\"--json\""))
        let urgency = try await app.run("todo", "show", id, "--urgency").output
        #expect(urgency.contains("  priorityA     1.000 * 6.00 =    6.000\n"), "\(urgency)")
        #expect(urgency.hasSuffix("  urgency                         7.000\n"), "\(urgency)")
        try app.folder.write("{\"urgency\": {\"priorityA\": -3}}", to: ".config/pawkit/config.json")
        #expect(try await app.todos("todo", "list").first?["urgency"] as? Double == -2)
        try app.folder.write("{\"urgency\": {\"priority\": 3}}", to: ".config/pawkit/config.json")
        let reported = try await app.run("todo", "list")
        #expect(reported.status == 0)
        #expect(reported.errors.contains("config.json: there is no setting \"urgency.priority\""))
    }

    @Test(
        "Dependencies are added, shown in both directions and removed; a cycle and completing a blocked todo are refused"
    )
    func dependencies() async throws {
        let app = try AppFixture()
        let (buy, paint) = (try await app.add("buy"), try await app.add("paint"))
        let hang = try await app.add("hang", "--after", paint)
        #expect(try await app.run("todo", "edit", paint, "--after", buy).status == 0)
        func list(_ query: String) async throws -> [String] {
            try await app.todos("todo", "list", query).compactMap { $0["id"] as? String }
        }
        #expect(try await list("") == [buy, paint, hang], "blocked ones sink")
        #expect(try await Set(list("is:blocked")) == [paint, hang])
        #expect(try await Set(list("is:blocking")) == [buy, paint])
        let cycle = try await app.run("todo", "edit", buy, "--after", hang)
        #expect(cycle.status == 2 && cycle.errors.contains("\(buy) after \(hang) after \(paint) after \(buy)"))
        #expect(try await app.run("todo", "edit", buy, "--after", buy).status == 2)
        let refused = try await app.run("todo", "done", paint)
        #expect(
            refused.status == 1 && refused.errors.contains("\(paint) waits for \(buy) \"buy\""),
            "\(refused.errors)"
        )
        let shown = try await app.run("todo", "show", paint).output
        #expect(shown.contains("  after: \(buy) [ ] buy\n") && shown.contains("  before: \(hang) [ ] hang\n"))
        let part = try await app.add("part", "--parent", paint)
        #expect(
            try await app.run("todo", "tree", paint).output == """
                \(paint) [ ] paint
                  subtask \(part) [ ] part
                  after \(buy) [ ] buy
                  before \(hang) [ ] hang

                """
        )
        let rows = try await app.json("todo", "tree", buy)["rows"] as? [[String: Any]]
        #expect(rows?.map { $0["depth"] as? Int } == [0, 1, 2])
        #expect(try await app.run("todo", "done", buy, paint).status == 0, "both at once")
        #expect(try await list("is:blocked").isEmpty)
        #expect(try await app.run("todo", "undo").status == 0)
        #expect(try await app.run("todo", "done", paint, "--force").status == 0)
        #expect(try await app.run("todo", "undone", paint).status == 0)
        let uuids = try await app.todos("todo", "list", "id:\(paint)").first?["dependencies"] as? [String]
        let uuid = try #require(uuids?.first)
        #expect(try await app.run("todo", "edit", paint, "--not-after", uuid).status == 0, "a UUID is a name, too")
        #expect(try await app.run("todo", "log").output.contains("\(paint) dependencies: \"\(buy)\" -> none"))
        #expect(try await list("is:blocked") == [hang])
        #expect(try await app.run("todo", "edit", hang, "--after", "none").status == 0)
        #expect(try await list("is:blocked").isEmpty)
    }

    @Test("Dog and Cat store their todos separately in one data folder")
    func namespaces() async throws {
        let dog = try AppFixture(.dog)
        _ = try await dog.add("walk")
        let cat = try await ChildProcess.run(
            ChildProcess.productsDirectory.appendingPathComponent("Cat"),
            ["todo", "list"],
            environment: dog.environment
        )
        #expect(cat.status == 0)
        #expect(cat.output.isEmpty)
    }

    @Test("Only the owner can access the files")
    func permissions() async throws {
        let app = try AppFixture()
        _ = try await app.add("secret")
        let files = try #require(FileManager.default.enumerator(atPath: app.folder.path))
        var count = 0
        for case let name as String in files {
            let attributes = try FileManager.default.attributesOfItem(atPath: app.folder.path + "/" + name)
            let mode = (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0
            #expect(mode & 0o077 == 0, "\(name) has mode \(String(mode, radix: 8))")
            count += 1
        }
        #expect(count > 0)
    }

    @Test("Damaged data is reported with its path and exit status 3, without a crash")
    func damagedData() async throws {
        let app = try AppFixture()
        for index in 0..<20 { _ = try await app.add("todo \(index)") }
        let files = try #require(FileManager.default.enumerator(atPath: app.folder.path))
        for case let name as String in files where name.hasSuffix(".journal") {
            try Data(repeating: 0xA5, count: 4096).write(to: app.folder.file(name))
        }
        let result = try await app.run("todo", "list")
        #expect(!result.wasSignalled)
        #expect([0, 3].contains(result.status))
        if result.status == 3 { #expect(result.errors.contains(app.folder.path)) }
        // Nothing is shown that was not there.
        #expect(result.output.split(separator: "\n").allSatisfy { $0.contains("todo ") })
    }

    @Test("A data folder that cannot be made exits 3 and names it")
    func noFolder() async throws {
        let app = try AppFixture()
        let file = try app.folder.write("in the way", to: "file")
        let result = try await app.run("todo", "add", "x", "--data-dir", file.path)
        #expect(result.status == 3)
        #expect(result.errors.contains(file.path))
    }

    @Test(
        "A full disk behind standard output is reported",
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"))
    )
    func fullOutput() async throws {
        let app = try AppFixture()
        let result = try await ChildProcess.run(
            URL(fileURLWithPath: "/bin/sh"),
            ["-c", "\"$0\" --help > /dev/full", app.executable.path],
            environment: app.environment
        )
        #expect(result.status == 3)
        #expect(result.errors.contains("standard output"))
    }

    @Test(
        "Help and version are printed for the program and for each command",
        arguments: [
            ["--help"], ["todo", "add", "--help"], ["picture", "-h"], ["doctor", "--help"],
        ]
    )
    func help(arguments: [String]) async throws {
        let app = try AppFixture()
        let result = try await app.run(arguments)
        #expect(result.status == 0)
        #expect(result.output.contains("Examples:"))
        #expect(result.output.split(separator: "\n").allSatisfy { $0.count <= 120 })
        #expect(try await app.run("--version").output.hasPrefix("Dog "))
    }
}
