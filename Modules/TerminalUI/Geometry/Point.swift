/// A cell's place: columns to the right, rows down, from zero.
public struct Point: Hashable, Sendable, CustomStringConvertible {
    /// The column, from the left.
    public var x: Int
    /// The row, from the top.
    public var y: Int

    /// The upper left cell.
    public static let zero = Point(x: 0, y: 0)

    /// The cell at a column and a row.
    public init(x: Int, y: Int) {
        self.x = x
        self.y = y
    }

    /// Column and row, as `(x, y)`.
    public var description: String { "(\(x), \(y))" }
}
