/// A grid of cells that views draw into and the renderer compares.
///
/// A wide glyph always occupies two neighbouring cells. Drawing over one half replaces the other with a space.
public struct ScreenBuffer: Hashable, Sendable {
    /// The number of columns and rows.
    public let size: Size
    private var cells: [Cell]
    /// The addresses of the links in the cells.
    private var links: [LinkID: String] = [:]

    /// Creates a buffer filled with one cell; negative dimensions count as zero.
    public init(size: Size, filledWith cell: Cell = .blank) {
        self.size = Size(width: max(0, size.width), height: max(0, size.height))
        cells = Array(repeating: cell.glyph.width == 1 ? cell : .blank, count: self.size.width * self.size.height)
    }

    /// The cell at a position; blank outside of the buffer.
    public subscript(x: Int, y: Int) -> Cell {
        guard contains(x, y) else { return .blank }
        return cells[y * size.width + x]
    }

    /// Returns the cells of a row; empty outside of the buffer.
    public func row(_ y: Int) -> ArraySlice<Cell> {
        guard y >= 0 && y < size.height else { return [] }
        return cells[y * size.width..<(y + 1) * size.width]
    }

    /// Returns the link of an address, for the style of cells; ``LinkID/none`` for an address that cannot be written.
    public mutating func link(to address: String) -> LinkID {
        guard LinkID.isWritable(address) else { return .none }
        let link = LinkID(address: address)
        links[link] = address
        return link
    }

    /// Returns the address of a cell's link; `nil` without one.
    public func address(of link: LinkID) -> String? { links[link] }

    /// The rectangle of the whole buffer.
    public var bounds: Rect { Rect(origin: .zero, size: size) }

    /// Sets a cell if it is inside `clip`. A wide glyph that the edge would cut becomes a space.
    public mutating func put(_ cell: Cell, x: Int, y: Int, clip: Rect? = nil) {
        let area = clip.map(bounds.intersection) ?? bounds
        guard area.contains(Point(x: x, y: y)) else {
            if cell.glyph.width == 2 && area.contains(Point(x: x + 1, y: y)) {
                put(Cell(.space, style: cell.style), x: x + 1, y: y, clip: clip)
            }
            return
        }
        if cell.glyph.width == 2 && !area.contains(Point(x: x + 1, y: y)) {
            set(Cell(.space, style: cell.style), x, y)
            return
        }
        set(cell, x, y)
        if cell.glyph.width == 2 {
            set(Cell.continuation(cell.style), x + 1, y)
        }
    }

    /// Writes text on one line and returns the column after it. Cells outside of `clip` are not changed.
    @discardableResult
    public mutating func put(_ text: some StringProtocol, x: Int, y: Int, style: Style, clip: Rect? = nil) -> Int {
        var column = x
        let edge = clip.map { min($0.maxX, size.width) } ?? size.width
        for character in text {
            if column >= edge { break }
            let glyph = Glyph(character)
            if glyph.width == 0 { continue }
            put(Cell(glyph, style: style), x: column, y: y, clip: clip)
            column += glyph.width
        }
        return column
    }

    /// Fills a rectangle with a cell of width one.
    public mutating func fill(_ rect: Rect, with cell: Cell) {
        let area = bounds.intersection(rect)
        for y in area.minY..<area.maxY {
            for x in area.minX..<area.maxX { put(cell, x: x, y: y, clip: area) }
        }
    }

    /// Changes the style of every cell in a rectangle without changing the glyphs.
    public mutating func restyle(_ rect: Rect, _ change: (inout Style) -> Void) {
        let area = bounds.intersection(rect)
        for y in area.minY..<area.maxY {
            for x in area.minX..<area.maxX where !self[x, y].isContinuation {
                let index = y * size.width + x
                change(&cells[index].style)
                if cells[index].glyph.width == 2 { cells[index + 1].style = cells[index].style }
            }
        }
    }

