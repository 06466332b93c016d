/// A grid of cells, drawn into by views and compared by the renderer.
///
/// A wide glyph always stands in two neighbouring cells: drawing over one half blanks the other.
public struct ScreenBuffer: Hashable, Sendable {
    /// Columns and rows.
    public let size: Size
    private var cells: [Cell]

    /// A buffer of blank cells; a negative extent counts as zero.
    public init(size: Size, filledWith cell: Cell = .blank) {
        self.size = Size(width: max(0, size.width), height: max(0, size.height))
        cells = Array(repeating: cell.glyph.width == 1 ? cell : .blank, count: self.size.width * self.size.height)
    }

    /// The cell at a place; blank outside the buffer.
    public subscript(x: Int, y: Int) -> Cell {
        guard contains(x, y) else { return .blank }
        return cells[y * size.width + x]
    }

    /// A row's cells; empty outside the buffer.
    public func row(_ y: Int) -> ArraySlice<Cell> {
        guard y >= 0 && y < size.height else { return [] }
        return cells[y * size.width..<(y + 1) * size.width]
    }

    /// The buffer's whole extent.
    public var bounds: Rect { Rect(origin: .zero, size: size) }

    /// Puts a cell at a place, where it lies inside `clip`; a wide glyph that the edge would cut becomes a space.
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

    /// Writes a text on one line and returns the column after it; what lies outside `clip` is not drawn.
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

    /// Fills a rectangle with copies of a cell of width one.
    public mutating func fill(_ rect: Rect, with cell: Cell) {
        let area = bounds.intersection(rect)
        for y in area.minY..<area.maxY {
            for x in area.minX..<area.maxX { put(cell, x: x, y: y, clip: area) }
        }
    }

    /// Changes the style of every cell in a rectangle and leaves the glyphs; a wide glyph goes by its left half.
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

    /// The buffer cut or grown to another size, its upper left part kept.
    public func resized(to size: Size) -> ScreenBuffer {
        var result = ScreenBuffer(size: size)
        for y in 0..<min(self.size.height, result.size.height) {
            for x in 0..<min(self.size.width, result.size.width) where !self[x, y].isContinuation {
                result.put(self[x, y], x: x, y: y)
            }
        }
        return result
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

/// One place on the screen: a glyph, or the right half of the wide glyph before it.
public struct Cell: Hashable, Sendable {
    /// What stands here; of width zero in the right half of a wide glyph.
    public let glyph: Glyph
    /// How it is shown.
    public var style: Style

    /// A space in the terminal's own colours.
    public static let blank = Cell(.space)

    /// A cell of a glyph; one without width stands as a space.
    public init(_ glyph: Glyph, style: Style = .plain) {
        self.glyph = glyph.width == 0 ? .space : glyph
        self.style = style
    }

    /// A cell of one grapheme cluster, sanitised.
    public init(_ character: Character, style: Style = .plain) {
        self.init(Glyph(character), style: style)
    }

    private init(continuationOf style: Style) {
        glyph = Glyph.nothing
        self.style = style
    }

    /// The right half of a wide glyph.
    static func continuation(_ style: Style) -> Cell {
        Cell(continuationOf: style)
    }

    /// Whether this is the right half of the wide glyph to its left.
    public var isContinuation: Bool { glyph.width == 0 }
}

extension Glyph {
    /// What the right half of a wide glyph holds.
    static let nothing = Glyph("\u{200B}")
}

extension ScreenBuffer {
    /// The screen as plain text: a line a row, spaces at the ends of lines and blank lines at the end left out.
    public var text: String {
        var lines = (0..<size.height).map(line)
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines.joined(separator: "\n")
    }

    /// A row as plain text, without the spaces at its end.
    public func line(_ y: Int) -> String {
        var line = ""
        for cell in row(y) where !cell.isContinuation { line += cell.glyph.text }
        while line.last == " " { line.removeLast() }
        return line
    }

    /// Where a text stands on the screen, row by row from the top; nil where it is not to be seen.
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
