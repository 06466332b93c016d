internal import ConstraintSolver

/// The constraints of the layout's own: the root's place and size, what content asks for, what keeps extents possible.
extension LayoutEngine {
    /// Keeps a constraint of the layout's own in force with a value and a priority, in place where only the value is
    /// another.
    ///
    /// What is stated in code gives way to it. A wish of content that cannot hold all the same is left out, told, and tried
    /// again whenever something changes.
    ///
    /// - Returns: whether it is in force with that value.
    @discardableResult
    func keep(
        _ role: OwnConstraint.Role,
        _ axis: LayoutAxis,
        of record: ItemRecord,
        at value: Double,
        _ level: Priority = .required
    ) -> Bool {
        let priority = LayoutPriority(level.value)
        let own = OwnConstraint(record: record, role: role, axis: axis, value: value, priority: priority)
        forgetLeftOut { $0.isSame(as: own) }
        if let id = record.own[axis][role] {
            if ownByID[id]?.priority == priority {
                guard let former = ownByID[id]?.value, former != value else { return true }
                ownByID[id]?.value = value
                let failure = insist(on: id) { solver throws(SolverError) in try solver.setConstant(id, value) }
                if failure != nil { ownByID[id]?.value = former }
                return isKept(own, failure)
            }
            leave(role, axis, of: record)
        }
        let (variable, relation): (Variable, Relation) =
            switch role {
            case .origin: (axis == .horizontal ? record.left : record.top, .equal)
            case .size, .collapsed: (axis == .horizontal ? record.width : record.height, .equal)
            case .hugging: (axis == .horizontal ? record.width : record.height, .lessThanOrEqual)
            case .compressionResistance, .notNegative:
                (axis == .horizontal ? record.width : record.height, .greaterThanOrEqual)
            }
        guard let id = try? solver.define(LinearConstraint([Term(variable)], relation, value, priority: level)) else {
            return false
        }
        record.own[axis][role] = id
        ownByID[id] = own
        return isKept(own, insist(on: id) { solver throws(SolverError) in try solver.add(id) })
    }

    /// Takes a constraint of the layout's own away.
    func leave(_ role: OwnConstraint.Role, _ axis: LayoutAxis, of record: ItemRecord) {
        forgetLeftOut { $0.record === record && $0.role == role && $0.axis == axis }
        guard let id = record.own[axis][role] else { return }
        record.own[axis][role] = nil
        ownByID[id] = nil
        try? solver.discard(id)
    }

    /// Takes all that the layout has on an item away, in a fixed order.
    func leaveAll(of record: ItemRecord) {
        for role in OwnConstraint.Role.allCases {
            for axis in LayoutAxis.allCases { leave(role, axis, of: record) }
        }
    }

    /// Tries the wishes again that were left out.
    func retryLeftOut() {
        let former = leftOut
        for one in former where !one.own.record.isGone { updateWishes(one.own.record) }
    }

    private func forgetLeftOut(_ isMeant: (OwnConstraint) -> Bool) {
        if !leftOut.isEmpty { leftOut.removeAll { isMeant($0.own) } }
    }

    private func isKept(_ own: OwnConstraint, _ failure: Failure?) -> Bool {
        switch failure {
        case nil: return true
        case .conflict(let conflict): giveUp(own, .conflict(conflict))
        case .error: giveUp(own, .refused(.unsolvable(own.source)))
        }
        return false
    }

    /// Leaves a wish of content out until something changes; of anything else tells that it could not be had.
    func giveUp(_ own: OwnConstraint, _ diagnostic: LayoutDiagnostic) {
        if own.wish != nil {
            leave(own.role, own.axis, of: own.record)
            leftOut.append(LeftOut(own: own, diagnostic: diagnostic))
        } else {
            refusals.tell(.unsolvable(own.source))
            // A size that is there keeps its former value; the rest is made anew when it is next asked for.
            if own.role == .size { hasNewSize = true } else { leave(own.role, own.axis, of: own.record) }
        }
    }
}
