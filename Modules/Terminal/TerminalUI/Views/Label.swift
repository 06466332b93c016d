public import NeedleKit

/// Text that the user can read but not edit, with styles and links.
///
/// The terminal shows a link's address or opens it, where it supports OSC 8. With ``onLink`` the label can have the
/// focus: Left and Right choose a link, Enter and a click open it.
public final class Label: View {
    /// The text. Line breaks start a new line if `numberOfLines` allows it. Setting it removes the styles and links of
    /// parts.
    public var text: String {
        get { attributedText.text }
        set {
            if newValue != attributedText.text || attributedText.parts.count > 1 {
                attributedText = AttributedText(newValue)
            }
        }
    }
    /// The text with the styles and links of its parts.
    public var attributedText: AttributedText { didSet { if attributedText != oldValue { contentDidChange() } } }
    /// Called with the address of a link that the user opens.
    public var onLink: ((String) -> Void)? { didSet { setNeedsDisplay() } }
    /// The maximum number of lines; 0 for no limit.
    public var numberOfLines = 1 {
        didSet {
            guard numberOfLines != oldValue else { return }
            linesDidChange(from: oldValue)
            contentDidChange()
        }
    }
    /// Whether the rest of a line that wraps begins below its second column, which two spaces separate from the first one.
    public var hangs = false { didSet { if hangs != oldValue { contentDidChange() } } }
    /// The alignment of the lines.
    public var alignment = Alignment.leading { didSet { setNeedsDisplay() } }
    /// Where a single line is truncated.
    public var truncation = TextLayout.Truncation.tail { didSet { setNeedsDisplay() } }
    /// The role of the text, which decides its style in the theme.
    public var role = Role.text { didSet { setNeedsDisplay() } }
    /// A custom style; `nil` uses the role's style.
    public var style: TextStyle? { didSet { setNeedsDisplay() } }

    /// Creates a label.
    public init(_ text: String = "", role: Role = .text, numberOfLines: Int = 1) {
        attributedText = AttributedText(text)
        self.role = role
        self.numberOfLines = numberOfLines
        super.init()
        let content = Label.contentPriorities(numberOfLines)
        layoutNode.horizontalCompressionResistance = content.resistance
        layoutNode.verticalHugging = content.hugging
    }

    /// Creates a label with styles and links.
    public convenience init(_ text: AttributedText, role: Role = .text, numberOfLines: Int = 1) {
        self.init("", role: role, numberOfLines: numberOfLines)
        attributedText = text
    }

