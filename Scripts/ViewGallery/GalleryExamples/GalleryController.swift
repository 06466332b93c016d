import NeedleKit
package import TerminalUI

/// The gallery's screen: the list of examples, the chosen one, and its code.
package final class GalleryController: ViewController {
    private let list = ListView()
    private var items: ListItems<GalleryExample>?
    private let listPane = Pane(title: "Gallery")
    private let examplePane = Pane()
    private let codePane = Pane(title: "Code")
    private let code = ScrollView()
    private let codeLabel = Label("", numberOfLines: 0)
    private var example: ViewController?
    private let first: String

    /// Creates the screen, with an example chosen.
    package init(_ first: String = "text") {
        self.first = first
        super.init()
    }

    package override func viewDidLoad() {
        let items = ListItems<GalleryExample>(list) { list, example in
            let cell = list.dequeue(TextCell.self)
            cell.text = example.title
            return cell
        }
        items.apply(GalleryExample.all)
        self.items = items
        list.accessibilityLabel = "Examples"
        list.onSelect = { [weak self] in self?.show(GalleryExample.all[$0]) }
        for pane in [listPane, examplePane, codePane] { view.addSubview(pane) }
        fill(listPane.contentView, with: list)
        code.scrollsHorizontally = true
        code.contentView.addSubview(codeLabel)
        codeLabel.ndl.makeConstraints { make in
            make.top.left.equalTo(code.contentView)
            make.width.equalTo(110)
            make.bottom.equalTo(code.contentView)
        }
        fill(codePane.contentView, with: code)
        arrange()
        items.select(first)
        if example == nil { show(GalleryExample.all[0]) }
    }

    package override func viewWillAppear() { arrange() }

    package override func traitsDidChange(from before: Traits) { arrange() }

    private func fill(_ container: View, with content: View) { container.fill(with: content) }

    /// Places the list at the left in a wide window and above in a narrow one. A low window shows no code.
    private func arrange() {
        let traits = view.traits
        let isWide = traits.horizontal == .regular
        codePane.isHidden = traits.vertical == .compact
        listPane.ndl.remakeConstraints { make in
            make.top.left.equalTo(view)
            if isWide {
                make.bottom.equalTo(view)
                make.width.equalTo(28)
            } else {
                make.right.equalTo(view)
                make.height.equalTo(view).multipliedBy(0.3)
            }
        }
        examplePane.ndl.remakeConstraints { make in
            make.right.equalTo(view)
            if isWide {
                make.top.equalTo(view)
                make.left.equalTo(listPane.ndl.right)
            } else {
                make.top.equalTo(listPane.ndl.bottom)
                make.left.equalTo(view)
            }
            if traits.vertical == .compact {
                make.bottom.equalTo(view)
            } else {
                make.bottom.equalTo(codePane.ndl.top)
            }
        }
        codePane.ndl.remakeConstraints { make in
            make.left.equalTo(examplePane)
            make.bottom.right.equalTo(view)
            make.height.equalTo(view).multipliedBy(0.35)
        }
    }

    private func show(_ example: GalleryExample) {
        self.example?.removeFromParent()
        let controller = example.make()
        self.example = controller
        addChild(controller)
        fill(examplePane.contentView, with: controller.view)
        examplePane.title = example.title
        codeLabel.text = example.code
        code.scroll(to: 0)
    }

    /// `q` leaves.
    package override func keyDown(_ key: Key) -> Bool {
        guard key == .character("q") else { return false }
        view.window?.application?.quit()
        return true
    }
}
