import NeedleKit
import TerminalTesting
import Testing

@testable import TerminalUI

@Suite("Movements out of the window")
@MainActor
struct DepartureTests {
    private func drawer(animations: Bool) -> (DrawerController, TestApplication) {
        let drawer = DrawerController(content: Stack([Button("Content")]), left: Stack([Button("Todos")]))
        return (drawer, TestApplication(root: drawer, size: GridSize(width: 60, height: 12), animations: animations))
    }

    @Test("A drawer slides out after it has closed; the focus is back at once")
    func drawer() async {
        let (drawer, app) = drawer(animations: true)
        await app.settle()
        drawer.open(.left)
        await app.advance(by: .milliseconds(200))
        let open = app.screen.find("Todos")
        drawer.close()
        await app.settle()
        #expect(drawer.openSide == nil && drawer.left?.viewIfLoaded?.window == nil)
        #expect(drawer.content.viewIfLoaded?.containsFirstResponder == true)
        #expect(app.screen.find("Todos") == open)
        await app.advance(by: .milliseconds(17))
        let moved = app.screen.find("odos")
        #expect(moved == nil || moved?.x ?? 0 < open?.x ?? 0)
        // The content receives the mouse below the cells that move.
        for _ in 0..<10 { await app.advance(by: .milliseconds(17)) }
        #expect(!app.text.contains("odos") && app.text.contains("Content"))
        #expect(drawer.view.subviews.count == 1)
    }

    @Test("Without animations a drawer is gone at once")
    func withoutAnimations() async {
        let (drawer, app) = drawer(animations: false)
        await app.settle()
        drawer.open(.left)
        await app.settle()
        #expect(app.text.contains("Todos"))
        drawer.close()
        await app.settle()
        #expect(!app.text.contains("Todos") && drawer.view.subviews.count == 1)
    }

    @Test("A drawer that is opened again while it slides out is open")
    func again() async {
        let (drawer, app) = drawer(animations: true)
        await app.settle()
        drawer.open(.left)
        await app.advance(by: .milliseconds(200))
        drawer.close()
        await app.advance(by: .milliseconds(17))
        drawer.open(.left)
        for _ in 0..<10 { await app.advance(by: .milliseconds(17)) }
        #expect(app.text.contains("Todos") && drawer.openSide == .left)
    }

    @Test("A view that is popped moves out to the right above the one that comes back")
    func navigation() async {
        let navigation = NavigationController(root: Stack([Button("First")]))
        let app = await launch(navigation, width: 60, height: 6, animations: true)
        let second = Stack([Button("Second")])
        navigation.push(second)
        for _ in 0..<10 { await app.advance(by: .milliseconds(17)) }
        let before = app.screen.find("Second")
        navigation.pop()
        await app.settle()
        #expect(second.view.window == nil && navigation.topViewController?.view.containsFirstResponder == true)
        #expect(app.screen.find("Second") == before)
        await app.advance(by: .milliseconds(17))
        #expect(app.screen.find("Second").map { $0.x > before?.x ?? 0 } ?? true)
        for _ in 0..<10 { await app.advance(by: .milliseconds(17)) }
        #expect(app.text.contains("First") && !app.text.contains("Second"))
        #expect(navigation.view.subviews.count == 1)
    }

    @Test("A message slides down while the next one is shown")
    func snackbar() async {
        let snackbar = SnackbarController(content: Stack([Button("Content")]))
        let app = await launch(snackbar, width: 60, height: 6, animations: true)
        snackbar.show("one line\nand another")
        for _ in 0..<10 { await app.advance(by: .milliseconds(17)) }
        #expect(app.screen.line(4).contains("one line"))
        snackbar.close()
        // The first frame of a movement may come later than its first time.
        var isLower = false
        for _ in 0..<12 {
            await app.advance(by: .milliseconds(17))
            isLower = isLower || snackbar.snackbar == nil && app.screen.line(5).contains("one line")
        }
        #expect(isLower && !app.text.contains("one line") && snackbar.view.subviews.count == 1)
    }
}
