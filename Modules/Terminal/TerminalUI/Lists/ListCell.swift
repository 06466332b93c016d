internal import NeedleKit

/// A row of a list. Cells that scroll out of sight are reused for other rows.
@MainActor
open class ListCell: View {
    /// Whether the row is selected.
    public internal(set) var isSelected = false { didSet { if isSelected != oldValue { selectionDidChange() } } }
    /// Whether the list has the focus.
    public internal(set) var isListFocused = false { didSet { if isListFocused != oldValue { selectionDidChange() } } }
    /// The index of the row that the cell shows.
    public internal(set) var row = 0

    /// The place in the list, so that only changes reach the layout.
    private var placed: (top: Int, height: Int, trailing: Int)?

    /// Places the cell in its list. A cell that only moves changes one constraint.
    func place(top: Int, height: Int, trailing: Int) {
        guard let superview else { return }
        if let placed, placed.height == height, placed.trailing == trailing {
            if placed.top != top { ndl.updateConstraints { $0.top.equalTo(superview).offset(Double(top)) } }
        } else {
            ndl.remakeConstraints { make in
                make.left.equalTo(superview)
                make.right.equalTo(superview).offset(-Double(trailing))
                make.top.equalTo(superview).offset(Double(top))
                make.height.equalTo(Double(height))
            }
        }
        placed = (top, height, trailing)
    }

    /// Creates an empty cell. Lists create their cells with this initializer.
    public required override init() { super.init() }

    /// Called before the cell is reused for another row; resets what the last row set.
    open func prepareForReuse() {}

    /// Called when the selection or the list's focus has changed; applies the theme's selection colours.
    open func selectionDidChange() {
        background = isSelected ? (isListFocused ? theme.selection : theme.inactiveSelection) : nil
    }

    /// Applies the theme's selection colours.
    open override func didMoveToWindow() { selectionDidChange() }
    /// Applies the theme's selection colours again.
    open override func traitsDidChange() { selectionDidChange() }
}

/// A row with a mark, a text and a detail at the right.
public final class TextCell: ListCell {
    /// A mark before the text, such as "[x]"; an empty mark takes no space.
    public var mark = "" { didSet { setNeedsDisplay() } }
    /// The text, truncated if necessary.
    public var text = "" { didSet { setNeedsDisplay() } }
    /// The detail at the right, omitted first when space is short.
    public var detail = "" { didSet { setNeedsDisplay() } }
    /// Whether the text is struck through, as for a completed item.
    public var isStruck = false { didSet { setNeedsDisplay() } }
    /// The text's style; `nil` uses the theme.
    public var style: TextStyle? { didSet { setNeedsDisplay() } }

    /// Creates an empty row.
    public required init() { super.init() }

    /// Clears the mark, text and detail, and resets the style.
    public override func prepareForReuse() {
        mark = ""
        text = ""
        detail = ""
        isStruck = false
        style = nil
    }

    /// The mark, the text and the detail; the selected row begins with `>`.
    public override var plainText: [String] {
        [([isSelected ? ">" : " ", mark, text, detail].filter { !$0.isEmpty }).joined(separator: " ")]
    }

    /// Draws the mark and text, and the detail at the right if there is space.
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
