import AccountCore
import AppTestSupport
import Foundation
import LocalProvider
import Pictures
import TerminalTesting
import TerminalUI
import TestSupport
import Testing
import TodoCore
import TodoSync

@testable import TodoApp

@Suite("Home on a screen")
@MainActor
struct HomeScreenTests {
    private let todos = ["(A) 우유 사기 +home @shop due:today", "walk the dog due:2026-03-01"]

    @Test("At 100 x 30 the picture is beside the list, from the first frame on")
    func wide() async throws {
        let screen = try await AppOnScreen(width: 100, height: 30, todos: todos)
        let picture = try #require(screen.pictureArea)
        #expect(picture.minX >= 70 && picture.width == 30)
        #expect(
            screen.snapshot == """
                 Menu                                          🐶 Dog                                      Settings
                 What is to be done?  (A) +project @context due:fri
                ╭─ 2 open, 0 done ──────────────────────────────────────────────────╮
                │ [ ] (A) 우유 사기                             +home @shop • today │
                │ [ ] walk the dog                                          ! 1 Mar │
                │                                                                   │
                │                                                                   │ ▀
                │                                                                   │┃▀
                │                                                                   │ ▀
                │                                                                   │
                ╰───────────────────────────────────────────────────────────────────╯     Beagle · pictures.test
                 n new  space done  e edit  d delete  u undo  / find  enter details  p picture  o profile  ? keys
                """
        )
    }

    @Test("The bar shows the state of the sync in words, on a narrow screen as a sign, and nothing on the start screen")
    func syncState() async throws {
        let account = FakeAccount(branch: .main(Profile(id: "maxdog", nickname: "Max")))
        let screen = try await AppOnScreen(width: 60, height: 20, todos: todos, account: account)
        let sync = screen.services.syncFake
        #expect(!screen.line(0).contains("✓"))
        sync.state.account = SyncState.Account(address: "https://a.test", user: "dog", lists: ["Home"])
        try await screen.wait(for: "✓ synced")
        sync.state.waiting = [TodoUnsynced(uuid: UUID(), mark: "")]
        try await screen.wait(for: "⇡ 1 waiting  Settings")
        await screen.app.resize(GridSize(width: 40, height: 12))
        try await screen.wait(for: "⇡1  Settings")
        await screen.app.click(on: "⇡1")
        try await screen.wait(for: "Sync now")
        #expect(screen.line(0).contains("⇡1"))
        await screen.type(":log out\n")
        // All of the question is visible.
        try await screen.wait { $0.contains("removed ones") && $0.contains("Cancel") && $0.contains("Remove") }
        #expect(await screen.app.click(on: "Keep "))
        try await screen.wait { $0.contains("Continue as a guest") && !$0.contains("⇡") }
    }

    @Test("At 60 x 30 the picture is below the list")
    func narrow() async throws {
        let screen = try await AppOnScreen(width: 60, height: 30, todos: todos)
        #expect(
            screen.snapshot == """
                 Menu                      🐶 Dog                  Settings
                 What is to be done?  (A) +project @context due:fri
                ╭─ 2 open, 0 done ─────────────────────────────────────────╮
                │ [ ] (A) 우유 사기                    +home @shop • today │
                │ [ ] walk the dog                                 ! 1 Mar │
                │                                                          │
                ╰──────────────────────────────────────────────────────────╯
                               ▀
                                   Beagle · pictures.test
                 n new  space done  e edit  d delete  u undo  ? keys
                """
        )
    }

    @Test("Below 24 rows the picture is hidden in favour of the todos", arguments: [(60, 20), (40, 12), (20, 8)])
    func small(width: Int, height: Int) async throws {
        let screen = try await AppOnScreen(width: width, height: height, todos: todos, waitsForTodos: false)
        try await screen.wait(for: "[ ]")
        #expect(screen.pictureArea == nil)
        #expect(screen.text.contains("today"))
        #expect(screen.text.contains("!"))
        // The projects and labels of the selected todo are in the frame where they have no columns.
        if width == 40 { #expect(screen.line(10).hasSuffix("─ +home @shop ─╯"), "\(screen.text)") }
    }

    @Test("At 20 x 5 all rows but the bars show todos, and n opens the field for a new one")
    func tiny() async throws {
        let screen = try await AppOnScreen(width: 20, height: 5, todos: todos + ["run"], waitsForTodos: false)
        try await screen.wait(for: "run")
        for row in 1...3 { #expect(screen.line(row).contains("[ ]"), "\(screen.text)") }
        await screen.type("nsit")
        #expect(screen.line(1).contains("sit"))
        try await screen.type("\n\u{1B}", waitingFor: "[ ] sit")
        #expect(screen.services.store.takeCalls() == [.add("sit")])
    }

    @Test("A new size arranges the screen again, and the old size restores it")
    func resize() async throws {
        let screen = try await AppOnScreen(width: 100, height: 30, todos: todos)
        let before = screen.text
        await screen.app.resize(GridSize(width: 40, height: 30))
        let below = try #require(screen.pictureArea)
        #expect(below.minY > screen.app.screen.find("2 open")?.y ?? 99)
        await screen.app.resize(GridSize(width: 40, height: 12))
        #expect(screen.pictureArea == nil)
        await screen.app.resize(GridSize(width: 100, height: 30))
        #expect(screen.text == before)
    }

    @Test(
        "A new size arranges the screen again, also after other screens were open",
        arguments: ["e\u{1B}", "o\u{1B}", "?\u{1B}", "d", ""]
    )
    func resizeLater(keys: String) async throws {
        let screen = try await AppOnScreen(width: 100, height: 30, todos: todos)
        await screen.type(keys)
        try await screen.wait { $0.contains("▀▀") && $0.contains("walk the dog") }
        for size in [GridSize(width: 60, height: 24), GridSize(width: 40, height: 24), GridSize(width: 60, height: 30)]
        {
            await screen.app.resize(size)
            let picture = try #require(screen.pictureArea, "no picture at \(size) after \(keys)")
            let summary = try #require(screen.app.screen.find(" open, 0 done"))
            #expect(picture.minY > summary.y)
        }
        _ = screen.services.store.takeCalls()
    }

    @Test("The line between the list and the picture is dragged or moved by keys; a narrow screen has none")
    func line() async throws {
        let screen = try await AppOnScreen(width: 100, height: 30, todos: todos)
        try await screen.wait { $0.contains("▀▀") }
        await screen.app.drag(from: GridPoint(x: 69, y: 4), through: GridPoint(x: 50, y: 4), GridPoint(x: 40, y: 4))
        /// The width of the framed list.
        func listWidth() -> Int { screen.line(2).prefix { $0 != "╮" }.count + 1 }
        #expect(listWidth() == 40)
        await screen.app.press(Key(.right, .alt), Key(.right, .alt), Key(.left, .alt))
        #expect(listWidth() == 42)
        // Neither the list nor the picture disappears.
        await screen.app.drag(from: GridPoint(x: 42, y: 4), through: GridPoint(x: 0, y: 4))
        #expect(listWidth() == 24)
        await screen.app.resize(GridSize(width: 60, height: 30))
        #expect(listWidth() == 60 && !screen.text.contains("┃"))
        await screen.app.press(Key(.right, .alt))
        await screen.app.resize(GridSize(width: 100, height: 30))
        #expect(listWidth() == 24)
        await screen.type("?")
        #expect(screen.text.contains("widen the list"))
    }

    @Test("Without colours the screen uses marks", arguments: [100, 40])
    func monochrome(width: Int) async throws {
        let screen = try await AppOnScreen(width: width, height: width == 100 ? 30 : 12, todos: todos, depth: .none)
        #expect(screen.text.contains(">[ ] (A) 우유 사기"))
        for y in 0..<screen.app.screen.size.height {
            for cell in screen.app.screen.row(y) {
                #expect(cell.style.foreground == .standard && cell.style.background == .standard)
            }
        }
        await screen.type("e")
        #expect(screen.text.contains("╭"), "the editor has no colours to stand out by")
    }

    @Test("A todo is added by keys, Korean too, and the field is ready for the next")
    func add() async throws {
        let screen = try await AppOnScreen(width: 60, height: 20)
        #expect(screen.text.contains("Nothing to do yet. Three things to try:"))
        try await screen.type("n(B) 우유 사기 +home\n홍차\n", waitingFor: "2 open")
        #expect(screen.text.contains("[ ] (B) 우유 사기"))
        #expect(screen.text.contains("+home"))
        // The real cursor is in the empty field, where an input method shows its preedit.
        #expect(screen.app.caret == GridPoint(x: 1, y: 1))
        #expect(screen.services.store.takeCalls() == [.add("우유 사기"), .add("홍차")])
        await screen.type("\u{1B}")
        #expect(screen.app.caret == nil)
    }

    @Test("A list whose todos are all completed names the key that shows them")
    func allDone() async throws {
        let screen = try await AppOnScreen(width: 100, height: 20, todos: ["walk", "run"])
        await screen.type(" ")
        // The key before the list is read again would complete the same todo.
        try await screen.wait(for: "1 open, 1 done")
        try await screen.type(" ", waitingFor: "Nothing to do. c shows the 2 completed, n adds a todo.")
        try await screen.type("c", waitingFor: "[x] walk")
        _ = screen.services.store.takeCalls()
    }

    @Test("An invalid line stays in the field, and the reason is shown")
    func refused() async throws {
        let screen = try await AppOnScreen(width: 100, height: 30)
        try await screen.type("n+home\n", waitingFor: "the title is empty; say what is to be done")
        #expect(screen.line(1).contains("+home"))
    }

    @Test("Space ticks, u takes it back, and c shows what is done")
    func tick() async throws {
        let screen = try await AppOnScreen(width: 60, height: 20, todos: todos)
        try await screen.type(" ", waitingFor: "1 open, 1 done")
        #expect(screen.text.contains("Done: 우유 사기"))
        try await screen.type("c", waitingFor: "[x] (A) 우유 사기")
        try await screen.type("u", waitingFor: "2 open, 0 done")
        #expect(screen.services.store.takeCalls().count == 2)
    }

    @Test("d deletes at once, and a click on Undo brings the todo back")
    func undo() async throws {
        let screen = try await AppOnScreen(width: 60, height: 20, todos: todos)
        try await screen.type("d", waitingFor: "Deleted: 우유 사기")
        // The list follows the store, which may be after the message.
        try await screen.wait(for: "1 open, 0 done")
        #expect(!screen.text.contains("(A) 우유 사기"))
        try await screen.click(on: "Undo", waitingFor: "(A) 우유 사기")
        #expect(screen.text.contains("Undone: deleting"))
        #expect(!screen.text.contains(" Undo "))
        #expect(screen.services.store.takeCalls().last == .undoStep("remove \"우유 사기\"", afterLaterChanges: false))
    }

    @Test("Damage is shown in a banner that stays, above the todos that can be read", arguments: [100, 60, 40])
    func banner(width: Int) async throws {
        let screen = try await AppOnScreen(width: width, height: width == 40 ? 12 : 24, todos: todos)
        screen.services.store.damage = [.damagedFile(path: "/d/todos.journal", copy: "/d/todos.journal.damaged")]
        screen.services.store.changeOutside { _ in }
        try await screen.wait(for: "was damaged")
        await screen.app.advance(by: .seconds(60))
        #expect(screen.text.contains("was damaged"))
        #expect(screen.text.contains("우유 사기"))
        screen.services.store.damage = []
        screen.services.store.changeOutside { _ in }
        try await screen.wait { !$0.contains("was damaged") }
        #expect(screen.line(1).contains("What is to be done?"))
    }

    @Test("Todos that cannot be read do not look like an empty list")
    func unreadable() async throws {
        let screen = try await AppOnScreen(width: 60, height: 20)
        screen.services.store.failure = .storage(.corrupt(path: "/d/todos.journal", detail: "x"))
        screen.services.store.changeOutside { _ in }
        try await screen.wait(for: "/d/todos.journal is damaged")
        _ = screen.services.store.takeCalls()
    }

    @Test("A notice disappears after a while, and the hint line returns")
    func noticeGoes() async throws {
        let screen = try await AppOnScreen(width: 60, height: 20, todos: todos)
        try await screen.type("d", waitingFor: "Deleted")
        await screen.app.advance(by: .seconds(5))
        try await screen.wait { !$0.contains("Deleted") }
        #expect(screen.text.contains("n new"))
        _ = screen.services.store.takeCalls()
    }

    @Test("/ filters while it is typed and shows the count; Escape shows all again", arguments: [100, 60, 40])
    func find(width: Int) async throws {
        let screen = try await AppOnScreen(width: width, height: 24, todos: todos)
        try await screen.type("/우유", waitingFor: "1 found, 2 open")
        #expect(!screen.text.contains("walk"))
        try await screen.type("x", waitingFor: "Nothing found. esc shows all.")
        try await screen.type("\u{1B}", waitingFor: "2 open, 0 done")
        #expect(screen.text.contains("walk the dog"))
    }

    @Test("A click selects a row, and one on the selected row opens its details")
    func rows() async throws {
        let screen = try await AppOnScreen(width: 100, height: 30, todos: todos)
        #expect(await screen.app.click(on: "walk the dog"))
        #expect(!screen.text.contains("Details"))
        try await screen.click(on: "walk the dog", waitingFor: "Details")
        try await screen.wait { $0.contains("due            ! 1 Mar") && !$0.contains("2026-03-01") }
        await screen.type("\u{1B}")
        #expect(!screen.text.contains("Details"))
    }

    @Test("Keys work while the toolbar has the focus")
    func keysInToolbar() async throws {
        let screen = try await AppOnScreen(width: 60, height: 20, todos: todos)
        #expect(await screen.app.click(on: "Settings"))
        await screen.type("\u{1B}")
        await screen.type("q")
        #expect(screen.quits == 1)
    }

    @Test("q quits, and Ctrl-C ends with 130")
    func leave() async throws {
        let screen = try await AppOnScreen(width: 60, height: 20)
        await screen.type("q")
        #expect(screen.quits == 1)
        await screen.app.press(.control("c"))
        #expect(screen.app.exitCode == 130)
    }

    @Test("p fetches another picture, in its own colours")
    func picture() async throws {
        let blue = PictureColor(0, 0, 255)
        let pictures = FakePictureService(.picture(.sample("Beagle")), .picture(.sample("Pug", blue)))
        let screen = try await AppOnScreen(width: 60, height: 30, pictures: pictures)
        try await screen.wait(for: "Beagle")
        try await screen.type("p", waitingFor: "Pug")
        let area = try #require(screen.pictureArea)
        #expect(screen.app.screen[area.minX, area.minY].style.foreground == .rgb(0, 0, 255))
    }

    @Test("Without a network the notice is under the picture", arguments: [100, 60, 40])
    func offline(width: Int) async throws {
        let screen = try await AppOnScreen(width: width, height: 24, pictures: FakePictureService(.failure(.offline)))
        try await screen.wait(for: "offline: this is not a")
        #expect(screen.pictureArea != nil)
    }
}
