import NeedleKit
import TerminalTesting
import Testing

@testable import TerminalUI

@Suite("Containers")
@MainActor
struct ContainerTests {
    struct Nest {
        let drawer: DrawerController
        let toolbar: ToolbarController
        let snackbar: SnackbarController
        let navigation: NavigationController
        let login: Stack
        let app: TestApplication
    }

    private func nest(size: Size = Size(width: 60, height: 12)) -> Nest {
        let login = Stack([Button("Google"), Button("Facebook")])
        let navigation = NavigationController(root: login)
        let snackbar = SnackbarController(content: navigation)
        let toolbar = ToolbarController(content: snackbar, title: "PRESS START")
        let drawer = DrawerController(
            content: toolbar,
            left: Stack([Button("Todos"), Button("사진")]),
            right: Stack([Button("Theme")])
        )
        toolbar.toolbar.setLeft("≡") { [weak drawer] in drawer?.toggle(.left) }
        toolbar.toolbar.setRight("⚙") { [weak drawer] in drawer?.toggle(.right) }
        return Nest(
            drawer: drawer,
            toolbar: toolbar,
            snackbar: snackbar,
            navigation: navigation,
            login: login,
            app: TestApplication(root: drawer, size: size)
        )
    }

    @Test("T1: Drawer(Toolbar(Snackbar(Navigation(Login)))) is shown in that order")
    func nesting() async {
        let nest = nest()
        await nest.app.settle()
        #expect(nest.login.drawerController === nest.drawer)
        #expect(nest.login.toolbarController === nest.toolbar)
        #expect(nest.login.snackbarController === nest.snackbar)
        #expect(nest.login.navigationController === nest.navigation)
        #expect(nest.app.screen.line(0).contains("PRESS START"))
        #expect(nest.app.screen.line(1).contains("Google"))
        #expect(nest.login.log == ["load", "willAppear", "didAppear"])
    }

    @Test(
        "T2, T3: the toolbar's buttons toggle the drawers by mouse and key; the focus stays inside and is restored"
    )
    func drawers() async {
        let nest = nest()
        await nest.app.press(.tab)
        #expect(nest.app.application.window.firstResponder === nest.login.views[1])
        await nest.app.click(on: "≡")
        #expect(nest.drawer.openSide == .left)
        #expect(nest.app.text.contains("사진"))
        for _ in 0..<5 {
            await nest.app.press(.tab)
            #expect(nest.drawer.left?.view.containsFirstResponder == true)
        }
        await nest.app.press(.escape)
        #expect(nest.drawer.openSide == nil)
        #expect(!nest.app.text.contains("사진"))
        await nest.app.click(on: "⚙")
        #expect(nest.drawer.openSide == .right)
        await nest.app.click(Point(x: 2, y: 5))
        #expect(nest.drawer.openSide == nil)
        nest.drawer.open(.left)
        nest.drawer.open(.right)
        await nest.app.settle()
        #expect(nest.app.text.contains("Theme") && !nest.app.text.contains("Todos"))
    }

    @Test("T4: push and pop; Escape goes back; the root remains")
    func navigation() async {
        let nest = nest()
        let page = Stack([Button("Next page")])
        await nest.app.settle()
        nest.navigation.push(page)
        await nest.app.settle()
        #expect(nest.app.text.contains("Next page") && !nest.app.text.contains("Google"))
        #expect(nest.login.log == ["load", "willAppear", "didAppear", "willDisappear", "didDisappear"])
        await nest.app.press(.escape, .escape)
        #expect(nest.app.text.contains("Google"))
        #expect(nest.navigation.viewControllers.count == 1)
        #expect(page.log == ["load", "willAppear", "didAppear", "willDisappear", "didDisappear"])
        #expect(page.parent == nil)
        nest.navigation.setViewControllers([page])
        await nest.app.settle()
        #expect(nest.login.parent == nil)
    }

