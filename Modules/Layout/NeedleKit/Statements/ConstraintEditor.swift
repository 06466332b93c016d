/// The modifiers of a statement: distances, factors, priority, label. Distances add up and factors multiply.
///
/// The modifiers also work on a statement that is active already.
@MainActor
public struct ConstraintEditor<Kind: AnchorKind> {
    let constraints: [Constraint]

    /// The constraint of the statement, to store and change later; the first one if the statement has several attributes.
    public var constraint: Constraint { constraints[0] }

    /// The constraints of the statement, one for each attribute, to store and change together.
    public var group: ConstraintGroup { ConstraintGroup(constraints) }

    private func each(_ change: (Constraint) -> Void) -> ConstraintEditor {
        for constraint in constraints {
            change(constraint)
            constraint.statementChanged()
        }
        return self
    }

    // MARK: - Distances

    /// Adds to the right side, along the axis: positive is right, down or larger. For leading and trailing it is in the
    /// reading direction.
    @discardableResult
    public func offset(_ amount: some LayoutNumber) -> ConstraintEditor {
        let value = amount.layoutValue
        return each { $0.constant += value }
    }

    /// Adds to the right side, by axis: distances to the right and down.
    @discardableResult
    public func offset(_ amount: LayoutOffset) -> ConstraintEditor {
        each { $0.constant += $0.attribute.axis == .horizontal ? amount.x : amount.y }
    }

    /// Adds to the right side, as `offset` does.
    @discardableResult
    public func constant(_ amount: some LayoutNumber) -> ConstraintEditor {
        offset(amount)
    }

    /// Moves inward by a distance: top, left and leading along the axis, bottom, right and trailing against it. An extent
    /// shrinks by the distance at both ends, a center does not move.
    @discardableResult
    public func inset(_ amount: some LayoutNumber) -> ConstraintEditor {
        let value = amount.layoutValue
        return each { $0.constant += value * $0.attribute.insetFactor }
    }

    /// Moves inward by a distance for each edge. Leading moves by the left distance and trailing by the right one, in both
    /// reading directions.
    @discardableResult
    public func inset(_ insets: some LayoutInsetsConvertible) -> ConstraintEditor {
        let insets = insets.layoutInsets
        return each { $0.constant += $0.attribute.constant(of: insets) }
    }

    /// Moves inward by a distance for each edge. Left moves by the leading distance and right by the trailing one, in both
    /// reading directions.
    @discardableResult
    public func inset(_ insets: DirectionalInsets) -> ConstraintEditor {
        inset(insets.leftToRight)
    }

    // MARK: - Factors

    /// Multiplies the target. Distances are added to the product.
    @discardableResult
    public func multipliedBy(_ factor: some LayoutNumber) -> ConstraintEditor {
        let value = factor.layoutValue
        return each { $0.multiplier *= value }
    }

    /// Divides the target. Distances are added to the quotient.
    @discardableResult
    public func dividedBy(_ divisor: some LayoutNumber) -> ConstraintEditor {
        let value = divisor.layoutValue
        return each { $0.multiplier /= value }
    }

    // MARK: - Priority and label

    /// Sets the priority: a number from 1 to 1000, or a name such as `.high`.
    @discardableResult
    public func priority(_ priority: LayoutPriority) -> ConstraintEditor {
        each { $0.priority = priority }
    }

    /// Sets the priority by number, from 1 to 1000.
    @discardableResult
    public func priority(_ priority: Int) -> ConstraintEditor {
        each { $0.priority = LayoutPriority(priority) }
    }

    /// Sets the label of the statement in descriptions and diagnostics, by which `updateConstraints` also finds it.
    @discardableResult
    public func labeled(_ label: String) -> ConstraintEditor {
        each { $0.label = label }
    }

    // MARK: - Target

    /// Changes the target of each attribute to an anchor of the same kind; another kind does not compile.
    public func setTarget(_ anchor: Anchor<Kind>) {
        for constraint in constraints {
            constraint.setTarget(.item(anchor.item, anchor.attribute(for: constraint.attribute), area: anchor.area))
        }
    }
}
