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
