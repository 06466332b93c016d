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

    /// The corner at the top left and the size, as `(x, y, widthxheight)`.
    public var description: String { "(\(minX), \(minY), \(size))" }
}

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

/// How much room there is in a direction.
public enum SizeClass: Hashable, Sendable {
    /// Little: one thing at a time.
    case compact
    /// Enough to show things beside each other.
    case regular
}

/// The room of a window in both directions.
public struct Traits: Hashable, Sendable {
    /// Regular from 72 columns on.
    public let horizontal: SizeClass
    /// Regular from 18 rows on.
    public let vertical: SizeClass

    /// The traits of a window of this size.
    public init(size: Size) {
        horizontal = size.width >= 72 ? .regular : .compact
        vertical = size.height >= 18 ? .regular : .compact
    }
}
