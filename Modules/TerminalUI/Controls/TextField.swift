public import NeedleKit

/// An editor for one line of text.
///
/// The hardware cursor is at the caret, so that an input method shows its preedit text there. Long text scrolls by
/// cells without cutting a wide letter. Line breaks in pasted text become spaces. In a narrow window a text field
/// becomes narrower before a label beside it does.
public final class TextField: Control {
    /// The text.
    public var text: String {
        get { content.text }
        set {
            guard newValue != content.text else { return }
            content = EditableText(newValue)
            setNeedsDisplay()
        }
    }
    /// The text that is shown while the field is empty.
    public var placeholder: String { didSet { setNeedsDisplay() } }
    /// Whether the text is shown as dots.
    public var isSecure = false { didSet { setNeedsDisplay() } }
    /// The maximum length in grapheme clusters.
    public var maximumLength = 10_000
    /// The result of validating the text, shown by a colour, an underline and a mark.
    public var validity = Validity.neutral { didSet { if validity != oldValue { setNeedsDisplay() } } }
    /// Called when the user has changed the text.
    public var onChange: ((String) -> Void)?
    /// Called when pasted or typed text exceeds `maximumLength`, with the number of discarded grapheme clusters.
    public var onTruncate: ((Int) -> Void)?
    /// Called on Enter; without it, Enter moves the focus to the next view.
    public var onSubmit: ((String) -> Void)?

    private var content = EditableText()
    private var scroll = 0

    /// Creates a text field.
    public init(placeholder: String = "", text: String = "") {
        self.placeholder = placeholder
        content = EditableText(text)
        super.init()
        layoutNode.horizontalHugging = 100
        layoutNode.horizontalCompressionResistance = .low
    }

    /// The result of validating a field's text.
    public enum Validity: Hashable, Sendable {
        /// Not validated.
        case neutral
        /// Valid.
        case valid
        /// Invalid.
        case invalid
    }

    /// One row of 20 columns.
    public override var intrinsicContentSize: IntrinsicSize { IntrinsicSize(width: 20, height: 1) }

    /// The caret's position in the field's coordinates; `nil` while it is disabled.
    public override var caret: Point? {
        guard isEnabled else { return nil }
        return Point(x: 1 + caretColumn - scrolled, y: 0)
    }

    /// Types, moves and deletes. Enter submits or moves the focus; an arrow in an empty field is not handled.
    public override func keyDown(_ key: Key) -> Bool {
        if let typed = key.text {
            insert(typed)
            return true
        }
        if key == Key(.enter) {
            guard let onSubmit else { return window?.moveFocus(by: 1) ?? false }
            onSubmit(text)
            return true
        }
        // At the ends of the text an arrow does nothing; in an empty field it moves the focus.
        if key == Key(.left) && content.cursor == 0 || key == Key(.right) && content.cursor == content.characters.count
        {
            return !content.characters.isEmpty
        }
        let before = content
        guard content.apply(key) else { return false }
        didEdit(before)
        return true
    }

    /// Inserts pasted text, with a space for each line break and tab.
    public override func paste(_ paste: Paste) -> Bool {
        insert(String(paste.text.map { $0.isNewline || $0 == "\t" ? " " : $0 }))
        return true
    }

    /// A click moves the caret.
    public override func mouse(_ event: MouseEvent) -> Bool {
        guard case .down(.left) = event.kind, isEnabled else { return false }
        var column = -scrolled + 1
        var index = 0
        for character in shown {
            column += DisplayWidth.of(character)
            if column > event.location.x { break }
            index += 1
        }
        content.move(to: index)
        setNeedsDisplay()
        return true
    }

    /// Draws the text around the caret, or the placeholder if there is no text.
    public override func draw(in canvas: Canvas) {
        let style = style
        canvas.fill(bounds, style: style)
        scroll = scrolled
        let room = Rect(x: 1, y: 0, width: max(0, bounds.width - 2), height: 1)
        canvas.within(room) {
            if content.characters.isEmpty {
                canvas.text(TextLayout.truncate(placeholder, to: room.width), x: 0, y: 0, style: theme.placeholder)
            } else {
                canvas.text(String(shown), x: -scroll, y: 0, style: style)
            }
        }
        let mark = validity == .valid ? "✓" : validity == .invalid ? "!" : nil
        if let mark { canvas.text(mark, x: bounds.width - 1, y: 0, style: style) }
    }

    private var style: Style {
        var style = isFirstResponder ? theme.focusedField : isEnabled ? theme.field : theme.disabledButton
        switch validity {
        case .neutral: break
        case .valid: style.foreground = theme.success.foreground
        case .invalid:
            style.foreground = theme.error.foreground
            style.attributes.insert(.underline)
        }
        return style
    }

    private var shown: [Character] {
        isSecure ? content.characters.map { _ in "•" } : content.characters
    }

    private var caretColumn: Int {
        shown[..<content.cursor].reduce(0) { $0 + DisplayWidth.of($1) }
    }

    /// The number of cells scrolled out at the left, so that the caret and the letter before it are visible.
    private var scrolled: Int {
        let room = max(1, bounds.width - 2)
        let column = caretColumn
        let total = column + shown[content.cursor...].reduce(0) { $0 + DisplayWidth.of($1) }
        var scroll = min(scroll, max(0, total + 1 - room))
        if column < scroll { scroll = column }
        if column >= scroll + room { scroll = column - room + 1 }
        return scroll
    }

    private func insert(_ text: String) {
        guard isEnabled, !text.isEmpty else { return }
        let before = content
        content.insert(text)
        let excess = content.characters.count - maximumLength
        if excess > 0 {
            // A combining mark joins the cluster before it and needs no space, so the length is checked afterwards.
            content = before
            let accepted = text.prefix(max(0, text.count - excess))
            if !accepted.isEmpty { content.insert(String(accepted)) }
            onTruncate?(text.count - accepted.count)
        }
        didEdit(before)
    }

    private func didEdit(_ before: EditableText) {
        setNeedsDisplay()
        if content.characters != before.characters { onChange?(text) }
    }
}
