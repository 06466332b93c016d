public import NeedleKit

/// An editor for several lines of text. Long lines wrap, and the text scrolls with the caret.
///
/// The keys and the mouse select, undo, copy and paste as in a ``TextField``.
public final class TextView: EditingControl {
    private var scroll = 0
    /// The column that vertical movement returns to after shorter lines.
    private var wantedColumn: Int?
    /// Whether the caret is at the end of its line, where that wraps: the same index is the beginning of the next line.
    private var isBeforeWrap = false
    private var wrapped: WrappedLines?

    /// The lines of a text at a width.
    private struct WrappedLines {
        let revision: Int
        let width: Int
        let lines: [Range<Int>]
    }

    /// Creates a text view.
    public init(placeholder: String = "", text: String = "") {
        super.init(placeholder: placeholder, text: text, maximumLength: 100_000)
        layoutNode.verticalHugging = .low
        layoutNode.horizontalHugging = .low
    }

    /// Four rows of 30 columns.
    public override var intrinsicContentSize: IntrinsicSize { IntrinsicSize(width: 30, height: 4) }

    /// The label, if any, and the lines of the text.
    public override var plainText: [String] {
        let lines = content.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
        return (accessibilityLabel.map { ["\($0):"] } ?? [])
            + (content.characters.isEmpty ? ["(\(placeholder))"] : lines)
    }

    /// The caret's position in the view's coordinates; `nil` while the view is disabled.
    public override var caret: GridPoint? {
        guard isEnabled else { return nil }
        let place = caretPlace
        return GridPoint(x: 1 + place.x, y: place.y - scrolled(to: place.y))
    }

    /// Types, deletes, selects and moves by character, word, line and page. Home and End move within the displayed line,
    /// Control-A and Control-E within the line of the text. An arrow at the first or last line is not handled.
    public override func keyDown(_ key: Key) -> Bool {
        if let typed = key.text {
            insert(typed, isTyped: true)
            return true
        }
        if clipboardKey(key) { return true }
        let present = caretPlace
        let extends = key.modifiers.contains(.shift)
        switch (key.code, key.modifiers.subtracting(.shift)) {
        case (.enter, []): insert("\n")
        case (.up, []): return moveVertically(to: present.y - 1, from: present, extends)
        case (.down, []): return moveVertically(to: present.y + 1, from: present, extends)
        case (.pageUp, []): return moveVertically(to: max(0, present.y - bounds.height), from: present, extends)
        case (.pageDown, []):
            return moveVertically(to: min(lines.count - 1, present.y + bounds.height), from: present, extends)
        case (.home, []): move(to: lines[present.y].lowerBound, extends)
        case (.end, []): move(to: lines[present.y].upperBound, extends, isBeforeWrap: true)
        default:
            let before = content.revision
            guard content.apply(key) else { return false }
            wantedColumn = nil
            isBeforeWrap = false
            didEdit(before)
        }
        return true
    }

    /// Inserts the pasted text with its line breaks.
    public override func paste(_ paste: Paste) -> Bool {
        insert(String(paste.text.map { $0.isNewline ? "\n" : $0 }))
        return true
    }

    /// A click moves the caret, a double click selects a word, a triple click a line, dragging selects, and the wheel
    /// moves by three lines.
    public override func mouse(_ event: MouseEvent) -> Bool {
        guard isEnabled else { return false }
        let place = caretPlace
        let row = max(0, min(lines.count - 1, event.location.y + scrolled(to: place.y)))
        let index = index(in: lines[row], column: event.location.x - 1)
        let isAtEnd = index == lines[row].upperBound
        switch event.kind {
        case .down(.left):
            switch event.clickCount {
            case 1: move(to: index, event.modifiers.contains(.shift), isBeforeWrap: isAtEnd)
            case 2:
                content.select(content.word(at: index))
                isBeforeWrap = false
            default:
                content.select(lines[row])
                isBeforeWrap = true
            }
        case .drag(.left): move(to: index, true, isBeforeWrap: isAtEnd)
        case .up(.left): return true
        case .wheelUp, .wheelDown:
            let target = max(0, min(lines.count - 1, place.y + (event.kind == .wheelUp ? -3 : 3)))
            return moveVertically(to: target, from: place, false)
        default: return false
        }
        setNeedsDisplay()
        return true
    }

    override func textDidChange(byUser: Bool) {
        wantedColumn = nil
        isBeforeWrap = false
        if !byUser { wrapped = nil }
    }

