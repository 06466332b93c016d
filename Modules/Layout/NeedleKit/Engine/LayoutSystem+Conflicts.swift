internal import ConstraintSolver

// Conflicts, of which the least important member is dropped, and the constraints that no statement makes: the root's origin and
// size, content, extents of zero or more.
extension LayoutSystem {
    /// The reason why a change failed.
    enum Failure {
        /// The change conflicts with constraints that prevail over it.
        case conflict(LayoutConflict)
        /// The solver rejected it.
        case error(SolverError)
    }

    /// Changes the solver on behalf of a constraint, and drops the less important constraints that conflict with it.
    /// Returns `nil` on success. On failure the solver is unchanged.
    func applyDroppingWeaker(_ id: ConstraintID, _ change: (inout Solver) throws(SolverError) -> Void) -> Failure? {
        var dropped: [(id: ConstraintID, conflict: LayoutConflict)] = []
        while true {
            do throws(SolverError) {
                try change(&solver)
                for one in dropped { recordDrop(one.id, one.conflict) }
                if !dropped.isEmpty { shouldRetry = true }
                return nil
            } catch {
                var failure = Failure.error(error)
                if case .unsatisfiable(_, let members) = error, let weakest = weakest(of: members, for: id) {
                    let conflict = conflict(members, dropped: weakest.source)
                    failure = .conflict(conflict)
                    if weakest.id != id, (try? solver.remove(weakest.id)) != nil {
                        dropped.append((weakest.id, conflict))
                        continue
                    }
                }
                // The change failed in the end: restore what was dropped for it.
                for one in dropped where (try? solver.add(one.id)) == nil { recordDrop(one.id, one.conflict) }
                return failure
            }
        }
    }

    /// The least important member of a conflict: the statement of the lowest priority, the latest of several; without a
    /// statement, required content. `nil` if no member can be dropped.
    private func weakest(
        of members: [ConstraintID],
        for id: ConstraintID
    ) -> (id: ConstraintID, source: ConstraintSource)? {
        let stated = members.compactMap { id in statements[id].map { (id: id, record: $0) } }
        let weakest = stated.min {
            ($0.record.constraint.priority.value, -$0.record.sequence)
                < ($1.record.constraint.priority.value, -$1.record.sequence)
        }
        if let weakest { return (weakest.id, weakest.record.source) }
        let content = members.filter { implicit[$0]?.content != nil }
        guard let chosen = content.contains(id) ? id : content.last, let constraint = implicit[chosen] else {
            return nil
        }
        return (chosen, constraint.source)
    }

    /// A description of a conflict.
    private func conflict(_ members: [ConstraintID], dropped: ConstraintSource) -> LayoutConflict {
        let stated = members.compactMap { statements[$0] }.sorted { $0.sequence < $1.sequence }.map(\.source)
        let system = members.compactMap { implicit[$0]?.source }
            .sorted { ($0.description, $0.line ?? 0) < ($1.description, $1.line ?? 0) }
        return LayoutConflict(members: stated, systemMembers: system, dropped: dropped)
    }

    /// Records that a constraint was dropped because of a conflict.
    private func recordDrop(_ id: ConstraintID, _ conflict: LayoutConflict) {
        if let record = statements[id] { return setAside(record, .dropped(conflict)) }
        if let constraint = implicit[id] { giveUp(constraint, .conflict(conflict)) }
    }

    // MARK: - Implicit constraints

    /// Sets the value and the priority of an implicit constraint, adding it if necessary.
    ///
    /// Conflicting statements are dropped. Content that conflicts nevertheless is recorded as unmet and tried again after
    /// changes.
    func setImplicit(
        _ role: ImplicitConstraint.Role,
        _ axis: LayoutAxis,
        of record: ItemRecord,
        to value: Double,
        priority: Priority = .required
    ) {
        let key = ImplicitConstraint.Key(role: role, axis: axis)
        let priorityOfLayout = LayoutPriority(priority.value)
        let constraint = ImplicitConstraint(record: record, key: key, value: value, priority: priorityOfLayout)
        removeUnmetContent(of: record, key)
        if let id = record.implicit[key] {
            if let present = implicit[id], present.priority == constraint.priority {
                guard present.value != value else { return }
                implicit[id]?.value = value
                let failure = applyDroppingWeaker(id) { solver throws(SolverError) in try solver.setConstant(id, value)
                }
                guard let failure else { return }
                implicit[id]?.value = present.value
                return giveUp(constraint, diagnostic(constraint, failure))
            }
            removeImplicit(key, of: record)
        }
        let linear = LinearConstraint([Term(constraint.variable)], constraint.relation, value, priority: priority)
        guard let id = try? solver.define(linear) else { return }
        record.implicit[key] = id
        implicit[id] = constraint
        if let failure = applyDroppingWeaker(id, { solver throws(SolverError) in try solver.add(id) }) {
            giveUp(constraint, diagnostic(constraint, failure))
        }
    }

    func removeImplicit(_ role: ImplicitConstraint.Role, _ axis: LayoutAxis, of record: ItemRecord) {
        removeImplicit(ImplicitConstraint.Key(role: role, axis: axis), of: record)
    }

    private func removeImplicit(_ key: ImplicitConstraint.Key, of record: ItemRecord) {
        removeUnmetContent(of: record, key)
        guard let id = record.implicit.removeValue(forKey: key) else { return }
        implicit[id] = nil
        try? solver.discard(id)
    }

    /// Removes all implicit constraints of an item, in a fixed order.
    func removeAllImplicit(of record: ItemRecord) {
        for role in ImplicitConstraint.Role.allCases {
            for axis in LayoutAxis.allCases { removeImplicit(role, axis, of: record) }
        }
    }

    /// Applies the root's size if it changed.
    func applyRootSize() {
        guard needsRootSize, let root = tree.root else { return }
        needsRootSize = false
        setImplicit(.size, .horizontal, of: root, to: rootSize.width)
        setImplicit(.size, .vertical, of: root, to: rootSize.height)
        shouldRetry = true
    }

    private func diagnostic(_ constraint: ImplicitConstraint, _ failure: Failure) -> LayoutDiagnostic {
        switch failure {
        case .conflict(let conflict): .conflict(conflict)
        case .error: .rejected(.unsolvable(constraint.source))
        }
    }

    private func removeUnmetContent(of record: ItemRecord, _ key: ImplicitConstraint.Key) {
        if unmetContent.isEmpty { return }
        unmetContent.removeAll { $0.constraint.record === record && $0.constraint.key == key }
    }

    /// Records content as unmet until something changes; reports anything else as unsolvable.
    private func giveUp(_ constraint: ImplicitConstraint, _ diagnostic: LayoutDiagnostic) {
        if constraint.content != nil {
            removeImplicit(constraint.key, of: constraint.record)
            unmetContent.append(UnmetContentConstraint(constraint: constraint, diagnostic: diagnostic))
        } else {
            errors.append(.unsolvable(constraint.source))
            // A root size retains its former value and is tried again; other roles are set again when they are next needed.
            if constraint.role == .size {
                needsRootSize = true
            } else {
                removeImplicit(constraint.key, of: constraint.record)
            }
        }
    }
}
