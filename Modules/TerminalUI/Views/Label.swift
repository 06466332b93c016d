public import NeedleKit

/// Text that the user reads.
public final class Label: View {
    /// The text; line breaks begin a new line where there are lines to spare.
    public var text: String { didSet { if text != oldValue { contentDidChange() } } }
    /// The most lines; 0 for as many as it takes.
    public var numberOfLines = 1 {
        didSet {
            guard numberOfLines != oldValue else { return }
            linesDidChange()
            contentDidChange()
        }
    }
    /// Where the lines stand in a wider view.
    public var alignment = Alignment.leading { didSet { setNeedsDisplay() } }
    /// What gives way in a narrower view, where it has one line.
    public var truncation = TextLayout.Truncation.tail { didSet { setNeedsDisplay() } }
    /// What the text is for; the theme tells how that looks.
    public var role = Role.text { didSet { setNeedsDisplay() } }
    /// The style, where the role's is not wanted.
    public var style: Style? { didSet { setNeedsDisplay() } }

    /// A label of a text.
    public init(_ text: String = "", role: Role = .text, numberOfLines: Int = 1) {
        self.text = text
        self.role = role
        self.numberOfLines = numberOfLines
        super.init()
        linesDidChange()
    }

    /// What a text is for.
    public enum Role: Hashable, Sendable {
        /// Ordinary text.
        case text
        /// Text that steps back.
        case secondary
        /// A heading.
        case title
        /// In the tint.
        case accent
        /// What went wrong.
        case error
        /// What went well.
        case success
        /// What needs care.
        case warning
    }

    /// Where a line stands.
    public enum Alignment: Hashable, Sendable {
        /// At the left.
        case leading
        /// In the middle.
        case center
        /// At the right.
        case trailing
    }

    /// The columns of the text, and one row for a label of one line; the lines of others depend on the width.
    public override var intrinsicContentSize: IntrinsicSize {
        if numberOfLines == 1 {
            return IntrinsicSize(width: Double(DisplayWidth.of(text)), height: 1)
        }
        return IntrinsicSize(width: Double(naturalWidth))
    }

    /// The rows that the text takes when it is wrapped at a width in columns; nil for a label of one line.
    public override func intrinsicLayoutHeight(forWidth width: Double) -> Double? {
        guard numberOfLines != 1 else { return nil }
        let limit = numberOfLines == 0 ? Int.max : numberOfLines
        return Double(TextLayout.wrap(text, width: max(1, Int(width)), limit: limit).count)
    }

    /// The foot of the first row; the last line's baseline is the label's bottom.
    public override var firstBaselineFromTop: Double? { 1 }

    /// Draws the lines that fit, each at its alignment.
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

    /// Text that wraps gives way to the width that others want.
    private func linesDidChange() {
        layoutNode.horizontalCompressionResistance = numberOfLines == 1 ? .high : .low
        layoutNode.verticalHugging = numberOfLines == 1 ? .required : .high
    }

    private func contentDidChange() {
        invalidateIntrinsicContentSize()
        setNeedsDisplay()
    }
}