    private var chosenLink = 0

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
            return IntrinsicSize(width: Double(DisplayWidth.of(measuredText)), height: 1)
        }
        return IntrinsicSize(width: Double(naturalWidth))
    }

    /// Returns the rows of the wrapped text at a width in columns; `nil` for a label of one line.
    public override func intrinsicLayoutHeight(forWidth width: Double) -> Double? {
        guard numberOfLines != 1 else { return nil }
        let limit = numberOfLines == 0 ? Int.max : numberOfLines
        return Double(TextLayout.wrap(measuredText, width: max(1, Int(width)), limit: limit, hangs: hangs).count)
    }

    /// The bottom of the first row.
    public override var firstBaselineFromTop: Double? { 1 }

    /// Whether it has links that can be opened.
    public override var canBecomeFirstResponder: Bool { onLink != nil && !attributedText.links.isEmpty }

    /// The text, and the addresses of its links.
    public override var plainText: [String] {
        let lines = text.split(omittingEmptySubsequences: true, whereSeparator: \.isNewline).map(String.init)
        return (accessibilityLabel.map { [$0] } ?? lines) + attributedText.links.map { "<\($0)>" }
    }

    /// Left and Right choose a link; Enter opens it.
    public override func keyDown(_ key: Key) -> Bool {
        let links = attributedText.links
        guard let onLink, !links.isEmpty else { return false }
        switch key {
        case Key(.right) where chosenLink + 1 < links.count: chosenLink += 1
        case Key(.left) where chosenLink > 0: chosenLink -= 1
        case Key(.enter): onLink(links[min(chosenLink, links.count - 1)])
        default: return false
        }
        setNeedsDisplay()
        return true
    }

    /// A click on a link opens it.
    public override func mouse(_ event: MouseEvent) -> Bool {
        guard let onLink, case .down(.left) = event.kind, event.location.y >= 0 else { return false }
        let lines = drawnLines
        guard event.location.y < lines.count else { return false }
        var x = start(of: lines[event.location.y].text)
        for (character, part) in zip(lines[event.location.y].text, lines[event.location.y].parts) {
            let next = x + DisplayWidth.of(character)
            if (x..<next).contains(event.location.x), let part, let link = attributedText.parts[part].link {
                onLink(link)
                return true
            }
            x = next
        }
        return false
    }

    /// Draws the lines that fit.
    public override func draw(in canvas: Canvas) {
        guard !bounds.isEmpty else { return }
        let style = style ?? roleStyle
        guard
            attributedText.parts.count > 1 || attributedText.parts.first?.link != nil
                || attributedText.parts.first?.style != nil
        else {
            for (y, line) in lines.prefix(bounds.height).enumerated() {
                canvas.text(line, x: start(of: line), y: y, style: style)
            }
            return
        }
        let styles = partStyles(style, canvas)
        for (y, line) in drawnLines.prefix(bounds.height).enumerated() {
            var x = start(of: line.text)
            for (character, part) in zip(line.text, line.parts) {
                x = canvas.text(String(character), x: x, y: y, style: part.map { styles[$0] } ?? style)
            }
        }
    }

    private func partStyles(_ base: TextStyle, _ canvas: Canvas) -> [TextStyle] {
        var linkIndex = 0
        return attributedText.parts.map { part in
            var style = part.style.map { TextStyle($0, over: base) } ?? base
            guard let link = part.link else { return style }
            style.link = canvas.link(to: link)
            style.attributes.insert(.underline)
            if !theme.isMonochrome && part.style == nil { style.foreground = effectiveTint }
            if isFirstResponder && linkIndex == chosenLink { style.attributes.formUnion([.bold, .reverse]) }
            linkIndex += 1
            return style
        }
    }

    private func start(of line: String) -> Int {
        let space = bounds.width - DisplayWidth.of(line)
        switch alignment {
        case .leading: return 0
        case .center: return max(0, space / 2)
        case .trailing: return max(0, space)
        }
    }

    /// The lines with the part of each character; `nil` for an ellipsis.
    private var drawnLines: [(text: String, parts: [Int?])] {
        let source = attributedText.partOfCharacters
        if numberOfLines == 1 { return lines.map { ($0, partsOfSingleLine($0, source.map(\.part))) } }
        var next = 0
        return lines.map { line in
            var parts: [Int?] = []
            for character in line {
                // Wrapping replaces or drops white space only.
                var index = next
                while index < source.count, source[index].character != character, source[index].character.isWhitespace {
                    index += 1
                }
                if index < source.count, source[index].character == character {
                    parts.append(source[index].part)
                    next = index + 1
                } else {
                    parts.append(next < source.count && character.isWhitespace ? source[max(0, next - 1)].part : nil)
                }
            }
            return (line, parts)
        }
    }

    /// Returns the part of each character of a single line: those behind its ellipsis are the last ones of the text.
    private func partsOfSingleLine(_ line: String, _ source: [Int]) -> [Int?] {
        let text = measuredText
        let head =
            switch truncation {
            case _ where TextLayout.fits(text, in: bounds.width): line.count
            case .clip: line.count
            case .tail: line.count - 1
            case .head: 0
            case .middle: TextLayout.prefix(text, bounds.width / 2).count
            }
        let omitted = min(text.count, source.count) - line.count
        return (0..<line.count).map { $0 == head ? nil : source[$0 < head ? $0 : $0 + omitted] }
    }

    /// The part of the text that is measured and drawn: no screen shows more of a text of many megabytes.
    private var measuredText: String {
        let text = text
        // Scalars, since one cluster may have millions of them.
        return text.utf8.count <= Label.measuredLimit ? text : String(text.unicodeScalars.prefix(1 << 14))
    }

    private static let measuredLimit = 1 << 18

    private var naturalWidth: Int {
        measuredText.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { DisplayWidth.of($0) }
            .max() ?? 0
    }

    private var lines: [String] {
        let text = measuredText
        if numberOfLines == 1 {
            let line = text.contains(where: \.isNewline) ? String(text.map { $0.isNewline ? " " : $0 }) : text
            return [TextLayout.truncate(line, to: bounds.width, truncation)]
        }
        let limit = numberOfLines == 0 ? bounds.height : min(numberOfLines, bounds.height)
        return TextLayout.wrap(text, width: bounds.width, limit: limit, hangs: hangs)
    }

    private var roleStyle: TextStyle {
        switch role {
        case .text: theme.text
        case .secondary: theme.secondary
        case .title: theme.title
        case .accent: TextStyle(foreground: effectiveTint, attributes: .bold)
        case .error: theme.error
        case .success: theme.success
        case .warning: theme.warning
        }
    }

    /// The horizontal compression resistance and the vertical hugging of a label with a number of lines: text that wraps resists
    /// compression less than a single line.
    private static func contentPriorities(_ lines: Int) -> (resistance: LayoutPriority, hugging: LayoutPriority) {
        lines == 1 ? (.high, .required - 1) : (.low, .high)
    }

    /// Priorities that the user of the label has set stay.
    private func linesDidChange(from former: Int) {
        let (before, after) = (Label.contentPriorities(former), Label.contentPriorities(numberOfLines))
        if layoutNode.horizontalCompressionResistance == before.resistance {
            layoutNode.horizontalCompressionResistance = after.resistance
        }
        if layoutNode.verticalHugging == before.hugging { layoutNode.verticalHugging = after.hugging }
    }

    private func contentDidChange() {
        invalidateIntrinsicContentSize()
        setNeedsDisplay()
    }
}
