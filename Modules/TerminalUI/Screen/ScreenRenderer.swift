/// Produces the bytes that change a terminal's screen from one frame to the next.
///
/// The renderer remembers the cells, cursor and style that the terminal shows and writes runs of changed cells only. It
/// scrolls rows that have moved, moves the cursor between runs by the shortest sequence or by writing a few unchanged
/// cells again, and erases blank line ends. A frame that changes several rows is one synchronized update (mode 2026), so
/// that it appears at once.
package struct ScreenRenderer: Sendable {
    /// The number of colours of the terminal.
    package var depth: ColorDepth {
        didSet {
            guard depth != oldValue else { return }
            knownStyles = [:]
            lastLowered = nil
            invalidate()
        }
    }
    /// Whether frames are sent as synchronized updates. Terminals without mode 2026 ignore the brackets.
    package var synchronizes: Bool

    private var shown: ScreenBuffer
    private var isKnown = false
    private var cursor: Point?
    private var cursorVisible: Bool?
    private var style: Style?
    private var link = LinkID.none
    private var knownStyles: [Style: Style] = [:]
    private var lastLowered: (from: Style, to: Style)?

    /// The length up to which a change of one row is sent without the brackets of a synchronized update: terminals
    /// process such a short write at once.
    private static let unbracketedLength = 64

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
        link = .none
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
        } else if let scroll = RowScroll(from: shown, to: next) {
            perform(scroll, &out)
        }
        var rows = 0
        for y in 0..<next.size.height where renderRow(y, next, &out) { rows += 1 }
        setLink(.none, next, &out)
        let drew = !out.bytes.isEmpty
        shown = next
        let place = caret.flatMap { next.bounds.contains($0) ? $0 : nil }
        let isSmall = rows <= 1 && out.bytes.count <= Self.unbracketedLength
        let hides = drew && !synchronizes && !isSmall
        if let place {
            move(to: place, next.size, &out)
            if cursorVisible != true || hides { out.write("\u{1B}[?25h") }
        } else if cursorVisible != false {
            out.write("\u{1B}[?25l")
        }
        let hidesFirst = hides && cursorVisible == true
        cursorVisible = place != nil
        guard !out.bytes.isEmpty else { return [] }
        if drew && synchronizes && !isSmall {
            return Array("\u{1B}[?2026h".utf8) + out.bytes + Array("\u{1B}[?2026l".utf8)
        }
        return hidesFirst ? Array("\u{1B}[?25l".utf8) + out.bytes : out.bytes
    }

    /// Moves rows within a scrolling region: line feeds at its last row, or reverse line feeds at its first one.
    private mutating func perform(_ scroll: RowScroll, _ out: inout SequenceWriter) {
        // The rows that appear are filled with the current background.
        setStyle(.plain, &out)
        out.write("\u{1B}[\(scroll.rows.lowerBound + 1);\(scroll.rows.upperBound)r")
        if scroll.distance > 0 {
            out.moveTo(Point(x: 0, y: scroll.rows.upperBound - 1))
            out.write(String(repeating: "\n", count: scroll.distance))
        } else {
            out.moveTo(Point(x: 0, y: scroll.rows.lowerBound))
            out.write(String(repeating: "\u{1B}M", count: -scroll.distance))
        }
        out.write("\u{1B}[r")
        // Resetting the region moves the cursor to the upper left, but not in every terminal emulator.
        cursor = nil
        shown.scroll(scroll.rows, by: scroll.distance)
    }

    /// Writes the changes of a row. Returns whether there are any.
    private mutating func renderRow(_ y: Int, _ next: ScreenBuffer, _ out: inout SequenceWriter) -> Bool {
        let new = next.row(y)
        let old = shown.row(y)
        // Both rows have the same indices, since the buffers have the same size.
        let start = new.startIndex
        let width = new.count
        guard let first = (0..<width).first(where: { new[start + $0] != old[start + $0] }) else { return false }
        let blankFrom = (new.lastIndex { $0 != .blank }.map { $0 - start } ?? -1) + 1
        let dirtyAfterBlank = blankFrom < width ? old[(start + blankFrom)...].lastIndex { $0 != .blank } : nil
        // Erasing costs three bytes and a reset of the style, which pays off from a few cells.
        let erases = dirtyAfterBlank.map { $0 - start - blankFrom >= 4 } ?? false
        let end = erases ? blankFrom : width
        // The cells up to this column may have been overwritten by a cluster that is wider on some terminals.
        var disturbed = 0
        var x = first
        while x < end {
            if new[start + x] == old[start + x] && x >= disturbed {
                x += 1
                continue
            }
            while x > 0 && new[start + x].isContinuation && x >= disturbed { x -= 1 }
            if new[start + x].isContinuation {
                x += 1
                continue
            }
            var last = x
            var scan = x
            // Unchanged cells between two changes are written again if that is shorter than a cursor movement.
            while scan < end && scan - last <= 4 {
                if new[start + scan] != old[start + scan] || scan < disturbed { last = scan }
                scan += 1
            }
            while x <= last {
                let cell = new[start + x]
                move(to: Point(x: x, y: y), next.size, &out)
                write(cell, at: Point(x: x, y: y), in: next, &out)
                if !cell.glyph.isCertain { disturbed = max(disturbed, min(width, x + cell.glyph.widestExtent)) }
                x += max(1, cell.glyph.width)
            }
        }
        if erases {
            move(to: Point(x: blankFrom, y: y), next.size, &out)
            setLink(.none, next, &out)
            setStyle(.plain, &out)
            out.write("\u{1B}[K")
        }
        return true
    }

    private mutating func write(_ cell: Cell, at place: Point, in next: ScreenBuffer, _ out: inout SequenceWriter) {
        setLink(cell.style.link, next, &out)
        setStyle(lowered(cell.style), &out)
        let isCertain = cell.glyph.isCertain
        if cell.glyph.width == 2 && !isCertain {
            // A terminal that draws the glyph narrow would leave the old content of the second cell.
            out.write("  ")
            out.moveTo(place)
        }
        out.write(cell.glyph.text)
        let after = place.x + max(1, cell.glyph.width)
        // After the last column the cursor is between two lines, and terminals disagree about its position after a
        // cluster of several scalars: in both cases the next write positions it explicitly.
        cursor = after < next.size.width && isCertain ? Point(x: after, y: place.y) : nil
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
            out.moveColumns(from: from.x, to: target.x)
        } else if target.x == 0 && target.y - from.y == 1 {
            out.write("\r\n")
        } else if from.x == target.x && abs(target.y - from.y) < size.height {
            out.moveRows(target.y - from.y)
        } else {
            out.moveTo(target)
        }
    }

    /// Begins or ends a hyperlink: OSC 8 of xterm, VTE and others.
    private mutating func setLink(_ target: LinkID, _ frame: ScreenBuffer, _ out: inout SequenceWriter) {
        guard link != target else { return }
        let address = frame.address(of: target) ?? ""
        // The identifier joins the parts of a link on several lines.
        out.write("\u{1B}]8;\(address.isEmpty ? "" : "id=\(target.value)");\(address)\u{1B}\\")
        link = target
    }

    /// Returns a style in the terminal's colours. Reducing a colour is slow, so results are stored.
    private mutating func lowered(_ style: Style) -> Style {
        if depth == .trueColor { return style }
        if let last = lastLowered, last.from == style { return last.to }
        let result: Style
        if let known = knownStyles[style] {
            result = known
        } else {
            result = style.lowered(to: depth)
            if knownStyles.count >= 4096 { knownStyles.removeAll(keepingCapacity: true) }
            knownStyles[style] = result
        }
        lastLowered = (style, result)
        return result
    }

    private mutating func setStyle(_ target: Style, _ out: inout SequenceWriter) {
        var target = target
        target.link = .none
        guard style != target else { return }
        out.setStyle(from: style, to: target)
        style = target
    }
}

