import NeedleKit
import TerminalTesting
import Testing

@testable import TerminalUI

@Suite("Inspecting the layout, screen readers, transitions")
@MainActor
struct InspectorTests {
    @Test("The key shows frames, names, the constraints of the focused view, and conflicts; again it hides them")
    func inspector() async {
        let field = TextField()
        field.layoutNode.name = "search"
        let root = Stack([Label("hello"), field])
        let app = await launch(root, width: 70, height: 20)
        app.application.inspectionKey = Key(.function(12))
        await app.settle()
        let before = app.text
        await app.press(.function(12))
        #expect(app.text.contains("no layout problems"))
        #expect(app.text.contains("search (0, 1, 70x1)"))
        #expect(app.text.contains("left"))
        field.ndl.makeConstraints { $0.width.equalTo(5) }
        await app.settle()
        #expect(!app.text.contains("no layout problems"))
        await app.press(.function(12))
        #expect(app.text.split(separator: "\n").first == before.split(separator: "\n").first)
        #expect(!app.text.contains("search (0"))
    }

    @Test("For a screen reader the cursor is on the focused view, and on the selected row of a list")
    func cursor() async {
        let (list, source) = rows(3)
        defer { withExtendedLifetime(source) {} }
        list.ndl.makeConstraints { $0.height.equalTo(4) }
        let app = await show(Button("one"), list, width: 20, height: 8)
        #expect(app.caret == nil)
        app.application.window.showsCursorAtFocus = true
        await app.settle()
        #expect(app.caret == GridPoint(x: 0, y: 0))
        await app.press(.tab, .down)
        #expect(app.caret == GridPoint(x: 0, y: 2))
    }

    @Test("An error stays until it is closed, and other messages disappear")
    func errors() async {
        let snackbars = SnackbarController(content: ViewController())
        let app = await launch(snackbars, width: 40, height: 5)
        snackbars.show("saved", duration: .seconds(2))
        await app.advance(by: .seconds(3))
        #expect(!app.text.contains("saved"))
        snackbars.show("disk full", duration: .seconds(2), kind: .error)
        await app.advance(by: .seconds(60))
        #expect(app.text.contains("✗ disk full"))
        await app.click(on: "✕")
        #expect(!app.text.contains("disk full"))
    }

    @Test("A drawer slides in on the application's clock, and at once without animations")
    func transitions() async {
        for animations in [false, true] {
            let drawer = DrawerController(content: Stack([Label("content")]), left: Stack([Label("menu")]))
            let app = await launch(drawer, width: 60, height: 6, animations: animations)
            drawer.open(.left)
            await app.settle()
            #expect(app.text.contains("menu") != animations)
            for _ in 0..<20 { await app.advance(by: .milliseconds(16)) }
            #expect(app.screen.find("menu") == GridPoint(x: 2, y: 1))
            #expect(app.application.window.layoutDiagnostics.filter { !$0.contains("ambiguous") }.isEmpty)
        }
    }
}
