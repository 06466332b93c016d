internal import ConstraintSolver

// The constraints of statements: entering the solver, changing in it and leaving it.
extension LayoutSystem {
    /// Enters a constraint into the solver, resolving its items.
    func enter(_ record: ConstraintRecord, backend: any LayoutBackend) {
        let constraint = record.constraint
        guard let item = constraint.item, let itemRecord = tree.record(of: item.layoutNode) else {
            // The item was released, and its constraint with it.
            return remove(record, backend: backend)
        }
        if constraint.target.kind == .item, constraint.target.item == nil {
            errors.append(.itemReleased(record.source))
            remove(record, backend: backend)
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
        store.link(record, item: itemRecord, target: target)
        if itemRecord.isCollapsed, constraint.attribute.isExtent {
            record.state = .suspended
            return
        }
        if target == nil, constraint.target.kind != .number { return reject(record, .noCommonAncestor(record.source)) }
        do throws(LayoutError) { try LayoutError.checkAxes(of: constraint) } catch { return reject(record, error) }
        guard let equation = equation(record) else { return }
        do throws(SolverError) {
            let id = try solver.define(equation)
            record.id = id
            statements[id] = record
            switch applyDroppingWeaker(id, { solver throws(SolverError) in try solver.add(id) }) {
            case nil: record.state = .active
            case .conflict(let conflict): drop(record, conflict)
            case .error(let error): reject(record, error)
            }
        } catch {
            reject(record, error)
        }
    }

    /// Changes the constant and the priority of a constraint in the solver.
    func change(_ record: ConstraintRecord, backend: any LayoutBackend) {
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
            enter(record, backend: backend)
        }
    }

    /// Takes a constraint whose expression changed out of the solver, to be entered again at the next layout.
    func reenter(_ record: ConstraintRecord) {
        guard case .active = record.state else { return }
        withdraw(record)
        store.unlink(record)
        store.enqueue(record)
        store.shouldRetry = true
    }

    /// Drops a constraint because of a conflict; it is tried again after changes.
    func drop(_ record: ConstraintRecord, _ conflict: LayoutConflict) {
        withdraw(record)
        record.state = .dropped(conflict)
        store.addUnmet(record)
    }

    private func reject(_ record: ConstraintRecord, _ error: SolverError) {
        switch error {
        case .notFinite: reject(record, .notFinite(record.source))
        case .outOfRange: reject(record, .outOfRange(record.source))
        default: reject(record, .unsolvable(record.source))
        }
    }

    private func reject(_ record: ConstraintRecord, _ error: LayoutError) {
        withdraw(record)
        record.state = .rejected(error)
        store.addUnmet(record)
    }

    /// Takes a constraint out of the solver.
    func withdraw(_ record: ConstraintRecord) {
        guard let id = record.id else { return }
        statements[id] = nil
        try? solver.discard(id)
        record.id = nil
    }

    /// Removes a constraint from the solver and from the store.
    func remove(_ record: ConstraintRecord, backend: any LayoutBackend) {
        store.unlink(record)
        withdraw(record)
        store.remove(record, backend: backend)
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
