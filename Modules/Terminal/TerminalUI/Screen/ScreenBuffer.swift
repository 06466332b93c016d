/// A grid of cells that views draw into and the renderer compares.
///
/// A wide glyph always occupies two neighbouring cells. Drawing over one half replaces the other with a space.
public struct ScreenBuffer: Hashable, Sendable {
    /// The number of columns and rows.
    public let size: GridSize
    private(set) var cells: [PackedCell]
    /// The clusters of more than eight bytes, by their numbers.
    private var clusters: [UInt64: String] = [:]
    /// The addresses of the links in the cells.
    private var links: [LinkID: String] = [:]
    /// The pictures that the terminal may show in place of the cells that name them.
    private(set) var pictures: [PictureID: PlacedPicture] = [:]

    /// Creates a buffer filled with one cell; negative dimensions count as zero.
    public init(size: GridSize, filledWith cell: Cell = .blank) {
        self.size = GridSize(width: max(0, size.width), height: max(0, size.height))
        cells = []
        let filling = cell.glyph.width == 1 ? packed(cell) : .blank
        cells = Array(repeating: filling, count: self.size.width * self.size.height)
    }

    /// Whether both buffers have the same size and cells.
    public static func == (left: ScreenBuffer, right: ScreenBuffer) -> Bool {
        left.size == right.size && left.cells == right.cells
    }

    /// Hashes the size and the cells.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(size)
        hasher.combine(cells)
    }

    /// The cell at a position; blank outside of the buffer.
    public subscript(x: Int, y: Int) -> Cell {
        guard contains(x, y) else { return .blank }
        return unpacked(cells[y * size.width + x])
    }

    /// Returns the cells of a row; empty outside of the buffer.
    public func row(_ y: Int) -> ArraySlice<Cell> {
        guard y >= 0 && y < size.height else { return [] }
        return cells[y * size.width..<(y + 1) * size.width].map(unpacked)[...]
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
    public var bounds: GridRect { GridRect(origin: .zero, size: size) }

    /// Sets a cell if it is inside `clip`. A wide glyph that the edge would cut becomes a space.
    public mutating func put(_ cell: Cell, x: Int, y: Int, clip: GridRect? = nil) {
        put(packed(cell), x: x, y: y, in: clip.map(bounds.intersection) ?? bounds)
    }

    /// Writes text on one line and returns the column after it. Cells outside of `clip` are not changed.
    @discardableResult
    public mutating func put(_ text: some StringProtocol, x: Int, y: Int, style: TextStyle, clip: GridRect? = nil)
        -> Int
    {
        write(text, x: x, y: y, style: style, in: clip.map(bounds.intersection) ?? bounds, over: nil)
    }

    /// Fills a rectangle with a cell of width one.
    public mutating func fill(_ rect: GridRect, with cell: Cell) {
        let area = bounds.intersection(rect)
        guard !area.isEmpty else { return }
        let packed = packed(cell)
        guard packed.width == 1 else {
            for y in area.minY..<area.maxY {
                for x in area.minX..<area.maxX { put(packed, x: x, y: y, in: area) }
            }
            return
        }
        for y in area.minY..<area.maxY {
            // Only the edges can cut a wide glyph.
            set(packed, area.minX, y)
            set(packed, area.maxX - 1, y)
            let start = y * size.width
            for index in start + area.minX..<start + area.maxX { cells[index] = packed }
        }
    }

    /// Changes the style of every cell in a rectangle without changing the glyphs.
    public mutating func restyle(_ rect: GridRect, _ change: (inout TextStyle) -> Void) {
        let area = bounds.intersection(rect)
        for y in area.minY..<area.maxY {
            for x in area.minX..<area.maxX {
                let index = y * size.width + x
                if cells[index].isContinuation { continue }
                change(&cells[index].style)
                if cells[index].width == 2 { cells[index + 1].style = cells[index].style }
            }
        }
    }

    /// Returns the buffer cropped or extended to another size, aligned at the upper left.
    public func resized(to size: GridSize) -> ScreenBuffer {
        var result = ScreenBuffer(size: size)
        result.links = links
        result.clusters = clusters
        for y in 0..<min(self.size.height, result.size.height) {
            for x in 0..<min(self.size.width, result.size.width) {
                let cell = cells[y * self.size.width + x]
                if !cell.isContinuation { result.put(cell, x: x, y: y, in: result.bounds) }
            }
        }
        return result
    }

    /// Moves the content of rows up by a distance, or down by a negative one; the rows that appear are blank.
    mutating func scroll(_ rows: Range<Int>, by distance: Int) {
        let order = distance > 0 ? Array(rows) : rows.reversed()
        for row in order {
            let source = (row + distance) * size.width
            let target = row * size.width
            if rows.contains(row + distance) {
                for x in 0..<size.width { cells[target + x] = cells[source + x] }
            } else {
                for x in 0..<size.width { cells[target + x] = .blank }
            }
        }
    }

    private func contains(_ x: Int, _ y: Int) -> Bool {
        x >= 0 && x < size.width && y >= 0 && y < size.height
    }
}

