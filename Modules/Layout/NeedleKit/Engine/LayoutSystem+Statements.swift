internal import ConstraintSolver

// The constraints of statements: entering the solver and changing in it.
extension LayoutSystem {
    /// Enters the pending constraints into the solver, applies the changes of active ones, and tries unmet constraints again
    /// after a change that could make it possible to satisfy them.
    func applyStatements() {
        for record in takePending() {
            let isChanged = record.isChanged
            record.isChanged = false
            switch record.state {
            case .pending: enter(record)
            case .active: if isChanged { change(record) }
            case .dropped, .rejected, .suspended, .removed: break
            }
        }
        guard shouldRetry else { return }
        shouldRetry = false
        let count = unmet.count + unmetContent.count
        guard count > 0 else { return }
        // A constraint that returns can drop a later one, which may allow a third to return. Each round leaves earlier
        // constraints active than the one before, so this ends soon; the limit is a safeguard.
        for _ in 0...count {
            retryUnmetContent()
            for record in takeUnmet() {
                switch record.state {
                case .dropped, .rejected, .pending: enter(record)
                case .active, .suspended, .removed: break
                }
            }
            guard shouldRetry else { return }
            shouldRetry = false
        }
    }

    /// Enters a constraint into the solver, resolving its items.
    func enter(_ record: ConstraintRecord) {
        let constraint = record.constraint
        guard let item = constraint.item, let itemRecord = tree.record(of: item.layoutNode) else {
            // The item was released, and its constraint with it.
            return remove(record)
        }
        if constraint.target.kind == .item, constraint.target.item == nil {
            errors.append(.itemReleased(record.source))
            remove(record)
            constraint.isMarkedActive = false
            return constraint.remove()
        }
        record.names = constraint.names
        let target: ItemRecord? =
            switch constraint.target.kind {
            case .number: nil
            case .parent: itemRecord.parent
            case .item: constraint.target.item.flatMap { tree.record(of: $0.layoutNode) }
            }
        link(record, item: itemRecord, target: target)
        if constraint.isSuspended {
            record.state = .suspended
            return
        }
        if target == nil, constraint.target.kind != .number { return reject(record, .noCommonAncestor(record.source)) }
        // Constraints that were prepared and then activated were not checked when they were stated.
        guard constraint.hasMatchingAxes else { return reject(record, .wrongAxis(record.source)) }
        guard let equation = equation(record) else { return }
        do throws(SolverError) {
            let id = try solver.define(equation)
            record.id = id
            statements[id] = record
            switch applyDroppingWeaker(id, { solver throws(SolverError) in try solver.add(id) }) {
            case nil: record.state = .active
            case .conflict(let conflict): setAside(record, .dropped(conflict))
            case .error(let error): reject(record, error)
            }
        } catch {
            reject(record, error)
        }
    }

    /// Changes the constant and the priority of a constraint in the solver.
    func change(_ record: ConstraintRecord) {
        guard let id = record.id, let equation = equation(record) else { return }
        let priority = Priority(record.constraint.priority.value)
        do throws(SolverError) {
            let present = try solver.constraint(id)
            if present.priority != priority { try solver.setPriority(id, priority) }
            try solver.setConstant(id, equation.constant)
        } catch {
            guard case .unsatisfiable = error else { return reject(record, error) }
            // Entering it again resolves the conflict by dropping the least important member.
            withdraw(record)
            enter(record)
        }
    }

    private func reject(_ record: ConstraintRecord, _ error: SolverError) {
        switch error {
        case .notFinite: reject(record, .notFinite(record.source))
        case .outOfRange: reject(record, .outOfRange(record.source))
        default: reject(record, .unsolvable(record.source))
        }
    }

    private func reject(_ record: ConstraintRecord, _ error: LayoutError) {
        setAside(record, .rejected(error))
    }

    // MARK: - Equations

    /// The constraint in the solver's form; `nil` if its item is gone.
    private func equation(_ record: ConstraintRecord) -> LinearConstraint? {
        guard let item = record.item else { return nil }
        let constraint = record.constraint
        var expression = Expression()
        // Leading and trailing offsets are in the reading direction: from right to left the sign of the statement changes.
        let isMirrored = layoutDirection == .rightToLeft && constraint.attribute.isDirectional
        let sign: Double = isMirrored ? -1 : 1
        item.add(constraint.attribute, times: 1, area: .frame, direction: layoutDirection, to: &expression)
        let multiplier = constraint.effectiveMultiplier
        if let target = record.target, multiplier != 0 || !constraint.attribute.isExtent {
            target.add(
                constraint.target.attribute,
                times: -multiplier,
                area: constraint.target.area,
                direction: layoutDirection,
                to: &expression
            )
            if multiplier != 1, !constraint.attribute.isExtent, let ancestor = tree.commonAncestor(item, target) {
                // A multiplied position is measured from the nearest common ancestor, from the edge where lines begin.
                let origin: LayoutAttribute =
                    constraint.attribute.axis == .vertical ? .top : isMirrored ? .right : .left
                ancestor.add(origin, times: multiplier - 1, area: .frame, direction: layoutDirection, to: &expression)
            }
        }
        let constant =
            constraint.arranged == nil ? (item.isCollapsed ? 0 : constraint.constant) : constraint.effectiveConstant
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
}
