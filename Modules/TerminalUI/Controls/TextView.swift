public import NeedleKit

/// An editor for several lines of text. Long lines wrap, and the text scrolls with the caret.
public final class TextView: Control {
    /// The text; lines end with "\n".
    public var text: String {
        get { content.text }
        set {
            guard newValue != content.text else { return }
            content = EditableText(newValue)
            setNeedsDisplay()
        }
    }
    /// The text that is shown while the view is empty.
    public var placeholder: String { didSet { setNeedsDisplay() } }
    /// The maximum length in grapheme clusters.
    public var maximumLength = 100_000
    /// Called when the user has changed the text.
    public var onChange: ((String) -> Void)?
    /// Called when pasted or typed text exceeds `maximumLength`, with the number of discarded grapheme clusters.
    public var onTruncate: ((Int) -> Void)?

    private var content = EditableText()
    private var scroll = 0
    /// The column that vertical movement returns to after shorter lines.
    private var wantedColumn: Int?

    /// Creates a text view.
    public init(placeholder: String = "", text: String = "") {
        self.placeholder = placeholder
        content = EditableText(text)
        super.init()
        layoutNode.verticalHugging = .low
        layoutNode.horizontalHugging = .low
    }

    /// Four rows of 30 columns.
    public override var intrinsicContentSize: IntrinsicSize { IntrinsicSize(width: 30, height: 4) }

    /// The caret's position in the view's coordinates; `nil` while the view is disabled.
    public override var caret: Point? {
        guard isEnabled else { return nil }
        let lines = lines
        let place = place(of: content.cursor, in: lines)
        return Point(x: 1 + place.x, y: place.y - scrolled(to: place.y))
    }

    /// Types, deletes and moves by character, line and page. An arrow at the first or last line is not handled.
    public override func keyDown(_ key: Key) -> Bool {
        if let typed = key.text {
            insert(typed)
            return true
        }
        let lines = lines
        let present = place(of: content.cursor, in: lines)
        switch (key.code, key.modifiers) {
        case (.enter, []): insert("\n")
        case (.up, []): return moveVertically(to: present.y - 1, from: present, lines)
        case (.down, []): return moveVertically(to: present.y + 1, from: present, lines)
        case (.pageUp, []): return moveVertically(to: max(0, present.y - bounds.height), from: present, lines)
        case (.pageDown, []):
            return moveVertically(to: min(lines.count - 1, present.y + bounds.height), from: present, lines)
        case (.home, []): move(to: lines[present.y].lowerBound)
        case (.end, []): move(to: lines[present.y].upperBound)
        default:
            let before = content
            guard content.apply(key) else { return false }
            wantedColumn = nil
            didEdit(before)
        }
        return true
    }

    /// Inserts the pasted text with its line breaks.
    public override func paste(_ paste: Paste) -> Bool {
        insert(String(paste.text.map { $0.isNewline ? "\n" : $0 }))
        return true
    }

    /// A click moves the caret.
    public override func mouse(_ event: MouseEvent) -> Bool {
        guard case .down(.left) = event.kind, isEnabled else { return false }
        let lines = lines
        let row = max(0, min(lines.count - 1, event.location.y + scroll))
        move(to: index(in: lines[row], column: event.location.x - 1))
        return true
    }

    /// Draws the lines around the caret, or the placeholder if there is no text.
    public override func draw(in canvas: Canvas) {
        let style = isFirstResponder ? theme.focusedField : isEnabled ? theme.field : theme.disabledButton
        canvas.fill(bounds, style: style)
        if content.characters.isEmpty {
            canvas.text(TextLayout.truncate(placeholder, to: room), x: 1, y: 0, style: theme.placeholder)
        }
        let lines = lines
        scroll = scrolled(to: place(of: content.cursor, in: lines).y)
        for (y, line) in lines.dropFirst(scroll).prefix(bounds.height).enumerated() {
            canvas.text(String(shown(line)), x: 1, y: y, style: style)
        }
        canvas.scrollBar(
            x: bounds.width - 1,
            height: bounds.height,
            offset: scroll,
            content: lines.count,
            style: theme.border
        )
    }
}

extension TextView {
    private var room: Int { max(1, bounds.width - 2) }

    /// The range of clusters on each displayed line, without line breaks.
    private var lines: [Range<Int>] {
        var result: [Range<Int>] = []
        var start = 0
        var used = 0
        for (index, character) in content.characters.enumerated() {
            if character.isNewline {
                result.append(start..<index)
                start = index + 1
                used = 0
                continue
            }
            let cells = width(of: character)
            if used + cells > room && used > 0 {
                result.append(start..<index)
                start = index
                used = 0
            }
            used += cells
        }
        result.append(start..<content.characters.count)
        return result
    }

    private func width(of character: Character) -> Int { character == "\t" ? 4 : DisplayWidth.of(character) }

    private func shown(_ range: Range<Int>) -> String {
        content.characters[range].reduce(into: "") { $0 += $1 == "\t" ? "    " : String($1) }
    }

    private func place(of index: Int, in lines: [Range<Int>]) -> Point {
        // At a wrap, the caret belongs to the beginning of the next line.
        let row = lines.lastIndex { $0.lowerBound <= index } ?? 0
        let x = content.characters[lines[row].lowerBound..<max(lines[row].lowerBound, index)]
            .reduce(0) { $0 + width(of: $1) }
        return Point(x: min(x, room), y: row)
    }

    private func index(in line: Range<Int>, column: Int) -> Int {
        var x = 0
        for index in line {
            x += width(of: content.characters[index])
            if x > column { return index }
        }
        return line.upperBound
    }

    private func scrolled(to row: Int) -> Int {
        if row < scroll { return row }
        return max(scroll, row - max(1, bounds.height) + 1)
    }

    /// Moves the caret to another line; returns false at the first and last line.
    private func moveVertically(to row: Int, from present: Point, _ lines: [Range<Int>]) -> Bool {
        guard lines.indices.contains(row) else { return false }
        let column = wantedColumn ?? present.x
        move(to: index(in: lines[row], column: column))
        wantedColumn = column
        return true
    }

    private func move(to index: Int) {
        content.move(to: index)
        wantedColumn = nil
        setNeedsDisplay()
    }

    private func insert(_ text: String) {
        guard isEnabled, !text.isEmpty else { return }
        let before = content
        let accepted = text.prefix(max(0, maximumLength - content.characters.count))
        content.insert(String(accepted))
        if accepted.count < text.count { onTruncate?(text.count - accepted.count) }
        wantedColumn = nil
        didEdit(before)
    }

    private func didEdit(_ before: EditableText) {
        setNeedsDisplay()
        if content.characters != before.characters { onChange?(text) }
    }
}
