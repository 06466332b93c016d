/// Produces the bytes that change a terminal's screen from one frame to the next.
///
/// The renderer remembers the cells, cursor and style that the terminal shows and writes runs of changed cells only. It
/// moves the cursor between runs by the shortest sequence, or by writing a few unchanged cells again, and erases blank
/// line ends. A frame with changes is one synchronized update (mode 2026), so that it appears at once.
package struct ScreenRenderer: Sendable {
    /// The number of colours of the terminal.
    package var depth: ColorDepth {
        didSet { if depth != oldValue { invalidate() } }
    }
    /// Whether frames are sent as synchronized updates. Terminals without mode 2026 ignore the brackets.
    package var synchronizes: Bool

    private var shown: ScreenBuffer
    private var isKnown = false
    private var cursor: Point?
    private var cursorVisible: Bool?
    private var style: Style?

    /// Creates a renderer for a terminal in an unknown state: the first frame clears the screen.
    package init(depth: ColorDepth, synchronizes: Bool = true) {
        self.depth = depth
        self.synchronizes = synchronizes
        shown = ScreenBuffer(size: .zero)
    }

    /// Marks the terminal's state as unknown, for example after a suspension: the next frame clears and redraws the
    /// screen.
    package mutating func invalidate() {
        isKnown = false
        style = nil
        cursor = nil
        cursorVisible = nil
    }

    /// Returns the bytes that show `next` with the cursor at `caret`, or without a cursor; empty if nothing changes.
    package mutating func render(_ next: ScreenBuffer, caret: Point?) -> [UInt8] {
        var out = SequenceWriter()
        if !isKnown || shown.size != next.size {
            invalidate()
            setStyle(.plain, &out)
            out.write("\u{1B}[2J")
            shown = ScreenBuffer(size: next.size)
            isKnown = true
        }
        for y in 0..<next.size.height { renderRow(y, next, &out) }
        let drew = !out.bytes.isEmpty
        shown = next
        let place = caret.flatMap { next.bounds.contains($0) ? $0 : nil }
        if let place {
            move(to: place, next.size, &out)
            if cursorVisible != true || (drew && !synchronizes) { out.write("\u{1B}[?25h") }
        } else if cursorVisible != false {
            out.write("\u{1B}[?25l")
        }
        let hides = drew && !synchronizes && cursorVisible == true
        cursorVisible = place != nil
        guard !out.bytes.isEmpty else { return [] }
        if drew && synchronizes { return Array("\u{1B}[?2026h".utf8) + out.bytes + Array("\u{1B}[?2026l".utf8) }
        return hides ? Array("\u{1B}[?25l".utf8) + out.bytes : out.bytes
    }

    private mutating func renderRow(_ y: Int, _ next: ScreenBuffer, _ out: inout SequenceWriter) {
        let new = Array(next.row(y))
        let old = Array(shown.row(y))
        guard new != old else { return }
        let blankFrom = (new.lastIndex { $0 != .blank } ?? -1) + 1
        let dirtyAfterBlank = blankFrom < old.count ? old[blankFrom...].lastIndex { $0 != .blank } : nil
        // Erasing costs three bytes and a reset of the style, which pays off from a few cells.
        let erases = dirtyAfterBlank.map { $0 - blankFrom >= 4 } ?? false
        let end = erases ? blankFrom : new.count
        var x = 0
        while x < end {
            if new[x] == old[x] {
                x += 1
                continue
            }
            while x > 0 && new[x].isContinuation { x -= 1 }
            var last = x
            var scan = x
            // Unchanged cells between two changes are written again if that is shorter than a cursor movement.
            while scan < end && scan - last <= 4 {
                if new[scan] != old[scan] { last = scan }
                scan += 1
            }
            while x <= last {
                move(to: Point(x: x, y: y), next.size, &out)
                write(new[x], at: Point(x: x, y: y), width: new.count, &out)
                x += max(1, new[x].glyph.width)
            }
        }
        if erases {
            move(to: Point(x: blankFrom, y: y), next.size, &out)
            setStyle(.plain, &out)
            out.write("\u{1B}[K")
        }
    }

    private mutating func write(_ cell: Cell, at place: Point, width: Int, _ out: inout SequenceWriter) {
        setStyle(cell.style.lowered(to: depth), &out)
        if cell.glyph.width == 2 && !cell.glyph.isCertain {
            // A terminal that draws the glyph narrow would leave the old content of the second cell.
            out.write("  ")
            out.moveTo(place)
        }
        out.write(cell.glyph.text)
        let after = place.x + max(1, cell.glyph.width)
        // After the last column the cursor is between two lines, and terminals disagree about its position after a
        // cluster of several scalars: in both cases the next write positions it explicitly.
        cursor = after < width && cell.glyph.isCertain ? Point(x: after, y: place.y) : nil
    }

    private mutating func move(to target: Point, _ size: Size, _ out: inout SequenceWriter) {
        defer { cursor = target }
        guard let from = cursor else {
            out.moveTo(target)
            return
        }
        if from == target { return }
        if from.y == target.y && target.x == 0 {
            out.write("\r")
        } else if from.y == target.y {
            out.moveColumns(target.x - from.x)
        } else if from.x == target.x && abs(target.y - from.y) < size.height {
            out.moveRows(target.y - from.y)
        } else {
            out.moveTo(target)
        }
    }

    private mutating func setStyle(_ target: Style, _ out: inout SequenceWriter) {
        guard style != target else { return }
        out.setStyle(from: style, to: target)
        style = target
    }
}

extension Glyph {
    /// Whether all terminals agree on how far the glyph moves the cursor.
    var isCertain: Bool {
        if text.utf8.count == 1 { return true }
        var scalars = text.unicodeScalars.makeIterator()
        guard let only = scalars.next(), scalars.next() == nil else { return false }
        switch only.value {
        // Letters that do not combine, common punctuation and box drawing, kana, Han and Hangul.
        case ..<0x300, 0x370..<0x600, 0x2010..<0x2190, 0x2500...0x259F, 0x2800...0x28FF, 0x3041...0x3096,
            0x30A1...0x30FA, 0x3400...0x9FFF, 0xAC00...0xD7A3:
            return true
        default: return false
        }
    }
}
