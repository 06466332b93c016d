/// A picture drawn into character cells, row by row from the top; colours are 24 bits and are reduced on writing.
public struct PictureCells: Hashable, Sendable {
    /// Cells across.
    public let columns: Int
    /// Cells down.
    public let rows: Int
    /// `columns * rows` cells.
    public let cells: [PictureCell]

    /// Creates a grid by asking for each cell; negative sides count as 0.
    public init(columns: Int, rows: Int, cell: (_ column: Int, _ row: Int) -> PictureCell) {
        self.columns = max(0, columns)
        self.rows = max(0, rows)
        var cells: [PictureCell] = []
        cells.reserveCapacity(self.columns * self.rows)
        for row in 0..<self.rows {
            for column in 0..<self.columns { cells.append(cell(column, row)) }
        }
        self.cells = cells
    }

    /// The cell at a column and a row, both from 0.
    ///
    /// - Precondition: Both are inside of the grid, as for an array's index.
    public subscript(column: Int, row: Int) -> PictureCell {
        precondition(column >= 0 && column < columns && row >= 0 && row < rows, "cell outside of the grid")
        return cells[row * columns + column]
    }
}

/// One character cell of a drawn picture.
public struct PictureCell: Hashable, Sendable {
    /// One character, one column wide.
    public var character: Character
    /// The character's colour; `nil` leaves the terminal's own.
    public var foreground: PictureColor?
    /// The colour behind it; `nil` leaves the terminal's own.
    public var background: PictureColor?

    /// Creates a cell.
    public init(_ character: Character, foreground: PictureColor? = nil, background: PictureColor? = nil) {
        self.character = character
        self.foreground = foreground
        self.background = background
    }
}

extension PictureCells {
    /// The picture as lines for a terminal: SGR sequences where a colour changes, and a reset at the end of each line.
    ///
    /// - Parameter depth: The colours the terminal shows; colours are reduced to it. With `.none` only characters are
    ///   written, so draw with a style that suits (`PictureRenderer` sees to it).
    /// - Returns: `rows` lines, each ended by a line feed.
    public func ansiText(depth: PictureColorDepth) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(cells.count * (depth == .trueColor ? 40 : 16))
        var colors = ColorMemory(depth: depth)
        for row in 0..<rows {
            var pen = Pen()
            for column in 0..<columns {
                let cell = self[column, row]
                pen.change(
                    to: cell.foreground.flatMap { colors.nearest(to: $0) },
                    behind: cell.background.flatMap { colors.nearest(to: $0) },
                    isBlank: cell.character == " ",
                    in: &text
                )
                text += cell.character.utf8
            }
            pen.reset(in: &text)
            text.append(UInt8(ascii: "\n"))
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The terminal's colours as they stand while a line is written.
    private struct Pen {
        var foreground: TerminalColor?
        var background: TerminalColor?

        mutating func change(to front: TerminalColor?, behind: TerminalColor?, isBlank: Bool, in text: inout [UInt8]) {
            // A blank shows no foreground: what it is does not matter.
            let front = isBlank ? foreground : front
            guard front != foreground || behind != background else { return }
            text += "\u{1B}[".utf8
            if front != foreground {
                append(front, isBackground: false, to: &text)
                if behind != background { text.append(UInt8(ascii: ";")) }
            }
            if behind != background { append(behind, isBackground: true, to: &text) }
            text.append(UInt8(ascii: "m"))
            foreground = front
            background = behind
        }

        private func append(_ color: TerminalColor?, isBackground: Bool, to text: inout [UInt8]) {
            if let color {
                color.appendParameters(isBackground: isBackground, to: &text)
            } else {
                text += isBackground ? "49".utf8 : "39".utf8
            }
        }

        mutating func reset(in text: inout [UInt8]) {
            guard foreground != nil || background != nil else { return }
            text += "\u{1B}[0m".utf8
            self = Pen()
        }
    }

    /// Reduced colours, each looked for once.
    private struct ColorMemory {
        let depth: PictureColorDepth
        var known: [PictureColor: TerminalColor] = [:]

        mutating func nearest(to color: PictureColor) -> TerminalColor? {
            if depth == .trueColor || depth == .none { return depth.nearest(to: color) }
            if let found = known[color] { return found }
            let found = depth.nearest(to: color)
            known[color] = found
            return found
        }
    }
}
