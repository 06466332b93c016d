public import NeedleKit

/// One line of text to edit.
///
/// The real cursor stands at the caret, so that an input method shows its preedit there. Long text scrolls by cells; a
/// wide letter is never cut. A paste becomes one line.
public final class TextField: Control {
    /// What it holds.
    public var text: String {
        get { content.text }
        set {
            guard newValue != content.text else { return }
            content = EditableText(newValue)
            setNeedsDisplay()
        }
    }
    /// What stands there while it is empty.
    public var placeholder: String { didSet { setNeedsDisplay() } }
    /// Whether what is typed shows as dots.
    public var isSecure = false { didSet { setNeedsDisplay() } }
    /// The most grapheme clusters; more are not taken.
    public var maximumLength = 10_000
    /// Whether what it holds is right: shown by colour, an underline and a mark.
    public var validity = Validity.neutral { didSet { if validity != oldValue { setNeedsDisplay() } } }
    /// Called when the user changed the text.
    public var onChange: ((String) -> Void)?
    /// Called on Enter; without it, the focus goes on.
    public var onSubmit: ((String) -> Void)?

    private var content = EditableText()
    private var scroll = 0

    /// A field with a placeholder.
    public init(placeholder: String = "", text: String = "") {
        self.placeholder = placeholder
        content = EditableText(text)
        super.init()
        layoutNode.horizontalHugging = 100
    }

    /// Whether what a field holds is right.
    public enum Validity: Hashable, Sendable {
        /// Nothing is said about it.
        case neutral
        /// It is right.
        case valid
        /// It is wrong.
        case invalid
    }

    /// One row of 20 columns.
    public override var intrinsicContentSize: IntrinsicSize { IntrinsicSize(width: 20, height: 1) }

    /// The column of the insertion point, in the field's cells; nil while it is disabled.
    public override var caret: Point? {
        guard isEnabled else { return nil }
        return Point(x: 1 + caretColumn - scrolled, y: 0)
    }

    /// Types, moves and deletes; Enter submits, or moves the focus on, and an arrow leaves an empty field.
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
        // At its ends an arrow leaves the field.
        if key == Key(.left) && content.cursor == 0 || key == Key(.right) && content.cursor == content.characters.count
        {
            return !content.characters.isEmpty
        }
        let before = content
        guard content.apply(key) else { return false }
        didEdit(before)
        return true
    }

    /// Inserts the text, with a space for each line break and tab.
    public override func paste(_ paste: Paste) -> Bool {
        insert(String(paste.text.map { $0.isNewline || $0 == "\t" ? " " : $0 }))
        return true
    }

    /// A click moves the insertion point there.
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

    /// Draws the part of the text around the insertion point, or the placeholder where there is none.
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

    /// The cells hidden at the left, so that the caret and the letter before it can be seen.
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
        let room = maximumLength - content.characters.count
        guard isEnabled, !text.isEmpty else { return }
        let before = content
        content.insert(room >= text.count ? text : String(text.prefix(max(0, room))))
        // A mark joins the cluster before it, and so may fit where there is no room.
        if room < text.count, text.unicodeScalars.count == 1 {
            var joined = before
            joined.insert(text)
            if joined.characters.count <= maximumLength { content = joined }
        }
        didEdit(before)
    }

    private func didEdit(_ before: EditableText) {
        setNeedsDisplay()
        if content.characters != before.characters { onChange?(text) }
    }
}
