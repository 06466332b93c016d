import AppLanguage
import AppTestSupport
import AppUI
import Foundation
import TerminalTesting
import TerminalUI
import TestSupport
import Testing
import TodoCore

@testable import TodoApp

@Suite("Todos on a screen")
@MainActor
struct TodoScreenTests {
    private let todos = ["(A) 우유 사기 +home @shop due:today", "walk the dog due:2026-03-01"]

    @Test("At 200 x 60 the details of the selected todo are beside the list, and follow the selection")
    func wide() async throws {
        let screen = try await AppOnScreen(width: 200, height: 60, todos: todos)
        try await screen.wait(for: "Details")
        try await screen.wait(for: "today 2026-03-20")
        await screen.app.press(.down)
        try await screen.wait { $0.contains("due            ! 1 Mar ") && !$0.contains("2026-03-01") }
        #expect(screen.pictureArea != nil)
        // A jump shows also a todo that the list hides.
        screen.services.store.changeOutside { todos in
            todos[0].uuid = UUID()
            todos[1].dependencies = [todos[0].uuid].compactMap(\.self)
        }
        try await screen.wait(for: "Waits for")
        await screen.type("/walk\n")
        try await screen.wait(for: "1 found, 2 open")
        await screen.app.press(.enter, .down, .enter)
        try await screen.wait(for: "Awaited by")
        await screen.app.press(.down, .enter)
        try await screen.wait(for: "Waits for")
        await screen.type(" ")
        try await screen.wait(for: "It waits for: 우유 사기.")
        await screen.type("\u{1B}")
        await screen.app.resize(Size(width: 100, height: 30))
        #expect(!screen.text.contains("Details"))
        await screen.app.resize(Size(width: 60, height: 80))
        try await screen.wait(for: "Details")
    }

    @Test("The details show note, subtasks and history; a subtask is ticked there, and an old version restored")
    func details() async throws {
        let screen = try await AppOnScreen(width: 100, height: 30, todos: ["bake", "flour"])
        screen.services.store.changeOutside(as: "edit \"bake\"") { todos in
            todos[0].note = "at 180 degrees"
            todos[1].parent = todos[0].id
        }
        try await screen.wait(for: "[ ]   flour")
        await screen.app.press(.home, .enter)
        try await screen.wait(for: "at 180 degrees")
        try await screen.wait(for: "Subtasks (0 of 1 done)")
        try await eventually {
            screen.services.manualClock.advance(by: .milliseconds(200))
            await screen.app.settle()
            return screen.text.contains("History")
        }
        #expect(screen.text.contains("note: none → at 180 degrees"))
        // Enter shows the subtask, and from there the parent again.
        await screen.app.press(.down, .enter)
        try await screen.wait(for: "Part of")
        await screen.app.press(.down, .enter)
        try await screen.wait(for: "at 180 degrees")
        try await eventually {
            screen.services.manualClock.advance(by: .milliseconds(200))
            await screen.app.settle()
            return screen.text.contains("History")
        }
        await screen.app.press(.down)
        await screen.type(" ")
        try await screen.wait(for: "Subtasks (1 of 1 done)")
        await screen.app.press(.down, .down)
        await screen.app.press(.enter)
        try await screen.wait(for: "Restore?")
        #expect(screen.text.contains("today") && !screen.text.contains("Dog["))
        await screen.type("\n")
        try await screen.wait { !$0.contains("Restore?") }
        _ = screen.services.store.takeCalls()
    }

    @Test("The calendar shows what is due, and Enter lists the day; Escape shows all again")
    func calendar() async throws {
        let screen = try await AppOnScreen(width: 100, height: 30, todos: todos)
        await screen.type("t")
        try await screen.wait(for: "March 2026")
        try await screen.wait(for: "20·1")
        #expect(screen.text.contains("1!1"))
        await screen.app.press(.pageDown)
        try await screen.wait(for: "April 2026")
        try await screen.wait(for: "Nothing is due.")
        await screen.type("t\n")
        try await screen.wait(for: "1 found, 2 open")
        #expect(screen.text.contains("due:2026-03-20") && !screen.text.contains("walk"))
        await screen.type("\u{1B}")
        try await screen.wait(for: "2 open, 0 done")
    }

