extension Solver {
    /// Changes a constraint's right side, in force or not.
    ///
    /// - Parameters:
    ///   - id: the constraint.
    ///   - constant: the new right side.
    /// - Throws: ``SolverError/unsatisfiable(_:conflicting:)``, ``SolverError/unknownConstraint(_:)``,
    ///   ``SolverError/notFinite(_:in:)``, ``SolverError/outOfRange(_:in:)``, ``SolverError/pivotLimit``.
    public mutating func setConstant(_ id: ConstraintID, _ constant: Double) throws(SolverError) {
        let index = try checked(id)
        try Solver.checkConstant(constant, .defined(id))
        if constraints[index].scale > 1 {
            var changed = constraints[index].constraint
            changed.constant = constant
            try Solver.checkScaled(changed, constraints[index].scale, .defined(id))
        }
        try changeConstant(index, constant)
    }

    mutating func changeConstant(_ index: Int, _ constant: Double) throws(SolverError) {
        let former = constraints[index].constraint.constant
        guard constant != former else { return }
        constraints[index].constraint.constant = constant
        guard constraints[index].isInForce else { return }
        let markers = constraints[index].markers
        guard constraints[index].leader < 0 else {
            unfollow(index, weight: constraints[index].constraint.weight)
            if !reinstall([Int32(index)]) || !finish() { try recover(index, reverting: former) }
            return
        }
        guard markers.marker >= 0 else { return }
        let scale = constraints[index].scale
        let magnitude = tableau.magnitude
        tableau.magnitude = max(magnitude, abs(constant * scale))
        tableau.resetBudget()
        var change = tableau.shift(markers, from: former * scale, to: constant * scale)
        if case .conflict(let certificate) = change, !proves(certificate) {
            constraints[index].constraint.constant = former
            var before = Solver(copying: self)
            if rebuild() {
                constraints[index].constraint.constant = constant
                tableau.resetBudget()
                change = tableau.shift(constraints[index].markers, from: former * scale, to: constant * scale)
            }
            if case .conflict = change { swap(&self, &before) }
        }
        switch change {
        case .done: if !regroup(index) || !finish() { try recover(index, reverting: former) }
        case .conflict(let certificate):
            constraints[index].constraint.constant = former
            tableau.magnitude = magnitude
            throw unsatisfiable(index, certificate)
        case .exhausted where constraints[index].constraint.priority.isRequired:
            constraints[index].constraint.constant = former
            tableau.magnitude = magnitude
            try buildAnew(index) { $0.constraints[index].constraint.constant = constant }
        case .merged, .exhausted: try recover(index, reverting: former)
        }
    }

    /// Takes apart the groups that a changed constant concerns, and lets their members find new ones.
    ///
    /// - Returns: whether each found its place within the bound on pivots.
    private mutating func regroup(_ index: Int) -> Bool {
        guard !constraints[index].followers.isEmpty || !constraints[index].groups.isEmpty else { return true }
        return reinstall(takeApart(index))
    }

    private mutating func recover(_ index: Int, reverting constant: Double) throws(SolverError) {
        var old = constraints[index].constraint
        old.constant = constant
        try recover(index, reverting: old)
    }
}
