import AccountCore
import AppTestSupport
import LocalProvider
import TerminalTesting
import TerminalUI
import TestSupport
import Testing
import TodoCore

@testable import TodoApp

@Suite("Editor and profile on a screen")
@MainActor
struct FormScreenTests {
    @Test(
        "The editor shows an error while invalid text is typed, saves valid text, and closes",
        arguments: [100, 60, 40]
    )
    func edit(width: Int) async throws {
        let screen = try await AppOnScreen(width: width, height: width == 40 ? 12 : 24, todos: ["우유 사기"])
        await screen.type("e")
        #expect(screen.text.contains("Title         우유 사기"))
        try await screen.type("\tAA", waitingFor: "is not a priority")
        await screen.type("\n")
        #expect(screen.text.contains("Priority      AA"))
        await screen.app.press(.backspace)
        #expect(!screen.text.contains("is not a priority"))
        try await screen.type("\n", waitingFor: "[ ] (A) 우유 사기")
        #expect(!screen.text.contains("Priority"))
        var change = TodoChange()
        change.priority = Priority("A").map { .set($0) }
        let id = try #require(screen.services.store.kept.first).id
        #expect(screen.services.store.takeCalls() == [.merge(id, change)])
    }

    @Test("Escape closes an unchanged editor, and the list has the focus again")
    func cancel() async throws {
        let screen = try await AppOnScreen(width: 60, height: 20, todos: ["walk", "run"])
        await screen.type("e\u{1B}")
        #expect(!screen.text.contains("Title"))
        #expect(screen.services.store.takeCalls().isEmpty)
        await screen.app.press(.down)
        await screen.type("e")
        #expect(screen.text.contains("Title         run"))
    }

    @Test("Escape asks before it discards changed text, and Escape in the question returns to the text")
    func discard() async throws {
        let screen = try await AppOnScreen(width: 60, height: 20, todos: ["walk"])
        await screen.type("eXYZ\u{1B}")
        #expect(screen.text.contains("Discard the changes?"))
        await screen.type("\u{1B}")
        #expect(!screen.text.contains("Discard the changes?"))
        #expect(screen.text.contains("Title         walkXYZ"))
        await screen.type("\u{1B}")
        await screen.type("\t\n")
        #expect(!screen.text.contains("Title"))
        #expect(screen.services.store.takeCalls().isEmpty)
    }

    @Test("A failed save leaves the editor open with the text, and a second try saves it")
    func failedSave() async throws {
        let screen = try await AppOnScreen(width: 80, height: 24, todos: ["walk"])
        await screen.type("eXYZ")
        screen.services.store.failure = .storage(.full(path: "/data", errno: 28))
        try await screen.type("\n", waitingFor: "not saved")
        #expect(screen.text.contains("Title         walkXYZ"))
        screen.services.store.failure = nil
        try await screen.type("\n", waitingFor: "Changed: walkXYZ")
        #expect(!screen.text.contains("Title"))
        _ = screen.services.store.takeCalls()
    }

    @Test("q asks about text in the entry field, and typed text stays")
    func quitWithText() async throws {
        let screen = try await AppOnScreen(width: 60, height: 20)
        await screen.type("nmilk\u{1B}q")
        #expect(screen.quits == 0)
        #expect(screen.text.contains("Not saved: milk"))
        await screen.type("\u{1B}")
        #expect(screen.text.contains(" milk"))
        await screen.type("q")
        await screen.type("\t\n")
        #expect(screen.quits == 1)
    }

    @Test("Text that exceeds the entry field is reported")
    func truncated() async throws {
        let screen = try await AppOnScreen(width: 80, height: 20)
        await screen.type("n")
        await screen.app.paste(String(repeating: "x", count: 1_007))
        try await screen.wait(for: "7 characters were not inserted")
        await screen.app.paste("x")
        try await screen.wait(for: "1 character was not inserted")
    }

