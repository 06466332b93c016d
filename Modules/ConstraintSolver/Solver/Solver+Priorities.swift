extension Solver {
    /// Changes a constraint's priority and weight, in force or not; required ones can become preferences and the other
    /// way round.
    ///
    /// - Parameters:
    ///   - id: the constraint.
    ///   - priority: how much it matters from now on.
    ///   - weight: its weight inside the priority.
    /// - Throws: ``SolverError/unsatisfiable(_:conflicting:)``, ``SolverError/unknownConstraint(_:)``,
    ///   ``SolverError/notFinite(_:in:)``, ``SolverError/outOfRange(_:in:)``, ``SolverError/pivotLimit``.
    public mutating func setPriority(
        _ id: ConstraintID,
        _ priority: Priority,
        weight: Double = 1
    ) throws(SolverError) {
        let index = try checked(id)
        try Solver.checkWeight(weight, .defined(id))
        let old = constraints[index].constraint
        if constraints[index].scale > 1 {
            var changed = old
            (changed.priority, changed.weight) = (priority, weight)
            try Solver.checkScaled(changed, constraints[index].scale, .defined(id))
        }
        guard old.priority != priority || old.weight != weight else { return }
        guard constraints[index].isInForce else {
            constraints[index].constraint.priority = priority
            constraints[index].constraint.weight = weight
            return
        }
        var (change, former, leader) = installBeside(index, priority, weight)
        if case .conflict(let certificate) = change, !proves(certificate) {
            var before = Solver(copying: self)
            if rebuild() { (change, former, leader) = installBeside(index, priority, weight) }
            if case .conflict = change { swap(&self, &before) }
        }
        switch change {
        case .done:
            if settleFormer(index, former, leader: leader, weight: old.weight), finish() { return }
            try recover(index, reverting: old)
        case .conflict(let certificate): throw unsatisfiable(index, certificate)
        case .exhausted where priority.isRequired:
            try buildAnew(index) { solver in
                solver.constraints[index].constraint.priority = priority
                solver.constraints[index].constraint.weight = weight
            }
        case .merged, .exhausted: try recover(index, reverting: old)
        }
    }

    /// Installs a constraint in its new form beside the old one, so that a refusal leaves everything as it is.
    ///
    /// - Returns: how that ended, and the symbols and the leader of the old form.
    private mutating func installBeside(
        _ index: Int,
        _ priority: Priority,
        _ weight: Double
    ) -> (Tableau.Change, former: Markers, leader: Int32) {
        let old = constraints[index]
        constraints[index].markers = Markers()
        constraints[index].leader = -1
        constraints[index].constraint.priority = priority
        constraints[index].constraint.weight = weight
        let change = install(index)
        var isRefused = priority.isRequired
        if case .done = change { isRefused = false }
        if isRefused {
            constraints[index].constraint = old.constraint
            constraints[index].markers = old.markers
            constraints[index].leader = old.leader
        }
        return (change, old.markers, old.leader)
    }

    /// Takes a constraint's former symbols out after its new form entered beside them.
    private mutating func settleFormer(_ index: Int, _ former: Markers, leader: Int32, weight: Double) -> Bool {
        tableau.resetBudget()
        if leader >= 0 {
            // The new form may have joined the same group.
            if let place = constraints[Int(leader)].followers.firstIndex(of: Int32(index)) {
                constraints[Int(leader)].followers.remove(at: place)
            }
            tableau.addWeight(constraints[Int(leader)].markers.marker, -weight / constraints[index].scale)
            guard case .settled = tableau.settle() else { return false }
            return true
        }
        var markers = former
        let present = constraints[index].markers
        constraints[index].markers = former
        let loose = takeApart(index)
        constraints[index].markers = present
        guard former.marker < 0 || tableau.takeOut(&markers) else { return false }
        return reinstall(loose)
    }
}