    /// Returns the buffer cropped or extended to another size, aligned at the upper left.
    public func resized(to size: Size) -> ScreenBuffer {
        var result = ScreenBuffer(size: size)
        result.links = links
        for y in 0..<min(self.size.height, result.size.height) {
            for x in 0..<min(self.size.width, result.size.width) where !self[x, y].isContinuation {
                result.put(self[x, y], x: x, y: y)
            }
        }
        return result
    }

    /// Moves the content of rows up by a distance, or down by a negative one; the rows that appear are blank.
    mutating func scroll(_ rows: Range<Int>, by distance: Int) {
        let order = distance > 0 ? Array(rows) : rows.reversed()
        for row in order {
            for x in 0..<size.width {
                let source = row + distance
                cells[row * size.width + x] = rows.contains(source) ? cells[source * size.width + x] : .blank
            }
        }
    }

    private func contains(_ x: Int, _ y: Int) -> Bool {
        x >= 0 && x < size.width && y >= 0 && y < size.height
    }

    private mutating func set(_ cell: Cell, _ x: Int, _ y: Int) {
        let index = y * size.width + x
        if cells[index].isContinuation && !cell.isContinuation && x > 0 {
            cells[index - 1] = Cell(.space, style: cells[index - 1].style)
        }
        if cells[index].glyph.width == 2 && x + 1 < size.width {
            cells[index + 1] = Cell(.space, style: cells[index + 1].style)
        }
        cells[index] = cell
    }
}

/// A cell of the screen: a glyph, or the right half of the wide glyph to its left.
public struct Cell: Hashable, Sendable {
    /// The glyph; its width is zero in the right half of a wide glyph.
    public let glyph: Glyph
    /// The colours and attributes.
    public var style: Style

    /// A space in the terminal's default colours.
    public static let blank = Cell(.space)

    /// Creates a cell with a glyph; a glyph of width zero becomes a space.
    public init(_ glyph: Glyph, style: Style = .plain) {
        self.glyph = glyph.width == 0 ? .space : glyph
        self.style = style
    }

    /// Creates a cell with a sanitised grapheme cluster.
    public init(_ character: Character, style: Style = .plain) {
        self.init(Glyph(character), style: style)
    }

    private init(continuationOf style: Style) {
        glyph = Glyph.nothing
        self.style = style
    }

    /// Returns the right half of a wide glyph.
    static func continuation(_ style: Style) -> Cell {
        Cell(continuationOf: style)
    }

    /// Whether this is the right half of a wide glyph.
    public var isContinuation: Bool { glyph.width == 0 }
}

extension Glyph {
    /// The glyph in the right half of a wide glyph.
    static let nothing = Glyph("\u{200B}")
}

extension ScreenBuffer {
    /// The screen as plain text, without trailing spaces and trailing blank lines.
    public var text: String {
        var lines = (0..<size.height).map(line)
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines.joined(separator: "\n")
    }

    /// Returns a row as plain text without trailing spaces.
    public func line(_ y: Int) -> String {
        var line = ""
        for cell in row(y) where !cell.isContinuation { line += cell.glyph.text }
        while line.last == " " { line.removeLast() }
        return line
    }

    /// Returns the position of the first occurrence of a text, searched row by row; `nil` if it is not on the screen.
    public func find(_ text: String) -> Point? {
        for y in 0..<size.height {
            var columns: [Int] = []
            var line: [Character] = []
            for (x, cell) in row(y).enumerated() where !cell.isContinuation {
                for character in cell.glyph.text {
                    line.append(character)
                    columns.append(x)
                }
            }
            let wanted = Array(text)
            guard !wanted.isEmpty, line.count >= wanted.count else { continue }
            for start in 0...(line.count - wanted.count) where line[start..<start + wanted.count].elementsEqual(wanted)
            {
                return Point(x: columns[start], y: y)
            }
        }
        return nil
    }
}
