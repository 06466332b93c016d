import NeedleKit
import Pictures
import TerminalUI

/// A list of two kinds of cells with a picture beside it, or below it in a narrow window.
final class ListDemo: ViewController {
    private struct Todo: Identifiable {
        let id: Int
        let text: String
        let isDone: Bool
        var isHeading: Bool { id % 10 == 0 }
    }

    private let list = ListView()
    private let picture = ImageView()
    private let progress = ProgressBar(progress: 0.37)
    private let spinner = Spinner("Fetching a picture…")
    private var items: ListItems<Todo>?

    override func viewDidLoad() {
        for view in [list, picture, progress, spinner] { view.removeFromSuperview() }
        [list, picture, progress, spinner].forEach(view.addSubview)
        let items = ListItems<Todo>(list, canSelect: { !$0.isHeading }) { list, todo in
            if todo.isHeading {
                let cell = list.dequeue(HeadingCell.self)
                cell.label.text = todo.text
                return cell
            }
            let cell = list.dequeue(TextCell.self)
            cell.mark = todo.isDone ? "[x]" : "[ ]"
            cell.text = todo.text
            cell.isStruck = todo.isDone
            cell.detail = "11-\(10 + todo.id % 20)"
            return cell
        }
        self.items = items
        let texts = [
            "우유 사기", "Call mum \u{1B}[31m", "강아지 산책 🐕 30분",
            "A very long todo that will not fit into the row of a narrow terminal window",
        ]
        items.apply(
            (0..<45).map {
                Todo(id: $0, text: $0 % 10 == 0 ? "Week \($0 / 10 + 1)" : texts[$0 % 4], isDone: $0 % 7 == 3)
            }
        )
        list.onActivate = { [weak self] row in self?.ask(row) }
        list.onKey = { [weak self] key in
            guard key == .character("s") else { return false }
            self?.snackbarController?.show("Saved: 우유 사기", action: "Undo")
            return true
        }
        var pixels: [UInt8] = []
        for y in 0..<120 { for x in 0..<160 { pixels += [UInt8(x), UInt8(y * 2), UInt8(255 - x), 255] } }
        picture.picture = Picture(width: 160, height: 120, pixels: pixels)
        spinner.startAnimating()
        place()
    }

    override func traitsDidChange(from before: Traits) { place() }

    private func place() {
        let isWide = view.traits.horizontal == .regular
        list.ndl.remakeConstraints { make in
            make.top.equalTo(view)
            make.left.equalTo(view)
            if isWide {
                make.bottom.equalTo(view)
                make.right.equalTo(picture.ndl.left).offset(-1)
            } else {
                make.right.equalTo(view)
                make.bottom.equalTo(picture.ndl.top)
            }
        }
        picture.ndl.remakeConstraints { make in
            make.right.equalTo(view)
            if isWide {
                make.top.equalTo(view)
                make.width.equalTo(view).multipliedBy(0.4)
            } else {
                make.left.equalTo(view)
                make.height.equalTo(view).multipliedBy(0.4)
            }
            make.bottom.equalTo(progress.ndl.top)
        }
        progress.ndl.remakeConstraints { make in
            make.left.equalTo(picture)
            make.right.equalTo(picture)
            make.bottom.equalTo(spinner.ndl.top)
        }
        spinner.ndl.remakeConstraints { make in
            make.left.equalTo(picture)
            make.right.equalTo(picture)
            make.bottom.equalTo(view)
        }
    }

    private func ask(_ row: Int) {
        let alert = AlertController(
            title: "Delete this todo?",
            message: "\"\(items?.selectedItem?.text ?? "")\" will be gone. 되돌릴 수 있습니다: undo brings it back."
        )
        alert.addAction("Cancel", kind: .cancel)
        alert.addAction("Delete", kind: .destructive) { [weak self] in self?.snackbarController?.show("Deleted") }
        present(alert)
    }
}

/// A heading between todos.
final class HeadingCell: ListCell {
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
