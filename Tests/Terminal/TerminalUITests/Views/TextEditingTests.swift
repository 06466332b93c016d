import NeedleKit
import TerminalTesting
import TestSupport
import Testing

@testable import TerminalUI

@Suite("Selection, undo, clipboard and completion of text")
@MainActor
struct TextEditingTests {
    private func app(_ views: [View], width: Int = 30, height: Int = 8) -> TestApplication {
        TestApplication(root: Stack(views), size: GridSize(width: width, height: height))
    }

    @Test("Shift with a movement selects, and typing replaces the selection")
    func selection() async {
        let field = TextField()
        let app = app([field])
        await app.type("buy 우유 now")
        await app.press(Key(.left, [.shift, .control]))
        #expect(field.selectedText == "now")
        #expect(app.screen[10, 0].style.background == field.theme.selection.background)
        await app.type("later")
        #expect(field.text == "buy 우유 later")
        await app.press(Key(.home, .shift))
        #expect(field.selectedText == "buy 우유 later")
        await app.press(.left)
        #expect(field.selectedText.isEmpty && field.caretPosition == 0)
        // Of a selection whose caret is at its start, an arrow leads to its own side.
        await app.press(Key(.end), Key(.left, .shift), Key(.left, .shift), Key(.right))
        #expect(field.selectedText.isEmpty && field.caretPosition == 12)
        await app.press(Key(.home), Key(.right, .alt), Key(.right, [.shift, .alt]))
        #expect(field.selectedText == " 우유")
        await app.press(.delete)
        #expect(field.text == "buy later")
    }

    @Test("A double click selects a word, a triple click everything, and dragging selects")
    func mouse() async {
        let field = TextField(text: "one two three")
        let app = app([field])
        await app.click(GridPoint(x: 6, y: 0))
        await app.click(GridPoint(x: 6, y: 0))
        #expect(field.selectedText == "two")
        await app.click(GridPoint(x: 6, y: 0))
        #expect(field.selectedText == "one two three")
        #expect(EditableText("one x").word(at: 9) == 4..<5)
        await app.advance(by: .seconds(1))
        await app.click(GridPoint(x: 6, y: 0))
        #expect(field.selectedText.isEmpty)
        await app.drag(from: GridPoint(x: 1, y: 0), through: GridPoint(x: 3, y: 0), GridPoint(x: 4, y: 0))
        #expect(field.selectedText == "one")
    }

    @Test("Undo and redo restore the text and the caret; characters typed in a row are one change")
    func undo() async {
        let field = TextField()
        let app = app([field])
        await app.type("milk")
        await app.press(.backspace)
        await app.type("l two")
        #expect(field.text == "mill two")
        await app.press(.control("_"))
        #expect(field.text == "mill ")
        await app.press(.control("_"))
        #expect(field.text == "mill")
        await app.press(.control("_"), .control("_"))
        #expect(field.text == "milk")
        await app.press(.control("_"), .control("_"))
        #expect(field.text == "")
        await app.press(.control("y"), .control("y"), .control("y"), .control("y"), .control("y"))
        #expect(field.text == "mill two")
        await app.press(.control("u"))
        #expect(field.text == "")
        await app.press(.control("_"))
        #expect(field.text == "mill two" && field.caretPosition == 8)
        // A change after an undo ends what could be repeated.
        await app.press(.control("_"))
        await app.type("!")
        await app.press(.control("y"))
        #expect(field.text == "mill !" && field.caretPosition == 6)
        await app.press(.control("_"))
        #expect(field.text == "mill ")
        // Characters that are typed at another place are another change.
        await app.type("ab")
        await app.press(.left)
        await app.type("c")
        await app.press(.control("_"))
        #expect(field.text == "mill ab")
        await app.press(Key(.left), .control("w"))
        #expect(field.text == "ab")
        // What replaces a selection is another change than what was typed before.
        await app.press(.control("u"))
        await app.type("milk")
        await app.press(Key(.character("a"), .alt), .character("x"), .control("_"))
        #expect(field.text == "milkab")
        // So are those after a movement, even one that returns to the same place, and after undo and redo.
        await app.press(.control("e"), .character("c"), Key(.left), Key(.right), .character("d"), .control("_"))
        #expect(field.text == "milkabc")
        await app.press(.control("_"), .control("y"), .character("e"), .control("_"))
        #expect(field.text == "milkabc")
    }

