package import AppLanguage
import NeedleKit
package import TerminalUI

/// A panel with all keys of a screen, each with its action. A click on a key closes the panel and performs the action.
@MainActor
package final class KeyListController: PanelController, KeyHinting {
    private let list: KeyListView

    /// Creates the panel.
    ///
    /// - Parameters:
    ///   - title: the title in the frame.
    ///   - screen: the screen whose keys are listed, with those of all view controllers in it and, unless it is presented over
    ///     another one, around it.
    ///   - language: the language of the actions.
    package init(title: String, of screen: ViewController, language: AppLanguage) {
        // The keys of the screen below do not apply to what is presented over it.
        let hints = KeyHints.all(of: screen).filter { entry in
            let around = sequence(first: entry.owner as Responder) { $0.next }
            return screen.presenting == nil || around.contains { $0 === screen }
        }
        list = KeyListView(hints, language: language)
        super.init(title: title, language: language)
    }

    package var keyHints: [KeyHint] { [KeyHint(Key(.escape), KeyHints.close)] }

    package override func viewDidLoad() {
        super.viewDidLoad()
        let pane = makePane(list)
        let size = list.size(within: presenting?.view.window?.bounds.size ?? GridSize(width: 80, height: 24))
        let heading = DisplayWidth.of(pane.title) + DisplayWidth.of(pane.detail) + 12
        add(pane, size: GridSize(width: max(size.width, heading), height: size.height))
        list.onChoose = { [weak self] in self?.choose($0) }
    }

    package override func viewDidAppear() {
        super.viewDidAppear()
        list.becomeFirstResponder()
    }

    private func choose(_ entry: KeyListView.Entry) {
        dismiss()
        entry.owner?.perform(entry.hint.key)
    }

    package override func keyDown(_ key: Key) -> Bool {
        super.keyDown(key == Key(.enter) ? Key(.escape) : key)
    }
}

/// The keys of a ``KeyListController``, in as many columns as fit, and scrolled where the rows do not suffice.
@MainActor
private final class KeyListView: Control {
    /// A key with what performs it. The owner presents the list, and is not retained by it.
    struct Entry {
        let hint: KeyHint
        weak var owner: (any KeyHinting)?
    }

    /// Called when a key is clicked.
    var onChoose: ((Entry) -> Void)?

    private let entries: [Entry]
    private let language: AppLanguage
    private let keyWidth: Int
    private let columnWidth: Int
    private var offset = 0

    init(_ entries: [(hint: KeyHint, owner: any KeyHinting)], language: AppLanguage) {
        self.entries = entries.map { Entry(hint: $0.hint, owner: $0.owner) }
        self.language = language
        keyWidth = entries.map { DisplayWidth.of($0.hint.name) }.max() ?? 0
        let actionWidth = entries.map { DisplayWidth.of($0.hint.action(language)) }.max() ?? 0
        columnWidth = keyWidth + 2 + actionWidth + 3
        super.init()
        layoutNode.verticalHugging = .low
    }

    override var plainText: [String] { entries.map { "\($0.hint.name)  \($0.hint.action(language))" } }

    /// Returns the size of the framed list in a window: few columns, unless the rows do not suffice.
    func size(within window: GridSize) -> GridSize {
        let most = max(1, (window.width - 4) / columnWidth)
        let rows = max(1, window.height - 4)
        let columns = min(most, max(1, (entries.count + rows - 1) / rows))
        return GridSize(width: columns * columnWidth + 3, height: (entries.count + columns - 1) / columns + 2)
    }

    private var columns: Int { max(1, min(entries.count, (bounds.width - 1) / columnWidth)) }
    private var rows: Int { (entries.count + columns - 1) / columns }

    private func scroll(by step: Int) {
        offset = max(0, min(offset + step, rows - bounds.height))
        setNeedsDisplay()
    }

    override func keyDown(_ key: Key) -> Bool {
        guard let step = MovementKeys.rows(key, height: bounds.height, content: rows) else { return false }
        scroll(by: step)
        return true
    }

    override func mouse(_ event: MouseEvent) -> Bool {
        if let step = MovementKeys.rows(event) {
            scroll(by: step)
            return true
        }
        guard case .down(.left) = event.kind else { return false }
        let (column, row) = ((event.location.x - 1) / columnWidth, offset + event.location.y)
        guard event.location.x >= 1, column < columns, row < rows else { return true }
        let index = column * rows + row
        if entries.indices.contains(index) { onChoose?(entries[index]) }
        return true
    }

    override func draw(in canvas: Canvas) {
        offset = max(0, min(offset, rows - bounds.height))
        let style = TextStyle(foreground: theme.isMonochrome ? .standard : theme.tint, attributes: .bold)
        for y in 0..<min(bounds.height, rows) {
            for column in 0..<columns {
                let index = column * rows + offset + y
                guard offset + y < rows, entries.indices.contains(index) else { continue }
                let (x, hint) = (1 + column * columnWidth, entries[index].hint)
                canvas.text(hint.name, x: x, y: y, style: style)
                let room = min(columnWidth - keyWidth - 3, bounds.width - x - keyWidth - 2)
                let text = TextLayout.truncate(hint.action(language), to: max(0, room))
                canvas.text(text, x: x + keyWidth + 2, y: y)
            }
        }
        canvas.scrollBar(x: bounds.width - 1, height: bounds.height, offset: offset, content: rows, style: theme.border)
    }
}