    @Test("A click outside closes the details and the calendar, and a menu", arguments: ["\n", "t", "s"])
    func clickOutside(key: String) async throws {
        let screen = try await AppOnScreen(width: 100, height: 30, todos: todos)
        let texts = ["\n": "─ Details ─", "t": "─ Calendar ─", "s": "─ Sort by ─"]
        let text = try #require(texts[key])
        await screen.type(key)
        try await screen.wait(for: text)
        if key == "s" { #expect(screen.line(29).contains("enter choose")) }
        await screen.app.click(Point(x: 1, y: 29))
        try await screen.wait { !$0.contains(text) }
        // The list has the focus again.
        await screen.app.press(.down, .enter)
        try await screen.wait(for: "[ ] walk the dog")
    }

    @Test("L shows lists and views with counts; a digit and Escape switch, and a context is named in the toolbar")
    func scopes() async throws {
        let screen = try await AppOnScreen(width: 100, height: 30, todos: todos)
        screen.services.store.queries = ["dogs": "dog"]
        screen.services.store.listsOfStore = [TodoList(name: "Work", color: "#00ff00")]
        await screen.type("L")
        try await screen.wait(for: "─ Lists and views ─")
        for line in [
            "All todos         2  0", "Today             2  1", "dogs              1  4", "■ Work            0  6",
        ] {
            #expect(screen.text.contains(line))
        }
        await screen.type("4")
        try await screen.wait(for: "─ dogs: 1 ─")
        await screen.type("\u{1B}")
        try await screen.wait(for: "─ 2 open, 0 done ─")
        await screen.type("L")
        try await screen.wait(for: "Context      none ▸")
        await screen.app.press(.end, .enter, .end, .enter)
        try await screen.wait(for: "Dog · context: dogs")
        try await screen.wait(for: "1 found, 2 open")
        await screen.type("1t")
        try await screen.wait(for: "20       21")
        await screen.type("\u{1B}")
        await screen.type("/milk\nL")
        await screen.app.press(.end, .enter)
        try await screen.wait(for: "Save the filter as a view")
        await screen.type("m\n")
        try await screen.wait(for: "─ m: 0 ─")
        #expect(screen.services.store.queries["m"] == "milk")
    }

    @Test("Groups have headings, and the menus choose by digit and by click")
    func groups() async throws {
        let screen = try await AppOnScreen(width: 100, height: 30, todos: todos)
        await screen.type("b4")
        try await screen.wait(for: "groups: due day")
        #expect(screen.text.contains("! 1 Mar  1") && screen.text.contains("today  1"))
        await screen.type("s")
        #expect(await screen.app.click(on: "title"))
        try await screen.wait(for: "by title")
        await screen.type("b1")
        try await screen.wait { !$0.contains("groups:") }
        let walk = try #require(screen.app.screen.find("walk the dog"))
        let milk = try #require(screen.app.screen.find("우유 사기"))
        #expect(walk.y < milk.y)
    }

    @Test(
        "i edits the line in its row; an invalid field is reported before Enter, and Escape leaves everything as it was"
    )
    func inline() async throws {
        let screen = try await AppOnScreen(width: 100, height: 30, todos: todos)
        await screen.type("i")
        #expect(screen.text.contains("(A) 우유 사기 +home @shop due:2026-03-20"))
        #expect(screen.app.caret != nil)
        await screen.type(" rec:often")
        try await screen.wait(for: "is not a recurrence")
        await screen.type("\u{1B}")
        #expect(screen.services.store.takeCalls().isEmpty)
        #expect(screen.text.contains("+home @shop • today"))
        await screen.type("i #cheap\n")
        try await screen.wait(for: "Changed: 우유 사기")
        #expect(screen.services.store.kept.first?.tags == ["cheap"])
        _ = screen.services.store.takeCalls()
    }

    @Test("x marks todos, e changes the fields of all of them, d deletes them as one change, and Undo returns them")
    func marks() async throws {
        let screen = try await AppOnScreen(width: 100, height: 30, todos: ["one", "two", "three"])
        await screen.type("xx")
        try await screen.wait(for: "2 selected")
        #expect(screen.text.components(separatedBy: "●[ ]").count == 3)
        await screen.type("e")
        try await screen.wait(for: "Change 2 todos")
        await screen.type("+home pri:B\n")
        try await screen.wait(for: "Changed: 2 todos")
        #expect(screen.services.store.kept.filter { $0.projects == ["home"] }.count == 2)
        await screen.type("d")
        try await screen.wait(for: "Deleted: 2 todos")
        #expect(screen.services.store.kept.count == 1)
        #expect(await screen.app.click(on: "Undo"))
        try await screen.wait(for: "3 open, 0 done")
        await screen.type("x\u{1B}")
        try await screen.wait { !$0.contains("selected") }
        _ = screen.services.store.takeCalls()
    }

    @Test("A paste of many lines asks: Enter adds each line, another choice one, and Escape keeps the typed text")
    func paste() async throws {
        let screen = try await AppOnScreen(width: 100, height: 30)
        await screen.app.paste("- [ ] milk +home\n- [ ] bread\n\n우유")
        try await screen.wait(for: "Add 3 todos?")
        await screen.type("\n")
        try await screen.wait(for: "3 open, 0 done")
        #expect(screen.services.store.takeCalls() == [.add("milk")])
        await screen.type("nbuy  now")
        for _ in 0..<4 { await screen.app.press(.left) }
        for choice in ["\u{1B}", "As one line"] {
            await screen.app.paste(" a\nb\n")
            try await screen.wait(for: "Add 2 todos?")
            #expect(screen.text.contains("One todo a line"))
            if choice.count == 1 { await screen.type(choice) } else { #expect(await screen.app.click(on: choice)) }
            let line = choice.count == 1 ? " buy  now" : " buy a b now"
            try await screen.wait { $0.contains(line) && !$0.contains("Add 2") }
        }
        await screen.type("\u{1B}")
        // On the list, the line is typed into the field.
        await screen.app.paste("c\nd")
        try await screen.wait(for: "Add 2 todos?")
        #expect(await screen.app.click(on: "As one line"))
        try await screen.wait(for: " buy a bc d now")
        #expect(screen.services.store.takeCalls().isEmpty)
    }

    @Test(
        "While a line is typed, its meaning is below it, Tab completes a project, and an invalid date is reported"
    )
    func preview() async throws {
        let screen = try await AppOnScreen(width: 100, height: 30, todos: todos)
        await screen.type("nbread +h")
        try await screen.wait(for: "tab complete the word")
        #expect(screen.line(2).contains("+home"))
        await screen.type("\t")
        #expect(screen.line(1).contains("bread +home"))
        await screen.type("due:tomorrow 15:00")
        #expect(screen.line(2).contains("▸ tomorrow 15:00") && screen.line(2).contains("+home"))
        await screen.type(" t:2026-02-30")
        #expect(screen.text.contains("2026-02 has the days 1 to"))
        #expect(screen.services.store.takeCalls().isEmpty)
    }

    @Test("A date and a parent are chosen from a menu with the arrows and Enter, in the language of the screen")
    func menus() async throws {
        let screen = try await AppOnScreen(width: 100, height: 30, todos: todos, language: .korean)
        let dog = screen.services.store.kept[1]
        await screen.type("n물 주기 due:")
        try await screen.wait(for: "due:모레")
        await screen.app.press(.down, .down, .enter)
        #expect(screen.line(1).contains("물 주기 due:내일") && screen.line(2).contains("▸ 내일"))
        await screen.type("parent:WALK")
        try await screen.wait(for: "parent:\(dog.id)")
        await screen.app.press(.tab)
        #expect(screen.line(1).contains("parent:\(dog.id)") && screen.line(2).contains("↳ walk the dog"))
        await screen.type("\n")
        try await screen.wait(for: "남은 일 3")
        #expect(screen.services.store.kept.last?.parent == dog.id)
        #expect(screen.services.store.takeCalls() == [.add("물 주기")])
    }

    @Test("A project is completed in the middle of the line by a click, in the entry as in the edit of a line")
    func completionAtCaret() async throws {
        let screen = try await AppOnScreen(width: 100, height: 30, todos: todos)
        await screen.type("nbread @shop")
        for _ in 0..<6 { await screen.app.press(.left) }
        await screen.type(" +h")
        #expect(await screen.app.click(on: "+home"))
        #expect(screen.line(1).contains("bread +home @shop"))
        await screen.type("\u{1B}\u{1B}")
        await screen.app.press(.end)
        await screen.type("i @")
        await screen.type("\t\n")
        try await screen.wait(for: "Changed: walk the dog")
        #expect(screen.services.store.kept.last?.contexts == ["shop"])
        _ = screen.services.store.takeCalls()
    }

    @Test("? lists the keys of the screen, and a click on one closes the list and performs it")
    func keyList() async throws {
        let screen = try await AppOnScreen(width: 100, height: 40, todos: todos)
        await screen.type("?")
        try await screen.wait(for: "esc close")
        for text in ["show completed", "calendar", "favourites", "Settings"] { #expect(screen.text.contains(text)) }
        #expect(await screen.app.click(on: "calendar"))
        try await screen.wait(for: "March 2026")
        #expect(!screen.text.contains("Settings ") || !screen.text.contains("show completed"))
        await screen.type("\u{1B}?")
        #expect(await screen.app.click(on: "m      Menu"))
        try await screen.wait(for: "Favourites")
    }

    @Test("The keys of details, calendar, editor, main screen and root follow the file of the keys, as do their hints")
    func keyMap() async throws {
        let entries: [String: KeyMap.Names] = [
            "calendar.close": ["x"], "calendar.today": ["."], "detail.close": ["q"], "detail.edit": ["enter"],
            "detail.use": ["f5"], "editor.cancel": ["f4"], "home.quit": ["Z"], "app.keys": ["f1"], "app.menu": ["M"],
        ]
        let map = KeyMap(entries, screens: KeyMapFile.screens)
        #expect(map.problems.isEmpty, "\(map.problems)")
        let screen = try await AppOnScreen(width: 99, height: 34, todos: todos, keyMap: map)
        try await screen.wait(for: "f1 keys")
        await screen.type("t")
        try await screen.wait(for: "x list")
        #expect(screen.text.contains(". today"))
        await screen.app.press(.pageDown)
        try await screen.wait(for: "April 2026")
        await screen.type("t.")
        try await screen.wait(for: "March 2026")
        await screen.type("\u{1B}")
        #expect(screen.text.contains("March 2026"))
        await screen.type("x")
        try await screen.wait { !$0.contains("March 2026") }
        await screen.app.press(.enter)
        try await screen.wait(for: "f5 open or restore")
        await screen.app.press(.enter)
        try await screen.wait(for: "f4 list")
        await screen.app.press(.escape)
        #expect(screen.text.contains("f4 list"))
        await screen.app.press(Key(.function(4)))
        try await screen.wait { !$0.contains("f4 list") }
        await screen.type("?m")
        #expect(!screen.text.contains("esc close"))
        await screen.app.press(Key(.function(1)))
        try await screen.wait(for: "esc close")
        for text in ["f1", "M  ", "Z  "] { #expect(screen.text.contains(text)) }
    }

    @Test("The default keys of no screen conflict")
    func defaultKeys() {
        #expect(KeyMap([:], screens: KeyMapFile.screens).problems.isEmpty)
    }

    @Test("Ctrl-S saves the editor from its note, where Enter begins a line")
    func saveKey() async throws {
        let screen = try await AppOnScreen(width: 100, height: 30, todos: ["walk"])
        await screen.type("e")
        try await screen.wait(for: "ctrl-s save")
        for _ in 0..<10 { await screen.app.press(.tab) }
        await screen.type("one\ntwo")
        await screen.app.press(.control("s"))
        try await screen.wait(for: "Changed: walk")
        #expect(screen.services.store.kept.first?.note == "one\ntwo")
        _ = screen.services.store.takeCalls()
    }

    @Test("A new todo that the filter hides is reported, and w shows it")
    func hidden() async throws {
        let screen = try await AppOnScreen(width: 100, height: 30, todos: todos)
        await screen.type("/walk\n")
        try await screen.wait(for: "1 found, 2 open")
        await screen.type("nbread\n")
        try await screen.wait(for: "this list hides it: w shows it")
        await screen.type("\u{1B}")
        await screen.type("w")
        try await screen.wait(for: "3 open, 0 done")
        #expect(screen.text.contains("[ ] bread") && !screen.text.contains("hides it"))
        #expect(screen.services.store.takeCalls() == [.add("bread")])
    }

    @Test("j, k, g and G move, and the mouse ticks, scrolls and drags")
    func mouseAndKeys() async throws {
        let screen = try await AppOnScreen(
            width: 60,
            height: 20,
            todos: (10...60).map { "todo \($0) due:\(Day.sample.adding($0))" }
        )
        await screen.type("G")
        #expect(screen.text.contains("todo 60"))
        await screen.type("g")
        #expect(screen.text.contains("todo 10"))
        await screen.type("jk")
        #expect(await screen.app.click(on: "[ ] todo 12"))
        try await screen.wait(for: "Done: todo 12")
        _ = screen.services.store.takeCalls()
    }
}
