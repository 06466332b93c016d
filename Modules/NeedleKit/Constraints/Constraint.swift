/// One equation or inequality between parts of items' frames: `item.attribute relation target * multiplier + constant`.
///
/// The DSL makes them; keep one to change it later. Every change takes effect at the next layout, the constant and the
/// priority in place.
@MainActor
public final class Constraint {
    /// The item that the constraint was made on; `nil` once it is released.
    public private(set) weak var item: (any LayoutItem)?
    /// The part of the item that is constrained.
    public let attribute: LayoutAttribute
    /// How both sides relate.
    public let relation: LayoutRelation
    /// The label given with `labeled(_:)`.
    public internal(set) var label: String?
    /// The file that states the constraint, as module and name.
    public internal(set) var file: String
    /// The line that states it.
    public internal(set) var line: UInt

    /// What is added to the right side, along the axis.
    public internal(set) var constant: Double
    /// The factor on the target.
    public internal(set) var multiplier: Double
    /// How much the constraint matters.
    public internal(set) var priority: LayoutPriority
    /// Whether the constraint is in force, or will be once its items are in one tree.
    public internal(set) var isActive = false

    var target: ConstraintTarget
    /// What closes the constraint while items of an arrangement are collapsed.
    var condition: GapCondition?
    /// What it does in an arrangement such as a stack, which alone takes it away; `nil` for one of the item's own.
    var arranged: ArrangedRole?
    /// The backend's record of the constraint, or -1.
    var place = -1
    weak var backend: (any LayoutBackend)?

    init(
        item: any LayoutItem,
        attribute: LayoutAttribute,
        relation: LayoutRelation,
        target: ConstraintTarget,
        multiplier: Double,
        constant: Double,
        priority: LayoutPriority,
        label: String?,
        file: String,
        line: UInt
    ) {
        self.item = item
        self.attribute = attribute
        self.relation = relation
        self.target = target
        self.multiplier = multiplier
        self.constant = constant
        self.priority = priority
        self.label = label
        self.file = file
        self.line = line
    }

    /// The part of the target that the right side refers to; `nil` when the right side is a number.
    public var targetAttribute: LayoutAttribute? { target.kind == .number ? nil : target.attribute }

    /// The item that the right side refers to; `nil` for a number, or once it is released.
    public var targetItem: (any LayoutItem)? {
        switch target.kind {
        case .number: nil
        case .item: target.item
        case .parent: item?.layoutParent
        }
    }

    /// The rectangle of the target that the right side refers to.
    public var targetArea: LayoutArea { target.area }

    /// What is added to the right side at present: nothing while the gap of an arrangement is closed; for
    /// an item's own constraints, while the item is collapsed.
    var presentConstant: Double {
        if arranged != nil { return condition?.isOpen == false ? 0 : constant }
        return item?.layoutNode.isCollapsed == true ? 0 : constant
    }

    /// The factor on the target at present: zero where a closed gap takes its extent from the target.
    var presentMultiplier: Double {
        if let condition, condition.closesTarget, !condition.isOpen { return 0 }
        return multiplier
    }
}
