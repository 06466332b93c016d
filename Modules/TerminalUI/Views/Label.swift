public import NeedleKit

/// Text that the user can read but not edit.
public final class Label: View {
    /// The text. Line breaks start a new line if `numberOfLines` allows it.
    public var text: String { didSet { if text != oldValue { contentDidChange() } } }
    /// The maximum number of lines; 0 for no limit.
    public var numberOfLines = 1 {
        didSet {
            guard numberOfLines != oldValue else { return }
            linesDidChange()
            contentDidChange()
        }
    }
    /// The alignment of the lines.
    public var alignment = Alignment.leading { didSet { setNeedsDisplay() } }
    /// Where a single line is truncated.
    public var truncation = TextLayout.Truncation.tail { didSet { setNeedsDisplay() } }
    /// The role of the text, which decides its style in the theme.
    public var role = Role.text { didSet { setNeedsDisplay() } }
    /// A custom style; `nil` uses the role's style.
    public var style: Style? { didSet { setNeedsDisplay() } }

    /// Creates a label.
    public init(_ text: String = "", role: Role = .text, numberOfLines: Int = 1) {
        self.text = text
        self.role = role
        self.numberOfLines = numberOfLines
        super.init()
        linesDidChange()
    }

    /// The role of a text.
    public enum Role: Hashable, Sendable {
        /// Ordinary text.
        case text
        /// Less important text.
        case secondary
        /// A heading.
        case title
        /// Text in the tint colour.
        case accent
        /// An error message.
        case error
        /// A success message.
        case success
        /// A warning.
        case warning
    }

    /// The alignment of a line.
    public enum Alignment: Hashable, Sendable {
        /// Aligned to the left.
        case leading
        /// Centred.
        case center
        /// Aligned to the right.
        case trailing
    }

    /// The width of the text, and one row for a label of one line; the height of others depends on the width.
    public override var intrinsicContentSize: IntrinsicSize {
        if numberOfLines == 1 {
            return IntrinsicSize(width: Double(DisplayWidth.of(text)), height: 1)
        }
        return IntrinsicSize(width: Double(naturalWidth))
    }

    /// Returns the rows of the wrapped text at a width in columns; `nil` for a label of one line.
    public override func intrinsicLayoutHeight(forWidth width: Double) -> Double? {
        guard numberOfLines != 1 else { return nil }
        let limit = numberOfLines == 0 ? Int.max : numberOfLines
        return Double(TextLayout.wrap(text, width: max(1, Int(width)), limit: limit).count)
    }

    /// The bottom of the first row.
    public override var firstBaselineFromTop: Double? { 1 }

    /// Draws the lines that fit.
    public override func draw(in canvas: Canvas) {
        guard !bounds.isEmpty else { return }
        let style = style ?? roleStyle
        for (y, line) in lines.prefix(bounds.height).enumerated() {
            let space = bounds.width - DisplayWidth.of(line)
            let x =
                switch alignment {
                case .leading: 0
                case .center: max(0, space / 2)
                case .trailing: max(0, space)
                }
            canvas.text(line, x: x, y: y, style: style)
        }
    }

    private var naturalWidth: Int {
        text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { DisplayWidth.of($0) }.max() ?? 0
    }

    private var lines: [String] {
        if numberOfLines == 1 {
            let line = text.contains(where: \.isNewline) ? String(text.map { $0.isNewline ? " " : $0 }) : text
            return [TextLayout.truncate(line, to: bounds.width, truncation)]
        }
        let limit = numberOfLines == 0 ? bounds.height : min(numberOfLines, bounds.height)
        return TextLayout.wrap(text, width: bounds.width, limit: limit)
    }

    private var roleStyle: Style {
        switch role {
        case .text: theme.text
        case .secondary: theme.secondary
        case .title: theme.title
        case .accent: Style(foreground: effectiveTint, attributes: .bold)
        case .error: theme.error
        case .success: theme.success
        case .warning: theme.warning
        }
    }

    /// Text that wraps resists compression less than a single line.
    private func linesDidChange() {
        layoutNode.horizontalCompressionResistance = numberOfLines == 1 ? .high : .low
        layoutNode.verticalHugging = numberOfLines == 1 ? .required : .high
    }

    private func contentDidChange() {
        invalidateIntrinsicContentSize()
        setNeedsDisplay()
    }
}
