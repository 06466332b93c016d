import NeedleKit
import TerminalTesting
import Testing

@testable import TerminalUI

@Suite("Menus and pickers")
@MainActor
struct MenuTests {
    @Test("A menu opens below a view, performs what keys choose, and returns the focus")
    func keys() async {
        var done: [String] = []
        let button = Button("Actions")
        button.onTap = { [weak button] in
            button?.open(
                Menu([
                    .init("Complete") { done.append("complete") },
                    .init("Edit…", key: .character("e")) { done.append("edit") },
                    .line,
                    .init("Archive", isEnabled: false) { done.append("archive") },
                    .init("Delete") { done.append("delete") },
                ])
            )
        }
        let app = await show(button, TextField(), width: 30, height: 10)
        await app.press(.enter)
        #expect(app.screen.line(1).hasPrefix("╭"))
        #expect(
            app.text.contains("Complete") && app.screen.line(3).contains("Edit…") && app.screen.line(3).hasSuffix("e │")
        )
        func style(_ text: String) -> TextStyle? { app.screen.find(text).map { app.screen[$0.x, $0.y].style } }
        #expect(style("Complete") != style("Delete") && style("Edit…") == style("Delete"))
        await app.press(.down, .down, .enter)
        #expect(done == ["delete"])
        #expect(!app.text.contains("Complete") && button.isFirstResponder)
        await app.press(.enter)
        await app.type("e")
        #expect(done == ["delete", "edit"])
        await app.press(.enter)
        await app.type("d")
        await app.press(.enter)
        #expect(done == ["delete", "edit", "delete"])
        await app.press(.enter)
        await app.press(.escape)
        #expect(!app.text.contains("Complete"))
    }

    @Test("A click performs an action; a click outside closes; a disabled action does nothing")
    func mouse() async {
        var done = 0
        let button = Button("Actions")
        var moves: [Int?] = []
        button.onTap = { [weak button] in
            var menu = Menu([.init("One") { done += 1 }, .init("Two", isEnabled: false) { done += 10 }])
            menu.onMove = { moves.append($0) }
            button?.open(menu)
        }
        let app = await show(button, width: 30, height: 8)
        await app.press(.enter)
        await app.click(on: "Two")
        #expect(done == 0 && app.text.contains("Two"))
        await app.click(on: "One")
        #expect(done == 1 && !app.text.contains("Two"))
        await app.press(.enter)
        await app.click(GridPoint(x: 29, y: 7))
        #expect(done == 1 && !app.text.contains("Two"))
        button.onTap = { [weak button] in
            var menu = Menu([.init("One") { done += 100 }, .init("Two") {}, .init("Last") { done += 1000 }])
            menu.onMove = { moves.append($0) }
            button?.open(menu)
        }
        #expect(moves == [nil, nil], "closed by a choice and by a click outside")
        await app.press(.enter)
        await app.press(.down, .end, .end)
        #expect(moves.dropFirst(2) == [1, 2])
        await app.click(on: "Last")
        #expect(done == 1001 && !app.text.contains("Last"))
    }

    @Test("A menu has a title, and reads other keys as its own")
    func aliases() async {
        var done: [String] = []
        let button = Button("Actions")
        button.onTap = { [weak button] in
            let items = ["join", "kick", "go"].map { name in Menu.Item(name) { done.append(name) } }
            let aliases = [Key.character("j"): Key(.down), .character("k"): Key(.up), .character("G"): Key(.end)]
            button?.open(Menu(items, title: "Order by", keyAliases: aliases))
        }
        let app = await show(button, width: 30, height: 8)
        await app.press(.enter)
        #expect(app.screen.line(1).hasPrefix("╭─ Order by ─"))
        #expect(app.application.window.plainLines == ["1* == Order by ==", "> [join]", "  [kick]", "  [go]"])
        await app.type("j\r")
        await app.press(.enter)
        await app.type("Gk\r")
        await app.press(.enter)
        await app.type("g\r")
        #expect(done == ["kick", "kick", "go"])
    }

    @Test("A menu at the lower edge opens above its view, and a long one scrolls")
    func places() async {
        let label = Label("\n")
        label.numberOfLines = 0
        let button = Button("Many")
        var done: [Int] = []
        button.onTap = { [weak button] in
            button?.open(Menu((1...30).map { number in .init("item \(number)") { done.append(number) } }))
        }
        let app = await show(Label("1"), Label("2"), Label("3"), button, width: 20, height: 6)
        await app.press(.enter)
        #expect(app.text.contains("item 1"))
        for _ in 0..<40 { await app.mouse(.wheelDown, at: GridPoint(x: 2, y: 2)) }
        #expect(app.text.contains("item 30"))
        for _ in 0..<40 { await app.mouse(.wheelUp, at: GridPoint(x: 2, y: 2)) }
        #expect(app.text.contains("item 1 "))
        await app.press(.end)
        #expect(app.text.contains("item 30") && !app.text.contains("item 1 "))
        // The frame is no item.
        let top = app.screen.find("╭") ?? .zero
        await app.click(GridPoint(x: top.x + 3, y: top.y))
        #expect(done.isEmpty)
        await app.click(GridPoint(x: top.x + 3, y: top.y + 1))
        #expect(done.count == 1)
        // As high as the room above; neither the marked item nor the last one can be chosen.
        let last = Button("Last")
        var names: [String] = []
        last.onTap = { [weak last] in
            last?.open(
                Menu(
                    ["first", "mark", "fetch", "idle"].map { name in
                        let isEnabled = name.hasPrefix("f")
                        return .init(name, isEnabled: isEnabled, isMarked: name == "mark") { names.append(name) }
                    }
                )
            )
        }
        let small = await show(Label("1\n2\n3\n4\n5\n6", numberOfLines: 6), last, width: 20, height: 9)
        await small.press(.enter)
        #expect(small.screen.line(0).hasPrefix("╭") && small.screen.line(6).contains("Last"))
        await small.press(.enter)
        for key in [Key(.pageUp), .character("f")] { await small.press(Key(.enter), key, Key(.enter)) }
        #expect(names == ["first", "first", "fetch"])
    }

    @Test("A picker shows the chosen option; arrows change it, and the list marks it")
    func picker() async {
        var changes: [Int] = []
        let picker = Picker(["low", "middle", "high"], placeholder: "none")
        picker.onChange = { changes.append($0) }
        let app = await show(picker, width: 20, height: 8)
        #expect(app.text.hasPrefix(" none") && app.text.contains("▾"))
        await app.press(.right, .right, .left)
        #expect(changes == [0, 1, 0])
        await app.press(.enter)
        #expect(app.text.contains("● low"))
        await app.press(.enter)
        #expect(changes == [0, 1, 0], "the same option is no change")
        await app.press(.enter, .down, .down, .enter)
        #expect(picker.selectedIndex == 2 && app.text.hasPrefix(" high") && changes == [0, 1, 0, 2])
        picker.options = ["only"]
        await app.settle()
        #expect(picker.selectedIndex == nil)
        picker.options = ["an option that is wider than the picker"]
        await app.press(.right)
        #expect(app.text.contains("that…  ▾"))
    }

    @Test("A detail that is too long leaves the title its room, and looks like a detail without a key beside it")
    func longDetail() async throws {
        let button = Button("Actions")
        button.onTap = { [weak button] in
            let detail = "a detail that is much longer than the room"
            button?.open(Menu([.init("Stay") {}, .init("Move to list", detail: detail) {}]))
        }
        let app = await show(button, width: 30, height: 8)
        await app.press(.enter)
        #expect(app.screen.line(3).hasPrefix("│  Move to list  a detail t…"))
        let (title, detail) = (try #require(app.screen.find("Move")), try #require(app.screen.find("a detail")))
        #expect(app.screen[title.x, title.y].style != app.screen[detail.x, detail.y].style)
    }

    @Test("A menu closes when the view that opened it leaves the window")
    func withoutOpener() async {
        let button = Button("Actions")
        var moves: [Int?] = []
        let app = await show(button, Button("Other"), width: 30, height: 8)
        var menu = Menu([.init("One") {}])
        menu.onMove = { moves.append($0) }
        button.open(menu)
        await app.settle()
        #expect(app.text.contains("One"))
        button.removeFromSuperview()
        await app.settle()
        #expect(!app.text.contains("One") && moves == [nil])
    }
}
