internal import NeedleKit

// Without their prefix, the names would be ambiguous in every file that imports Darwin or Foundation on Apple platforms, whose
// MacTypes.h has types named Rect, Point, Size and Style.

/// A rectangle of cells. Its right and lower edges are outside of it.
public struct GridRect: Hashable, Sendable, CustomStringConvertible {
    /// The upper left cell.
    public var origin: GridPoint
    /// The size in cells.
    public var size: GridSize

    /// An empty rectangle at the origin.
    public static let zero = GridRect(x: 0, y: 0, width: 0, height: 0)

    /// Creates a rectangle from coordinates and a size.
    public init(x: Int, y: Int, width: Int, height: Int) {
        origin = GridPoint(x: x, y: y)
        size = GridSize(width: width, height: height)
    }

    /// Creates a rectangle from its upper left cell and its size.
    public init(origin: GridPoint, size: GridSize) {
        self.origin = origin
        self.size = size
    }

    /// The leftmost column.
    public var minX: Int { origin.x }
    /// The topmost row.
    public var minY: Int { origin.y }
    /// The column after the rightmost one.
    public var maxX: Int { origin.x + size.width }
    /// The row below the last one.
    public var maxY: Int { origin.y + size.height }
    /// The number of columns.
    public var width: Int { size.width }
    /// The number of rows.
    public var height: Int { size.height }
    /// Whether the rectangle contains no cell.
    public var isEmpty: Bool { size.isEmpty }

    /// Returns whether a cell is inside the rectangle.
    public func contains(_ point: GridPoint) -> Bool {
        point.x >= minX && point.x < maxX && point.y >= minY && point.y < maxY
    }

    /// Returns the cells in both rectangles; empty if they do not overlap.
    public func intersection(_ other: GridRect) -> GridRect {
        let left = max(minX, other.minX)
        let top = max(minY, other.minY)
        return GridRect(
            x: left,
            y: top,
            width: max(0, min(maxX, other.maxX) - left),
            height: max(0, min(maxY, other.maxY) - top)
        )
    }

    /// Returns the rectangle moved by a number of columns and rows.
    public func offsetBy(x: Int, y: Int) -> GridRect {
        GridRect(x: minX + x, y: minY + y, width: width, height: height)
    }

    /// The upper left cell and the size, as `(x, y, widthxheight)`.
    public var description: String { "(\(minX), \(minY), \(size))" }
}

/// The position of a cell, counted from zero.
public struct GridPoint: Hashable, Sendable, CustomStringConvertible {
    /// The column, from the left.
    public var x: Int
    /// The row, from the top.
    public var y: Int

    /// The upper left cell.
    public static let zero = GridPoint(x: 0, y: 0)

    /// Creates the position at a column and a row.
    public init(x: Int, y: Int) {
        self.x = x
        self.y = y
    }

    /// The column and row, as `(x, y)`.
    public var description: String { "(\(x), \(y))" }
}

/// A width and a height in cells.
public struct GridSize: Hashable, Sendable, CustomStringConvertible {
    /// The number of columns; never negative for a view or a screen.
    public var width: Int
    /// The number of rows; never negative for a view or a screen.
    public var height: Int

    /// The empty size.
    public static let zero = GridSize(width: 0, height: 0)

    /// Creates a size from columns and rows.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// Whether the width or the height is zero or less.
    public var isEmpty: Bool { width <= 0 || height <= 0 }

    /// The columns and rows, as `80x24`.
    public var description: String { "\(width)x\(height)" }
}

/// The amount of space in a direction.
public enum SizeClass: Hashable, Sendable {
    /// Little space: show one thing at a time.
    case compact
    /// Enough space to show things side by side.
    case regular
}

/// The size classes of a window.
public struct Traits: Hashable, Sendable {
    /// Regular from 72 columns.
    public let horizontal: SizeClass
    /// Regular from 18 rows.
    public let vertical: SizeClass

    /// Creates the traits of a window of a size.
    public init(size: GridSize) {
        horizontal = size.width >= 72 ? .regular : .compact
        vertical = size.height >= 18 ? .regular : .compact
    }
}

extension GridRect {
    /// Creates the rectangle of a layout frame.
    init(_ frame: LayoutRect) { self.init(x: frame.x, y: frame.y, width: frame.width, height: frame.height) }
}
