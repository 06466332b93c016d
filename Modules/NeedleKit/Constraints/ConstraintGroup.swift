/// Several constraints to change together: those of one statement such as `make.edges`, those of a stack or a grid, or
/// any that are collected.
@MainActor
public final class ConstraintGroup {
    /// The members, in the order they were stated.
    public private(set) var constraints: [Constraint]
    /// The guides that an arrangement stands on.
    private var guides: [LayoutGuide] = []

    /// Collects constraints.
    ///
    /// - Parameter constraints: the members.
    public init(_ constraints: [Constraint] = []) {
        self.constraints = constraints
    }

    init(_ constraints: [Constraint], guides: [LayoutGuide]) {
        self.constraints = constraints
        self.guides = guides
    }

    /// Whether all members are in force.
    public var isActive: Bool { constraints.allSatisfy(\.isActive) }

    /// Adds members.
    ///
    /// - Parameter more: what joins, such as what `makeConstraints` returned.
    public func append(_ more: [Constraint]) {
        constraints += more
    }

    /// Adds the members of another group.
    ///
    /// - Parameter other: the group whose members join.
    public func append(_ other: ConstraintGroup) {
        constraints += other.constraints
        guides += other.guides
    }

    /// Puts those members into force that are not.
    public func activate() {
        for constraint in constraints where !constraint.isActive { constraint.activate() }
    }

    /// Takes those members out of force that are in it.
    public func deactivate() {
        for constraint in constraints where constraint.isActive { constraint.deactivate() }
    }

    /// Takes all members out of force and off their items, with the guides of an arrangement; the group is empty then.
    public func remove() {
        for constraint in constraints { constraint.remove() }
        for guide in guides { guide.remove() }
        constraints = []
        guides = []
    }

    /// Changes the constant of every member in place.
    ///
    /// - Parameter constant: the new constant, along the axis.
    /// - Throws: ``LayoutError`` when the number is not finite or too large; nothing has changed then.
    public func setConstant(_ constant: Double) throws(LayoutError) {
        for constraint in constraints { try LayoutError.check(constant, of: constraint) }
        for constraint in constraints { try constraint.setConstant(constant) }
    }

    /// Moves every member inward from its target by a distance, in place.
    ///
    /// - Parameter inset: the distance.
    /// - Throws: ``LayoutError`` when the number is not finite or too large; nothing has changed then.
    public func setInset(_ inset: Double) throws(LayoutError) {
        for constraint in constraints {
            try LayoutError.check(inset * constraint.attribute.insetFactor, of: constraint)
        }
        for constraint in constraints { try constraint.setConstant(inset * constraint.attribute.insetFactor) }
    }

    /// Changes the gaps of a stack or a grid in place; other members stay as they are.
    ///
    /// - Parameter spacing: the new distance between neighbours.
    /// - Throws: ``LayoutError`` when the number is not finite or too large; nothing has changed then.
    public func setSpacing(_ spacing: Double) throws(LayoutError) {
        let gaps = constraints.filter { $0.arranged == .gap }
        for constraint in gaps { try LayoutError.check(spacing, of: constraint) }
        for constraint in gaps { try constraint.setConstant(spacing) }
    }

    /// Changes the factor on every member's target.
    ///
    /// - Parameter multiplier: the new factor.
    /// - Throws: ``LayoutError`` when the number is not finite or too large; nothing has changed then.
    public func setMultiplier(_ multiplier: Double) throws(LayoutError) {
        for constraint in constraints {
            try LayoutError.checkMultiplier(multiplier, of: constraint)
            try LayoutError.checkVariables(constraint.target, multiplier, of: constraint)
        }
        for constraint in constraints { try constraint.setMultiplier(multiplier) }
    }

    /// Refers every member to the same attribute of another item.
    ///
    /// - Parameter item: the new target, or a guide.
    /// - Throws: ``LayoutError/noVariables(_:)`` when it is the constrained item itself; nothing has changed then.
    public func setTarget(_ item: any LayoutItem) throws(LayoutError) {
        for constraint in constraints {
            let target = ConstraintTarget.item(item, constraint.attribute, area: .frame)
            try LayoutError.checkVariables(target, constraint.multiplier, of: constraint)
        }
        for constraint in constraints { try constraint.setTarget(item) }
    }

    /// Changes the priority of every member in place, from and to required too.
    ///
    /// - Parameter priority: the new priority.
    public func setPriority(_ priority: LayoutPriority) {
        for constraint in constraints { constraint.setPriority(priority) }
    }
}
