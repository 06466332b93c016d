import NeedleKit
import TerminalTesting
import TestSupport
import Testing

@testable import TerminalUI

@Suite("Layout")
@MainActor
struct LayoutRequestTests {
    /// A page with a label whose left edge a test moves.
    private final class Page: ViewController {
        let label = Label("X")
        let button = Button("Move")

        override func viewDidLoad() {
            view.addSubview(label)
            view.addSubview(button)
            label.ndl.makeConstraints { make in
                make.left.equalTo(1)
                make.top.equalTo(view)
            }
            button.ndl.makeConstraints { make in
                make.left.equalTo(view)
                make.top.equalTo(view).offset(1)
            }
        }
    }

    private func start() async -> (TestApplication, Page) {
        let page = Page()
        let app = await launch(page, width: 20, height: 2)
        #expect(app.screen.line(0) == " X")
        return (app, page)
    }

    @Test("A constraint changed on Enter or a click is drawn", arguments: [true, false])
    func events(_ byKey: Bool) async {
        let (app, page) = await start()
        page.button.onTap = { page.label.ndl.updateConstraints { $0.left.equalTo(5) } }
        if byKey { await app.press(.enter) } else { await app.click(on: "Move") }
        #expect(app.screen.line(0) == "     X")
    }

    @Test("A change outside of an event is drawn", arguments: ["constant", "remake", "priority", "deactivate"])
    func outside(_ kind: String) async {
        let (app, page) = await start()
        switch kind {
        case "constant": page.label.ndl.updateConstraints { $0.left.equalTo(5) }
        case "remake":
            page.label.ndl.remakeConstraints { make in
                make.left.equalTo(page.view).offset(5)
                make.top.equalTo(page.view)
            }
        case "priority":
            let constraints = page.label.ndl.remakeConstraints { make in
                make.top.equalTo(page.view)
                make.left.equalTo(page.view).offset(5).priority(100)
                make.left.equalTo(page.view).offset(1).priority(200)
            }
            await app.settle()
            #expect(app.screen.line(0) == " X")
            constraints[1].setPriority(300)
        default:
            let constraints = page.label.ndl.remakeConstraints { make in
                make.top.equalTo(page.view)
                make.left.equalTo(page.view).offset(5).priority(100)
                make.left.equalTo(page.view).offset(1).priority(200)
            }
            await app.settle()
            constraints[2].deactivate()
        }
        await app.settle()
        #expect(app.screen.line(0) == "     X")
    }

    @Test("An event that changes nothing causes no layout and no frame")
    func nothing() async {
        let (app, _) = await start()
        let before = app.terminal.writes
        await app.press(.function(7))
        #expect(app.terminal.writes == before)
        #expect(!app.application.window.needsLayout)
    }

    @Test("Conflicts are reported once, and diagnostics and SVG are available")
    func diagnostics() async {
        let (app, page) = await start()
        let window = app.application.window
        var problems: [String] = []
        window.onLayoutProblem = { problems.append($0) }
        #expect(window.layoutDiagnostics.isEmpty)
        page.label.ndl.makeConstraints { $0.left.equalTo(7) }
        await app.settle()
        #expect(problems.count == 1)
        page.button.title = "Move on"
        await app.settle()
        #expect(problems.count == 1)
        #expect(window.layoutDiagnostics.contains { problems.contains($0) })
        #expect(window.layoutSVG().hasPrefix("<svg"))
    }

    @Test("A text field becomes narrower before the label beside it")
    func fieldBesideLabel() async {
        let root = ViewController()
        let label = Label("Password:")
        let field = TextField(placeholder: "none")
        for view in [label, field] as [View] { root.view.addSubview(view) }
        label.ndl.makeConstraints { $0.top.left.equalTo(root.view) }
        field.ndl.makeConstraints { make in
            make.left.equalTo(label.ndl.right).offset(1)
            make.top.right.equalTo(root.view)
        }
        let app = await launch(root, width: 16, height: 1)
        #expect(app.text.hasPrefix("Password:"))
        #expect(field.frame == GridRect(x: 10, y: 0, width: 6, height: 1))
    }
}
