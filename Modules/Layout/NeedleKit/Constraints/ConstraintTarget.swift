/// The target on the right side of a constraint.
struct ConstraintTarget {
    enum Kind {
        /// No item: the right side is the constant.
        case number
        /// An item, referenced weakly.
        case item
        /// The parent of the constraint's item at the time of the layout.
        case parent
    }

    var kind: Kind
    weak var item: (any LayoutItem)?
    /// The attribute of the target; the constraint's own if `kind` is `number`.
    var attribute: LayoutAttribute
    /// The rectangle of the target.
    var area = LayoutArea.frame

    @MainActor
    static func number(_ attribute: LayoutAttribute) -> ConstraintTarget {
        ConstraintTarget(kind: .number, item: nil, attribute: attribute)
    }

    @MainActor
    static func parent(_ attribute: LayoutAttribute, area: LayoutArea = .frame) -> ConstraintTarget {
        ConstraintTarget(kind: .parent, item: nil, attribute: attribute, area: area)
    }

    @MainActor
    static func item(_ item: any LayoutItem, _ attribute: LayoutAttribute, area: LayoutArea) -> ConstraintTarget {
        item.layoutNode.item = item
        return ConstraintTarget(kind: .item, item: item, attribute: attribute, area: area)
    }

    /// Whether both refer to the same part of the same item. A released item differs from every other, even from a new item
    /// at the same address.
    func isSame(as other: ConstraintTarget) -> Bool {
        guard kind == other.kind, attribute == other.attribute, area == other.area else { return false }
        guard kind == .item else { return true }
        return item != nil && item === other.item
    }
}

/// A layout system that solves the constraints that statements create: ``LayoutEngine``, or Auto Layout on Apple platforms.
@MainActor
protocol LayoutBackend: AnyObject {
    /// A constraint was activated.
    func constraintAdded(_ constraint: Constraint)
    /// A constraint was deactivated.
    func constraintRemoved(_ constraint: Constraint)
    /// A constraint's constant, label or source location changed.
    func constantChanged(_ constraint: Constraint)
    /// A constraint's priority changed, and perhaps its constant.
    func priorityChanged(_ constraint: Constraint)
    /// A constraint's target or multiplier changed, and perhaps everything else that can.
    func expressionChanged(_ constraint: Constraint)
    /// A statement was rejected before it became a constraint, for example because of an invalid number.
    func statementRejected(_ error: LayoutError)
    /// The intrinsic size of an item, its baselines or its content priorities may have changed.
    func intrinsicSizeChanged(_ node: LayoutNode)
    /// The safe area, margins or visibility of an item changed.
    func geometryChanged(_ node: LayoutNode)
    /// A guide was added to an item of the backend.
    func guideAdded(_ guide: LayoutGuide, to node: LayoutNode)
    /// A guide of the backend is about to be removed.
    func guideRemoved(_ guide: LayoutGuide)
}
