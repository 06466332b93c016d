internal import ConstraintSolver

extension LayoutEngine {
    /// Brings everything that was told since the last layout into the solver.
    func flush() {
        sweepReleased()
        let geometry = needingGeometry
        needingGeometry.removeAll(keepingCapacity: true)
        for record in geometry { updateGeometry(record) }
        let intrinsic = needingIntrinsic
        needingIntrinsic.removeAll(keepingCapacity: true)
        for record in intrinsic { updateIntrinsic(record) }
        if hasNewSize {
            hasNewSize = false
            applySize()
        }
        let entering = pending
        pending.removeAll(keepingCapacity: true)
        for record in entering { update(record) }
        retry()
    }

    private func applySize() {
        guard let rootRecord else { return }
        keep(.size, .horizontal, of: rootRecord, at: wantedSize.width)
        keep(.size, .vertical, of: rootRecord, at: wantedSize.height)
        shouldRetry = true
    }

    /// Enters a constraint, or changes it where it is entered already.
    private func update(_ record: ConstraintRecord) {
        let isChanged = record.isChanged
        record.isChanged = false
        switch record.state {
        case .removed: return
        case .waiting: enter(record)
        case .inForce: if isChanged { change(record) }
        case .dropped, .refused, .resting: return
        }
    }

    private func change(_ record: ConstraintRecord) {
        guard let id = record.id, let equation = equation(record) else { return }
        let priority = Priority(record.constraint.priority.value)
        do throws(SolverError) {
            let present = try solver.constraint(id)
            if present.priority != priority { try solver.setPriority(id, priority) }
            try solver.setConstant(id, equation.constant)
        } catch {
            guard case .unsatisfiable = error else { return refuse(record, error) }
            // Entered anew, it meets those in its way, and one of them goes.
            withdraw(record)
            enter(record)
        }
    }

    /// Tries again what was left out, when something happened that could let it hold.
    private func retry() {
        guard shouldRetry else { return }
        shouldRetry = false
        guard !waiting.isEmpty || !leftOut.isEmpty else { return }
        // What comes back for a later one may let a third come back. Each time those in force come earlier, so that it
        // ends soon; the bound is for what cannot be.
        for _ in 0...waiting.count + leftOut.count {
            retryLeftOut()
            let left = waiting.sorted { $0.sequence < $1.sequence }
            waiting.removeAll(keepingCapacity: true)
            for record in left {
                switch record.state {
                case .dropped, .refused, .waiting: enter(record)
                case .inForce, .resting, .removed: break
                }
            }
            guard shouldRetry else { return }
            shouldRetry = false
        }
    }

    // MARK: - One constraint

    /// Enters a constraint, resolving what it refers to.
    func enter(_ record: ConstraintRecord) {
        guard let item = record.constraint.item, let own = self.record(of: item) else {
            // It goes with its own item.
            unlink(record)
            return forget(record)
        }
        if record.constraint.target.kind == .item, record.constraint.target.item == nil { return abandon(record) }
        record.names = record.constraint.names
        link(record, own)
        if own.isCollapsed, record.constraint.attribute.isExtent {
            record.state = .resting
            return
        }
        if record.target == nil, record.constraint.target.kind != .number {
            return refuse(record, .noCommonAncestor(record.source))
        }
        guard let equation = equation(record) else { return }
        do throws(SolverError) {
            let id = try solver.define(equation)
            record.id = id
            recordsByID[id] = record
            force(record, id)
        } catch {
            refuse(record, error)
        }
    }

    /// Puts a defined constraint into force; where it cannot hold, the least important of those in its way goes, or it
    /// goes itself.
    private func force(_ record: ConstraintRecord, _ id: ConstraintID) {
        switch insist(on: id, { solver throws(SolverError) in try solver.add(id) }) {
        case nil: record.state = .inForce
        case .conflict(let conflict): drop(record, conflict)
        case .error(let error): refuse(record, error)
        }
    }

    private func refuse(_ record: ConstraintRecord, _ error: SolverError) {
        switch error {
        case .noVariables: refuse(record, .noVariables(record.source))
        case .notFinite: refuse(record, .notFinite(record.source))
        case .outOfRange: refuse(record, .outOfRange(record.source))
        default: refuse(record, .unsolvable(record.source))
        }
    }

    private func link(_ record: ConstraintRecord, _ own: ItemRecord) {
        unlink(record)
        record.item = own
        record.itemTicket = own.constraints.append(record)
        switch record.constraint.target.kind {
        case .number: record.target = nil
        case .parent: record.target = own.parent
        case .item: record.target = record.constraint.target.item.flatMap { self.record(of: $0) }
        }
        if let target = record.target, target !== own { record.targetTicket = target.constraints.append(record) }
    }

    private func refuse(_ record: ConstraintRecord, _ error: LayoutError) {
        withdraw(record)
        record.state = .refused(error)
        waiting.append(record)
    }

    /// Takes a constraint away for good, its target having been released, and tells so once.
    private func abandon(_ record: ConstraintRecord) {
        refusals.tell(.itemReleased(record.source))
        unlink(record)
        forget(record)
        record.constraint.isActive = false
        record.constraint.remove()
    }

    /// The constraint as the solver takes it.
    private func equation(_ record: ConstraintRecord) -> LinearConstraint? {
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
