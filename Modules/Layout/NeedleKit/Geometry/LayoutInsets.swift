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

    /// Creates insets.
    public init(top: Double = 0, left: Double = 0, bottom: Double = 0, right: Double = 0) {
        self.top = top
        self.left = left
        self.bottom = bottom
        self.right = right
    }

    /// Creates the same inset at all edges.
    public init(_ all: Double) { self.init(top: all, left: all, bottom: all, right: all) }

    /// Creates insets that are the same at opposite edges.
    public init(horizontal: Double, vertical: Double) {
        self.init(top: vertical, left: horizontal, bottom: vertical, right: horizontal)
    }

    /// Whether every distance is finite and within 1e9.
    var isValid: Bool { [top, left, bottom, right].allSatisfy { abs($0) <= 1e9 } }

    static func + (first: LayoutInsets, second: LayoutInsets) -> LayoutInsets {
        LayoutInsets(
            top: first.top + second.top,
            left: first.left + second.left,
            bottom: first.bottom + second.bottom,
            right: first.right + second.right
        )
    }
}

/// A type of insets by side that statements accept: ``LayoutInsets``, and on Apple platforms UIEdgeInsets or NSEdgeInsets.
public protocol LayoutInsetsConvertible {
    /// The same distances as ``LayoutInsets``.
    var layoutInsets: LayoutInsets { get }
}

extension LayoutInsets: LayoutInsetsConvertible {
    /// The insets themselves.
    public var layoutInsets: LayoutInsets { self }
}

/// Distances inward from the edges, the horizontal ones by reading direction.
public struct DirectionalInsets: Hashable, Sendable {
    /// Inward from the top edge.
    public var top: Double
    /// Inward from the edge where lines begin.
    public var leading: Double
    /// Inward from the bottom edge.
    public var bottom: Double
    /// Inward from the edge where lines end.
    public var trailing: Double

    /// Creates insets.
    ///
    /// - Parameters:
    ///   - top: inward from the top edge.
    ///   - leading: inward from the edge where lines begin.
    ///   - bottom: inward from the bottom edge.
    ///   - trailing: inward from the edge where lines end.
    public init(top: Double = 0, leading: Double = 0, bottom: Double = 0, trailing: Double = 0) {
        self.top = top
        self.leading = leading
        self.bottom = bottom
        self.trailing = trailing
    }

    /// The leading inset as the left one and the trailing inset as the right one.
    var leftToRight: LayoutInsets { LayoutInsets(top: top, left: leading, bottom: bottom, right: trailing) }
}
