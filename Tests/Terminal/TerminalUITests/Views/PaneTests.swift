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

    @Test(
        "A title that is too long is truncated, and a tiny pane draws no broken border",
        arguments: [0, 1, 2, 5, 6, 8]
    )
    func narrow(_ width: Int) async {
        let app = await fill(Pane(title: "A long title 제목"), width: max(1, width), height: 2)
        #expect(app.screen.line(0).count <= max(1, width))
        if width >= 2 { #expect(app.screen.line(0).hasSuffix("╮")) }
        if (2...6).contains(width) { #expect(!app.screen.line(0).contains(" ")) }
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

    @Test("Panes beside each other or one above the other share one border, in the style of the one with the focus")
    func shared() async {
        let (field, other) = (TextField(), Pane(title: "b"))
        let pane = Pane(field, title: "a")
        other.neighbor = pane
        for (isBeside, text) in [
            (true, "╭─ a ───┬─ b ───╮\n│       │       │\n╰───────┴───────╯"),
            (false, "╭─ a ───────────╮\n│               │\n├─ b ───────────┤\n│               │\n╰───────────────╯"),
        ] {
            let root = View()
            for view in [pane, other] { root.addSubview(view) }
            pane.ndl.remakeConstraints { make in
                make.top.left.equalTo(root)
                if isBeside { make.width.equalTo(9) } else { make.right.equalTo(root) }
                make.height.equalTo(3)
            }
            other.ndl.remakeConstraints { make in
                make.bottom.right.equalTo(root)
                if isBeside { make.width.equalTo(9) } else { make.left.equalTo(root) }
                make.height.equalTo(3)
            }
            let app = await fill(root, width: 17, height: isBeside ? 3 : 5)
            #expect(app.text == text)
            let shared = isBeside ? app.screen[8, 1] : app.screen[8, 2]
            #expect(shared.style.foreground == pane.effectiveTint)
            field.isEnabled = false
            await app.settle()
            #expect((isBeside ? app.screen[8, 1] : app.screen[8, 2]).style == pane.theme.border)
            field.isEnabled = true
        }
    }

    @Test("Dividers are lines as long as their constraints")
    func dividers() async {
        let app = await show(Label("a"), Divider(), Label("b"), width: 4, height: 3)
        #expect(app.text == "a\n────\nb")
    }
}