// MARK: - Packed cells

extension ScreenBuffer {
    /// Returns the text of a cell.
    func text(of cell: PackedCell) -> String { cell.isLong ? clusters[cell.text] ?? " " : cell.shortText }

    /// Sets a cell with the colours below it in place of the terminal's default colours.
    mutating func draw(_ cell: Cell, x: Int, y: Int, in area: GridRect, over surface: TextStyle) {
        let packed = packed(cell)
        put(contains(x, y) ? packed.over(cells[y * size.width + x], surface: surface) : packed, x: x, y: y, in: area)
    }

    /// Fills a rectangle inside of the buffer with a glyph of width one, with the colours below it in place of the
    /// terminal's default colours.
    mutating func drawFill(_ area: GridRect, with cell: Cell, over surface: TextStyle) {
        guard !area.isEmpty else { return }
        let packed = packed(cell)
        for y in area.minY..<area.maxY {
            for x in area.minX..<area.maxX {
                put(packed.over(cells[y * size.width + x], surface: surface), x: x, y: y, in: area)
            }
        }
    }

    /// Writes text on one line and returns the column after it. Only the cells in `area`, inside of the buffer, change. With a
    /// surface, the colours below the text replace the terminal's default colours.
    mutating func write(
        _ text: some StringProtocol,
        x: Int,
        y: Int,
        style: TextStyle,
        in area: GridRect,
        over surface: TextStyle?
    ) -> Int {
        if let end = writePlain(text, x: x, y: y, style: style, in: area, over: surface) { return end }
        var column = x
        for character in text {
            if column >= area.maxX { break }
            let glyph = Glyph(character)
            if glyph.width == 0 { continue }
            var cell = packed(Cell(glyph, style: style))
            if let surface, contains(column, y) { cell = cell.over(cells[y * size.width + column], surface: surface) }
            put(cell, x: column, y: y, in: area)
            column += glyph.width
        }
        return column
    }

    /// Writes text of plain scalars, which need no search for grapheme clusters; returns `nil` for other text.
    private mutating func writePlain(
        _ text: some StringProtocol,
        x: Int,
        y: Int,
        style: TextStyle,
        in area: GridRect,
        over surface: TextStyle?
    ) -> Int? {
        // The scalar behind the last visible one may belong to its cluster.
        var column = x
        for scalar in text.unicodeScalars {
            guard scalar.isPlain else { return nil }
            if column >= area.maxX { break }
            column += DisplayWidth.of(scalar)
        }
        column = x
        let isVisible = y >= area.minY && y < area.maxY
        let base = PackedCell(text: 0x20, width: 1, isCertain: true, style: style)
        for scalar in text.unicodeScalars {
            if column >= area.maxX { break }
            let width = DisplayWidth.of(scalar)
            if isVisible && column + width > area.minX {
                var cell = base.with(text: scalar.packedUTF8, width: width, isCertain: true)
                if let surface, column >= 0 { cell = cell.over(cells[y * size.width + column], surface: surface) }
                put(cell, x: column, y: y, in: area)
            }
            column += width
        }
        return column
    }

    private mutating func put(_ cell: PackedCell, x: Int, y: Int, in area: GridRect) {
        let isWide = cell.width == 2
        guard y >= area.minY && y < area.maxY && x >= area.minX && x < area.maxX else {
            if isWide && area.contains(GridPoint(x: x + 1, y: y)) { set(cell.emptied, x + 1, y) }
            return
        }
        if isWide && x + 1 >= area.maxX {
            set(cell.emptied, x, y)
            return
        }
        set(cell, x, y)
        if isWide { set(cell.continuation, x + 1, y) }
    }

    private mutating func set(_ cell: PackedCell, _ x: Int, _ y: Int) {
        let index = y * size.width + x
        let old = cells[index]
        if old.width != 1 {
            if old.isContinuation && !cell.isContinuation && x > 0 { cells[index - 1] = cells[index - 1].emptied }
            if old.width == 2 && x + 1 < size.width { cells[index + 1] = cells[index + 1].emptied }
        }
        cells[index] = cell
    }

    private mutating func packed(_ cell: Cell) -> PackedCell {
        let glyph = cell.glyph
        if glyph.width == 0 { return PackedCell(text: 0, width: 0, isCertain: true, style: cell.style) }
        let text = PackedCell.pack(glyph.text) ?? number(of: glyph.text)
        return PackedCell(text: text, width: glyph.width, isCertain: glyph.isCertain, style: cell.style)
    }

