import NeedleKit
import TerminalTesting
import Testing

@testable import TerminalUI

@Suite("Styled text and links")
@MainActor
struct LinkTests {
    private func label() -> Label {
        var text = AttributedText("Read the ")
        text.append("manual", link: "https://example.org/manual")
        text.append(" or ")
        text.append("ask", style: TextStyle(attributes: .bold), link: "https://example.org/ask")
        return Label(text, numberOfLines: 0)
    }

    @Test("Links are written as OSC 8, also across lines, and end with their text")
    func escapeSequences() async {
        let app = await show(label(), width: 12, height: 5)
        #expect(app.text == "Read the\nmanual or\nask")
        #expect(app.screen.address(of: app.screen[0, 1].style.link) == "https://example.org/manual")
        #expect(app.screen.address(of: app.screen[5, 1].style.link) == "https://example.org/manual")
        #expect(app.screen[6, 1].style.link == .none)
        #expect(app.screen.address(of: app.screen[0, 2].style.link) == "https://example.org/ask")
        #expect(app.screen[0, 2].style.attributes.contains([.bold, .underline]))
        #expect(app.terminal.emulator.unknown.isEmpty)
    }

    @Test("Where control strings are short, a link with a long address is text, and the one before it ends")
    func longAddress() async {
        var text = AttributedText()
        text.append("ab", link: "https://a")
        text.append("cd", link: "https://b/" + String(repeating: "x", count: 300))
        text.append("ef", link: "https://c")
        var capabilities = TerminalCapabilities(colorDepth: .trueColor)
        capabilities.controlStringLimit = 250
        let size = GridSize(width: 12, height: 2)
        let app = TestApplication(root: Stack([Label(text)]), size: size, capabilities: capabilities)
        await app.settle()
        #expect(app.text == "abcdef")
        let links = (0..<6).map { app.screen.address(of: app.screen[$0, 0].style.link) }
        #expect(links == ["https://a", "https://a", nil, nil, "https://c", "https://c"])
    }

    @Test("A click, and Enter on a chosen link, open it; a label without an action cannot have the focus")
    func opening() async {
        let label = label()
        let app = await show(label, width: 40, height: 3)
        #expect(!label.isFirstResponder)
        var opened: [String] = []
        label.onLink = { opened.append($0) }
        await app.settle()
        #expect(label.isFirstResponder)
        let style = { (text: String) in
            let place = app.screen.find(text) ?? .zero
            return app.screen[place.x, place.y].style
        }
        let chosen = { ["manual", "ask"].map { style($0).attributes.contains(.reverse) } }
        #expect(chosen() == [true, false])
        await app.press(.enter, .right)
        #expect(chosen() == [false, true])
        await app.press(.enter, .left, .enter)
        #expect(chosen() == [true, false])
        let colors = ["manual", "ask", "or"].map { style($0).foreground }
        #expect(
            colors[0] != colors[1] && colors[1] == colors[2],
            "a part with a style of its own has no colour of links"
        )
        await app.click(on: "ask")
        await app.click(on: "Read")
        let (manual, ask) = ("https://example.org/manual", "https://example.org/ask")
        #expect(opened == [manual, ask, manual, ask])
    }

    @Test(
        "An address with control characters, spaces or too many characters is not written",
        arguments: ["https://x/\u{1B}]0;title\u{7}", "a b", "https://예/", "", String(repeating: "x", count: 3000)]
    )
    func hostile(_ address: String) async {
        var text = AttributedText()
        text.append("link", link: address)
        let app = await show(Label(text), width: 12, height: 2)
        #expect(app.text == "link")
        #expect(app.screen[0, 0].style.link == .none)
        #expect(app.terminal.emulator.unknown.isEmpty)
    }

    @Test("The characters behind an ellipsis, and behind one of the text, have the style and the link of their part")
    func ellipses() async {
        var text = AttributedText()
        text.append("up", link: "https://a")
        text.append("\u{301} or ")
        text.append("…down", link: "https://b")
        let label = Label(text, numberOfLines: 0)
        var opened = ""
        label.onLink = { opened += $0.suffix(1) }
        let app = await show(label, width: 6, height: 3)
        await app.click(on: "u")
        await app.click(on: "…")
        await app.click(on: "wn")
        #expect(opened == "abb")
        #expect(app.screen.address(of: app.screen[4, 1].style.link) == "https://b")
        label.numberOfLines = 1
        for (mode, links) in [(TextLayout.Truncation.head, "bbbbb"), (.middle, "aabb"), (.tail, "aa"), (.clip, "aa")] {
            label.truncation = mode
            opened = ""
            for x in 0..<6 { await app.click(GridPoint(x: x, y: 0)) }
            #expect(opened == links, "\(mode): \(app.text)")
        }
    }

    @Test("Setting the text removes the links, and truncated text has the style of its part")
    func changes() async {
        let label = label()
        label.numberOfLines = 1
        let app = await show(label, width: 12, height: 2)
        #expect(app.text == "Read the ma…")
        #expect(app.screen[10, 0].style.link != .none)
        label.text = "plain"
        await app.settle()
        #expect(app.text == "plain" && app.screen[0, 0].style.link == .none)
    }
}
