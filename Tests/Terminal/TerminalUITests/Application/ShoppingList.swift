// The program of the article "Build a small program".

import NeedleKit
import TerminalUI

struct ShoppingItem: Identifiable {
    let id: Int
    var name: String
    var isBought = false
}

final class ShoppingListController: ViewController {
    private let field = TextField(placeholder: "add an item")
    private let pane = Pane(title: "장보기")
    private let list = ListView()
    private var shopping = [ShoppingItem(id: 0, name: "계란")]
    private lazy var rows = ListItems<ShoppingItem>(list) { list, item in
        let cell = list.dequeue(TextCell.self)
        cell.mark = item.isBought ? "[x]" : "[ ]"
        cell.text = item.name
        return cell
    }

    override func viewDidLoad() {
        view.addSubview(field)
        view.addSubview(pane)
        pane.contentView.fill(with: list)
        pane.ndl.makeConstraints { make in
            make.top.horizontal.equalTo(view)
            make.bottom.equalTo(field.ndl.top)
        }
        field.ndl.makeConstraints { $0.bottom.horizontal.equalTo(view) }
        field.onSubmit = { [weak self] name in self?.add(name) }
        list.onActivate = { [weak self] row in self?.toggle(row) }
        rows.apply(shopping)
    }

    private func add(_ name: String) {
        shopping.append(ShoppingItem(id: shopping.count, name: name))
        rows.apply(shopping)
        field.text = ""
    }

    private func toggle(_ row: Int) {
        shopping[row].isBought.toggle()
        rows.apply(shopping)
    }
}
