import Foundation
import SystemCalls
import TerminalTesting
import TerminalUI
import TestSupport
import Testing

@Suite("Nothing that the user did is lost, and no loss is silent")
struct NothingIsLostTests {
    /// The lock of the todos, held as by another process.
    private final class StoreLock: Sendable {
        private let descriptor: Int32

        init(_ app: AppFixture) throws {
            descriptor = open(app.journal.path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            try #require(descriptor >= 0 && flock(descriptor, LOCK_EX) == 0)
        }

        func release() { _ = flock(descriptor, LOCK_UN) }

        /// Releases the lock once the output of a program contains a text.
        ///
        /// The program waits for the lock for five seconds, less than a task of the tests may wait for a thread under load.
        func release(after text: String, of terminal: PseudoTerminal) {
            Thread.detachNewThread { [self] in
                let end = ContinuousClock.now + .seconds(60)
                while !terminal.text.contains(text), ContinuousClock.now < end { usleep(1000) }
                release()
            }
        }

        deinit { close(descriptor) }
    }

    // MARK: - Quitting

    @Test("Quitting right after a key waits for the change", arguments: [" q", "dq", "nrun\r\u{3}\u{3}"])
    func quitAfterKey(keys: String) async throws {
        let app = try AppFixture()
        _ = try await app.add("walk")
        for _ in 0..<10 {
            _ = try await app.run("todo", "undo")
            _ = try await app.run(["todo", "rm"] + app.ids())
            _ = try await app.add("walk")
            let screen = try await AppScreen(app, showing: "[ ] walk", columns: 80)
            screen.terminal.type(keys)
            _ = try await screen.terminal.waitForExit()
            let open = try await app.todos("todo", "list").compactMap { $0["title"] as? String }
            #expect(keys.hasPrefix("n") ? Set(open) == ["walk", "run"] : open.isEmpty, "\(keys.debugDescription)")
        }
    }

    @Test("A hangup and SIGTERM right after Enter wait for the change", arguments: [SIGHUP, SIGTERM, SIGINT])
    func signalAfterEnter(signal: Int32) async throws {
        let app = try AppFixture()
        for round in 0..<10 {
            let screen = try await AppScreen(app, showing: "What is to be done", columns: 80)
            try await screen.wait(for: " open, ")
            screen.terminal.type("nround \(round)\r")
            // The line was accepted as soon as the field is empty again.
            try await eventually(within: .seconds(10)) {
                screen.terminal.text.contains("round \(round)") && !screen.now.screen.line(1).contains("round")
            }
            screen.terminal.signal(signal)
            #expect(try await screen.terminal.waitForExit() == 128 + signal)
            let titles = try await app.todos("todo", "list").compactMap { $0["title"] as? String }
            #expect(titles.contains("round \(round)"))
        }
    }

    @Test("While another process holds the lock, quitting says what is being saved and saves it")
    func waitsForLock() async throws {
        let app = try AppFixture()
        _ = try await app.add("walk")
        let screen = try await AppScreen(app, showing: "[ ] walk", columns: 80)
        let message = "saving: complete \"walk\""
        try StoreLock(app).release(after: message, of: screen.terminal)
        screen.terminal.type(" q")
        try await screen.terminal.waitForText(message)
        #expect(try await screen.terminal.waitForExit() == 0)
        #expect(try await app.todos("todo", "list").isEmpty)
    }

    @Test("A change that cannot be saved before the end is printed, with the reason and exit status 3")
    func printsLoss() async throws {
        let app = try AppFixture()
        _ = try await app.add("walk")
        let screen = try await AppScreen(app, showing: "[ ] walk")
        let lock = try StoreLock(app)
        // The history can be read with the lock held.
        #expect(try await app.run("todo", "log").output.contains("add \"walk\""))
        screen.terminal.type(" q")
        #expect(try await screen.terminal.waitForExit(within: .seconds(30)) == 3)
        #expect(screen.terminal.text.contains("not saved: complete \"walk\""))
        lock.release()
    }

    @Test("A signal while text is being typed prints the text")
    func printsTypedText() async throws {
        let app = try AppFixture()
        let screen = try await AppScreen(app, showing: "Nothing to do")
        try await screen.type("nbuy milk", waitingFor: "buy milk")
        screen.terminal.signal(SIGTERM)
        #expect(try await screen.terminal.waitForExit() == 128 + SIGTERM)
        #expect(screen.terminal.text.contains("not saved: typed: buy milk"))
    }

