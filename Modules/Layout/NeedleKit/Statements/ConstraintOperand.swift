/// A value on the right side of a statement: an area of an item, an anchor, a number, a size, an offset or insets by reading
/// direction.
///
/// Areas and numbers can be compared with every attribute, as items can: their `OperandKind` is `Any`. The other values can be
/// compared with attributes of the same kind and with chained attributes.
public protocol ConstraintOperand<OperandKind> {
    /// The kind of the attributes that can be compared with the value: an ``AnchorKind``, or `Any`.
    associatedtype OperandKind
    /// The value as the right side of a statement.
    @MainActor var constraintRightSide: ConstraintRightSide { get }
}

/// The right side of a statement on one or more attributes.
@MainActor
public struct ConstraintRightSide {
    /// Returns the target and the constant for an attribute. A target that the attribute cannot refer to is rejected by
    /// ``LayoutError/wrongAxis(_:)`` when the constraint is made.
    let resolve: (LayoutAttribute) -> (target: ConstraintTarget, constant: Double)

    /// The same attribute of an item.
    static func item(_ item: any LayoutItem, area: LayoutArea) -> ConstraintRightSide {
        ConstraintRightSide { (.item(item, $0, area: area), 0) }
    }

    /// The same attribute of the parent.
    static func parent(area: LayoutArea) -> ConstraintRightSide {
        ConstraintRightSide { (.parent($0, area: area), 0) }
    }

    /// For an extent a number, for a position the parent's same attribute plus the number.
    static func number(_ number: Double) -> ConstraintRightSide {
        ConstraintRightSide { ($0.isExtent ? .number($0) : .parent($0), number) }
    }

    /// For a position the parent's same attribute plus a number.
    static func position(_ number: @escaping (LayoutAttribute) -> Double) -> ConstraintRightSide {
        ConstraintRightSide { (.parent($0.isExtent ? $0.unrelated : $0), number($0)) }
    }

    /// For a position the parent's same attribute, moved inward.
    static func insets(_ insets: LayoutInsets) -> ConstraintRightSide { position { $0.constant(of: insets) } }
}

// MARK: - Operands for every attribute

extension AnchorSource {
    /// The same attributes of the area.
    public var constraintRightSide: ConstraintRightSide { .item(item, area: area) }
}

/// A number that statements accept as a distance or an extent: `Int`, `Double`, `Float`, and CGFloat on Apple platforms.
public protocol LayoutNumber: ConstraintOperand where OperandKind == Any {
    /// The number as `Double`.
    var layoutValue: Double { get }
}

extension LayoutNumber {
    /// The number for an extent; for a position the parent's same attribute plus the number.
    @MainActor public var constraintRightSide: ConstraintRightSide { .number(layoutValue) }
}

extension Int: LayoutNumber {
    /// The number as `Double`.
    public var layoutValue: Double { Double(self) }
}

extension Double: LayoutNumber {
    /// The number itself.
    public var layoutValue: Double { self }
}

extension Float: LayoutNumber {
    /// The number as `Double`.
    public var layoutValue: Double { Double(self) }
}

// MARK: - Operands for attributes of one kind

extension Anchor: ConstraintOperand {
    /// The kind of the attributes that can be compared with the value.
    public typealias OperandKind = Kind
    /// For each attribute the anchor's same attribute, or its only one on the same axis.
    public var constraintRightSide: ConstraintRightSide {
        ConstraintRightSide { (.item(item, attribute(for: $0), area: area), 0) }
    }
}

extension LayoutSize: ConstraintOperand {
    /// The kind of the attributes that can be compared with the value.
    public typealias OperandKind = Extents
    /// The width for a width, the height for a height.
    @MainActor public var constraintRightSide: ConstraintRightSide {
        ConstraintRightSide { attribute in
            let number = attribute.axis == .horizontal ? width : height
            return (attribute.isExtent ? .number(attribute) : .parent(attribute.unrelated), number)
        }
    }
}

extension LayoutOffset: ConstraintOperand {
    /// The kind of the attributes that can be compared with the value.
    public typealias OperandKind = Centers
    /// The parent's same attribute plus the distance along its axis.
    @MainActor public var constraintRightSide: ConstraintRightSide {
        .position { $0.axis == .horizontal ? x : y }
    }
}

extension DirectionalInsets: ConstraintOperand {
    /// The kind of the attributes that can be compared with the value.
    public typealias OperandKind = AllDirectionalEdges
    /// The parent's same edge, moved inward.
    @MainActor public var constraintRightSide: ConstraintRightSide { .insets(leftToRight) }
}
