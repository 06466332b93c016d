import TerminalTesting
import Testing

@testable import TerminalUI

@Suite("Text fields")
@MainActor
struct TextFieldTests {
    private func app(_ views: [View], width: Int = 20) -> TestApplication {
        TestApplication(root: Stack(views), size: GridSize(width: width, height: 6))
    }

    @Test("Korean is typed, and the hardware cursor is behind it")
    func korean() async {
        let field = TextField(placeholder: "할 일")
        let app = app([field])
        await app.settle()
        #expect(app.text == " 할 일")
        #expect(app.caret == GridPoint(x: 1, y: 0))
        await app.type("우유 사기")
        #expect(app.text == " 우유 사기")
        #expect(app.caret == GridPoint(x: 10, y: 0))
        await app.press(.left, .left, .backspace)
        #expect(field.text == "우유사기")
        #expect(app.caret == GridPoint(x: 5, y: 0))
    }

    @Test("A syllable of Jamo, a family emoji and a flag are one editing step each")
    func clusters() async {
        let field = TextField()
        let app = app([field])
        await app.type("\u{1112}\u{1161}\u{11AB}👩\u{200D}👧🇰🇷e\u{301}")
        #expect(field.text.count == 4)
        #expect(app.caret == GridPoint(x: 8, y: 0))
        await app.press(.backspace, .backspace)
        #expect(field.text == "\u{1112}\u{1161}\u{11AB}👩\u{200D}👧")
        await app.press(.home, .delete)
        #expect(field.text == "👩\u{200D}👧")
    }

    @Test("Long text scrolls with the caret without cutting a wide letter")
    func scrolling() async {
        let field = TextField()
        let app = app([field], width: 8)
        await app.type("가나다라마")
        #expect(app.text == "  라마")
        #expect(app.caret == GridPoint(x: 6, y: 0))
        await app.press(.home)
        #expect(app.text == " 가나다")
        #expect(app.caret == GridPoint(x: 1, y: 0))
        for _ in 0..<5 {
            await app.press(.right)
            let caret = app.caret
            #expect(caret.map { $0.x >= 1 && $0.x <= 6 } == true)
        }
    }

    @Test("A secure field shows dots and never draws its text")
    func secure() async {
        let field = TextField()
        field.isSecure = true
        let app = app([field])
        await app.type("비밀abc")
        #expect(app.text == " •••••")
        #expect(field.text == "비밀abc")
        #expect(!app.text.contains("a"))
        await app.type("é")
        await app.press(.backspace, .backspace)
        #expect(field.text == "비밀ab")
        // Neither keys nor undo tell where a word ends.
        field.text = ""
        await app.type("one two")
        await app.press(.control("_"))
        #expect(field.text == "")
        await app.type("one two")
        await app.press(Key(.left, .control))
        #expect(field.caretPosition == 0)
        await app.press(Key(.right, [.shift, .alt]))
        #expect(field.selectedText == "one two")
        await app.press(Key(.end), .control("w"))
        #expect(field.text == "")
    }

    @Test("Typed and pasted text is limited to the maximum length, and a paste becomes one line")
    func limit() async {
        let field = TextField()
        field.maximumLength = 5
        var changes: [String] = []
        field.onChange = { changes.append($0) }
        let app = app([field])
        await app.paste("가\n나\t\u{1B}[31mxyz")
        #expect(field.text == "가 나 \u{1B}")
        #expect(app.text.hasPrefix(" 가 나 ␛ ") && app.text.hasSuffix(" 5/5"))
        await app.type("z")
        #expect(field.text.count == 5)
        #expect(changes == ["가 나 \u{1B}"])
        field.maximumLength = 6
        await app.settle()
        #expect(!app.text.contains("5/"), "the note goes with the limit")
    }

    @Test("Validity is shown by a colour, an underline and a mark")
    func validity() async {
        let field = TextField(text: "paw")
        let app = app([field])
        await app.settle()
        field.validity = .invalid
        await app.settle()
        #expect(app.text == " paw" + String(repeating: " ", count: 15) + "!")
        #expect(app.screen[1, 0].style.attributes.contains(.underline))
        #expect(app.screen[1, 0].style.foreground == Theme().error.foreground)
        field.validity = .valid
        await app.settle()
        #expect(app.text.hasSuffix("✓"))
        #expect(app.screen[1, 0].style.foreground == Theme().success.foreground)
    }

    @Test("Editing keys have the effects that they have in a shell")
    func editing() async {
        let field = TextField(text: "one two three")
        let app = app([field])
        await app.press(.control("w"))
        #expect(field.text == "one two ")
        await app.press(Key(.left, .control), .control("k"))
        #expect(field.text == "one ")
        await app.press(.control("a"), .character("x"), .control("e"), .character("y"))
        #expect(field.text == "xone y")
        await app.press(.control("u"))
        #expect(field.text.isEmpty)
    }

    @Test("Clearing the text reports a change")
    func clearing() async {
        let field = TextField(text: "a")
        var seen: [String] = []
        field.onChange = { seen.append($0) }
        let app = app([field])
        await app.press(.backspace, .backspace)
        #expect(seen == [""])
    }

    @Test("Enter submits or moves to the next field; a click moves the caret")
    func enterAndClick() async {
        let (first, second) = (TextField(text: "가나다"), TextField())
        var submitted: [String] = []
        second.onSubmit = { submitted.append($0) }
        let app = app([first, second])
        await app.press(.enter)
        #expect(second.isFirstResponder)
        await app.type("ok\n")
        #expect(submitted == ["ok"])
        await app.click(GridPoint(x: 4, y: 0))
        #expect(first.isFirstResponder)
        #expect(app.caret == GridPoint(x: 3, y: 0))
    }

    @Test("A paste beyond the maximum length reports the number of discarded characters", arguments: [true, false])
    func truncation(_ isField: Bool) async {
        var lost: [Int] = []
        let field = TextField()
        field.maximumLength = 5
        field.onTruncate = { lost.append($0) }
        let view = TextView()
        view.maximumLength = 5
        view.onTruncate = { lost.append($0) }
        let app = await show(isField ? field : view)
        await app.paste("가나")
        #expect(lost.isEmpty)
        await app.paste("다라마바사")
        #expect(lost == [2])
        #expect((isField ? field.text : view.text) == "가나다라마")
        await app.type("x")
        #expect(lost == [2, 1])
        #expect((isField ? field.text : view.text) == "가나다라마")
    }

    @Test("After a deletion the characters on both sides may form one cluster")
    func joining() async {
        let field = TextField(text: "\u{1F1F0}x\u{1F1F7}")
        let app = await show(field)
        await app.press(.left)
        await app.press(.backspace)
        #expect(field.text == "🇰🇷")
        await app.press(.backspace)
        #expect(field.text.isEmpty)
    }
}
