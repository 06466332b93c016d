/// A width and a height in cells.
public struct Size: Hashable, Sendable, CustomStringConvertible {
    /// Columns, never below zero where a view or a screen has this size.
    public var width: Int
    /// Rows, never below zero where a view or a screen has this size.
    public var height: Int

    /// No columns and no rows.
    public static let zero = Size(width: 0, height: 0)

    /// A size of so many columns and rows.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// Whether nothing fits in.
    public var isEmpty: Bool { width <= 0 || height <= 0 }

    /// Columns and rows, as `80x24`.
    public var description: String { "\(width)x\(height)" }
}
