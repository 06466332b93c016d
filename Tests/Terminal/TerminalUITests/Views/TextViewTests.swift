import TerminalTesting
import Testing

@testable import TerminalUI

@Suite("Text views")
@MainActor
struct TextViewTests {
    @Test("Text wraps at the edge, and the arrows move by displayed lines")
    func wrapping() async {
        let view = TextView(placeholder: "notes")
        let app = await show(view, width: 8, height: 4)
        #expect(app.text == " notes")
        await app.type("가나다라\nxy")
        #expect(app.text == " 가나다\n 라\n xy")
        #expect(app.caret == GridPoint(x: 3, y: 2))
        await app.press(.up, .up)
        #expect(app.caret == GridPoint(x: 3, y: 0))
        await app.press(.end)
        #expect(app.caret == GridPoint(x: 7, y: 0), "the end of the displayed line")
        await app.press(.character("!"))
        #expect(view.text == "가나다!라\nxy")
        // A column behind the last cluster of a line that wraps is that of the cluster.
        view.text = "가나다라마바\nabcdef"
        await app.press(.up)
        #expect(app.caret == GridPoint(x: 7, y: 1))
        await app.press(.up)
        #expect(app.caret == GridPoint(x: 5, y: 0))
        await app.press(.down, .down)
        #expect(app.caret == GridPoint(x: 7, y: 2))
        // A click behind the end of a line that wraps stays on it, and so do a triple click and Shift-End.
        await app.click(GridPoint(x: 7, y: 0))
        #expect(app.caret == GridPoint(x: 7, y: 0))
        await app.press(Key(.home), Key(.end, .shift))
        #expect(view.selectedText == "가나다" && app.caret == GridPoint(x: 7, y: 0))
        await app.press(.right)
        #expect(app.caret == GridPoint(x: 1, y: 1), "the same place in the text")
        for _ in 0..<3 { await app.click(GridPoint(x: 2, y: 0)) }
        #expect(view.selectedText == "가나다" && app.caret == GridPoint(x: 7, y: 0))
        await app.press(.left)
        #expect(app.caret == GridPoint(x: 1, y: 0))
    }

    @Test("The text scrolls with the caret, which returns to its column after shorter lines")
    func scrolling() async {
        let view = TextView(text: (1...9).map { "line \($0)" }.joined(separator: "\n"))
        let app = await show(view, width: 12, height: 4)
        #expect(app.screen.line(3).hasPrefix(" line 9"))
        #expect(app.caret == GridPoint(x: 7, y: 3))
        for _ in 0..<8 { await app.press(.up) }
        #expect(app.screen.line(0).hasPrefix(" line 1"))
        #expect(app.caret == GridPoint(x: 7, y: 0))
        view.text = "long line\nab\nother one"
        await app.press(.left, .left)
        await app.press(.up)
        #expect(app.caret?.x == 3)
        await app.press(.up)
        #expect(app.caret?.x == 8, "the column before the short line")
        view.text = (1...9).map { "line \($0)" }.joined(separator: "\n")
        for _ in 0..<8 { await app.press(.up) }
        await app.paste("\r\nA\rB")
        #expect(view.text.hasPrefix("line 1\nA\nB\nline 2"))
        // No row is empty that a line above could fill.
        view.text = "1\n2\n3\n4\n5"
        await app.press(Key(.end, .control), Key(.backspace), Key(.backspace))
        #expect(app.text == " 1\n 2\n 3\n 4")
    }

    @Test("At the maximum length a combining mark is accepted, and another letter is not")
    func combiningMarkAtTheLimit() async {
        let view = TextView(text: "cafe")
        view.maximumLength = 4
        var truncated = 0
        view.onTruncate = { truncated += $0 }
        let app = await show(view, width: 30, height: 6)
        await app.press(.end)
        await app.type("\u{301}")
        #expect(view.text == "cafe\u{301}" && truncated == 0)
        await app.type("s")
        #expect(view.text == "cafe\u{301}" && truncated == 1)
    }
}
