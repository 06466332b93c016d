internal import ConstraintSolver

extension LayoutEngine: LayoutBackend {
    func constraintAdded(_ constraint: Constraint) {
        guard constraint.backend == nil || constraint.place < 0 else { return }
        let record = ConstraintRecord(constraint, sequence: nextSequence)
        nextSequence += 1
        let place = freeConstraintPlaces.popLast() ?? constraintRecords.count
        if place == constraintRecords.count {
            constraintRecords.append(record)
        } else {
            constraintRecords[place] = record
        }
        constraint.place = place
        constraint.backend = self
        pending.append(record)
        setNeedsLayout()
    }

    func constraintRemoved(_ constraint: Constraint) {
        guard constraint.backend === self, constraint.place >= 0, let record = constraintRecords[constraint.place]
        else { return }
        unlink(record)
        forget(record)
        shouldRetry = true
        setNeedsLayout()
    }

    func constantChanged(_ constraint: Constraint) {
        guard constraint.backend === self, constraint.place >= 0, let record = constraintRecords[constraint.place]
        else { return }
        shouldRetry = true
        guard !record.isChanged else { return }
        record.isChanged = true
        pending.append(record)
        setNeedsLayout()
    }

    func priorityChanged(_ constraint: Constraint) {
        constantChanged(constraint)
    }

    func expressionChanged(_ constraint: Constraint) {
        guard constraint.backend === self, constraint.place >= 0, let record = constraintRecords[constraint.place]
        else { return }
        // One that is left out is entered anew, with what it says then, by the next layout.
        guard case .inForce = record.state else { return constantChanged(constraint) }
        reenter(record)
        setNeedsLayout()
    }

    func constraintRefused(_ error: LayoutError) {
        refusals.tell(error)
    }

    func intrinsicSizeChanged(_ node: LayoutNode) {
        guard let record = record(of: node), !record.needsIntrinsic else { return }
        record.needsIntrinsic = true
        needingIntrinsic.append(record)
        setNeedsLayout()
    }

    func geometryChanged(_ node: LayoutNode) {
        guard let record = record(of: node), !record.needsGeometry else { return }
        record.needsGeometry = true
        needingGeometry.append(record)
        setNeedsLayout()
    }

    func guideAdded(_ guide: LayoutGuide, to node: LayoutNode) {
        guard let record = record(of: node) else { return }
        add(guide, parent: record)
        shouldRetry = true
        setNeedsLayout()
    }

    func guideRemoved(_ guide: LayoutGuide) {
        guard let record = record(of: guide) else { return }
        remove(record)
        setNeedsLayout()
    }

    // MARK: - Records of constraints

    /// Takes a constraint out of the solver, keeping its record.
    func withdraw(_ record: ConstraintRecord) {
        if let id = record.id {
            recordsByID[id] = nil
            try? solver.discard(id)
            record.id = nil
        }
    }

    /// Takes a constraint out of the engine. Its items' lists are the caller's affair.
    func forget(_ record: ConstraintRecord) {
        withdraw(record)
        record.state = .removed
        let constraint = record.constraint
        if constraint.backend === self {
            constraintRecords[constraint.place] = nil
            freeConstraintPlaces.append(constraint.place)
            constraint.place = -1
            constraint.backend = nil
        }
    }

    func unlink(_ record: ConstraintRecord) {
        record.item?.constraints.remove(record.itemTicket)
        record.target?.constraints.remove(record.targetTicket)
        (record.itemTicket, record.targetTicket) = (-1, -1)
    }

    /// Enters anew the constraints that meet a condition, at the next layout.
    func reenterAll(_ condition: (Constraint) -> Bool) {
        for case let record? in constraintRecords where condition(record.constraint) { reenter(record) }
    }

    /// Enters a constraint anew at the next layout, its expression being another.
    func reenter(_ record: ConstraintRecord) {
        guard case .inForce = record.state else { return }
        withdraw(record)
        unlink(record)
        record.state = .waiting
        pending.append(record)
        shouldRetry = true
    }
}

extension Constraint {
    /// Whether the constraint depends on the reading direction.
    var isDirectional: Bool {
        [attribute, target.attribute].contains { $0 == .leading || $0 == .trailing }
    }
}