    @Test("All of the editor can be reached at 40 x 12, and the focused field is visible")
    func small() async throws {
        let screen = try await AppOnScreen(width: 40, height: 12, todos: ["walk"])
        await screen.type("e")
        let names = [
            "Title", "Priority", "Due", "Project", "Contexts", "Tags", "Repeats", "Hidden until", "Part of",
            "Waits for", "Note", "Save", "Cancel",
        ]
        for word in names {
            #expect(screen.text.contains(word), "\(word) is cut")
            #expect(screen.line(11).contains("esc list"), "the line of keys is visible")
            await screen.type("\t")
        }
    }

    @Test("A todo to wait for is completed by its title, and the sheet ends below its buttons")
    func after() async throws {
        let screen = try await AppOnScreen(width: 100, height: 30, todos: ["bake", "buy flour"])
        await screen.type("e")
        try await screen.wait(for: "Waits for")
        let rows = screen.text.split(separator: "\n").map(String.init)
        func row(_ text: String) throws -> Int { try #require(rows.firstIndex { $0.contains(text) }, "\(text)") }
        #expect(try row("Save") == row("│ Note") + 4)
        #expect(try row("╰" + String(repeating: "─", count: 62)) == row("Save") + 1)
        for _ in 0..<9 { await screen.app.press(.tab) }
        await screen.type("flo")
        try await screen.wait(for: "buy flour ")
        await screen.app.press(.tab)
        let flour = screen.services.store.kept[1].id
        #expect(screen.text.contains("Waits for     \(flour)"))
        try await screen.type("\n", waitingFor: "Changed: bake")
        var change = TodoChange()
        change.addedDependencies = [flour]
        #expect(screen.services.store.takeCalls() == [.merge(screen.services.store.kept[0].id, change)])
    }

    @Test("The profile at 60 x 20")
    func profile() async throws {
        let screen = try await AppOnScreen(width: 60, height: 20, todos: ["walk"], settings: Settings(name: "지수"))
        try await screen.type("o", waitingFor: "1 open, 0 done, 0 archived")
        #expect(
            screen.snapshot == """
                 Menu                      Profile                 Settings

                  Name       지수
                  Breed      any dog

                    Save      Back

                  Account   guest
                              Log in      Sign up

                  Todos     1 open, 0 done, 0 archived
                  Sync      only on this machine
                  Version   Dog 0.1.0
                  Files     /data/dog

                 enter accept  esc back  tab next field
                """
        )
        // The caret is after the name: two cells a syllable.
        #expect(screen.app.caret?.x == 17)
    }

    @Test("A saved profile closes, shows the name and fetches a picture of the breed")
    func saveProfile() async throws {
        let pictures = FakePictureService(.picture(.sample("Beagle")), .picture(.sample("Pug")))
        let screen = try await AppOnScreen(width: 60, height: 30, pictures: pictures)
        try await screen.wait(for: "Beagle")
        try await screen.type("o민지\tpug\n", waitingFor: "🐶 Dog · 민지")
        try await screen.wait(for: "The profile is saved")
        #expect(screen.services.kept.saved == [Settings(name: "민지", favouriteBreed: "pug")])
        // The message closes by itself; the caption of the picture is below it.
        await screen.app.advance(by: .seconds(4))
        try await screen.wait(for: "Pug")
        #expect(pictures.requests == [nil, "pug"])
    }

    @Test("A profile that cannot be saved reports it, and the typed text stays", arguments: [60, 40])
    func profileNotKept(width: Int) async throws {
        let screen = try await AppOnScreen(width: width, height: width == 40 ? 12 : 20)
        screen.services.kept.failure = .notPermitted(path: "/data/dog", errno: 13)
        try await screen.type("o", waitingFor: "Save")
        try await screen.type("민지\n", waitingFor: "not saved: /data/dog")
        #expect(screen.text.contains("민지"))
        #expect(screen.text.contains("Save"))
    }
}
