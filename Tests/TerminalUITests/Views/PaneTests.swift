import NeedleKit
import TerminalTesting
import Testing

@testable import TerminalUI

@Suite("Panes and dividers")
@MainActor
struct PaneTests {
    private final class PaneController: ViewController {
        let pane: Pane
        init(_ pane: Pane) {
            self.pane = pane
            super.init()
        }
        override func viewDidLoad() {
            view.addSubview(pane)
            pane.ndl.makeConstraints { $0.edges.equalTo(view) }
        }
    }

    private func fill(_ pane: Pane, with view: View) {
        pane.contentView.addSubview(view)
        view.ndl.makeConstraints { make in
            make.left.equalTo(pane.contentView)
            make.right.equalTo(pane.contentView)
            make.top.equalTo(pane.contentView)
        }
    }

    @Test("A pane has a border with a title, a footer, and its content inside")
    func border() async {
        let pane = Pane(title: "할 일")
        pane.footer = "1 of 2"
        fill(pane, with: Label("milk"))
        let app = TestApplication(root: PaneController(pane), size: Size(width: 16, height: 3))
        await app.settle()
        #expect(app.text == "╭─ 할 일 ──────╮\n│milk          │\n╰───── 1 of 2 ─╯")
    }

    @Test("A title that is too long is truncated, and a tiny pane draws no broken border", arguments: [0, 1, 2, 5, 8])
    func narrow(_ width: Int) async {
        let app = TestApplication(
            root: PaneController(Pane(title: "A long title 제목")),
            size: Size(width: max(1, width), height: 2)
        )
        await app.settle()
        #expect(app.screen.line(0).count <= max(1, width))
        if width >= 2 { #expect(app.screen.line(0).hasSuffix("╮")) }
    }

    @Test("The border has the tint while a view inside has the focus")
    func focus() async {
        let pane = Pane(title: "t")
        let field = TextField()
        fill(pane, with: field)
        let app = TestApplication(root: PaneController(pane), size: Size(width: 10, height: 3))
        await app.settle()
        #expect(app.screen[0, 0].style.foreground == pane.effectiveTint)
        field.isEnabled = false
        await app.settle()
        #expect(app.screen[0, 0].style == pane.theme.border)
    }

    @Test("Dividers are lines as long as their constraints")
    func dividers() async {
        let app = TestApplication(root: Stack([Label("a"), Divider(), Label("b")]), size: Size(width: 4, height: 3))
        await app.settle()
        #expect(app.text == "a\n────\nb")
    }
}
