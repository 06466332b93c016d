/// A rectangle on the whole-number grid that layouts are rounded to: cells in a terminal.
public struct LayoutRect: Hashable, Sendable, CustomStringConvertible {
    /// The left edge.
    public var x: Int
    /// The top edge.
    public var y: Int
    /// The width, zero or more.
    public var width: Int
    /// The height, zero or more.
    public var height: Int

    /// An empty rectangle at the origin.
    public static let zero = LayoutRect(x: 0, y: 0, width: 0, height: 0)

    /// Makes a rectangle.
    ///
    /// - Parameters:
    ///   - x: the left edge.
    ///   - y: the top edge.
    ///   - width: the width.
    ///   - height: the height.
    public init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The edge after the last column.
    public var right: Int { x + width }
    /// The edge after the last row.
    public var bottom: Int { y + height }

    /// The rectangle as `(x, y, width x height)`.
    public var description: String { "(\(x), \(y), \(width)x\(height))" }
}
