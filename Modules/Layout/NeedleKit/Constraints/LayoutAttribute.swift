/// A part of an item's frame that a constraint refers to.
public enum LayoutAttribute: Sendable, Hashable, CaseIterable {
    /// The top edge.
    case top
    /// The bottom edge.
    case bottom
    /// The left edge.
    case left
    /// The right edge.
    case right
    /// The width.
    case width
    /// The height.
    case height
    /// The middle between left and right.
    case centerX
    /// The middle between top and bottom.
    case centerY
    /// The baseline of the first line of text.
    case firstBaseline
    /// The baseline of the last line of text.
    case lastBaseline
    /// The edge where lines begin.
    case leading
    /// The edge where lines end.
    case trailing

    /// The attribute's axis.
    public var axis: LayoutAxis {
        switch self {
        case .left, .right, .leading, .trailing, .centerX, .width: .horizontal
        case .top, .bottom, .centerY, .firstBaseline, .lastBaseline, .height: .vertical
        }
    }

    /// Whether the attribute is an extent, not a position.
    public var isExtent: Bool { self == .width || self == .height }

    var isBaseline: Bool { self == .firstBaseline || self == .lastBaseline }

    var isDirectional: Bool { self == .leading || self == .trailing }

    /// Whether a constraint on this attribute can refer to another: an extent to an extent, a position to a position on the
    /// same axis.
    func canRefer(to other: LayoutAttribute) -> Bool {
        isExtent == other.isExtent && (isExtent || axis == other.axis)
    }

    /// The attribute with leading and trailing resolved to left or right.
    func side(in direction: LayoutDirection) -> LayoutAttribute {
        switch self {
        case .leading: direction == .leftToRight ? .left : .right
        case .trailing: direction == .leftToRight ? .right : .left
        default: self
        }
    }

    /// The sign of an inset at this attribute: 1 where inward is along the axis, -1 where it is against it, -2 for an
    /// extent, which shrinks at both ends, 0 for a center.
    var insetFactor: Double {
        switch self {
        case .top, .left, .leading, .firstBaseline: 1
        case .bottom, .right, .trailing, .lastBaseline: -1
        case .width, .height: -2
        case .centerX, .centerY: 0
        }
    }

    /// The constant by which insets move or shrink the attribute.
    func constant(of insets: LayoutInsets) -> Double {
        switch self {
        case .top, .firstBaseline: insets.top
        case .left, .leading: insets.left
        case .bottom, .lastBaseline: -insets.bottom
        case .right, .trailing: -insets.right
        case .width: -insets.left - insets.right
        case .height: -insets.top - insets.bottom
        case .centerX: (insets.left - insets.right) / 2
        case .centerY: (insets.top - insets.bottom) / 2
        }
    }
}

/// The relation between the two sides of a constraint.
public enum LayoutRelation: Sendable, Hashable, CaseIterable {
    /// Both sides are equal.
    case equal
    /// The item's side is at most the other side.
    case lessThanOrEqual
    /// The item's side is at least the other side.
    case greaterThanOrEqual

    var symbol: String {
        switch self {
        case .equal: "=="
        case .lessThanOrEqual: "<="
        case .greaterThanOrEqual: ">="
        }
    }
}

/// The attributes of one axis, by reading direction.
struct AxisAttributes {
    let start: LayoutAttribute
    let end: LayoutAttribute
    let extent: LayoutAttribute
    let center: LayoutAttribute

    init(_ axis: LayoutAxis) {
        switch axis {
        case .horizontal: (start, end, extent, center) = (.leading, .trailing, .width, .centerX)
        case .vertical: (start, end, extent, center) = (.top, .bottom, .height, .centerY)
        }
    }
}
