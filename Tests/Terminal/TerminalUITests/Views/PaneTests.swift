import NeedleKit
import TerminalTesting
import Testing

@testable import TerminalUI

@Suite("Panes and dividers")
@MainActor
struct PaneTests {
    @Test("A pane has a border with a title, a footer, and its content inside")
    func border() async {
        let pane = Pane(Label("milk"), title: "할 일")
        pane.footer = "1 of 2"
        let app = await fill(pane, width: 16, height: 3)
        #expect(app.text == "╭─ 할 일 ──────╮\n│milk          │\n╰───── 1 of 2 ─╯")
    }

    @Test("A title that is too long is truncated, and a tiny pane draws no broken border", arguments: [0, 1, 2, 5, 8])
    func narrow(_ width: Int) async {
        let app = await fill(Pane(title: "A long title 제목"), width: max(1, width), height: 2)
        #expect(app.screen.line(0).count <= max(1, width))
        if width >= 2 { #expect(app.screen.line(0).hasSuffix("╮")) }
    }

    @Test("The border has the tint while a view inside has the focus")
    func focus() async {
        let field = TextField()
        let pane = Pane(field, title: "t")
        let app = await fill(pane, width: 10, height: 3)
        #expect(app.screen[0, 0].style.foreground == pane.effectiveTint)
        field.isEnabled = false
        await app.settle()
        #expect(app.screen[0, 0].style == pane.theme.border)
    }

    @Test("Dividers are lines as long as their constraints")
    func dividers() async {
        let app = await show(Label("a"), Divider(), Label("b"), width: 4, height: 3)
        #expect(app.text == "a\n────\nb")
    }
}
