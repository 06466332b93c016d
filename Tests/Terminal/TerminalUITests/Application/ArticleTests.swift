import Foundation
import NeedleKit
import TerminalTesting
import TerminalUI
import TestSupport
import Testing

/// The program of the article "Build a small program".
struct ShoppingItem: Identifiable {
    let id: Int
    var name: String
    var isBought = false
}

final class ShoppingListController: ViewController {
    private let pane = Pane(title: "장보기")
    private let field = TextField(placeholder: "add an item")
    private var shopping = [ShoppingItem(id: 0, name: "계란")]
    private var source: ListItems<ShoppingItem>?

    override func viewDidLoad() {
        let list = ListView()
        let items = ListItems<ShoppingItem>(list) { list, item in
            let cell = list.dequeue(TextCell.self)
            cell.mark = item.isBought ? "[x]" : "[ ]"
            cell.text = item.name
            return cell
        }
        items.apply(shopping)
        source = items
        for subview in [field, pane] as [View] { view.addSubview(subview) }
        pane.contentView.fill(with: list)
        pane.ndl.makeConstraints { make in
            make.top.horizontal.equalTo(view)
            make.bottom.equalTo(field.ndl.top)
        }
        field.ndl.makeConstraints { $0.bottom.horizontal.equalTo(view) }
        field.onSubmit = { [weak self] name in self?.add(name) }
        list.onActivate = { [weak self] row in self?.toggle(row) }
    }

    private func add(_ name: String) {
        shopping.append(ShoppingItem(id: shopping.count, name: name))
        source?.apply(shopping)
        field.text = ""
    }

    private func toggle(_ row: Int) {
        shopping[row].isBought.toggle()
        source?.apply(shopping)
    }
}

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
    @Test("The shopping list adds with Enter and toggles in its list")
    func shoppingList() async {
        let app = TestApplication(root: ShoppingListController(), size: GridSize(width: 30, height: 8))
        await app.type("우유\t")
        #expect(app.text.contains("우유"))
        await app.press(Key(.tab, .shift))
        await app.type("\r")
        #expect(app.text.contains("[ ] 우유"))
        await app.type("\t\r")
        #expect(app.text.contains("[x] 계란") && app.text.contains("─ 장보기 ─"))
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