    @Test("T5: messages close by time or by their button, one after the other")
    func snackbar() async {
        let nest = nest()
        await nest.app.settle()
        nest.snackbar.show("저장됨", duration: .seconds(4))
        nest.snackbar.show("Deleted", action: "Undo", duration: nil)
        await nest.app.settle()
        #expect(nest.app.screen.line(11).hasPrefix(" 저장됨"))
        #expect(nest.app.screen.line(11).hasSuffix("✕"))
        await nest.app.advance(by: .seconds(3))
        #expect(nest.app.text.contains("저장됨"))
        await nest.app.advance(by: .seconds(1))
        #expect(!nest.app.text.contains("저장됨"))
        #expect(nest.app.text.contains("Deleted"))
        await nest.app.advance(by: .seconds(60))
        await nest.app.click(on: "✕")
        #expect(!nest.app.text.contains("Deleted"))
        var undone = false
        nest.snackbar.show("Again", action: "Undo") { undone = true }
        await nest.app.settle()
        await nest.app.click(on: "Undo")
        #expect(undone)
        #expect(nest.snackbar.snackbar == nil)
        #expect(nest.app.clock.sleepers == 0)
    }

    @Test("Z2: an alert has the focus, is closed by key or mouse, and restores the focus")
    func alert() async {
        let nest = nest()
        await nest.app.press(.tab)
        var answers: [String] = []
        func ask() -> AlertController {
            let alert = AlertController(title: "Delete?", message: "되돌릴 수 없습니다.")
            alert.addAction("Cancel", kind: .cancel) { answers.append("cancel") }
            alert.addAction("Delete", kind: .destructive) { answers.append("delete") }
            nest.login.present(alert)
            return alert
        }
        _ = ask()
        await nest.app.settle()
        #expect(nest.app.text.contains("되돌릴 수 없습니다."))
        await nest.app.click(on: "Google")
        await nest.app.press(.right, .enter)
        #expect(answers == ["delete"])
        #expect(nest.login.presented == nil)
        #expect(nest.app.application.window.firstResponder === nest.login.views[1])
        _ = ask()
        await nest.app.press(.escape)
        #expect(answers == ["delete", "cancel"])
        _ = ask()
        await nest.app.click(on: "Cancel")
        #expect(answers == ["delete", "cancel", "cancel"])
        #expect(!nest.app.text.contains("Delete?"))
    }

    @Test("An alert with a text field returns the text")
    func alertField() async {
        let nest = nest()
        await nest.app.settle()
        let alert = AlertController(title: "New todo")
        let field = alert.addTextField(placeholder: "title")
        var added = ""
        alert.addAction("Cancel", kind: .cancel)
        alert.addAction("Add", kind: .primary) { added = field.text }
        nest.login.present(alert)
        await nest.app.type("우유\n")
        #expect(added == "우유")
        #expect(nest.login.presented == nil)
    }

    @Test("All containers work in a window of any size", arguments: [(1, 1), (3, 2), (8, 3), (40, 12), (200, 60)])
    func sizes(_ width: Int, _ height: Int) async {
        let nest = nest(size: Size(width: width, height: height))
        await nest.app.settle()
        nest.drawer.open(.left)
        nest.snackbar.show("message", action: "Undo")
        await nest.app.press(.tab, .tab)
        nest.drawer.close()
        let alert = AlertController(title: "Title", message: "A long message that takes several lines")
        alert.addAction("One")
        alert.addAction("Two")
        nest.login.present(alert)
        await nest.app.press(.tab, .enter)
        await nest.app.resize(Size(width: height, height: width))
        #expect(nest.app.exitCode == nil)
    }

    @Test("Z8: a change of the size class is reported once")
    func traits() async {
        let nest = nest(size: Size(width: 100, height: 30))
        await nest.app.settle()
        await nest.app.resize(Size(width: 90, height: 30))
        await nest.app.resize(Size(width: 40, height: 30))
        #expect(nest.login.log.filter { $0.hasPrefix("traits") } == ["traits regular", "traits compact"])
        #expect(nest.login.view.frame.width == 40)
    }
}
