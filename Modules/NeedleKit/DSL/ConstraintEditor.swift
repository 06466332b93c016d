/// What may follow a relation: distances, factors, priority, label. All distances add up.
@MainActor
public struct ConstraintEditor<Kind: AnchorKind> {
    let statement: ConstraintStatement

    /// The statement's constraints, to keep and change later.
    public var group: ConstraintGroup { ConstraintGroup(statement.constraints) }

    private func each(_ change: (Constraint) -> Void) -> ConstraintEditor {
        for constraint in statement.constraints {
            change(constraint)
            constraint.restated()
        }
        return self
    }

    /// Refers each attribute to an anchor of the same kind instead of the target that it had, also once the statement is in
    /// force: another kind does not compile.
    ///
    /// - Parameter anchor: the anchor.
    /// - Throws: ``LayoutError/noVariables(_:)`` when it is the constrained part itself; nothing has changed then.
    public func setTarget(_ anchor: Anchor<Kind>) throws(LayoutError) {
        let targets = statement.constraints.indices.map { index in
            let attribute = anchor.attributes.count == 1 ? anchor.attributes[0] : anchor.attributes[index]
            return ConstraintTarget.item(anchor.item, attribute, area: anchor.area)
        }
        for (constraint, target) in zip(statement.constraints, targets) {
            try LayoutError.checkVariables(target, constraint.multiplier, of: constraint)
        }
        for (constraint, target) in zip(statement.constraints, targets) { try constraint.retarget(target) }
    }

    /// Adds to the right side, along the axis: positive is right, down or larger. For leading and trailing it counts in
    /// the reading direction.
    ///
    /// - Parameter amount: the distance.
    /// - Returns: the same, for more.
    @discardableResult
    public func offset(_ amount: some LayoutNumber) -> ConstraintEditor {
        let value = amount.layoutValue
        return each { $0.constant += value }
    }

    /// Adds to the right side, by axis.
    ///
    /// - Parameter amount: the distances to the right and down.
    /// - Returns: the same, for more.
    @discardableResult
    public func offset(_ amount: LayoutOffset) -> ConstraintEditor {
        each { $0.constant += $0.attribute.axis == .horizontal ? amount.x : amount.y }
    }

    /// Moves inward, whichever the edge: top, left and leading along the axis, bottom, right and trailing against it; an
    /// extent loses the amount at both ends, a center stays.
    ///
    /// - Parameter amount: the distance.
    /// - Returns: the same, for more.
    @discardableResult
    public func inset(_ amount: some LayoutNumber) -> ConstraintEditor {
        let value = amount.layoutValue
        return each { $0.constant += value * $0.attribute.insetFactor }
    }

    /// Moves inward by a distance for each edge; leading takes the left one and trailing the right one, whichever the
    /// reading direction.
    ///
    /// - Parameter insets: the distances.
    /// - Returns: the same, for more.
    @discardableResult
    public func inset(_ insets: some LayoutInsetsConvertible) -> ConstraintEditor {
        let insets = insets.layoutInsets
        return each { $0.constant += $0.attribute.constant(of: insets) }
    }

    /// Moves inward by a distance for each edge, the horizontal ones by reading direction; left takes the leading one and
    /// right the trailing one.
    ///
    /// - Parameter insets: the distances.
    /// - Returns: the same, for more.
    @discardableResult
    public func inset(_ insets: some DirectionalInsetsConvertible) -> ConstraintEditor {
        let insets = insets.directionalInsets
        let plain = LayoutInsets(
            top: insets.top,
            left: insets.leading,
            bottom: insets.bottom,
            right: insets.trailing
        )
        return inset(plain)
    }

    /// Adds to the right side, along the axis; each call adds to the ones before.
    ///
    /// - Parameter amount: what is added.
    /// - Returns: the same, for more.
    @discardableResult
    public func constant(_ amount: some LayoutNumber) -> ConstraintEditor {
        offset(amount)
    }

    /// Multiplies the target; what is added is added after.
    ///
    /// - Parameter factor: the factor.
    /// - Returns: the same, for more.
    @discardableResult
    public func multipliedBy(_ factor: some LayoutNumber) -> ConstraintEditor {
        let value = factor.layoutValue
        return each { $0.multiplier *= value }
    }

    /// Divides the target; what is added is added after.
    ///
    /// - Parameter divisor: the divisor.
    /// - Returns: the same, for more.
    @discardableResult
    public func dividedBy(_ divisor: some LayoutNumber) -> ConstraintEditor {
        let value = divisor.layoutValue
        return each { $0.multiplier /= value }
    }

    /// Gives the statement a priority: a number, or a name such as `.high`.
    ///
    /// - Parameter priority: 1 to 1000.
    /// - Returns: the same, for more.
    @discardableResult
    public func priority(_ priority: LayoutPriority) -> ConstraintEditor {
        each { $0.priority = priority }
    }

    /// Gives the statement a priority by number.
    ///
    /// - Parameter priority: 1 to 1000.
    /// - Returns: the same, for more.
    @discardableResult
    public func priority(_ priority: Int) -> ConstraintEditor {
        each { $0.priority = LayoutPriority(priority) }
    }

    /// Names the statement in descriptions and diagnostics, and lets `updateConstraints` find it by name.
    ///
    /// - Parameter label: the name.
    /// - Returns: the same, for more.
    @discardableResult
    public func labeled(_ label: String) -> ConstraintEditor {
        each { $0.label = label }
    }
}
