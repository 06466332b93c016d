/// Distances inward from the four edges.
public struct LayoutInsets: Hashable, Sendable {
    /// Inward from the top edge.
    public var top: Double
    /// Inward from the left edge.
    public var left: Double
    /// Inward from the bottom edge.
    public var bottom: Double
    /// Inward from the right edge.
    public var right: Double

    /// No distance at any edge.
    public static let zero = LayoutInsets(top: 0, left: 0, bottom: 0, right: 0)

    /// Makes insets.
    ///
    /// - Parameters:
    ///   - top: inward from the top edge.
    ///   - left: inward from the left edge.
    ///   - bottom: inward from the bottom edge.
    ///   - right: inward from the right edge.
    public init(top: Double = 0, left: Double = 0, bottom: Double = 0, right: Double = 0) {
        self.top = top
        self.left = left
        self.bottom = bottom
        self.right = right
    }

    /// Whether every distance is finite and within 1e9.
    var isPossible: Bool { [top, left, bottom, right].allSatisfy { abs($0) <= 1e9 } }

    static func + (first: LayoutInsets, second: LayoutInsets) -> LayoutInsets {
        LayoutInsets(
            top: first.top + second.top,
            left: first.left + second.left,
            bottom: first.bottom + second.bottom,
            right: first.right + second.right
        )
    }

    /// Makes the same insets at all edges.
    ///
    /// - Parameter all: inward from each edge.
    public init(_ all: Double) {
        self.init(top: all, left: all, bottom: all, right: all)
    }

    /// Makes insets that are the same at opposite edges.
    ///
    /// - Parameters:
    ///   - horizontal: inward from left and right.
    ///   - vertical: inward from top and bottom.
    public init(horizontal: Double, vertical: Double) {
        self.init(top: vertical, left: horizontal, bottom: vertical, right: horizontal)
    }
}