    /// Stores a long cluster and returns its number: its FNV-1a hash of 56 bits.
    private mutating func number(of text: String) -> UInt64 {
        var hash: UInt64 = 14_695_981_039_346_656_037
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211 }
        let number = hash | 0xFF << 56
        clusters[number] = text
        return number
    }

    private func unpacked(_ cell: PackedCell) -> Cell {
        if cell.isContinuation { return .continuation(cell.style) }
        return Cell(Glyph(sanitized: text(of: cell), width: cell.width), style: cell.style)
    }
}

extension Unicode.Scalar {
    /// The UTF-8 bytes, the first one in the lowest byte.
    fileprivate var packedUTF8: UInt64 {
        if value < 0x80 { return UInt64(value) }
        func trailing(_ shift: UInt32) -> UInt64 { UInt64(value >> shift & 0x3F | 0x80) }
        if value < 0x800 { return UInt64(value >> 6 | 0xC0) | trailing(0) << 8 }
        if value < 0x10000 { return UInt64(value >> 12 | 0xE0) | trailing(6) << 8 | trailing(0) << 16 }
        return UInt64(value >> 18 | 0xF0) | trailing(12) << 8 | trailing(6) << 16 | trailing(0) << 24
    }
}

// MARK: - Pictures

extension ScreenBuffer {
    /// Places a picture. The terminal shows it where all cells of a rectangle name it in their style.
    mutating func place(_ picture: PictureLayer, at origin: GridPoint) {
        pictures[picture.id] = PlacedPicture(layer: picture, origin: origin)
    }

    /// Returns the buffer with empty cells where the terminal shows pictures, and with these pictures.
    ///
    /// A picture is shown in the rectangle of its visible cells. If another view covers a part that is not at an edge, its
    /// cells are shown instead.
    func arranged() -> (buffer: ScreenBuffer, pictures: [PictureID: VisiblePicture]) {
        guard !pictures.isEmpty else { return (self, [:]) }
        var result = self
        var shown: [PictureID: VisiblePicture] = [:]
        for (id, placed) in pictures {
            let area = GridRect(origin: placed.origin, size: placed.layer.size).intersection(bounds)
            var visible: GridRect?
            var count = 0
            for y in area.minY..<area.maxY {
                for x in area.minX..<area.maxX where cells[y * size.width + x].picture == id {
                    count += 1
                    let left = min(x, visible?.minX ?? x)
                    let top = min(y, visible?.minY ?? y)
                    let right = max(x + 1, visible?.maxX ?? 0)
                    visible = GridRect(x: left, y: top, width: right - left, height: y + 1 - top)
                }
            }
            if let visible, count == visible.width * visible.height {
                shown[id] = VisiblePicture(placed: placed, area: visible)
            }
        }
        for index in cells.indices where cells[index].picture != .none {
            if shown[cells[index].picture] != nil {
                var empty = PackedCell.blank
                empty.picture = cells[index].picture
                result.cells[index] = empty
            } else {
                result.cells[index].picture = .none
            }
        }
        return (result, shown)
    }
}

/// A cell of the screen: a glyph, or the right half of the wide glyph to its left.
public struct Cell: Hashable, Sendable {
    /// The glyph; its width is zero in the right half of a wide glyph.
    public let glyph: Glyph
    /// The colours and attributes.
    public var style: TextStyle

    /// A space in the terminal's default colours.
    public static let blank = Cell(.space)

    /// Creates a cell with a glyph; a glyph of width zero becomes a space.
    public init(_ glyph: Glyph, style: TextStyle = .plain) {
        self.glyph = glyph.width == 0 ? .space : glyph
        self.style = style
    }

    /// Creates a cell with a sanitised grapheme cluster.
    public init(_ character: Character, style: TextStyle = .plain) {
        self.init(Glyph(character), style: style)
    }

    private init(continuationOf style: TextStyle) {
        glyph = Glyph.nothing
        self.style = style
    }

    /// Returns the right half of a wide glyph.
    static func continuation(_ style: TextStyle) -> Cell { Cell(continuationOf: style) }

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
        guard y >= 0 && y < size.height else { return "" }
        var line: [UInt8] = []
        for cell in cells[y * size.width..<(y + 1) * size.width] where !cell.isContinuation {
            line += text(of: cell).utf8
        }
        while line.last == UInt8(ascii: " ") { line.removeLast() }
        return String(decoding: line, as: UTF8.self)
    }

    /// Returns the position of the first occurrence of a text, searched row by row; `nil` if it is not on the screen.
    public func find(_ text: String) -> GridPoint? {
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
                return GridPoint(x: columns[start], y: y)
            }
        }
        return nil
    }
}
