/// A part of an item's frame that a constraint speaks of.
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

    /// The axis that the attribute lies on.
    public var axis: LayoutAxis {
        switch self {
        case .left, .right, .leading, .trailing, .centerX, .width: .horizontal
        case .top, .bottom, .centerY, .firstBaseline, .lastBaseline, .height: .vertical
        }
    }

    /// Whether the attribute is an extent, not a position.
    public var isExtent: Bool { self == .width || self == .height }

    /// The attribute with left or right for leading or trailing.
    func side(in direction: LayoutDirection) -> LayoutAttribute {
        switch self {
        case .leading: direction == .leftToRight ? .left : .right
        case .trailing: direction == .leftToRight ? .right : .left
        default: self
        }
    }

    /// The direction of an inset at this attribute: 1 where inward is along the axis, -1 where it is against it, -2 for
    /// an extent, which loses at both ends, 0 for a center.
    var insetFactor: Double {
        switch self {
        case .top, .left, .leading, .firstBaseline: 1
        case .bottom, .right, .trailing, .lastBaseline: -1
        case .width, .height: -2
        case .centerX, .centerY: 0
        }
    }

    /// What insets add to the attribute.
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