    @Test("A change in the midst of letters beyond ASCII stores what it changes, and not the text behind it")
    func historySize() {
        var text = EditableText(String(repeating: "漢한👩\u{200D}👧", count: 100))
        text.move(to: 30)
        for piece in ["字", "e", "\u{301}", "\u{200D}", "🇰"] {
            text.insert(piece, isTyped: true)
            #expect(text.history.done.last.map { $0.removed.count + $0.inserted.count < 6 } == true, "\(piece)")
            #expect(text.characters == Array(text.text))
        }
    }

    @Test("Random edits are undone to the empty text and repeated to the same text", arguments: [1, 2, 3] as [UInt64])
    func randomEdits(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "a", " ", "우", "유", "e", "\u{301}", "👩", "\u{200D}", "👧", "🇰", "🇷", "\n", "long text", "\u{1112}",
            "\u{1161}",
        ]
        var text = EditableText()
        var plain = ""
        for _ in 0..<300 {
            switch Int.random(in: 0..<4, using: &random) {
            case 0...1: text.insert(pieces.randomElement(using: &random) ?? "", isTyped: Bool.random(using: &random))
            case 2:
                let low = Int.random(in: 0...text.characters.count, using: &random)
                let high = Int.random(in: low...text.characters.count, using: &random)
                text.delete(low..<min(high, low + 3))
            default: text.move(to: Int.random(in: 0...max(1, text.characters.count), using: &random))
            }
            plain = text.text
            // The clusters are those of the whole text.
            #expect(text.characters == Array(plain))
            #expect(text.cursor >= 0 && text.cursor <= text.characters.count)
        }
        while text.undo() {}
        #expect(text.text == "")
        while text.redo() {}
        #expect(text.text == plain)
    }

    @Test("Copy writes OSC 52 to the terminal, cut removes, and paste inserts; a secure text is not copied")
    func clipboard() async {
        let field = TextField(text: "secret")
        var changes: [String] = []
        field.onChange = { changes.append($0) }
        let other = TextField()
        let app = app([field, other])
        await app.press(Key(.character("a"), .alt), .control("c"))
        #expect(app.exitCode == nil)
        #expect(app.application.window.clipboard == "secret")
        // "secret" in base64.
        #expect(app.terminal.emulator.clipboard == "c2VjcmV0")
        await app.press(.control("x"))
        #expect(field.text == "" && changes == [""])
        await app.press(Key(.tab), .control("v"))
        #expect(other.text == "secret")
        other.isSecure = true
        await app.press(Key(.character("a"), .alt), .control("x"))
        #expect(other.text == "secret")
    }

    @Test("Where control strings are short, a long text is copied in the application only, and a notification rings")
    func shortControlStrings() async {
        let field = TextField(text: String(repeating: "x", count: 300))
        var capabilities = TerminalCapabilities(colorDepth: .trueColor)
        capabilities.controlStringLimit = 250
        let size = GridSize(width: 30, height: 8)
        let app = TestApplication(root: Stack([field]), size: size, capabilities: capabilities)
        await app.press(Key(.character("a"), .alt), .control("c"))
        #expect(app.application.window.clipboard == field.text && app.terminal.emulator.clipboard == nil)
        app.application.window.notify("Dog", String(repeating: "가", count: 100))
        #expect(app.terminal.emulator.bells == 1 && app.terminal.emulator.notifications.isEmpty)
        app.application.window.copy("short")
        #expect(app.terminal.emulator.clipboard == "c2hvcnQ=")
    }

    @Test("A notification rings the bell and uses OSC 9 and OSC 777, without what a text from outside could control")
    func notification() async throws {
        let app = app([TextField()])
        await app.settle()
        let text = "a\u{1B}]0;x\u{07}b\u{9C}\u{202E}c\n우유" + String(repeating: "y", count: 500)
        app.application.window.notify("Dog;\u{1B}\\", text)
        let sent = app.terminal.emulator.notifications
        try #require(sent.count == 2, "\(sent)")
        #expect(sent[0].hasPrefix("Dog;\\: a]0;xbc우유yyy") && sent[0].count < 220, "\(sent)")
        #expect(sent[1].hasPrefix("notify;Dog,\\;a]0;xbc우유"), "\(sent)")
        #expect(app.terminal.emulator.unknown.isEmpty && app.terminal.emulator.bells == 1)
    }

    @Test("A field that has reached its limit shows the length")
    func limit() async {
        let field = TextField()
        field.maximumLength = 6
        var discarded = 0
        field.onTruncate = { discarded += $0 }
        let app = app([field])
        await app.type("abcde")
        #expect(!app.text.contains("/6"))
        await app.type("fgh")
        #expect(field.text == "abcdef" && discarded == 2)
        #expect(app.text.contains("6/6"))
    }

    @Test("A text view selects across lines, undoes and copies")
    func textView() async {
        let view = TextView(text: "one\ntwo\nthree")
        let app = app([view])
        await app.press(.up)
        await app.press(Key(.home), Key(.down, .shift))
        #expect(view.selectedText == "two\n")
        await app.press(.control("x"))
        #expect(view.text == "one\nthree")
        // Control with A, E, U and K acts on the line of the text.
        await app.press(.control("e"), Key(.left), .control("u"), .character("x"), .control("k"))
        #expect(view.text == "one\nx")
        await app.press(.up, .home)
        await app.press(.control("e"), .control("k"), .control("a"), .control("u"), .control("k"))
        #expect(view.text == "")
        for _ in 0..<5 { await app.press(.control("_")) }
        #expect(view.text == "one\nthree")
        await app.press(.control("_"))
        #expect(view.text == "one\ntwo\nthree")
        await app.click(GridPoint(x: 2, y: 1))
        await app.click(GridPoint(x: 2, y: 1))
        #expect(view.selectedText == "two")
    }

    @Test("Suggestions appear below the field; arrows select, Tab accepts, Escape closes, a click accepts")
    func completion() async {
        let field = TextField()
        field.completions = { text, caret in
            let head = Array(text).prefix(caret)
            guard let start = head.lastIndex(of: "+") else { return nil }
            let word = String(head[(start + 1)...])
            let names = ["home", "hobby", "work"].filter { $0.hasPrefix(word) && $0 != word }
            return CompletionList(
                replacing: start..<caret,
                items: names.map { Completion("+\($0)", detail: "project") }
            )
        }
        var submitted = ""
        field.onSubmit = { submitted = $0 }
        let app = app([Label("new"), field])
        await app.type("buy +h")
        #expect(app.screen.line(2).contains("+home") && app.screen.line(2).contains("project"))
        #expect(app.screen.line(3).contains("+hobby"))
        #expect(app.screen.find("+home")?.x == 5)
        await app.press(.down, .down)
        await app.press(.enter)
        #expect(field.text == "buy +hobby" && submitted == "")
        #expect(!app.text.contains("project"))
        await app.type(" +w")
        await app.press(.tab)
        #expect(field.text == "buy +hobby +work")
        await app.type(" +h")
        await app.press(.escape)
        #expect(!app.text.contains("project"))
        await app.type("o")
        await app.click(on: "+hobby  ")
        #expect(field.text == "buy +hobby +work +hobby")
        await app.press(.enter)
        #expect(submitted == "buy +hobby +work +hobby")
    }

    @Test("Suggestions appear above a field at the lower edge, and disappear with the focus")
    func completionAbove() async {
        let field = TextField()
        field.completions = { _, caret in
            CompletionList(replacing: 0..<caret, items: [Completion("one"), Completion("two")])
        }
        let below = TextField()
        let app = app([Label("1"), Label("2"), Label("3"), field, below], height: 5)
        await app.type("x")
        #expect(app.screen.find("one") != nil)
        await app.press(Key(.tab, .shift))
        #expect(app.screen.find("one") == nil)
        field.becomeFirstResponder()
        await app.type("y")
        #expect(app.screen.find("one")?.y == 1)
        // A suggestion that is too long changes nothing.
        field.maximumLength = 2
        await app.press(.tab)
        #expect(field.text == "xy")
        app.application.window.rootViewController = nil
        await app.settle()
        #expect(app.screen.find("one") == nil)
    }

    @Test("In a low window as many suggestions as fit are shown, with the selected one", arguments: [0, 2, 4])
    func completionInLowWindow(row: Int) async {
        let field = TextField()
        field.completions = { _, caret in
            CompletionList(replacing: 0..<caret, items: (1...9).map { Completion("item\($0)") })
        }
        var views: [View] = (0..<4).map { Label("\($0)") }
        views.insert(field, at: row)
        let app = app(views, height: 5)
        await app.type("x")
        for number in 1...9 {
            await app.press(.down)
            #expect(app.screen.find("item\(number)") != nil)
        }
        await app.press(.tab)
        #expect(field.text == "item9")
    }
}