/// Rows that have moved up or down between two frames, so that the terminal can move them.
struct RowScroll: Equatable {
    /// The rows of the scrolling region.
    let rows: Range<Int>
    /// The number of rows by which the content moves up; negative for down.
    let distance: Int

    /// The longest distance that is searched: lists scroll by one row, or by a few with the wheel.
    private static let maximumDistance = 8
    /// The approximate number of bytes that scrolling costs.
    private static let cost = 24

    /// Finds the movement that saves the most; `nil` if none saves anything.
    init?(from old: ScreenBuffer, to new: ScreenBuffer) {
        let height = new.size.height
        guard let first = (0..<height).first(where: { old.row($0) != new.row($0) }),
            let last = (0..<height).last(where: { old.row($0) != new.row($0) }), last - first >= 4
        else { return nil }
        var best: (rows: Range<Int>, distance: Int, gain: Int)?
        for distance in -Self.maximumDistance...Self.maximumDistance where distance != 0 {
            guard abs(distance) < last - first else { continue }
            guard let run = Self.longestRun(distance, first...last, old, new), run.count >= 3 else { continue }
            let region = min(run.lowerBound, run.lowerBound + distance)..<max(run.upperBound, run.upperBound + distance)
            let saved = run.reduce(0) { $0 + Self.changes(old.row($1), new.row($1)) }
            let appearing = region.filter { !run.contains($0) }
            let spent = appearing.reduce(Self.cost) { sum, row in
                sum + new.row(row).count { $0 != .blank } - Self.changes(old.row(row), new.row(row))
            }
            let gain = saved - spent
            if gain > best?.gain ?? 0 { best = (region, distance, gain) }
        }
        guard let best else { return nil }
        rows = best.rows
        distance = best.distance
    }

    /// Returns the longest run of rows that show what was `distance` rows below.
    private static func longestRun(
        _ distance: Int,
        _ changed: ClosedRange<Int>,
        _ old: ScreenBuffer,
        _ new: ScreenBuffer
    ) -> Range<Int>? {
        var longest: Range<Int>?
        var start: Int?
        func end(at row: Int) {
            if let begin = start, row - begin > longest?.count ?? 0 { longest = begin..<row }
            start = nil
        }
        for row in changed {
            let source = row + distance
            if changed.contains(source), old.row(source).elementsEqual(new.row(row)) {
                start = start ?? row
            } else {
                end(at: row)
            }
        }
        end(at: changed.upperBound + 1)
        return longest
    }

    private static func changes(_ old: ArraySlice<Cell>, _ new: ArraySlice<Cell>) -> Int {
        zip(old, new).reduce(0) { $0 + ($1.0 == $1.1 ? 0 : 1) }
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

    /// The number of cells that the glyph covers on a terminal that joins no scalars to a cluster.
    var widestExtent: Int {
        text.unicodeScalars.reduce(0) { $0 + max(1, DisplayWidth.of($1)) }
    }
}
