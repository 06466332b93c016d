public import NeedleKit

/// An editor for one line of text.
///
/// Shift with a movement and the mouse select; a double click selects a word, a triple click everything. Control or Alt
/// with an arrow moves by a word. Ctrl-_ undoes and Ctrl-Y repeats. Ctrl-C copies and Ctrl-X cuts the selection, to the
/// terminal's clipboard as well where it supports OSC 52; Ctrl-V pastes what was copied in the application.
///
/// The hardware cursor is at the caret, so that an input method shows its preedit text there. Long text scrolls by
/// cells without cutting a wide letter. Line breaks in pasted text become spaces. In a narrow window a text field
/// becomes narrower before a label beside it does.
public final class TextField: EditingControl {
    /// Whether the text is shown as dots. The text of a secure field cannot be copied, and is one word for keys and clicks.
    public var isSecure = false {
        didSet {
            content.isOneWord = isSecure
            setNeedsDisplay()
        }
    }
    /// The result of validating the text, shown by a colour, an underline and a mark.
    public var validity = Validity.neutral { didSet { if validity != oldValue { setNeedsDisplay() } } }
    /// Returns suggestions for a text with the caret behind a number of grapheme clusters; `nil` for none.
    ///
    /// They appear below the field while the user types. Down and Up select one, Tab accepts the selected or the first
    /// one, Enter accepts a selected one, Escape closes the list.
    public var completions: ((_ text: String, _ caret: Int) -> CompletionList?)?
    /// Whether suggestions are shown, so that the word at the caret may be incomplete.
    public var isCompleting: Bool { popup != nil }
    /// Called with pasted text before it is inserted. Returns whether it was handled, so that it is not inserted.
    public var onPaste: ((Paste) -> Bool)?
    /// Called on Enter; without it, Enter moves the focus to the next view.
    public var onSubmit: ((String) -> Void)?

    override var allowsCopying: Bool { !isSecure }
    private var scroll = 0
    private var popup: CompletionPopup?

    /// Creates a text field.
    public init(placeholder: String = "", text: String = "") {
        super.init(placeholder: placeholder, text: text, maximumLength: 10_000)
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

    /// The number of grapheme clusters before the caret.
    public var caretPosition: Int { content.cursor }

    /// Selects the whole text.
    public func selectAll() {
        content.select(0..<content.characters.count)
        setNeedsDisplay()
    }

    /// One row of 20 columns.
    public override var intrinsicContentSize: IntrinsicSize { IntrinsicSize(width: 20, height: 1) }

    /// The label, if any, and the text; a secure text is not included.
    public override var plainText: [String] {
        let shown = content.characters.isEmpty ? "(\(placeholder))" : isSecure ? "(hidden)" : text
        return [(accessibilityLabel.map { "\($0): " } ?? "") + "[\(shown)]"]
    }

    /// The caret's position in the field's coordinates; `nil` while it is disabled.
    public override var caret: GridPoint? {
        guard isEnabled else { return nil }
        return GridPoint(x: 1 + caretColumn - scrolled, y: 0)
    }

    /// Types, moves, selects and deletes. Enter submits or moves the focus; an arrow in an empty field is not handled.
    public override func keyDown(_ key: Key) -> Bool {
        if let popup, completionKey(key, popup) { return true }
        if let typed = key.text {
            insert(typed, isTyped: true)
            return true
        }
        switch (key.code, key.modifiers) {
        case (.enter, []):
            hideCompletions()
            guard let onSubmit else { return window?.moveFocus(by: 1) ?? false }
            onSubmit(text)
            return true
        case (.character(" "), .control) where completions != nil:
            updateCompletions()
            return true
        default: break
        }
        if clipboardKey(key) { return true }
        // At the ends of the text an arrow does nothing; in an empty field it moves the focus.
        if content.selection == nil,
            key == Key(.left) && content.cursor == 0 || key == Key(.right) && content.cursor == content.characters.count
        {
            return !content.characters.isEmpty
        }
        let before = content.revision
        guard content.apply(key) else { return false }
        didEdit(before)
        return true
    }

    /// Inserts pasted text, with a space for each line break and tab.
    public override func paste(_ paste: Paste) -> Bool {
        if onPaste?(paste) == true { return true }
        insert(String(paste.text.map { $0.isNewline || $0 == "\t" ? " " : $0 }))
        return true
    }

    /// A click moves the caret, a double click selects a word, a triple click everything, and dragging selects.
    public override func mouse(_ event: MouseEvent) -> Bool {
        guard isEnabled else { return false }
        switch event.kind {
        case .down(.left):
            let index = index(atColumn: event.location.x)
            switch event.clickCount {
            case 1: content.move(to: index, extends: event.modifiers.contains(.shift))
            case 2: content.select(content.word(at: index))
            default: content.select(0..<content.characters.count)
            }
            hideCompletions()
        case .drag(.left): content.move(to: index(atColumn: event.location.x), extends: true)
        case .up(.left): return true
        default: return false
        }
        setNeedsDisplay()
        return true
    }

    override func textDidChange(byUser: Bool) { byUser ? updateCompletions() : hideCompletions() }

    override func didEdit(_ before: Int) {
        super.didEdit(before)
        if content.revision == before { hideCompletions() }
    }

    /// Closes the suggestions when the field loses the focus.
    public override func focusDidChange() {
        if !isFirstResponder { hideCompletions() }
        setNeedsDisplay()
    }

    /// Closes the suggestions when the field leaves its window.
    public override func didMoveToWindow() {
        if window == nil { hideCompletions() }
    }

    /// Draws the text around the caret, or the placeholder if there is no text.
    public override func draw(in canvas: Canvas) {
        let style = style
        canvas.fill(bounds, style: style)
        scroll = scrolled
        let room = GridRect(x: 1, y: 0, width: max(0, bounds.width - 2), height: 1)
        canvas.within(room) {
            if content.characters.isEmpty {
                canvas.text(TextLayout.truncate(placeholder, to: room.width), x: 0, y: 0, style: theme.placeholder)
            } else {
                drawText(canvas, style)
            }
        }
        let mark = validity == .valid ? "✓" : validity == .invalid ? "!" : nil
        if let mark { canvas.text(mark, x: bounds.width - 1, y: 0, style: style) }
        if isFirstResponder && content.characters.count >= maximumLength {
            let note = " \(content.characters.count)/\(maximumLength)"
            let x = bounds.width - 1 - note.count
            if x > caretColumn - scroll + 1 {
                canvas.text(note, x: x, y: 0, style: TextStyle(theme.warning, over: style))
            }
        }
        placeCompletions()
    }
}

// MARK: - Geometry

extension TextField {
    private var style: TextStyle {
        var style = fieldStyle
        switch validity {
        case .neutral: break
        case .valid: style.foreground = theme.success.foreground
        case .invalid:
            style.foreground = theme.error.foreground
            style.attributes.insert(.underline)
        }
        return style
    }

