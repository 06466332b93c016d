import NeedleKit
import TerminalTesting
import Testing

@testable import TerminalUI

@Suite("Snackbars")
@MainActor
struct SnackbarTests {
    @Test("A message that replaces the visible one is shown at once, before messages that wait")
    func replaces() async {
        let snackbar = SnackbarController(content: Stack([Button("Login")]))
        let app = await launch(snackbar, width: 40, height: 6)
        snackbar.show("first", duration: nil)
        snackbar.show("second", duration: nil)
        snackbar.show("urgent", duration: nil, replacesVisible: true)
        await app.settle()
        #expect(app.text.contains("urgent") && !app.text.contains("first"))
        snackbar.close()
        await app.settle()
        #expect(app.text.contains("second"))
    }

    @Test("An action is below the text where it would leave too little of the width, also after a change of size")
    func narrow() async {
        let snackbar = SnackbarController(content: Stack([Button("Login")]))
        let app = await launch(snackbar, width: 60, height: 8)
        snackbar.show("The todo was deleted", action: "실행 취소", duration: nil)
        for (width, rows) in [(60, ["The todo was deleted", "실행 취소"]), (20, ["The todo was", "deleted", "실행 취소"])] {
            await app.resize(GridSize(width: width, height: 8))
            let found = rows.compactMap { app.screen.find($0)?.y }
            #expect(found == (width == 60 ? [7, 7] : [5, 6, 7]), "\(app.text)")
        }
    }

    @Test("A message that the content shows while it is loaded appears with the screen; others wait for it")
    func beforeTheScreen() async {
        final class Page: ViewController {
            override func viewDidLoad() {
                super.viewDidLoad()
                view.fill(with: Stack([Button("Login")]).view)
                snackbarController?.show("welcome")
                snackbarController?.show("later")
                snackbarController?.show("first", replacesVisible: true)
            }
        }
        let app = await launch(SnackbarController(content: Page()), width: 40, height: 6)
        for text in ["first", "welcome", "later"] {
            #expect(app.text.contains(text), "\(app.text)")
            await app.advance(by: .seconds(4))
            #expect(!app.text.contains(text))
        }
    }

    @Test("An error that another message replaces is shown again after it, until it is closed")
    func errorReturns() async {
        let snackbar = SnackbarController(content: Stack([Button("Login")]))
        let app = await launch(snackbar, width: 40, height: 6)
        snackbar.show("disk full", kind: .error)
        snackbar.show("later", duration: nil)
        snackbar.show("added", duration: nil, replacesVisible: true)
        await app.settle()
        #expect(app.text.contains("added") && !app.text.contains("disk full"))
        for text in ["disk full", "later"] {
            snackbar.close()
            await app.settle()
            #expect(app.text.contains(text))
        }
        snackbar.close()
        await app.settle()
        #expect(!app.text.contains("disk full") && !app.text.contains("later"))
        // Before text is typed below, what was seen is closed; what was not follows the next message.
        snackbar.show("disk full", kind: .error)
        snackbar.show("unseen", duration: nil)
        snackbar.show("added", duration: nil, replacesVisible: true)
        snackbar.closeShown()
        #expect(snackbar.snackbar == nil)
        snackbar.show("next", duration: nil, replacesVisible: true)
        snackbar.close()
        #expect(snackbar.snackbar?.label.text == "unseen")
    }

    @Test("The buttons of a message and of a toolbar do not take the keys of a content that has nothing focusable")
    func keysOfContent() async {
        final class Page: ViewController {
            let save = Button("Save")
            var heard: [Key] = []
            override func viewDidLoad() {
                super.viewDidLoad()
                view.fill(with: Label("text"))
            }
            override func keyDown(_ key: Key) -> Bool {
                guard key != Key(.tab) else { return false }
                heard.append(key)
                return true
            }
        }
        let page = Page()
        let snackbar = SnackbarController(content: page)
        let toolbar = ToolbarController(content: snackbar)
        toolbar.toolbar.setLeft("≡") {}
        let app = await launch(toolbar, width: 40, height: 6)
        var undone = 0
        snackbar.show("saved", duration: nil)
        await app.type("n")
        snackbar.close()
        snackbar.show("Removed", action: "Undo", duration: nil) { undone += 1 }
        await app.press(.enter)
        #expect(page.heard == [.character("n"), Key(.enter)] && undone == 0)
        // They are reached by Tab.
        await app.press(.tab, .enter)
        #expect(undone == 1 && snackbar.snackbar == nil)
        await app.type("n")
        #expect(page.heard.count == 3)
        // The last button of the content is disabled.
        page.view.addSubview(page.save)
        await app.settle()
        #expect(page.save.isFirstResponder)
        page.save.isEnabled = false
        await app.type("n")
        #expect(page.heard.count == 4)
    }
}