    @Test("Ctrl-C with typed text asks, and a second Ctrl-C quits")
    func asks() async throws {
        let app = try AppFixture()
        let screen = try await AppScreen(app, showing: "Nothing to do")
        try await screen.type("nbuy milk", waitingFor: "buy milk")
        try await screen.type("\u{3}", waitingFor: "Quit and discard the text?")
        #expect(try await screen.terminal.waitForExit(typing: "\u{3}") == 130)
    }

    // MARK: - Saving

    @Test(
        "An editor whose folder became read-only retains the text, and saves it once it is writable",
        .enabled(if: getuid() != 0)
    )
    func readOnly() async throws {
        let app = try AppFixture()
        _ = try await app.add("walk")
        let screen = try await AppScreen(app, showing: "[ ] walk")
        try await screen.type("eXYZ", waitingFor: "walkXYZ")
        chmod(app.journal.path, 0o400)
        try await screen.type("\r", waitingFor: "not saved")
        #expect(screen.now.screen.text.contains("walkXYZ"))
        chmod(app.journal.path, 0o600)
        try await screen.type("\r", waitingFor: "[ ] walkXYZ")
    }

    @Test("An editor whose todo is deleted by another process stays open with the text and says so")
    func deletedMeanwhile() async throws {
        let app = try AppFixture()
        let id = try await app.add("walk")
        let screen = try await AppScreen(app, showing: "[ ] walk")
        try await screen.type("eXYZ", waitingFor: "walkXYZ")
        #expect(try await app.run("todo", "rm", id).status == 0)
        try await screen.type("\r", waitingFor: "deleted meanwhile")
        #expect(screen.now.screen.text.contains("walkXYZ"))
    }

    // MARK: - Undo

    @Test("u undoes this screen's deletion and asks about the todo that a script added after it")
    func undo() async throws {
        let app = try AppFixture()
        _ = try await app.add("walk")
        let screen = try await AppScreen(app, showing: "[ ] walk")
        defer { screen.terminal.end() }
        try await screen.type("d", waitingFor: "Deleted: walk")
        _ = try await app.add("from a script")
        try await screen.wait(for: "[ ] from a script")
        try await screen.type("u", waitingFor: "Undo?")
        try await screen.type("\r", waitingFor: "[ ] walk")
        let titles = try await app.todos("todo", "list").compactMap { $0["title"] as? String }
        #expect(Set(titles) == ["walk", "from a script"])
    }

    // MARK: - Damage

    @Test("A damaged store does not look like an empty one", arguments: ["garbage", "empty", "one bit"])
    func damaged(kind: String) async throws {
        let app = try AppFixture()
        for index in 0..<3 { _ = try await app.add("todo \(index)") }
        var bytes = try Data(contentsOf: app.journal)
        switch kind {
        case "garbage": bytes = Data("garbage".utf8)
        case "empty": bytes = Data()
        default: bytes[bytes.count / 2] ^= 1
        }
        try bytes.write(to: app.journal)
        let copy = app.journal.path + ".damaged"
        for _ in 0..<2 {
            let list = try await app.run("todo", "list")
            #expect(list.status == 3)
            #expect(list.errors.contains("was damaged: todos may be missing"))
            #expect(list.errors.contains(copy))
        }
        let left = try await app.run("todo", "list", "--quiet").output.split(separator: "\n").map(String.init)
        var reads = [["todo", "view"], ["lists"], ["todo", "names"], ["todo", "log", "--json"]]
        for id in left { reads += [["todo", "show", id], ["todo", "show", "--quiet", id], ["todo", "tree", id]] }
        for words in reads {
            let result = try await app.run(words)
            #expect(result.status == 3 && result.errors.contains(copy), "\(words): \(result.errors)")
        }
        let backup = try app.folder.write("the backup", to: "backup.json").path
        let refused = try await app.run("todo", "export", backup)
        #expect(refused.status == 3 && refused.errors.contains(copy) && refused.errors.contains("choose another file"))
        #expect(try String(contentsOfFile: backup, encoding: .utf8) == "the backup")
        let partial = app.folder.file("rest.json").path
        #expect(try await app.run("todo", "export", partial).status == 3)
        #expect(FileManager.default.fileExists(atPath: partial))
        let doctor = try await app.run("doctor")
        #expect(doctor.status == 3)
        #expect(doctor.output.contains("todos     failed"))
        #expect(doctor.output.contains(copy))
        let screen = try await AppScreen(app, showing: "was damaged")
        defer { screen.terminal.end() }
        try FileManager.default.removeItem(atPath: copy)
        #expect(try await app.run("todo", "list").status == 0)
    }