    private var shown: [Character] { isSecure ? content.characters.map { _ in "•" } : content.characters }

    private func column(of index: Int) -> Int { shown.prefix(index).reduce(0) { $0 + DisplayWidth.of($1) } }

    private var caretColumn: Int { column(of: content.cursor) }

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

    private func index(atColumn x: Int) -> Int {
        var column = -scrolled + 1
        var index = 0
        for character in shown {
            column += DisplayWidth.of(character)
            if column > x { break }
            index += 1
        }
        return index
    }

    private func drawText(_ canvas: Canvas, _ style: TextStyle) {
        let shown = shown
        guard isFirstResponder, let selection = content.selection else {
            canvas.text(String(shown), x: -scroll, y: 0, style: style)
            return
        }
        var x = canvas.text(String(shown[..<selection.lowerBound]), x: -scroll, y: 0, style: style)
        x = canvas.text(String(shown[selection]), x: x, y: 0, style: theme.selection)
        canvas.text(String(shown[selection.upperBound...]), x: x, y: 0, style: style)
    }
}

// MARK: - Completion

extension TextField {
    private func completionKey(_ key: Key, _ popup: CompletionPopup) -> Bool {
        switch key {
        case Key(.down): popup.moveSelection(by: 1)
        case Key(.up): popup.moveSelection(by: -1)
        case Key(.pageDown): popup.moveSelection(by: CompletionPopup.rows)
        case Key(.pageUp): popup.moveSelection(by: -CompletionPopup.rows)
        case Key(.escape): hideCompletions()
        case Key(.tab): accept(popup.list.items[popup.selected ?? 0])
        case Key(.enter):
            guard let selected = popup.selected else { return false }
            accept(popup.list.items[selected])
        default: return false
        }
        return true
    }

    private func updateCompletions() {
        guard let list = completions?(text, content.cursor), !list.items.isEmpty, window != nil, isFirstResponder else {
            hideCompletions()
            return
        }
        if popup?.list == list { return }
        hideCompletions()
        let popup = CompletionPopup(list)
        popup.onAccept = { [weak self] in self?.accept($0) }
        self.popup = popup
        placeCompletions()
    }

    private func placeCompletions() {
        guard let popup, let window else { return }
        let x = column(of: popup.list.range.lowerBound) - scrolled
        popup.place(at: convertToWindow(GridPoint(x: x, y: 0)), in: window)
    }

    private func hideCompletions() {
        popup?.removeFromSuperview()
        popup = nil
    }

    private func accept(_ completion: Completion) {
        guard let range = popup?.list.range else { return }
        hideCompletions()
        let before = content
        content.replace(range, with: completion.text)
        if content.characters.count > maximumLength {
            onTruncate?(content.characters.count - maximumLength)
            content = before
        }
        setNeedsDisplay()
        if content.revision != before.revision { onChange?(text) }
    }
}
