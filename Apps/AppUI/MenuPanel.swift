import AppLanguage
import NeedleKit
package import TerminalUI

/// A panel with a list of choices. Arrows, `j` and `k`, the first digits and the mouse choose; Escape closes it.
@MainActor
package final class MenuPanel: ViewController, KeyHinting {
    private let items: [String]
    private let onChoose: @MainActor (Int) -> Void
    private let list: MenuList

    /// Creates a panel.
    ///
    /// - Parameters:
    ///   - title: the title in the frame.
    ///   - items: the choices.
    ///   - selected: the index of the present choice.
    ///   - onChoose: called with the index of the new choice, after the panel has closed.
    package init(title: String, items: [String], selected: Int, onChoose: @escaping @MainActor (Int) -> Void) {
        self.items = items
        self.onChoose = onChoose
        list = MenuList(items: items, selected: selected)
        super.init()
        self.title = title
    }

    package var keyHints: [KeyHint] {
        [KeyHint(Key(.enter), KeyHints.accept), KeyHint(Key(.escape), KeyHints.close)]
    }

    package override func viewDidLoad() {
        super.viewDidLoad()
        let pane = Pane(list)
        pane.title = title ?? ""
        view.addSubview(pane)
        let width = max(DisplayWidth.of(title ?? "") + 6, items.map { DisplayWidth.of($0) }.max() ?? 0) + 8
        pane.ndl.makeConstraints { make in
            make.center.equalTo(view)
            make.width.lessThanOrEqualTo(view)
            make.width.equalTo(Double(width)).priority(700)
            make.height.lessThanOrEqualTo(view)
            make.height.equalTo(Double(items.count + 2)).priority(700)
        }
        list.onChoose = { [weak self] in self?.choose($0) }
    }

    package override func viewDidAppear() {
        super.viewDidAppear()
        list.becomeFirstResponder()
    }

    package override func keyDown(_ key: Key) -> Bool {
        if key == Key(.escape) { dismiss() }
        // The keys of the screen below do not apply.
        return true
    }

    private func choose(_ index: Int) {
        dismiss()
        onChoose(index)
    }
}

/// The choices of a ``MenuPanel``.
@MainActor
private final class MenuList: Control {
    var onChoose: ((Int) -> Void)?
    private let items: [String]
    private let present: Int
    private var selected: Int

    init(items: [String], selected: Int) {
        self.items = items
        present = selected
        self.selected = selected
        super.init()
        layoutNode.verticalHugging = .low
    }

    override func didMoveToWindow() { background = theme.panel }
    override func traitsDidChange() { background = theme.panel }

    /// The first visible item.
    private var offset: Int { max(0, min(selected - bounds.height + 1, items.count - bounds.height)) }

    override func keyDown(_ key: Key) -> Bool {
        switch key {
        case Key(.up), .character("k"): selected = max(0, selected - 1)
        case Key(.down), .character("j"): selected = min(items.count - 1, selected + 1)
        case Key(.home), .character("g"): selected = 0
        case Key(.end), .character("G"): selected = items.count - 1
        case Key(.enter), .character(" "):
            onChoose?(selected)
            return true
        default:
            guard let digit = key.text.flatMap({ Int($0) }), items.indices.contains(digit - 1) else { return false }
            onChoose?(digit - 1)
            return true
        }
        setNeedsDisplay()
        return true
    }

    override func mouse(_ event: MouseEvent) -> Bool {
        switch event.kind {
        case .down(.left):
            let index = offset + event.location.y
            if items.indices.contains(index) { onChoose?(index) }
        case .wheelUp: selected = max(0, selected - 1)
        case .wheelDown: selected = min(items.count - 1, selected + 1)
        default: return false
        }
        setNeedsDisplay()
        return true
    }

    override func draw(in canvas: Canvas) {
        for y in 0..<min(bounds.height, items.count) {
            let index = offset + y
            if index == selected {
                canvas.cover(Rect(x: 0, y: y, width: bounds.width, height: 1), style: theme.selection)
            }
            let mark = index == present ? "•" : " "
            let digit = index < 9 ? "\(index + 1)" : " "
            let text = TextLayout.truncate("\(mark) \(digit)  \(items[index])", to: max(0, bounds.width - 2))
            canvas.text(text, x: 1, y: y)
        }
    }
}
