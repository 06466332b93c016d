/// A row of a list; it is used again for other rows when it has scrolled away.
@MainActor
open class ListCell: View {
    /// Whether the row is selected.
    public internal(set) var isSelected = false { didSet { if isSelected != oldValue { selectionDidChange() } } }
    /// Whether the list has the focus.
    public internal(set) var isListFocused = false { didSet { if isListFocused != oldValue { selectionDidChange() } } }
    /// The row it shows.
    public internal(set) var row = 0

    /// A cell without content; lists make cells by this initialiser.
    public required override init() {
        super.init()
    }

    /// Called before the cell shows another row: what the last one left is to be cleared.
    open func prepareForReuse() {}

    /// Called when the selection or the list's focus changed; shows it by the theme's colours.
    open func selectionDidChange() {
        background = isSelected ? (isListFocused ? theme.selection : theme.inactiveSelection) : nil
    }

    /// Takes the colours of the window's theme for its selection.
    open override func didMoveToWindow() { selectionDidChange() }
    /// Takes the colours for its selection anew.
    open override func traitsDidChange() { selectionDidChange() }
}

/// A row of a mark, a text and a detail at the right.
public final class TextCell: ListCell {
    /// What stands before the text, such as "[x]"; empty takes no room.
    public var mark = "" { didSet { setNeedsDisplay() } }
    /// The text; cut where there is no room.
    public var text = "" { didSet { setNeedsDisplay() } }
    /// What stands at the right; left out first where there is no room.
    public var detail = "" { didSet { setNeedsDisplay() } }
    /// Whether the text is struck through, as a thing done.
    public var isStruck = false { didSet { setNeedsDisplay() } }
    /// The text's style.
    public var style: Style? { didSet { setNeedsDisplay() } }

    /// An empty row.
    public required init() {
        super.init()
    }

    /// Empties mark, text and detail, and takes back style and strike.
    public override func prepareForReuse() {
        mark = ""
        text = ""
        detail = ""
        isStruck = false
        style = nil
    }

    /// Draws mark and text, and the detail at the right where there is room for it.
    public override func draw(in canvas: Canvas) {
        var x = 1
        let edge = bounds.width - 1
        if theme.isMonochrome { canvas.text(isSelected ? ">" : " ", x: 0, y: 0) }
        if !mark.isEmpty { x = canvas.text(mark, x: x, y: 0, style: isStruck ? theme.secondary : .plain) + 1 }
        let detailWidth = DisplayWidth.of(detail)
        let showsDetail = !detail.isEmpty && edge - x - detailWidth >= max(8, (edge - x) / 2)
        var style = style ?? theme.text
        if isSelected { style.foreground = .standard }
        if isStruck { style.attributes.formUnion([.strikethrough, .dim]) }
        let room = showsDetail ? edge - x - detailWidth - 1 : edge - x
        canvas.text(TextLayout.truncate(text, to: max(0, room)), x: x, y: 0, style: style)
        if showsDetail {
            canvas.text(detail, x: edge - detailWidth, y: 0, style: isSelected ? .plain : theme.secondary)
        }
    }
}
