/// A picture drawn in character cells, row by row; colours have 24 bits and are reduced when they are written.
public struct PictureCells: Hashable, Sendable {
    /// The number of columns.
    public let columns: Int
    /// The number of rows.
    public let rows: Int
    /// The `columns * rows` cells.
    public let cells: [PictureCell]

    /// Creates a grid by calling a closure for each cell; negative dimensions count as 0.
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

    /// The cell at a column and a row, counted from 0.
    ///
    /// - Precondition: The position is inside of the grid.
    public subscript(column: Int, row: Int) -> PictureCell {
        precondition(column >= 0 && column < columns && row >= 0 && row < rows, "cell outside of the grid")
        return cells[row * columns + column]
    }
}

/// A character cell of a drawn picture.
public struct PictureCell: Hashable, Sendable {
    /// A character of width one.
    public var character: Character
    /// The character's colour; `nil` for the terminal's default.
    public var foreground: PictureColor?
    /// The background colour; `nil` for the terminal's default.
    public var background: PictureColor?

    /// Creates a cell.
    public init(_ character: Character, foreground: PictureColor? = nil, background: PictureColor? = nil) {
        self.character = character
        self.foreground = foreground
        self.background = background
    }
}

extension PictureCells {
    /// Returns the picture as lines with SGR sequences, each line ending with a reset.
    ///
    /// - Parameter depth: The colours of the terminal. With `.none` only characters are written; `PictureRenderer`
    ///   chooses a suitable style for that.
    /// - Returns: `rows` lines, each ending with a line feed.
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

    /// The current colours of the terminal within a line.
    private struct Pen {
        var foreground: TerminalColor?
        var background: TerminalColor?

        mutating func change(to front: TerminalColor?, behind: TerminalColor?, isBlank: Bool, in text: inout [UInt8]) {
            // A blank cell does not show its foreground.
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

    /// A cache of reduced colours.
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
