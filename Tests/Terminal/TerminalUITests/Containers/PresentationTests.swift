import TerminalTesting
import Testing

@testable import TerminalUI

@Suite("What is presented")
@MainActor
struct PresentationTests {
    /// A screen with a field, a sheet over it with another field, and what the screen below received.
    private final class Screen: ViewController {
        let content = Stack([TextField(), Button("Save")])
        lazy var sheet = SheetController(content: content, title: "Sheet")
        var pasted = ""

        override func viewDidLoad() {
            super.viewDidLoad()
            view.fill(with: Stack([Button("Below")]).view)
        }

        override func paste(_ paste: Paste) -> Bool {
            pasted += paste.text
            return true
        }

        /// Presents the sheet, and an alert that the content of the sheet presents.
        func open() {
            present(sheet)
            let alert = AlertController(title: "Restore?")
            alert.addAction("Yes")
            content.present(alert)
        }
    }

    @Test(
        "What the content of a sheet presents goes with the sheet, whoever dismisses it, and with the root",
        arguments: ["outside", "content", "root"]
    )
    func dismissal(by: String) async {
        let screen = Screen()
        let app = await launch(screen, width: 40, height: 12)
        screen.open()
        await app.settle()
        #expect(app.text.contains("Restore?"))
        switch by {
        case "outside": screen.dismiss()
        case "content":
            screen.content.dismiss()
            await app.settle()
            #expect(app.text.contains("Sheet") && !app.text.contains("Restore?"))
            screen.content.dismiss()
            screen.content.dismiss()
        default: app.application.window.rootViewController = Stack([Button("Below")])
        }
        await app.settle()
        #expect(app.text.contains("Below") && ["Sheet", "Restore?"].allSatisfy { !app.text.contains($0) })
        #expect(screen.presented == nil && screen.content.presented == nil && screen.sheet.presenting == nil)
        #expect(app.application.window.firstResponder?.plainText == ["[Below]"])
    }

    @Test("Pasted text does not reach the screen below a sheet or an alert")
    func pasting() async {
        let screen = Screen()
        let app = await launch(screen, width: 40, height: 12)
        await app.paste("a")
        screen.present(screen.sheet)
        await app.paste("b")
        await app.press(.tab)
        await app.paste("c")
        #expect(screen.pasted == "a" && (screen.content.views[0] as? TextField)?.text == "b")
        screen.dismiss()
        await app.paste("d")
        #expect(screen.pasted == "ad")
    }

    @Test("A title that is set later is shown by the toolbar and the sheet")
    func titles() async {
        let screen = Screen()
        let bars = ToolbarController(content: screen)
        let app = await launch(bars)
        screen.title = "Milk"
        screen.present(screen.sheet)
        screen.sheet.title = "Bread"
        await app.settle()
        #expect(app.text.contains("Milk") && app.text.contains("Bread") && !app.text.contains("Sheet"))
        bars.title = "Eggs"
        screen.title = "Tea"
        await app.settle()
        #expect(app.text.contains("Eggs") && !app.text.contains("Tea"))
    }

    @Test(
        "In 20 columns and 5 rows an alert has its buttons, its field and the beginning of its question and message",
        arguments: [
            ("Delete the account?", ["Back", "Delete account"], true),
            ("Automatic login", ["Back", "Just once", "Agree"], false),
            ("Close without saving this text?", ["Back", "Close it"], false),
        ]
    )
    func smallAlert(_ title: String, _ buttons: [String], _ hasField: Bool) async {
        let screen = Screen()
        let app = await launch(screen, width: 20, height: 5)
        let alert = AlertController(title: title, message: String(repeating: "Words and more words. ", count: 9))
        if hasField { alert.addTextField(placeholder: "pass") }
        for button in buttons { alert.addAction(button) }
        screen.present(alert)
        await app.settle()
        var texts = ["Words", String(title.prefix(6))] + buttons.map { String($0.prefix(6)) }
        if hasField { texts.append("pass") }
        #expect(texts.allSatisfy(app.text.contains), "\(app.text)")
        for height in [3, 1, 7] {
            await app.resize(GridSize(width: 20, height: height))
            #expect(app.text.contains(texts[1]), "\(app.text)")
        }
        #expect(app.text.contains("─") && texts.allSatisfy(app.text.contains), "\(app.text)")
    }

    @Test("A view controller that dismisses itself while it is loaded, or that is presented already, is not presented")
    func notPresented() async {
        final class Leaving: ViewController {
            override func viewDidLoad() {
                super.viewDidLoad()
                dismiss()
            }
        }
        let (screen, child, other) = (Screen(), Stack([Button("Child")]), Stack([Button("Other")]))
        screen.addChild(child)
        let app = await launch(screen, width: 40, height: 12)
        screen.view.addSubview(child.view)
        screen.present(Leaving())
        await app.settle()
        #expect(screen.presented == nil && app.application.window.firstResponder?.plainText == ["[Below]"])
        screen.present(other)
        child.present(other)
        #expect(screen.presented === other && child.presented == nil)
        other.dismiss()
        await app.settle()
        #expect(screen.presented == nil && !app.text.contains("Other"))
    }
}
