import NeedleKit
import TerminalUI

extension GalleryExample {
    /// A list with cells of two types.
    static let list = GalleryExample("list", "List") {
        ListExampleController()
    }
}

private final class ListExampleController: ViewController {
    private struct Todo: Identifiable {
        let id: Int
        var isHeading: Bool { id % 10 == 0 }
    }

    private let list = ListView()
    private var items: ListItems<Todo>?

    override func viewDidLoad() {
        view.fill(with: list)
        let texts = ["우유 사기", "Call 엄마", "강아지 산책 🐕 30분", "A long todo that is truncated in a narrow list"]
        let items = ListItems<Todo>(list, canSelect: { !$0.isHeading }) { list, todo in
            if todo.isHeading {
                let heading = list.dequeue(ListExampleHeading.self)
                heading.label.text = "Week \(todo.id / 10 + 1) 주"
                return heading
            }
            let cell = list.dequeue(TextCell.self)
            cell.mark = todo.id % 4 == 3 ? "[x]" : "[ ]"
            cell.isStruck = todo.id % 4 == 3
            cell.text = texts[todo.id % texts.count]
            cell.detail = "11-\(10 + todo.id % 20)"
            return cell
        }
        items.apply((0..<200).map(Todo.init))
        self.items = items
    }
}

final class ListExampleHeading: ListCell {
    let label = Label("", role: .accent)

    required init() {
        super.init()
        addSubview(label)
        label.ndl.makeConstraints { make in
            make.left.equalTo(self).offset(1)
            make.centerY.equalTo(self)
        }
    }
}
