/// A rectangle on the whole-number grid to which layouts are rounded: cells in a terminal.
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

    /// Creates a rectangle.
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

/// A width and a height.
public struct LayoutSize: Hashable, Sendable {
    /// The width, in the layout's unit: cells in a terminal.
    public var width: Double
    /// The height, in the layout's unit.
    public var height: Double

    /// The empty size.
    public static let zero = LayoutSize(width: 0, height: 0)

    /// Creates a size.
    public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }
}

/// A distance along both axes: x to the right, y downwards.
public struct LayoutOffset: Hashable, Sendable {
    /// The distance to the right.
    public var x: Double
    /// The distance downwards.
    public var y: Double

    /// Creates an offset.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

/// The size that fits an item's content; `nil` along an axis where the content has no size.
public struct IntrinsicSize: Hashable, Sendable {
    /// The width that fits the content, or `nil`.
    public var width: Double?
    /// The height that fits the content, or `nil`.
    public var height: Double?

    /// No size along either axis.
    public static let none = IntrinsicSize()

    /// Creates a size from the width and the height that fit the content, or `nil`.
    public init(width: Double? = nil, height: Double? = nil) {
        self.width = width
        self.height = height
    }
}
