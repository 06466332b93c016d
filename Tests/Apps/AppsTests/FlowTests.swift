import Foundation
import SystemCalls
import TerminalTesting
import TerminalUI
import TestSupport
import Testing

@Suite("The way through the app on a terminal", .timeLimit(.minutes(5)))
struct FlowTests {
    @Test(
        "A first start shows the tutorial once; a guest reaches the list, and the next start begins there",
        arguments: AppFixture.FlavourName.allCases
    )
    func tutorialAndGuest(flavour: AppFixture.FlavourName) async throws {
        let app = try AppFixture(flavour)
        let screen = try await AppScreen(app, columns: 100, rows: 30, isFirstStart: true)
        try await screen.wait(for: "Todos, typed on one line")
        try await screen.type("n", waitingFor: "A \(flavour.rawValue.lowercased()) beside them")
        try await screen.type("n", waitingFor: "An account is optional")
        try await screen.type("n", waitingFor: "PRESS START")
        try await screen.type("g", waitingFor: "Nothing to do")
        #expect(try await screen.terminal.waitForExit(typing: "q") == 0)

        _ = try await AppScreen(app, showing: "Nothing to do", rows: 30, isFirstStart: true)
    }

    @Test(
        "Sign-up with the code of the embedded backend, a start that is signed in, logout, and login again",
        arguments: AppFixture.FlavourName.allCases
    )
    func account(flavour: AppFixture.FlavourName) async throws {
        let app = try AppFixture(flavour)
        let screen = try await AppScreen(app, columns: 100, rows: 30, isFirstStart: true)
        try await screen.wait(for: "Todos, typed on one line")
        try await screen.type("nns", waitingFor: "Enter your telephone number")
        try await screen.type("010-1234-5678\r", waitingFor: "Enter the code")
        var code = ""
        try await eventually(within: .seconds(20)) {
            let digits = screen.now.screen.text.split { !$0.isNumber }.filter { $0.count == 6 }
            code = digits.first.map { String($0) } ?? ""
            return code.count == 6
        }
        try await screen.type("\(code)\r", waitingFor: "Your number is verified")
        try await screen.type("maxdog\tBow7wow!\tMax\t2001-03-09\tmax@example.com\r", waitingFor: "Nothing to do")
        try await screen.wait(for: "Welcome, Max")
        #expect(try await screen.terminal.waitForExit(typing: "q") == 0)

        let second = try await AppScreen(app, showing: "Nothing to do", rows: 30, isFirstStart: true)
        try await second.type("o", waitingFor: "Max (maxdog)")
        // Name, breed, Save, Back, then Log out.
        try await second.type("\t\t\t\t\r", waitingFor: "PRESS START")
        try await second.wait(for: "Logged out.")
        try await second.type("l", waitingFor: "Password")
        // The sign-up has stored the consent to automatic login.
        try await second.type("maxdog\tBow7wow!\r", waitingFor: "Nothing to do")
        #expect(try await second.terminal.waitForExit(typing: "q") == 0)
        // Neither the password nor the code is in any file.
        for file in FileManager.default.enumerator(atPath: app.folder.path)?.compactMap({ $0 as? String }) ?? [] {
            guard let data = FileManager.default.contents(atPath: app.folder.path + "/" + file) else { continue }
            #expect(data.range(of: Data("Bow7wow!".utf8)) == nil, "\(file)")
        }
    }

