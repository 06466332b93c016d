internal import ConstraintSolver

extension LayoutEngine {
    /// The constraint as the solver takes it.
    func equation(_ record: ConstraintRecord) -> LinearConstraint? {
        guard let item = record.item else { return nil }
        let constraint = record.constraint
        var expression = Expression()
        // Leading and trailing count in the reading direction: mirrored, the whole statement changes its sign.
        let isMirrored =
            layoutDirection == .rightToLeft
            && (constraint.attribute == .leading || constraint.attribute == .trailing)
        let sign: Double = isMirrored ? -1 : 1
        item.add(constraint.attribute, times: 1, area: .frame, direction: layoutDirection, to: &expression)
        let multiplier = constraint.presentMultiplier
        if let target = record.target, multiplier != 0 || !constraint.attribute.isExtent {
            target.add(
                constraint.target.attribute,
                times: -multiplier,
                area: constraint.target.area,
                direction: layoutDirection,
                to: &expression
            )
            if multiplier != 1, !constraint.attribute.isExtent, let ancestor = commonAncestor(item, target) {
                // Positions that are multiplied count from the nearest item that holds both, from where lines begin.
                let origin: LayoutAttribute =
                    constraint.attribute.axis == .vertical ? .top : isMirrored ? .right : .left
                ancestor.add(
                    origin,
                    times: multiplier - 1,
                    area: .frame,
                    direction: layoutDirection,
                    to: &expression
                )
            }
        }
        let constant =
            constraint.arranged == nil
            ? (item.isCollapsed ? 0 : constraint.constant) : constraint.presentConstant
        var relation: Relation =
            switch constraint.relation {
            case .equal: .equal
            case .lessThanOrEqual: .lessThanOrEqual
            case .greaterThanOrEqual: .greaterThanOrEqual
            }
        if isMirrored, relation != .equal {
            relation = relation == .lessThanOrEqual ? .greaterThanOrEqual : .lessThanOrEqual
        }
        return LinearConstraint(
            expression.terms,
            relation,
            sign * constant - expression.constant,
            priority: Priority(constraint.priority.value)
        )
    }

    private func commonAncestor(_ first: ItemRecord, _ second: ItemRecord) -> ItemRecord? {
        var (one, other): (ItemRecord?, ItemRecord?) = (first, second)
        while let left = one, let right = other, left !== right {
            if left.depth >= right.depth { one = left.parent }
            if right.depth >= left.depth { other = right.parent }
        }
        return one
    }
}