    /// Draws the lines around the caret, or the placeholder if there is no text.
    public override func draw(in canvas: Canvas) {
        let style = fieldStyle
        canvas.fill(bounds, style: style)
        if content.characters.isEmpty {
            canvas.text(TextLayout.truncate(placeholder, to: room), x: 1, y: 0, style: theme.placeholder)
        }
        let lines = lines
        scroll = scrolled(to: caretPlace.y)
        let selection = isFirstResponder ? content.selection : nil
        for (y, line) in lines.dropFirst(scroll).prefix(bounds.height).enumerated() {
            draw(line, y: y, selection, style, canvas)
        }
        let bar = ScrollBar(length: bounds.height, content: lines.count, offset: scroll)
        canvas.scrollBar(bar, x: bounds.width - 1, style: theme.border)
        if isFirstResponder && content.characters.count >= maximumLength {
            let note = "\(content.characters.count)/\(maximumLength)"
            let x = max(1, bounds.width - 2 - note.count)
            canvas.text(note, x: x, y: bounds.height - 1, style: TextStyle(theme.warning, over: style))
        }
    }
}

// MARK: - Geometry

extension TextView {
    private var room: Int { max(1, bounds.width - 2) }

    /// The range of clusters on each displayed line, without line breaks.
    private var lines: [Range<Int>] {
        if let wrapped, wrapped.revision == content.revision, wrapped.width == room { return wrapped.lines }
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
        wrapped = WrappedLines(revision: content.revision, width: room, lines: result)
        return result
    }

    private func width(of character: Character) -> Int { character == "\t" ? 4 : DisplayWidth.of(character) }

    private func shown(_ range: Range<Int>) -> String {
        content.characters[range].reduce(into: "") { $0 += $1 == "\t" ? "    " : String($1) }
    }

    /// The column and the line of the caret.
    private var caretPlace: GridPoint {
        let lines = lines
        let index = content.cursor
        // At a wrap, the caret belongs to the beginning of the next line, unless End or the mouse has moved it to the end of
        // the line. The lines are searched by bisection.
        var low = 0
        var high = lines.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if lines[middle].lowerBound <= index { low = middle } else { high = middle }
        }
        if isBeforeWrap && low > 0 && lines[low - 1].upperBound == index { low -= 1 }
        let start = lines[low].lowerBound
        let x = content.characters[start..<max(start, index)].reduce(0) { $0 + width(of: $1) }
        return GridPoint(x: min(x, room), y: low)
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
        let height = max(1, bounds.height)
        // Text that was removed, or a greater height, leaves no rows empty that lines could fill.
        let scroll = min(scroll, max(0, lines.count - height))
        return min(row, max(scroll, row - height + 1))
    }

    private func draw(_ line: Range<Int>, y: Int, _ selection: Range<Int>?, _ style: TextStyle, _ canvas: Canvas) {
        guard let selection, selection.overlaps(line) || (line.isEmpty && selection.contains(line.lowerBound)) else {
            canvas.text(shown(line), x: 1, y: y, style: style)
            return
        }
        let selected = selection.clamped(to: line)
        var x = canvas.text(shown(line.lowerBound..<selected.lowerBound), x: 1, y: y, style: style)
        x = canvas.text(shown(selected), x: x, y: y, style: theme.selection)
        // A selected line break is one column wide.
        if selection.upperBound > line.upperBound && x < bounds.width - 1 {
            canvas.text(" ", x: x, y: y, style: theme.selection)
        }
        canvas.text(shown(selected.upperBound..<line.upperBound), x: x, y: y, style: style)
    }
}

// MARK: - Editing

extension TextView {
    /// Moves the caret to another line; returns false at the first and last line.
    private func moveVertically(to row: Int, from present: GridPoint, _ extends: Bool) -> Bool {
        guard lines.indices.contains(row) else { return false }
        let column = wantedColumn ?? present.x
        var target = index(in: lines[row], column: column)
        // The end of a line that wraps belongs to the next line.
        if target == lines[row].upperBound, row + 1 < lines.count, lines[row + 1].lowerBound == target { target -= 1 }
        move(to: target, extends)
        wantedColumn = column
        return true
    }

    private func move(to index: Int, _ extends: Bool, isBeforeWrap: Bool = false) {
        content.move(to: index, extends: extends)
        wantedColumn = nil
        self.isBeforeWrap = isBeforeWrap
        setNeedsDisplay()
    }
}
