/// A rectangle of cells; its right and lower edges lie outside it.
public struct Rect: Hashable, Sendable, CustomStringConvertible {
    /// The upper left cell.
    public var origin: Point
    /// The columns and rows it covers.
    public var size: Size

    /// A rectangle at the origin that covers nothing.
    public static let zero = Rect(x: 0, y: 0, width: 0, height: 0)

    /// A rectangle from its place and its extent.
    public init(x: Int, y: Int, width: Int, height: Int) {
        origin = Point(x: x, y: y)
        size = Size(width: width, height: height)
    }

    /// A rectangle from its place and its extent.
    public init(origin: Point, size: Size) {
        self.origin = origin
        self.size = size
    }

    /// The leftmost column.
    public var minX: Int { origin.x }
    /// The topmost row.
    public var minY: Int { origin.y }
    /// The first column to the right of it.
    public var maxX: Int { origin.x + size.width }
    /// The first row below it.
    public var maxY: Int { origin.y + size.height }
    /// The columns it covers.
    public var width: Int { size.width }
    /// The rows it covers.
    public var height: Int { size.height }
    /// Whether it covers no cell.
    public var isEmpty: Bool { size.isEmpty }

    /// Whether the cell lies inside.
    public func contains(_ point: Point) -> Bool {
        point.x >= minX && point.x < maxX && point.y >= minY && point.y < maxY
    }

    /// The cells that both cover; empty where they do not meet.
    public func intersection(_ other: Rect) -> Rect {
        let left = max(minX, other.minX)
        let top = max(minY, other.minY)
        return Rect(
            x: left,
            y: top,
            width: max(0, min(maxX, other.maxX) - left),
            height: max(0, min(maxY, other.maxY) - top)
        )
    }

    /// The rectangle moved by so many columns and rows.
    public func offsetBy(x: Int, y: Int) -> Rect {
        Rect(x: minX + x, y: minY + y, width: width, height: height)
    }

    /// The rectangle without so many cells on each side; never negative in extent.
    public func insetBy(_ insets: Insets) -> Rect {
        Rect(
            x: minX + insets.left,
            y: minY + insets.top,
            width: max(0, width - insets.left - insets.right),
            height: max(0, height - insets.top - insets.bottom)
        )
    }

    /// The corner at the top left and the size, as `(x, y, widthxheight)`.
    public var description: String { "(\(minX), \(minY), \(size))" }
}