    @Test(
        "The command that removes the end of a torn journal says so",
        arguments: [["doctor"], ["todo", "list"], ["todo", "add", "b"]]
    )
    func torn(arguments: [String]) async throws {
        let app = try AppFixture()
        for index in 0..<3 { _ = try await app.add("todo \(index)") }
        var bytes = try Data(contentsOf: app.journal)
        while bytes.last == 0 { bytes.removeLast() }
        try bytes.dropLast(9).write(to: app.journal)
        let first = try await app.run(arguments)
        #expect(first.status == 0, "\(first.output)")
        let report = arguments == ["doctor"] ? first.output : first.errors
        #expect(report.contains("todos.journal ended in an unfinished write"))
        #expect(report.contains("compare them with a backup"))
        let second = try await app.run(arguments)
        #expect(!second.output.contains("unfinished") && second.errors.isEmpty)
    }

    @Test("Unreadable settings are shown, and are not replaced silently")
    func settings() async throws {
        let app = try AppFixture()
        _ = try await app.add("walk")
        let file = app.journal.deletingLastPathComponent().appendingPathComponent("defaults.journal")
        try Data("garbage".utf8).write(to: file)
        try app.folder.write("garbage", to: "dog/backend/accounts.journal")
        for name in ["config", "keys", "theme"] {
            try app.folder.write("{\"nothing\": \"x\"}", to: ".config/pawkit/\(name).json")
        }
        for _ in 0..<2 {
            let doctor = try await app.run("doctor")
            #expect(doctor.status == 3)
            #expect(doctor.output.contains("settings  failed") && doctor.output.contains("accounts  failed"))
            for name in ["config", "keys", "theme"] {
                #expect(doctor.output.contains("settings  warning  \(name).json: "), "\(doctor.output)")
            }
        }
        try FileManager.default.removeItem(at: app.folder.file(".config/pawkit"))
        let screen = try await AppScreen(app, showing: "defaults.journal")
        try await screen.wait(for: "[ ] walk")
    }

    @Test(
        "Damage in a folder that cannot be written is reported, too",
        .enabled(if: SmallDisk.isPossible, "mounts a disk")
    )
    func damagedReadOnly() async throws {
        let app = try AppFixture()
        for index in 0..<3 { _ = try await app.add("todo \(index)") }
        var bytes = try Data(contentsOf: app.journal)
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: app.journal)
        let settings = app.journal.deletingLastPathComponent().appendingPathComponent("defaults.journal")
        try Data("garbage".utf8).write(to: settings)
        let disk = try SmallDisk(kilobytes: 1_000)
        let folder = disk.path + "/data"
        try FileManager.default.copyItem(atPath: app.folder.path, toPath: folder)
        try disk.makeReadOnly()
        let environment: [String: String?] = ["PAWKIT_DATA_DIR": folder]
        for _ in 0..<2 {
            let list = try await app.run("todo", "list", environment: environment)
            #expect(list.status == 3)
            #expect(list.errors.contains("todos.journal is damaged: todos may be missing"))
            #expect(list.output.contains("todo "), "the intact todos are listed")
        }
        let doctor = try await app.run("doctor", environment: environment)
        #expect(doctor.status == 3)
        #expect(doctor.output.contains("todos     failed") && doctor.output.contains("settings  failed"))
        #expect(doctor.output.contains("defaults.journal is damaged"))
        // The state of the launch is damaged too, so that the app begins as on a first start.
        let screen = try await AppScreen(app, showing: "Todos, typed on one line", environment: environment)
        try await screen.type("\u{1B}", waitingFor: "PRESS START")
        try await screen.type("g", waitingFor: "is damaged")
        try await screen.wait(for: "[ ] todo ")
    }

    @Test("An ambiguous ID exits with 2 and names the candidates")
    func ambiguous() async throws {
        let app = try AppFixture()
        let first = try await app.add("todo 0")
        for index in 1..<40 { _ = try await app.add("todo \(index)") }
        let ids = try await app.ids()
        let prefix = try #require(ids.map { $0.prefix(1) }.first { prefix in ids.count { $0.hasPrefix(prefix) } > 1 })
        let result = try await app.run("todo", "done", String(prefix))
        #expect(result.status == 2)
        #expect(result.errors.contains("could be"))
        #expect(try await app.todos("todo", "list").count == 40)
        #expect(ids.contains(first))
    }
}

extension AppFixture {
    /// The file of the todos.
    fileprivate var journal: URL {
        folder.url.appendingPathComponent(flavour.rawValue.lowercased()).appendingPathComponent("todos.journal")
    }

    /// The IDs of the open todos.
    fileprivate func ids() async throws -> [String] {
        try await todos("todo", "list").compactMap { $0["id"] as? String }
    }
}
