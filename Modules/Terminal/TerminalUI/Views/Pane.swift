public import NeedleKit

/// A framed area with a title in its upper border, for a part of a screen such as a list or a detail.
///
///     let pane = Pane(list, title: "Todos")
///
/// The border has the tint colour while a view inside has the focus. Without colours it is bold then.
public final class Pane: View {
    /// The text in the upper border; an empty one leaves the line unbroken.
    public var title: String { didSet { if title != oldValue { setNeedsDisplay() } } }
    /// The text at the right of the upper border, such as the order of a list; omitted if there is no room beside the title.
    public var detail = "" { didSet { if detail != oldValue { setNeedsDisplay() } } }
    /// The text at the right of the lower border, such as a position ("3 of 12").
    public var footer = "" { didSet { if footer != oldValue { setNeedsDisplay() } } }
    /// Called when the user clicks the detail.
    public var onDetail: (@MainActor () -> Void)?
    /// Whether the border is drawn. Without it the content fills the pane, for a screen without room.
    public var isFramed = true { didSet { if isFramed != oldValue { constrain() } } }
    /// The pane whose border is shared: this pane overlaps the right border of a pane to its left, or the lower one of a pane
    /// above it, by one cell and is in front of it.
    public weak var neighbor: Pane? { didSet { if neighbor !== oldValue { setNeedsDisplay() } } }
    /// The container of the content, inside of the border.
    public let contentView = View()

    private var detailColumns = 0..<0

    /// Creates a pane with empty content.
    public init(title: String = "") {
        self.title = title
        super.init()
        addSubview(contentView)
        constrain()
    }

    /// Creates a pane that a view fills.
    public convenience init(_ content: View, title: String = "") {
        self.init(title: title)
        contentView.fill(with: content)
    }

    private func constrain() {
        let inset = isFramed ? 1.0 : 0
        contentView.ndl.remakeConstraints { $0.edges.equalTo(self).inset(inset) }
        setNeedsDisplay()
    }

    /// The title, before the lines of the content.
    public override var plainText: [String] { title.isEmpty ? [] : ["== \(title) =="] }

    /// Draws the border, the title, the detail and the footer.
    public override func draw(in canvas: Canvas) {
        detailColumns = 0..<0
        guard isFramed, bounds.width >= 2, bounds.height >= 2 else { return }
        let hasFocus = containsFirstResponder
        let style = borderStyle
        canvas.frame(bounds, style: style)
        drawSharedBorder(in: canvas)
        let room = bounds.width - 6
        guard room > 0 else { return }
        var end = 2
        if !title.isEmpty {
            var titleStyle = theme.title
            if hasFocus && !theme.isMonochrome { titleStyle.foreground = effectiveTint }
            end = canvas.text(" \(TextLayout.truncate(title, to: room)) ", x: 2, y: 0, style: titleStyle)
        }
        if !footer.isEmpty {
            let text = " \(TextLayout.truncate(footer, to: room)) "
            canvas.text(text, x: bounds.width - 2 - DisplayWidth.of(text), y: bounds.height - 1, style: theme.secondary)
        }
        let width = DisplayWidth.of(detail) + 2
        guard !detail.isEmpty, end + 1 + width <= bounds.width - 2 else { return }
        detailColumns = bounds.width - 2 - width..<bounds.width - 2
        canvas.text(" \(detail) ", x: detailColumns.lowerBound, y: 0, style: theme.secondary)
    }

    private var borderStyle: TextStyle {
        guard containsFirstResponder else { return theme.border }
        return theme.isMonochrome ? TextStyle(attributes: .bold) : TextStyle(foreground: effectiveTint)
    }

    /// Joins the border to the one of the neighbor, whose style it has while the neighbor has the focus.
    private func drawSharedBorder(in canvas: Canvas) {
        guard let neighbor, neighbor.isFramed else { return }
        let style = neighbor.containsFirstResponder ? neighbor.borderStyle : borderStyle
        let (right, bottom) = (bounds.width - 1, bounds.height - 1)
        if neighbor.convertToWindow(.zero).x < convertToWindow(.zero).x {
            for y in 1..<max(1, bottom) { canvas.text("│", x: 0, y: y, style: style) }
            canvas.text("┬", x: 0, y: 0, style: style)
            canvas.text("┴", x: 0, y: bottom, style: style)
        } else {
            canvas.text(String(repeating: "─", count: max(0, right - 1)), x: 1, y: 0, style: style)
            canvas.text("├", x: 0, y: 0, style: style)
            canvas.text("┤", x: right, y: 0, style: style)
        }
    }

    /// A click on the detail calls ``onDetail``.
    public override func mouse(_ event: MouseEvent) -> Bool {
        guard case .down(.left) = event.kind, event.location.y == 0, detailColumns.contains(event.location.x),
            let onDetail
        else { return false }
        onDetail()
        return true
    }
}

/// A line between two parts of a screen.
public final class Divider: View {
    /// The direction of the line.
    public let axis: Axis

    /// The direction of a line.
    public enum Axis: Hashable, Sendable {
        /// From left to right, one row high.
        case horizontal
        /// From top to bottom, one column wide.
        case vertical
    }

    /// Creates a line, horizontal by default.
    public init(_ axis: Axis = .horizontal) {
        self.axis = axis
        super.init()
        switch axis {
        case .horizontal: layoutNode.verticalHugging = .required - 1
        case .vertical: layoutNode.horizontalHugging = .required - 1
        }
    }

    /// One cell across the line, no preferred length.
    public override var intrinsicContentSize: IntrinsicSize {
        axis == .horizontal ? IntrinsicSize(width: nil, height: 1) : IntrinsicSize(width: 1, height: nil)
    }

    /// Draws the line.
    public override func draw(in canvas: Canvas) {
        switch axis {
        case .horizontal: canvas.text(String(repeating: "─", count: bounds.width), x: 0, y: 0, style: theme.border)
        case .vertical: for y in 0..<bounds.height { canvas.text("│", x: 0, y: y, style: theme.border) }
        }
    }
}
