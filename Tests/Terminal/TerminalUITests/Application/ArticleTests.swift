import Foundation
import NeedleKit
import TerminalTesting
import TerminalUI
import TestSupport
import Testing

/// The view of the article for people who come from ratatui.
final class Gauge: View {
    var share = 0.0 { didSet { setNeedsDisplay() } }

    override func draw(in canvas: Canvas) {
        let full = Int(share * Double(bounds.width))
        canvas.text(String(repeating: "█", count: full), x: 0, y: 0, style: theme.success)
    }
}

@Suite("The programs of the articles")
@MainActor
struct ArticleTests {
    @Test("The shopping list adds with Enter, and toggles with Enter and a click on the selected row")
    func shoppingList() async {
        let app = TestApplication(root: ShoppingListController(), size: GridSize(width: 30, height: 8))
        await app.type("우유\t")
        #expect(app.text.contains("우유"))
        await app.press(Key(.tab, .shift))
        await app.type("\r")
        #expect(app.text.contains("[ ] 우유"))
        await app.type("\t\r")
        #expect(app.text.contains("[x] 계란") && app.text.contains("─ 장보기 ─"))
        #expect(await app.click(on: "우유"))
        #expect(app.text.contains("[ ] 우유"), "the first click selects the row")
        #expect(await app.click(on: "우유"))
        #expect(app.text.contains("[x] 우유"))
    }

    /// Compiled only: a test has no terminal.
    private func runOnTerminal() async throws {
        let application = Application(terminal: Terminal(), rootViewController: ShoppingListController())
        exit(try await application.run())
    }

    @Test("A view that draws itself follows its property; constraints place a title")
    func gauge() async {
        final class GaugeController: ViewController {
            let gauge = Gauge()
            override func viewDidLoad() {
                let title = Label("share")
                for subview in [gauge, title] { view.addSubview(subview) }
                gauge.ndl.makeConstraints { make in
                    make.top.left.equalTo(view)
                    make.width.equalTo(10)
                    make.height.equalTo(1)
                }
                title.ndl.makeConstraints { make in
                    make.top.equalTo(view).offset(1)
                    make.centerX.equalTo(view)
                    make.width.lessThanOrEqualTo(view).offset(-2)
                }
            }
        }
        let controller = GaugeController()
        let app = await launch(controller, width: 20, height: 3)
        controller.gauge.share = 0.5
        await app.settle()
        #expect(app.screen.line(0) == "█████" && app.screen.find("share")?.y == 1)
    }
}