    @Test("After kill -9 the next start shows the same screen with the draft")
    func restored() async throws {
        let app = try AppFixture()
        let screen = try await AppScreen(app, showing: "Nothing to do", rows: 30)
        try await screen.type("o", waitingFor: "Files")
        try await screen.type("unsaved name", waitingFor: "unsaved name")
        try await wait(for: app, toStore: "unsaved name")
        // The place of a running program is left to it.
        let other = try await AppScreen(app, showing: "Nothing to do", rows: 30)
        #expect(try await other.terminal.waitForExit(typing: "q") == 0)
        try await wait(for: app, toStore: "unsaved name")
        screen.terminal.signal(SIGKILL)
        _ = try await screen.terminal.waitForExit()
        // Another process has got the ID since.
        let folder = app.folder.file(app.flavour.rawValue.lowercased() + "/plists")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".plist") }
        let record = try #require(names.first { $0.hasPrefix("screen-") })
        try FileManager.default.moveItem(
            at: folder.appendingPathComponent(record),
            to: folder.appendingPathComponent("screen-\(getpid()).plist")
        )

        let next = try await AppScreen(app, showing: "unsaved name", rows: 30)
        #expect(next.now.screen.text.contains("Files"))
    }

    @Test(
        "After kill -9 login and sign-up are restored with what was typed, without the password",
        arguments: [("l", "maxdog\tBow7wow!", "maxdog"), ("s", "010-1234-5678", "010-1234-5678")]
    )
    func restoredForms(key: String, typed: String, draft: String) async throws {
        let app = try AppFixture()
        let screen = try await AppScreen(app, columns: 100, rows: 30, isFirstStart: true)
        try await screen.wait(for: "Todos, typed on one line")
        try await screen.type("nnn", waitingFor: "PRESS START")
        try await screen.type(key, waitingFor: key == "l" ? "Password" : "Enter your telephone number")
        try await screen.type(typed, waitingFor: draft)
        try await wait(for: app, toStore: draft)
        screen.terminal.signal(SIGKILL)
        _ = try await screen.terminal.waitForExit()
        #expect(!Self.files(below: app.folder.path).contains { $0.range(of: Data("Bow7wow!".utf8)) != nil })

        let next = try await AppScreen(app, columns: 100, rows: 30, isFirstStart: true)
        try await next.wait(for: draft)
        #expect(next.now.screen.text.contains(key == "l" ? "Password" : "Enter your telephone number"))
    }

    /// Waits until the stored place contains all of the texts. A file that is being written does not count: it replaces
    /// the one before only when it is whole, and a kill before that leaves the earlier place.
    private func wait(for app: AppFixture, toStore texts: String...) async throws {
        let folder = "\(app.folder.path)/\(app.flavour.rawValue.lowercased())/plists"
        try await eventually(within: .seconds(10)) {
            // Each running program has a file.
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return names.contains { name in
                guard name.hasPrefix("screen"), name.hasSuffix(".plist"),
                    let file = FileManager.default.contents(atPath: "\(folder)/\(name)")
                else { return false }
                return texts.allSatisfy { file.range(of: Data($0.utf8)) != nil }
            }
        }
    }

    /// Kills the app and starts it again.
    private func killed(_ screen: AppScreen, _ app: AppFixture) async throws -> AppScreen {
        screen.terminal.signal(SIGKILL)
        _ = try await screen.terminal.waitForExit()
        return try await AppScreen(app, columns: 100, rows: 30)
    }

    @Test(
        "After kill -9 the menu, the settings and the list of keys are open again",
        arguments: [("m", "Sign up", "menu"), (",", "Log in automatically", "settings"), ("?", "─ Keys ─", "keys")]
    )
    func restoredPanels(key: String, text: String, name: String) async throws {
        let app = try AppFixture()
        let screen = try await AppScreen(app, showing: "Nothing to do", rows: 30)
        try await screen.type(key, waitingFor: text)
        try await wait(for: app, toStore: name)
        let next = try await killed(screen, app)
        try await next.wait(for: text)
        next.terminal.type("\u{1B}")
        try await eventually(within: .seconds(10)) { !next.now.screen.text.contains(text) }
    }

    @Test("After kill -9 the question whether to discard changed text is open again, with the text")
    func restoredQuestion() async throws {
        let app = try AppFixture()
        let screen = try await AppScreen(app, showing: "Nothing to do", rows: 30)
        try await screen.type("o", waitingFor: "Files")
        try await screen.type("Jisu\u{1B}", waitingFor: "Discard the changes?")
        try await wait(for: app, toStore: "discard")
        let next = try await killed(screen, app)
        try await next.wait(for: "Discard the changes?")
        next.terminal.type("\u{1B}")
        try await eventually(within: .seconds(10)) { !next.now.screen.text.contains("Discard the changes?") }
        #expect(next.now.screen.text.contains("Jisu"))
    }

    @Test("After kill -9 the open details show the same todo; if it has gone, the list is alone")
    func restoredDetails() async throws {
        let app = try AppFixture()
        let other = try await app.add("walk the dog")
        let id = try await app.add("bake bread note:\"at 180 degrees\"")
        let screen = try await AppScreen(app, showing: "bake bread", rows: 30)
        try await screen.type("/bread\r", waitingFor: "1 found, 2 open")
        try await screen.type("\r", waitingFor: "─ Details ─")
        try await wait(for: app, toStore: "detail", id)
        let next = try await killed(screen, app)
        // The frame is there before its todo.
        try await next.wait(for: "─ Details ─")
        try await next.wait(for: "at 180 degrees")
        next.terminal.signal(SIGKILL)
        _ = try await next.terminal.waitForExit()

        #expect(try await app.run("todo", "rm", id).status == 0)
        let last = try await AppScreen(app, showing: "1 open, 0 done", rows: 30)
        try await last.type("\r", waitingFor: "─ Details ─")
        try await last.wait(for: other)
        #expect(!last.now.screen.text.contains("at 180 degrees"))
    }

    @Test("After kill -9 the calendar is open again at the same month")
    func restoredCalendar() async throws {
        let app = try AppFixture()
        let screen = try await AppScreen(app, showing: "Nothing to do", rows: 30)
        let names = [
            "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
            "November", "December",
        ]
        /// The month in the heading of the calendar, such as `2027-01`; `nil` while it is closed.
        func month(_ screen: AppScreen) -> String? {
            guard let line = screen.now.screen.text.split(separator: "\n").first(where: { $0.contains("‹") }),
                let name = names.firstIndex(where: { line.contains($0) }),
                let year = line.split(separator: " ").lazy.compactMap({ Int($0) }).first
            else { return nil }
            return "\(year)-\(name < 9 ? "0" : "")\(name + 1)"
        }
        try await screen.type("t", waitingFor: "Nothing is due.")
        let present = month(screen)
        screen.terminal.type("\u{1B}[6~")
        try await eventually(within: .seconds(10)) { month(screen) != present }
        let later = month(screen)
        screen.terminal.type("\u{1B}[6~")
        try await eventually(within: .seconds(10)) { month(screen) != later }
        let wanted = try #require(month(screen))
        try await wait(for: app, toStore: "calendar", wanted)
        let next = try await killed(screen, app)
        try await eventually(within: .seconds(20)) { month(next) == wanted }
        next.terminal.type("\u{1B}")
        try await eventually(within: .seconds(10)) { month(next) == nil }
    }

    @Test("After kill -9 the same favourite is selected")
    func restoredFavourite() async throws {
        let app = try AppFixture()
        var addresses: [String] = []
        // The pictures are random, so that one can come twice.
        while addresses.count < 3 {
            #expect(try await app.run("picture", "--draw", "none").status == 0)
            _ = try await app.run("favourite", "add")
            addresses = try await app.run("favourite", "list", "--quiet").output.split(separator: "\n").map(String.init)
        }
        let screen = try await AppScreen(app, showing: "Nothing to do", rows: 30)
        screen.terminal.type("F")
        try await wait(for: app, toStore: "selected", addresses[0])
        screen.terminal.type("\u{1B}[B")
        try await wait(for: app, toStore: "selected", addresses[1])
        let next = try await killed(screen, app)
        defer { next.terminal.end() }
        // The heading is there before the rows, without which the key does nothing; each row shows the service.
        try await eventually(within: .seconds(20)) {
            let text = next.now.screen.text
            return text.contains("Source") && text.components(separatedBy: "127.0.0.1").count > 3
        }
        // The second one is selected: it is the one that is removed.
        next.terminal.type("d")
        try await eventually(within: .seconds(10)) {
            try await app.run("favourite", "list", "--quiet").output == "\(addresses[0])\n\(addresses[2])\n"
        }
    }

    @Test("A link opens its place, and one to what is not there says so and shows the list")
    func links() async throws {
        let app = try AppFixture()
        let id = try await app.add("walk the dog")
        let todo = try await AppScreen(app, columns: 100, rows: 30, arguments: ["open", "todo/\(id)"])
        try await todo.wait(for: "Title         walk the dog")
        let missing = try await AppScreen(app, columns: 100, rows: 30, arguments: ["open", "todo/zzzz"])
        try await missing.wait(for: "There is no todo")
        try await missing.wait(for: "walk the dog")
        let result = try await app.run("open", "todo")
        #expect(result.status == 2)
    }

    @Test("In Korean the whole way is in Korean")
    func korean() async throws {
        let app = try AppFixture()
        let screen = try await AppScreen(
            app,
            columns: 60,
            rows: 20,
            environment: ["LC_ALL": "ko_KR.UTF-8"],
            isFirstStart: true
        )
        try await screen.wait(for: "한 줄로 쓰는 할 일")
        try await screen.type("nnng", waitingFor: "새 할 일")
    }

    private static func files(below path: String) -> [Data] {
        (FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? [])
            .compactMap { FileManager.default.contents(atPath: path + "/" + $0) }
    }
}
