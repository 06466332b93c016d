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
        #expect(screen.pictureArea != nil && screen.line(2).contains("─┬─ Details ─"))
        // A jump shows also a todo that the list hides.
        screen.services.store.changeOutside { todos in
            todos[0].uuid = UUID()
            todos[1].dependencies = [todos[0].uuid].compactMap(\.self)
        }
        try await screen.wait(for: "Waits for")
        try await screen.type("/walk\n", waitingFor: "1 found, 2 open")
        try await screen.press(.enter, .down, .enter, waitingFor: "Awaited by")
        try await screen.press(.down, .enter, waitingFor: "Waits for")
        try await screen.type(" ", waitingFor: "It waits for: 우유 사기.")
        await screen.type("\u{1B}")
        // The question is also over the sheet of a narrower screen.
        await screen.app.resize(GridSize(width: 100, height: 30))
        try await screen.type("\n", waitingFor: "─ Details ─")
        try await screen.type(" ", waitingFor: "It waits for: 우유 사기.")
        await screen.app.press(.escape)
        #expect(screen.text.contains("─ Details ─") && !screen.text.contains("It waits for"))
        try await screen.type(" ", waitingFor: "It waits for: 우유 사기.")
        await screen.app.press(.enter)
        try await screen.wait(for: "completed")
        #expect(screen.services.store.takeCalls() == [.complete([screen.services.store.kept[1].id])])
        await screen.app.press(.escape)
        await screen.app.resize(GridSize(width: 100, height: 30))
        #expect(!screen.text.contains("Details"))
        await screen.app.resize(GridSize(width: 60, height: 80))
        try await screen.wait(for: "├─ Details ─")
    }

    @Test("The details show note, subtasks and history; a subtask is ticked there, and an old version restored")
    func details() async throws {
        let screen = try await AppOnScreen(width: 100, height: 30, todos: ["bake", "flour"])
        screen.services.store.changeOutside(as: "edit \"bake\"") { todos in
            todos[0].note = "at 180 degrees"
            todos[1].parent = todos[0].id
        }
        try await screen.wait(for: "[ ]   flour")
        try await screen.press(.home, .enter, waitingFor: "at 180 degrees")
        try await screen.wait(for: "Subtasks (0 of 1 done)")
        try await eventually {
            screen.services.manualClock.advance(by: .milliseconds(200))
            await screen.app.settle()
            return screen.text.contains("History")
        }
        #expect(screen.text.contains("note: none → at 180 degrees"))
        // Enter shows the subtask, and from there the parent again.
        try await screen.press(.down, .enter, waitingFor: "Part of")
        try await screen.press(.down, .enter, waitingFor: "at 180 degrees")
        try await eventually {
            screen.services.manualClock.advance(by: .milliseconds(200))
            await screen.app.settle()
            return screen.text.contains("History")
        }
        await screen.app.press(.down)
        try await screen.type(" ", waitingFor: "Subtasks (1 of 1 done)")
        await screen.app.press(.down, .down)
        try await screen.press(.enter, waitingFor: "Restore?")
        #expect(screen.text.contains("today") && !screen.text.contains("Dog["))
        await screen.type("\n")
        try await screen.wait { !$0.contains("Restore?") }
        _ = screen.services.store.takeCalls()
    }

    @Test("The calendar shows what is due, and Enter lists the day; Escape shows all again")
    func calendar() async throws {
        let screen = try await AppOnScreen(width: 100, height: 30, todos: todos)
        try await screen.type("t", waitingFor: "March 2026")
        try await screen.wait(for: "20·1")
        #expect(screen.text.contains("1!1"))
        try await screen.press(.pageDown, waitingFor: "April 2026")
        try await screen.wait(for: "Nothing is due.")
        try await screen.type("t\n", waitingFor: "1 found, 2 open")
        #expect(screen.text.contains("due:2026-03-20") && !screen.text.contains("walk"))
        try await screen.type("\u{1B}", waitingFor: "2 open, 0 done")
    }

    @Test("A click outside closes the details and the calendar, and a menu", arguments: ["\n", "t", "s"])
    func clickOutside(key: String) async throws {
        let screen = try await AppOnScreen(width: 100, height: 30, todos: todos)
        let texts = ["\n": "─ Details ─", "t": "─ Calendar ─", "s": "─ Sort by ─"]
        let text = try #require(texts[key])
        try await screen.type(key, waitingFor: text)
        if key == "s" { #expect(screen.line(29).contains("enter choose")) }
        await screen.app.click(GridPoint(x: 1, y: 29))
        try await screen.wait { !$0.contains(text) }
        // The list has the focus again.
        try await screen.press(.down, .enter, waitingFor: "[ ] walk the dog")
    }

    @Test("L shows lists and views with counts; a digit and Escape switch, and a context is named in the toolbar")
    func scopes() async throws {
        let screen = try await AppOnScreen(width: 100, height: 30, todos: todos)
        screen.services.store.queries = ["dogs": "dog"]
        screen.services.store.listsOfStore = [TodoList(name: "Work", color: "#00ff00")]
        try await screen.type("L", waitingFor: "─ Lists and views ─")
        for line in [
            "All todos         2  0", "Today             2  1", "dogs              1  4", "■ Work            0  6",
        ] {
            #expect(screen.text.contains(line))
        }
        try await screen.type("4", waitingFor: "─ dogs: 1 ─")
        try await screen.type("\u{1B}", waitingFor: "─ 2 open, 0 done ─")
        try await screen.type("L", waitingFor: "Context      none ▸")
        try await screen.press(.end, .enter, .end, .enter, waitingFor: "Dog · context: dogs")
        try await screen.wait(for: "1 found, 2 open")
        try await screen.type("1t", waitingFor: "20       21")
        await screen.type("\u{1B}")
        try await screen.type("/milk\nL", waitingFor: "─ Lists and views ─")
        await screen.app.press(.end, .enter)
        try await screen.wait { $0.contains("Save the filter as a view") && !$0.contains("─ Lists and views ─") }
        // A name that is taken can be changed.
        try await screen.type("dogs\n", waitingFor: "There is a view \"dogs\" already")
        #expect(screen.text.contains("Save the filter as a view"))
        await screen.app.press(.backspace, .backspace, .backspace, .backspace)
        try await screen.type("m\n", waitingFor: "─ m: 0 ─")
        #expect(screen.services.store.queries["m"] == "milk")
        // The command palette has the same choices.
        await screen.type(":context: none\n")
        try await screen.wait { !$0.contains("context: dogs") }
        try await screen.type(":show: dogs\n", waitingFor: "─ dogs: 1 ─")
    }

    @Test("Keys typed right after L are for its menu, above which the line of keys stays visible")
    func keysForScopes() async throws {
        let screen = try await AppOnScreen(width: 40, height: 12, todos: todos)
        screen.services.store.queries = ["a": "milk", "b": "milk", "c": "milk", "d": "milk", "dogs": "dog"]
        try await screen.type("L", waitingFor: "─ Lists and views ─")
        #expect(screen.line(11).contains("enter choose") && screen.line(10).dropFirst(2).hasPrefix("╰"))
        #expect(screen.text.contains("┃"), "the rest is below")
        try await screen.press(.end, waitingFor: "Context")
        await screen.type("\u{1B}")
        // The menu is not open before the lists have been read.
        try await screen.type("Ljjj\n", waitingFor: "─ Review: 0 ─")
    }

    @Test("Groups have headings, and the menus choose by digit and by click")
    func groups() async throws {
        let screen = try await AppOnScreen(width: 100, height: 30, todos: todos)
        try await screen.type("b4", waitingFor: "groups: due day")
        #expect(screen.text.contains("! 1 Mar  1") && screen.text.contains("today  1"))
        await screen.type("s")
        try await screen.click(on: "title", waitingFor: "by title")
        await screen.type("b1")
        try await screen.wait { !$0.contains("groups:") }
        let walk = try #require(screen.app.screen.find("walk the dog"))
        let milk = try #require(screen.app.screen.find("우유 사기"))
        #expect(walk.y < milk.y)
        // One key changes between urgency, date and priority.
        await screen.type("O")
        try await screen.wait { !$0.contains("by title") }
        try await screen.type("O", waitingFor: "by due day")
        try await screen.type("O", waitingFor: "by priority")
    }

    @Test(
        "i edits the line in its row; an invalid field is reported before Enter, and Escape leaves everything as it was"
    )
    func inline() async throws {
        let screen = try await AppOnScreen(width: 100, height: 30, todos: todos)
        await screen.type("i")
        #expect(screen.text.contains("(A) 우유 사기 +home @shop due:2026-03-20"))
        #expect(screen.app.caret != nil)
        try await screen.type(" rec:often", waitingFor: "is not a recurrence")
        await screen.type("\u{1B}")
        #expect(screen.services.store.takeCalls().isEmpty)
        #expect(screen.text.contains("+home @shop • today"))
        try await screen.type("i #cheap\n", waitingFor: "Changed: 우유 사기")
        #expect(screen.services.store.kept.first?.tags == ["cheap"])
        // A line that cannot be saved is in its row again, and can be corrected.
        try await screen.type("i after:zzzz\n", waitingFor: "\(TodoError.notFound(name: "zzzz"))")
        #expect(screen.text.contains(" after:zzzz") && screen.app.caret != nil)
        for _ in 0..<" after:zzzz".count { await screen.app.press(.backspace) }
        try await screen.type(" @stall\n", waitingFor: "Changed: 우유 사기")
        #expect(screen.services.store.kept.first?.contexts == ["shop", "stall"])
        // A click elsewhere saves the line; one that is refused stays in its field.
        await screen.type("i +mouse")
        try await screen.click(on: "walk the dog", waitingFor: "Changed: 우유 사기")
        #expect(screen.services.store.kept.first?.projects == ["home", "mouse"])
        await screen.type("i rec:often")
        try await screen.click(on: "우유 사기", waitingFor: "is not a recurrence")
        #expect(screen.text.contains(" rec:often") && screen.app.caret != nil)
        await screen.type("\u{1B}")
        _ = screen.services.store.takeCalls()
    }

    @Test("The line of a conflict is unsaved text until it is answered; under another screen a message has it")
    func conflict() async throws {
        let screen = try await AppOnScreen(width: 100, height: 30, todos: ["walk"])
        let store = screen.services.store
        await screen.type("i fast")
        store.changeOutside { $0[0].title = "run" }
        try await screen.type("\n", waitingFor: "Save over it?")
        #expect(screen.root.unsavedText == ["walk fast"])
        await screen.app.press(.escape)
        #expect(screen.root.unsavedText.isEmpty && !screen.text.contains("Save over it?"))
        try await screen.wait(for: "[ ] run")
        store.isHeld = true
        await screen.type("i slowly\n")
        try await eventually { store.heldCount == 1 }
        store.changeOutside { $0[0].title = "swim" }
        try await screen.type("o", waitingFor: "guest")
        store.release()
        try await screen.wait(for: "not saved: run slowly")
        #expect(store.takeCalls().isEmpty && store.kept.map(\.title) == ["swim"])
    }

    @Test("x marks todos, e changes the fields of all of them, d deletes them as one change, and Undo returns them")
    func marks() async throws {
        let screen = try await AppOnScreen(width: 100, height: 30, todos: ["one", "two", "three"])
        try await screen.type("xx", waitingFor: "2 selected")
        #expect(screen.text.components(separatedBy: "●[ ]").count == 3)
        // A click applies to its row, unless that is marked.
        try await screen.click(on: "[ ] two", waitingFor: "Done: two")
        #expect(screen.services.store.kept.count { $0.isDone } == 1)
        try await screen.type("u", waitingFor: "Undone: completing \"two\"")
        try await screen.type("e", waitingFor: "Change 2 todos")
        try await screen.type("+home pri:B x\n", waitingFor: "write fields only")
        #expect(screen.text.contains("Change 2 todos") && screen.text.contains("+home pri:B x"))
        await screen.app.press(.backspace, .backspace)
        try await screen.type("\n", waitingFor: "Changed: 2 todos")
        #expect(screen.services.store.kept.filter { $0.projects == ["home"] }.count == 2)
        try await screen.type("d", waitingFor: "Deleted: 2 todos")
        try await screen.wait(for: "1 open, 0 done")
        try await screen.click(on: "Undo", waitingFor: "3 open, 0 done")
        await screen.type("x\u{1B}")
        try await screen.wait { !$0.contains("selected") }
        await screen.app.press(Key(.up, .shift))
        try await screen.wait(for: "2 selected")
        _ = screen.services.store.takeCalls()
    }

    @Test("A paste of many lines asks: Enter adds each line, another choice one, and Escape keeps the typed text")
    func paste() async throws {
        let screen = try await AppOnScreen(width: 100, height: 30)
        await screen.app.paste("- [ ] milk +home\n* [X] tea\n- [ ] bread\n\n우유")
        try await screen.wait(for: "Add 3 todos? 1 completed one is left out.")
        #expect(!screen.text.contains("tea") && !screen.text.contains("[ ] milk"))
        try await screen.type("\n", waitingFor: "3 open, 0 done")
        #expect(screen.services.store.takeCalls() == [.add("milk")])
        await screen.type("nbuy  now")
        for _ in 0..<4 { await screen.app.press(.left) }
        for choice in ["\u{1B}", "As one line"] {
            await screen.app.paste("- [ ] a\n- [x] tea\nb\n")
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
        try await screen.click(on: "As one line", waitingFor: " buy a bc d now")
        #expect(screen.services.store.takeCalls().isEmpty)
    }

    @Test("While a line is typed, its meaning is below it, Tab completes a project, and an invalid date is reported")
    func preview() async throws {
        let screen = try await AppOnScreen(width: 100, height: 30, todos: todos)
        try await screen.type("nbread +h", waitingFor: "tab complete the word")
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
        // The input method types ㅜ with the key n, which is a key of the list and a letter of the line.
        try await screen.type("ㅜ물 주기 due:", waitingFor: "due:모레")
        await screen.app.press(.down, .down, .enter)
        #expect(screen.line(1).contains("물 주기 due:내일") && screen.line(2).contains("▸ 내일"))
        try await screen.type("parent:WALK", waitingFor: "parent:\(dog.id)")
        #expect(!screen.text.contains("\"WALK\""), "the word is incomplete, which is no error")
        await screen.app.press(.tab)
        #expect(screen.line(1).contains("parent:\(dog.id)") && screen.line(2).contains("↳ walk the dog"))
        try await screen.type("\n", waitingFor: "남은 일 3")
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
        try await screen.type("\t\n", waitingFor: "Changed: walk the dog")
        #expect(screen.services.store.kept.last?.contexts == ["shop"])
        _ = screen.services.store.takeCalls()
    }

    @Test("? lists the keys of the screen, and a click on one closes the list and performs it")
    func keyList() async throws {
        let screen = try await AppOnScreen(width: 100, height: 40, todos: todos)
        try await screen.type("?", waitingFor: "esc close")
        for text in ["show completed", "calendar", "favourites", "Settings"] { #expect(screen.text.contains(text)) }
        try await screen.click(on: "calendar", waitingFor: "March 2026")
        #expect(!screen.text.contains("Settings ") || !screen.text.contains("show completed"))
        await screen.type("\u{1B}?")
        try await screen.click(on: "m      Menu", waitingFor: "Favourites")
        let lines = screen.text.components(separatedBy: "\n")
        let keys = try #require(lines.firstIndex { $0.hasPrefix("   Keys ") })
        #expect(lines[keys - 1].hasPrefix("  ──"), "a line divides the groups")
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
        try await screen.type("t", waitingFor: "x list")
        #expect(screen.text.contains(". today"))
        try await screen.press(.pageDown, waitingFor: "April 2026")
        try await screen.type("t.", waitingFor: "March 2026")
        await screen.type("\u{1B}")
        #expect(screen.text.contains("March 2026"))
        await screen.type("x")
        try await screen.wait { !$0.contains("March 2026") }
        try await screen.press(.enter, waitingFor: "f5 open or restore")
        try await screen.press(.enter, waitingFor: "f4 list")
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
        try await screen.type("e", waitingFor: "ctrl-s save")
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
        try await screen.type("/walk\n", waitingFor: "1 found, 2 open")
        try await screen.type("nbread\n", waitingFor: "esc, w shows it: saved, but this list hides")
        await screen.type("\u{1B}")
        #expect(screen.text.contains(" w shows it") && !screen.text.contains("esc, w"))
        try await screen.type("w", waitingFor: "3 open, 0 done")
        #expect(screen.text.contains("[ ] bread") && !screen.text.contains("shows it"))
        #expect(screen.services.store.takeCalls() == [.add("bread")])
    }

    @Test("Notices give way to the filter and to the line of a row; on the list, Escape closes an error first")
    func notices() async throws {
        let screen = try await AppOnScreen(width: 60, height: 16, todos: todos)
        for isError in [false, true] {
            for key in ["/", "i"] {
                screen.services.store.failure = isError ? .nothingToRedo : nil
                await screen.type("W")
                // The notice can come before the row, to which the next key applies.
                try await screen.wait { isError ? $0.contains("✗") : $0.contains("In progress") && $0.contains("►") }
                screen.services.store.failure = nil
                await screen.type(key)
                try await screen.wait { !$0.contains("✗") && !$0.contains("In progress") }
                await screen.type("\u{1B}")
                guard !isError else { continue }
                await screen.type("W")
                try await screen.wait { $0.contains("Stopped") && !$0.contains("►") }
            }
        }
        screen.services.store.failure = .nothingToRedo
        try await screen.type("xW", waitingFor: "✗")
        await screen.type("\u{1B}")
        try await screen.wait { !$0.contains("✗") && $0.contains("1 selected") }
        await screen.type("\u{1B}")
        try await screen.wait { !$0.contains("selected") }
        _ = screen.services.store.takeCalls()
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
        try await screen.click(on: "[ ] todo 12", waitingFor: "Done: todo 12")
        _ = screen.services.store.takeCalls()
    }
}
