/// The suggestions for a part of a text field's text.
public struct CompletionList: Hashable, Sendable {
    /// The grapheme clusters that an accepted suggestion replaces.
    public var range: Range<Int>
    /// The suggestions, best first.
    public var items: [Completion]

    /// Creates a list of suggestions.
    public init(replacing range: Range<Int>, items: [Completion]) {
        self.range = range
        self.items = items
    }
}

/// A suggestion of a text field.
public struct Completion: Hashable, Sendable {
    /// The text that replaces the range of the list.
    public var text: String
    /// The explanation beside the text.
    public var detail: String

    /// Creates a suggestion.
    public init(_ text: String, detail: String = "") {
        self.text = text
        self.detail = detail
    }
}

/// The list of suggestions below a text field, or above it where there is no room below.
final class CompletionPopup: View {
    /// The maximum number of visible suggestions.
    static let rows = 8

    let list: CompletionList
    /// The index of the selected suggestion; `nil` until the user has selected one.
    private(set) var selected: Int?
    var onAccept: ((Completion) -> Void)?

    private var offset = 0
    private var placed: GridRect?

    init(_ list: CompletionList) {
        self.list = list
        super.init()
        isOverlay = true
    }

    override var plainText: [String] { list.items.map { "suggestion: \($0.text) \($0.detail)" } }

    /// Moves the selection, at most to the ends.
    func moveSelection(by step: Int) {
        let index = selected.map { $0 + step } ?? (step > 0 ? 0 : list.items.count - 1)
        selected = max(0, min(list.items.count - 1, index))
        if let selected { offset = min(max(offset, selected - max(1, bounds.height) + 1), selected) }
        setNeedsDisplay()
    }

    /// Places the popup below a cell of the window, or above it if there is more room.
    func place(at anchor: GridPoint, in window: Window) {
        let widest = list.items.map { DisplayWidth.of($0.text) + DisplayWidth.of($0.detail) + 4 }.max() ?? 0
        let width = max(1, min(widest, window.bounds.width))
        let below = anchor.y + 1
        let roomBelow = window.bounds.height - below
        let height = max(1, min(list.items.count, CompletionPopup.rows, max(roomBelow, anchor.y)))
        let fitsBelow = height <= roomBelow || anchor.y < height
        let next = GridRect(
            x: max(0, min(anchor.x, window.bounds.width - width)),
            y: fitsBelow ? below : anchor.y - height,
            width: width,
            height: height
        )
        guard next != placed || superview !== window else { return }
        placed = next
        if superview !== window { window.addSubview(self) }
        place(in: next)
    }

    override func draw(in canvas: Canvas) {
        let base = theme.isMonochrome ? TextStyle(attributes: .reverse) : theme.panel
        canvas.cover(bounds, style: base)
        for (y, item) in list.items.dropFirst(offset).prefix(bounds.height).enumerated() {
            let isSelected = y + offset == selected
            var style = TextStyle.plain
            if isSelected {
                style = theme.isMonochrome ? TextStyle(attributes: [.bold, .underline]) : theme.selection
                canvas.fill(GridRect(x: 0, y: y, width: bounds.width, height: 1), style: style)
            }
            let end = canvas.text(
                TextLayout.truncate(item.text, to: max(0, bounds.width - 2)),
                x: 1,
                y: y,
                style: style
            )
            let room = bounds.width - end - 3
            guard room > 0, !item.detail.isEmpty else { continue }
            let detail = TextLayout.truncate(item.detail, to: room)
            let detailStyle = isSelected ? style : TextStyle(foreground: theme.placeholder.foreground)
            canvas.text(detail, x: bounds.width - 1 - DisplayWidth.of(detail), y: y, style: detailStyle)
        }
    }

    override func mouse(_ event: MouseEvent) -> Bool {
        switch event.kind {
        case .down(.left):
            let index = event.location.y + offset
            if list.items.indices.contains(index) { onAccept?(list.items[index]) }
        case .wheelUp: offset = max(0, offset - 1)
        case .wheelDown: offset = max(0, min(list.items.count - bounds.height, offset + 1))
        default: return false
        }
        setNeedsDisplay()
        return true
    }
}
