/// Several constraints to change together: those of one statement such as `make.edges`, or any that are collected.
@MainActor
public final class ConstraintGroup {
    /// The members, in the order they were stated.
    public private(set) var constraints: [Constraint]

    /// Collects constraints.
    ///
    /// - Parameter constraints: the members.
    public init(_ constraints: [Constraint] = []) {
        self.constraints = constraints
    }

    /// Adds members.
    ///
    /// - Parameter more: what joins, such as what `makeConstraints` returned.
    public func append(_ more: [Constraint]) {
        constraints += more
    }

    /// Puts all members into force.
    public func activate() {
        for constraint in constraints { constraint.activate() }
    }

    /// Takes all members out of force.
    public func deactivate() {
        for constraint in constraints { constraint.deactivate() }
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
        for constraint in constraints { try LayoutError.check(inset, of: constraint) }
        for constraint in constraints { try constraint.setConstant(inset * constraint.attribute.insetFactor) }
    }

    /// Changes the priority of every member in place.
    ///
    /// - Parameter priority: the new priority.
    public func setPriority(_ priority: LayoutPriority) {
        for constraint in constraints { constraint.setPriority(priority) }
    }
}
