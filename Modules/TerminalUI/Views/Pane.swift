public import NeedleKit

/// A framed area with a title in its upper border, for a part of a screen such as a list or a detail.
///
///     let pane = Pane(title: "Todos")
///     pane.contentView.addSubview(list)
///     list.ndl.makeConstraints { $0.edges.equalTo(pane.contentView) }
///
/// The border has the tint colour while a view inside has the focus. Without colours it is bold then.
public final class Pane: View {
    /// The text in the upper border; an empty one leaves the line unbroken.
    public var title: String { didSet { if title != oldValue { setNeedsDisplay() } } }
    /// The text at the right of the lower border, such as a position ("3 of 12").
    public var footer = "" { didSet { if footer != oldValue { setNeedsDisplay() } } }
    /// The container of the content, inside of the border.
    public let contentView = View()

    /// Creates a pane with empty content.
    public init(title: String = "") {
        self.title = title
        super.init()
        addSubview(contentView)
        contentView.ndl.makeConstraints { make in
            make.left.equalTo(self).offset(1)
            make.right.equalTo(self).offset(-1)
            make.top.equalTo(self).offset(1)
            make.bottom.equalTo(self).offset(-1)
        }
    }

    /// The title, before the lines of the content.
    public override var plainText: [String] { title.isEmpty ? [] : ["== \(title) =="] }

    /// Draws the border, the title and the footer.
    public override func draw(in canvas: Canvas) {
        guard bounds.width >= 2, bounds.height >= 2 else { return }
        let hasFocus = containsFirstResponder
        var style = theme.border
        if hasFocus {
            style = theme.isMonochrome ? Style(attributes: .bold) : Style(foreground: effectiveTint)
        }
        canvas.frame(bounds, style: style)
        let room = bounds.width - 6
        guard room > 0 else { return }
        if !title.isEmpty {
            var titleStyle = theme.title
            if hasFocus && !theme.isMonochrome { titleStyle.foreground = effectiveTint }
            canvas.text(" \(TextLayout.truncate(title, to: room)) ", x: 2, y: 0, style: titleStyle)
        }
        if !footer.isEmpty {
            let text = " \(TextLayout.truncate(footer, to: room)) "
            canvas.text(text, x: bounds.width - 2 - DisplayWidth.of(text), y: bounds.height - 1, style: theme.secondary)
        }
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
        case .horizontal: layoutNode.verticalHugging = .required
        case .vertical: layoutNode.horizontalHugging = .required
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
