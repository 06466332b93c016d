import TerminalTesting
import Testing

@testable import TerminalUI

@Suite("The cell buffer")
struct ScreenBufferTests {
    @Test("Drawing over half of a wide letter blanks the other half")
    func halves() {
        for (column, text) in [(0, "a 나"), (1, " a나"), (2, "가a"), (3, "가 a")] {
            var buffer = ScreenBuffer(size: GridSize(width: 4, height: 1))
            buffer.put("가나", x: 0, y: 0, style: .plain)
            buffer.put("a", x: column, y: 0, style: .plain)
            #expect(buffer.text == text)
        }
        var buffer = ScreenBuffer(size: GridSize(width: 4, height: 1))
        buffer.put("가나", x: 0, y: 0, style: .plain)
        buffer.fill(GridRect(x: 1, y: 0, width: 2, height: 1), with: Cell("x"))
        #expect(buffer.text == " xx" && !buffer.row(0).contains { $0.isContinuation })
    }

    @Test("Another size leaves the text and the addresses of its links")
    func resized() {
        var buffer = ScreenBuffer(size: GridSize(width: 4, height: 1))
        var style = TextStyle.plain
        style.link = buffer.link(to: "https://a.test/")
        buffer.put("가x", x: 0, y: 0, style: style)
        let larger = buffer.resized(to: GridSize(width: 6, height: 2))
        #expect(larger.text == "가x" && larger.address(of: larger[2, 0].style.link) == "https://a.test/")
        #expect(buffer.resized(to: GridSize(width: 1, height: 1)).row(0).map(\.isContinuation) == [false])
    }

    @Test("A wide letter at an edge becomes a space")
    func edges() {
        var buffer = ScreenBuffer(size: GridSize(width: 5, height: 1))
        buffer.put("가나다", x: 0, y: 0, style: .plain)
        #expect(buffer.text == "가나")
        buffer.put("라마", x: 0, y: 0, style: .plain, clip: GridRect(x: 1, y: 0, width: 2, height: 1))
        #expect(buffer.row(0).map(\.isContinuation) == [false, false, false, false, false])
        #expect(buffer.text.isEmpty)
    }

    @Test("Positions outside of the buffer are ignored")
    func outside() {
        var buffer = ScreenBuffer(size: GridSize(width: 2, height: 1))
        buffer.put("abc", x: -1, y: 0, style: .plain)
        buffer.put("가", x: 1, y: 5, style: .plain)
        buffer.fill(GridRect(x: -10, y: -10, width: 3, height: 3), with: Cell("x"))
        #expect(buffer.text == "bc")
        #expect(ScreenBuffer(size: GridSize(width: -1, height: 3)).text.isEmpty)
    }

    @Test("The SVG aligns wide letters to the grid and escapes the characters that XML reserves")
    func svg() {
        var buffer = ScreenBuffer(size: GridSize(width: 10, height: 2))
        buffer.put("a<\u{338}b&\u{301}가", x: 0, y: 0, style: TextStyle(foreground: .rgb(255, 0, 0), attributes: .bold))
        buffer.put("▀", x: 3, y: 1, style: TextStyle(foreground: .rgb(1, 2, 3), background: .rgb(4, 5, 6)))
        let svg = buffer.svg(cursor: GridPoint(x: 2, y: 1))
        #expect(svg.contains(">a&lt;\u{338}b&amp;\u{301}</text>"))
        #expect(svg.contains("<text x=\"36\" y=\"14\" textLength=\"18\""))
        #expect(svg.contains("fill=\"#ff0000\" font-weight=\"bold\">가</text>"))
        #expect(svg.contains("<rect x=\"27\" y=\"19\" width=\"9\" height=\"9\" fill=\"#010203\"/>"))
        #expect(svg.contains("<rect x=\"27\" y=\"19\" width=\"9\" height=\"19\" fill=\"#040506\"/>"))
        #expect(svg.hasPrefix("<svg ") && svg.hasSuffix("</svg>\n"))
    }

    @Test("A text is found at its position")
    func find() {
        var buffer = ScreenBuffer(size: GridSize(width: 12, height: 2))
        buffer.put("가나 milk", x: 1, y: 1, style: .plain)
        #expect(buffer.find("milk") == GridPoint(x: 6, y: 1))
        #expect(buffer.find("나") == GridPoint(x: 3, y: 1))
        #expect(buffer.find("bread") == nil)
    }
}
