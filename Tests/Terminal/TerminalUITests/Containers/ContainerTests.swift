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

    private func nest(size: GridSize = GridSize(width: 60, height: 12)) -> Nest {
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

    @Test("Drawer(Toolbar(Snackbar(Navigation(Login)))) is shown in that order")
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

        // Six columns of the content stay visible beside a panel.
        var sides: [DrawerController.Side?] = []
        nest.drawer.onChange = { sides.append($0) }
        nest.drawer.open(.left)
        await nest.app.resize(GridSize(width: 30, height: 10))
        #expect(nest.app.screen.find("│")?.x == 23)
        nest.drawer.close()
        #expect(sides == [.left, nil])
    }

    @Test("The toolbar's buttons toggle the drawers by mouse and key; the focus stays inside and is restored")
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
        #expect(nest.app.application.window.firstResponder === nest.login.views[1])
        #expect(!nest.app.text.contains("사진"))
        await nest.app.click(on: "⚙")
        #expect(nest.drawer.openSide == .right)
        await nest.app.click(GridPoint(x: 2, y: 5))
        #expect(nest.drawer.openSide == nil)
        #expect(nest.app.application.window.firstResponder === nest.login.views[1])
        nest.drawer.open(.left)
        nest.drawer.open(.right)
        await nest.app.settle()
        #expect(nest.app.text.contains("Theme") && !nest.app.text.contains("Todos"))
    }

    @Test("Push and pop; Escape goes back; the root remains")
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

    @Test("Messages close by time or by their button, one after the other")
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

    @Test("An alert has the focus, is closed by key or mouse, and restores the focus")
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
        // The primary action has the focus, wherever its button is; nothing that deletes has it.
        let question = AlertController(title: "Add?")
        question.addAction("Cancel", kind: .cancel) { answers.append("cancel") }
        question.addAction("Add", kind: .primary) { answers.append("add") }
        question.addAction("Later") { answers.append("later") }
        nest.login.present(question)
        await nest.app.settle()
        await nest.app.press(.enter)
        _ = ask()
        await nest.app.settle()
        await nest.app.press(.enter)
        #expect(answers == ["delete", "cancel", "add", "cancel"])
        _ = ask()
        await nest.app.click(on: "Cancel")
        #expect(answers == ["delete", "cancel", "add", "cancel", "cancel"])
        #expect(!nest.app.text.contains("Delete?"))
        // It goes with the view controller that presents it, also with one around that.
        _ = ask()
        nest.login.removeFromParent()
        await nest.app.settle()
        #expect(nest.login.presented == nil && !nest.app.text.contains("Delete?"))
    }

    @Test(
        "After each container was opened and closed by mouse or key, the focus is where it was",
        arguments: [true, false]
    )
    func focusAfterContainers(byMouse: Bool) async throws {
        let nest = nest()
        let (app, focused) = (nest.app, nest.login.views[1])
        await app.press(.tab)
        let outside = GridPoint(x: 59, y: 11)
        let containers: [(name: String, open: () async -> Void, outside: GridPoint)] = [
            ("menu", { await app.click(on: "≡") }, outside),
            ("settings", { await app.click(on: "⚙") }, GridPoint(x: 1, y: 5)),
            (
                "sheet",
                {
                    nest.login.present(
                        SheetController(content: Stack([TextField()]), maximumSize: GridSize(width: 20, height: 6))
                    )
                }, GridPoint(x: 0, y: 0)
            ),
            ("list of actions", { focused.open(Menu([.init("One") {}, .init("Two") {}])) }, outside),
        ]
        for container in containers {
            await container.open()
            await app.settle()
            #expect(!focused.isFirstResponder, "\(container.name)")
            if byMouse { await app.click(container.outside) } else { await app.press(.escape) }
            #expect(focused.isFirstResponder, "\(container.name)")
        }
        nest.snackbar.show("saved", duration: nil)
        await app.settle()
        await app.click(on: "✕")
        #expect(focused.isFirstResponder && nest.snackbar.snackbar == nil)
    }

    @Test("When the focused view is removed, the one that had the focus before has it again")
    func focusAfterRemoval() async {
        let fields = (0..<4).map { _ in TextField() }
        let app = await show(fields[0], fields[1], fields[2], fields[3])
        for index in [2, 1, 3] { fields[index].becomeFirstResponder() }
        fields[3].removeFromSuperview()
        await app.settle()
        #expect(fields[1].isFirstResponder)
        fields[1].isHidden = true
        await app.settle()
        #expect(fields[2].isFirstResponder)
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
        // In a field before the last one, and without a primary action, Enter moves on.
        let question = AlertController(title: "Delete?")
        let fields = [question.addTextField(placeholder: "name"), question.addTextField(placeholder: "password")]
        question.addAction("Delete", kind: .destructive) { added = fields.map(\.text).joined(separator: "/") }
        nest.login.present(question)
        await nest.app.type("a\nb\n\n")
        #expect(added == "a/b" && nest.login.presented == nil)
    }

    @Test("All containers work in a window of any size", arguments: [(1, 1), (3, 2), (8, 3), (40, 12), (200, 60)])
    func sizes(_ width: Int, _ height: Int) async {
        let nest = nest(size: GridSize(width: width, height: height))
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
        await nest.app.resize(GridSize(width: height, height: width))
        #expect(nest.app.exitCode == nil)
    }

    @Test("The buttons of an alert take several rows where one is too narrow, also after a change of size")
    func alertRows() async throws {
        let nest = nest(size: GridSize(width: 40, height: 12))
        await nest.app.settle()
        let alert = AlertController(title: "Todos", message: "You have some.")
        for title in ["Remove them", "Leave them here", "취소"] { alert.addAction(title) }
        nest.login.present(alert)
        await nest.app.settle()
        func rows() -> [Int?] {
            let lines = nest.app.text.split(separator: "\n", omittingEmptySubsequences: false)
            return ["You have", "Remove them", "Leave them here", "취소"].map { text in
                lines.firstIndex { $0.contains(text) }
            }
        }
        let narrow = rows().compactMap { $0 }
        #expect(narrow.count == 4 && narrow[1] == narrow[0] + 2 && narrow[2] == narrow[1] + 1, "\(nest.app.text)")
        #expect(narrow.last == narrow[2], "\(nest.app.text)")
        await nest.app.resize(GridSize(width: 100, height: 12))
        let wide = rows().compactMap { $0 }
        #expect(wide.count == 4 && Set(wide).count == 2, "\(nest.app.text)")
        await nest.app.resize(GridSize(width: 28, height: 12))
        #expect(Set(rows().compactMap { $0 }).count == 4, "\(nest.app.text)")
        // Where the room is short, the message is cut, and neither the question nor a button.
        alert.dismiss()
        let long = AlertController(title: "Add them?", message: String(repeating: "a line\n", count: 20))
        for title in ["Cancel", "Add"] { long.addAction(title) }
        nest.login.present(long)
        for size in [GridSize(width: 40, height: 9), GridSize(width: 20, height: 5)] {
            await nest.app.resize(size)
            #expect(["Add them?", "Cancel", "Add "].allSatisfy(nest.app.text.contains), "\(nest.app.text)")
        }
    }

    @Test("In one row the content is shown without the toolbar, and in more rows below it")
    func oneRow() async {
        let nest = nest(size: GridSize(width: 400, height: 1))
        await nest.app.settle()
        #expect(nest.app.text.contains("Google") && !nest.app.text.contains("PRESS START"))
        await nest.app.resize(GridSize(width: 400, height: 2))
        #expect(nest.app.text.contains("PRESS START") && nest.app.screen.line(1).contains("Google"))
        await nest.app.resize(GridSize(width: 400, height: 1))
        #expect(nest.app.text.contains("Google") && !nest.app.text.contains("PRESS START"))
    }

    @Test("A change of the size class is reported once")
    func traits() async {
        let nest = nest(size: GridSize(width: 100, height: 30))
        await nest.app.settle()
        await nest.app.resize(GridSize(width: 90, height: 30))
        await nest.app.resize(GridSize(width: 40, height: 30))
        #expect(nest.login.log.filter { $0.hasPrefix("traits") } == ["traits regular", "traits compact"])
        #expect(nest.login.view.frame.width == 40)
    }
}
