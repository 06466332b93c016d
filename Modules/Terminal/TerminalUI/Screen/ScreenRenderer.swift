internal import Pictures
import SystemCalls

/// Produces the bytes that change a terminal's screen from one frame to the next.
///
/// The renderer remembers the cells, cursor and style that the terminal shows and writes runs of changed cells only. It
/// scrolls rows that have moved, moves the cursor between runs by the shortest sequence or by writing a few unchanged
/// cells again, repeats characters, and erases blank line ends. Pictures are written after the cells that they cover. A
/// frame that changes several rows is one synchronized update (mode 2026), so that it appears at once.
package struct ScreenRenderer: Sendable {
    /// The number of colours of the terminal.
    package var depth: ColorDepth {
        didSet {
            guard depth != oldValue else { return }
            knownColors = [:]
            invalidate()
        }
    }
    /// Whether runs of an ASCII character are written as one and a number of repetitions (REP).
    package var repeats = false
    /// Whether the cursor may be moved to a column or a row by its number (CHA and VPA), and an attribute ended without
    /// the others.
    package var addressesColumns: Bool {
        get { out.addressesColumns }
        set { out.addressesColumns = newValue }
    }
    /// The maximum number of bytes of a control string; a link with a longer address is written as text alone.
    package var controlStringLimit = Int.max
    /// Whether frames are sent as synchronized updates. Terminals without mode 2026 ignore the brackets.
    package var synchronizes: Bool

    private var shown: ScreenBuffer
    private var shownPictures: [PictureID: VisiblePicture] = [:]
    /// The pictures with a cell that was written in this frame.
    private var overwritten: Set<PictureID> = []
    private var isKnown = false
    private var cursor: GridPoint?
    private var cursorVisible: Bool?
    private var pen: Pen?
    private var link: UInt32 = 0
    private var knownColors: [PackedColor: PackedColor] = [:]
    private var out = SequenceWriter()

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
        pen = nil
        link = 0
        cursor = nil
        cursorVisible = nil
    }

    /// Returns the bytes that remove the pictures from a terminal that stores them; empty without pictures.
    package mutating func removePictures() -> [UInt8] {
        let stored = shownPictures.values.contains { !$0.placed.layer.removal.isEmpty }
        shownPictures = [:]
        return stored ? KittyGraphics.removalOfAll : []
    }

    /// Returns the bytes that show `next` with the cursor at `caret`, or without a cursor; empty if nothing changes.
    package mutating func render(_ frame: ScreenBuffer, caret: GridPoint?) -> [UInt8] {
        let (next, pictures) = frame.arranged()
        out.begin()
        overwritten = []
        if !isKnown || shown.size != next.size {
            invalidate()
            setPen(.plain)
            out.write("\u{1B}[2J")
            out.write(removePictures())
            shown = ScreenBuffer(size: next.size)
            isKnown = true
        } else if shownPictures.isEmpty, pictures.isEmpty,
            let scroll = RowScroll(from: shown, to: next, repeats: repeats)
        {
            perform(scroll)
        }
        for (id, picture) in shownPictures where pictures[id] == nil { out.write(picture.placed.layer.removal) }
        let rows = renderRows(next)
        setLink(0, next)
        show(pictures, next.size)
        let drew = !out.bytes.isEmpty
        shown = next
        let place = caret.flatMap { next.bounds.contains($0) ? $0 : nil }
        let isSmall = rows <= 1 && out.bytes.count <= Self.unbracketedLength
        let hides = drew && !synchronizes && !isSmall
        if let place {
            let start = place.y * next.size.width
            next.cells.withUnsafeBufferPointer { cells in
                advance(to: place.x, place.y, UnsafeBufferPointer(rebasing: cells[start..<start + next.size.width]))
            }
            move(to: place)
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
    private mutating func perform(_ scroll: RowScroll) {
        resetErasure()
        let isWhole = scroll.rows == 0..<shown.size.height
        if !isWhole { out.write("\u{1B}[\(scroll.rows.lowerBound + 1);\(scroll.rows.upperBound)r") }
        // The region moves the cursor to the upper left, but not in every terminal emulator.
        if scroll.distance > 0 {
            out.moveTo(GridPoint(x: 0, y: scroll.rows.upperBound - 1))
            out.write(String(repeating: "\n", count: scroll.distance))
        } else {
            out.moveTo(GridPoint(x: 0, y: scroll.rows.lowerBound))
            out.write(String(repeating: "\u{1B}M", count: -scroll.distance))
        }
        if !isWhole { out.write("\u{1B}[r") }
        cursor = nil
        shown.scroll(scroll.rows, by: scroll.distance)
    }

    /// Sends new pictures, and shows those that have moved or whose cells were written.
    private mutating func show(_ pictures: [PictureID: VisiblePicture], _ size: GridSize) {
        guard !pictures.isEmpty || !shownPictures.isEmpty else { return }
        for (id, picture) in pictures.sorted(by: { $0.key.value < $1.key.value }) {
            let before = shownPictures[id]
            // A terminal that stores pictures shows them above the cells.
            let isStored = !picture.placed.layer.removal.isEmpty
            if before == nil { out.write(picture.placed.layer.transmission) }
            guard before != picture || (overwritten.contains(id) && !isStored) else { continue }
            move(to: picture.area.origin)
            out.write(picture.bytes)
            // Terminals disagree about the position of the cursor after a picture.
            cursor = nil
        }
        shownPictures = pictures
    }

    /// Writes the changes. Returns the number of changed rows.
    private mutating func renderRows(_ next: ScreenBuffer) -> Int {
        let before = shown.cells
        let width = next.size.width
        return before.withUnsafeBufferPointer { old in
            next.cells.withUnsafeBufferPointer { new in
                var rows = 0
                for y in 0..<next.size.height
                where !old.equals(new, from: y * width, y * width, count: width) {
                    let range = y * width..<(y + 1) * width
                    renderRow(
                        y,
                        UnsafeBufferPointer(rebasing: old[range]),
                        UnsafeBufferPointer(rebasing: new[range]),
                        next
                    )
                    rows += 1
                }
                return rows
            }
        }
    }

    private mutating func renderRow(
        _ y: Int,
        _ old: UnsafeBufferPointer<PackedCell>,
        _ new: UnsafeBufferPointer<PackedCell>,
        _ next: ScreenBuffer
    ) {
        let width = new.count
        var first = 0
        while new[first] == old[first] { first += 1 }
        var blankFrom = width
        while blankFrom > 0 && new[blankFrom - 1] == .blank { blankFrom -= 1 }
        var dirtyEnd = width
        while dirtyEnd > blankFrom && old[dirtyEnd - 1] == .blank { dirtyEnd -= 1 }
        // Erasing costs three bytes and a reset of the style, which pays off from a few cells.
        let erases = dirtyEnd - blankFrom > 4
        let end = erases ? blankFrom : width
        // The cells up to this column may have been overwritten by a cluster that is wider on some terminals.
        var disturbed = 0
        var x = first
        while x < end {
            if new[x] == old[x] && x >= disturbed {
                x += 1
                continue
            }
            while x > 0 && new[x].isContinuation && x >= disturbed { x -= 1 }
            if new[x].isContinuation {
                x += 1
                continue
            }
            var last = x
            var scan = x
            // Unchanged cells between two changes are written again if that is not longer than a cursor movement.
            var gap = 0
            while scan < end && gap <= 4 {
                if new[scan] != old[scan] || scan < disturbed {
                    last = scan
                    gap = 0
                } else if new[scan].picture != .none {
                    break
                } else if !new[scan].isContinuation {
                    gap += new[scan].looksLike(new[last]) ? new[scan].textLength : 5
                }
                scan += 1
            }
            advance(to: x, y, new)
            while x <= last {
                let cell = new[x]
                let count = cell.isASCII ? run(of: cell, from: x, in: new, limit: last + 1) : 1
                move(to: GridPoint(x: x, y: y))
                write(cell, at: GridPoint(x: x, y: y), count: count, in: next)
                if !cell.isCertain {
                    disturbed = max(disturbed, min(width, x + Glyph.widestExtent(of: next.text(of: cell))))
                }
                x += count == 1 ? max(1, cell.width) : count
            }
        }
        if erases {
            move(to: GridPoint(x: blankFrom, y: y))
            setLink(0, next)
            resetErasure()
            out.write("\u{1B}[K")
        }
    }

    /// Returns the number of equal cells from a column on.
    private func run(of cell: PackedCell, from x: Int, in row: UnsafeBufferPointer<PackedCell>, limit: Int) -> Int {
        guard repeats else { return 1 }
        var end = x + 1
        while end < limit && row[end] == cell { end += 1 }
        return end - x
    }

    /// Moves the cursor to a column of its row by writing up to five cells again, if these have the present style and that
    /// is shorter.
    private mutating func advance(to x: Int, _ y: Int, _ row: UnsafeBufferPointer<PackedCell>) {
        guard let from = cursor, from.y == y, from.x < x, x - from.x <= 5,
            x - from.x <= out.columnCost(from: from.x, to: x), let pen
        else { return }
        for column in from.x..<x {
            let cell = row[column]
            guard cell.isASCII, cell.link == link, cell.picture == .none, lowered(cell) == pen else { return }
        }
        for column in from.x..<x { out.write(packed: row[column].text) }
        cursor = GridPoint(x: x, y: y)
    }

    private mutating func write(_ cell: PackedCell, at place: GridPoint, count: Int, in next: ScreenBuffer) {
        setLink(cell.link, next)
        setPen(lowered(cell))
        if cell.picture != .none { overwritten.insert(cell.picture) }
        if cell.width == 2 && !cell.isCertain {
            // A terminal that draws the glyph narrow would leave the old content of the second cell.
            out.write("  ")
            out.moveTo(place)
        }
        if cell.isLong { out.write(next.text(of: cell)) } else { out.write(packed: cell.text) }
        // tmux repeats no other characters than those of ASCII.
        if count > 6 {
            out.control(count - 1, "b")
        } else {
            for _ in 1..<max(1, count) { out.write(packed: cell.text) }
        }
        let after = place.x + max(count, cell.width)
        // After the last column the cursor is between two lines, and terminals disagree about its position after a
        // cluster of several scalars: in both cases the next write positions it explicitly.
        cursor = after < next.size.width && cell.isCertain ? GridPoint(x: after, y: place.y) : nil
    }

    private mutating func move(to target: GridPoint) {
        if let from = cursor { out.move(from: from, to: target) } else { out.moveTo(target) }
        cursor = target
    }

    /// Begins or ends a hyperlink: OSC 8 of xterm, VTE and others.
    private mutating func setLink(_ target: UInt32, _ frame: ScreenBuffer) {
        guard link != target else { return }
        let address = frame.address(of: LinkID(value: target)) ?? ""
        // The identifier joins the parts of a link on several lines.
        let begin = "\u{1B}]8;id=\(target);\(address)\u{1B}\\"
        out.write(address.isEmpty || begin.utf8.count > controlStringLimit ? "\u{1B}]8;;\u{1B}\\" : begin)
        link = target
    }

    /// Returns the style of a cell in the terminal's colours.
    private mutating func lowered(_ cell: PackedCell) -> Pen {
        Pen(
            foreground: lowered(cell.foreground),
            background: lowered(cell.background),
            attributes: TextStyle.Attributes(rawValue: cell.attributes)
        )
    }

    /// Returns a colour of the terminal. Reducing a colour is slow, so results are stored.
    private mutating func lowered(_ color: PackedColor) -> PackedColor {
        if depth == .trueColor || color == .standard { return color }
        if let known = knownColors[color] { return known }
        let result = PackedColor(color.color.lowered(to: depth))
        if knownColors.count >= 4096 { knownColors.removeAll(keepingCapacity: true) }
        knownColors[color] = result
        return result
    }

    /// Sets a style that leaves erased cells blank: terminals fill them with the background, and some with a line.
    private mutating func resetErasure() {
        guard let pen, pen.background == .standard,
            pen.attributes.isDisjoint(with: [.reverse, .underline, .strikethrough])
        else { return setPen(.plain) }
    }

    private mutating func setPen(_ target: Pen) {
        guard pen != target else { return }
        out.setStyle(from: pen, to: target)
        pen = target
    }
}

extension UnsafeBufferPointer<PackedCell> {
    /// Whether a number of cells equals that of another buffer, byte for byte.
    func equals(_ other: Self, from start: Int, _ otherStart: Int, count: Int) -> Bool {
        guard count > 0, let left = baseAddress, let right = other.baseAddress else { return true }
        return memcmp(left + start, right + otherStart, count * MemoryLayout<PackedCell>.stride) == 0
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

    /// Returns the number of cells that a glyph covers on a terminal that joins no scalars to a cluster.
    static func widestExtent(of text: String) -> Int {
        text.unicodeScalars.reduce(0) { $0 + max(1, DisplayWidth.of($1)) }
    }
}
