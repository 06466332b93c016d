/// Changes of constants, priorities and weights, and the groups of preferences that state the same.
///
/// Preferences that state the same share the symbols of the first of them, the leader of the group, as one preference with
/// the weight of all.
extension Solver {
    // MARK: - Constants

    /// Changes a constraint's right side, whether it is active or not.
    ///
    /// - Throws: ``SolverError/unsatisfiable(_:conflicting:)``, ``SolverError/unknownConstraint(_:)``,
    ///   ``SolverError/notFinite(_:in:)``, ``SolverError/outOfRange(_:in:)``, ``SolverError/pivotLimit``.
    public mutating func setConstant(_ id: ConstraintID, _ constant: Double) throws(SolverError) {
        let index = try constraints.index(of: id)
        try LinearConstraint.checkConstant(constant, .defined(id))
        if constraints[index].scale > 1 {
            var changed = constraints[index].constraint
            changed.constant = constant
            try changed.checkScaled(constraints[index].scale, .defined(id))
        }
        try changeConstant(index, constant)
    }

    mutating func changeConstant(_ index: Int, _ constant: Double) throws(SolverError) {
        let former = constraints[index].constraint.constant
        guard constant != former else { return }
        constraints[index].constraint.constant = constant
        guard constraints[index].isActive else { return }
        let markers = constraints[index].markers
        guard constraints[index].leader < 0 else {
            unfollow(index, weight: constraints[index].constraint.weight)
            if !reinstall([Int32(index)]) || !finish() { try recover(index, reverting: former) }
            return
        }
        guard markers.marker >= 0 else { return }
        let scale = constraints[index].scale
        let magnitude = tableau.store.magnitude
        tableau.store.magnitude = max(magnitude, abs(constant * scale))
        tableau.resetBudget()
        var change = tableau.shift(markers, from: former * scale, to: constant * scale)
        if case .conflict(let certificate) = change, !isProof(certificate) {
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
            tableau.store.magnitude = magnitude
            throw unsatisfiable(index, certificate)
        case .exhausted where constraints[index].constraint.priority.isRequired:
            constraints[index].constraint.constant = former
            tableau.store.magnitude = magnitude
            try rebuild(with: index) { $0.constraints[index].constraint.constant = constant }
        case .merged, .exhausted: try recover(index, reverting: former)
        }
    }

    private mutating func recover(_ index: Int, reverting constant: Double) throws(SolverError) {
        var old = constraints[index].constraint
        old.constant = constant
        try recover(index, reverting: old)
    }

    // MARK: - Priorities

    /// Changes a constraint's priority and weight, whether it is active or not. Required constraints can become
    /// preferences and preferences required constraints.
    ///
    /// - Throws: ``SolverError/unsatisfiable(_:conflicting:)``, ``SolverError/unknownConstraint(_:)``,
    ///   ``SolverError/notFinite(_:in:)``, ``SolverError/outOfRange(_:in:)``, ``SolverError/pivotLimit``.
    public mutating func setPriority(_ id: ConstraintID, _ priority: Priority, weight: Double = 1) throws(SolverError) {
        let index = try constraints.index(of: id)
        try LinearConstraint.checkWeight(weight, .defined(id))
        let old = constraints[index].constraint
        if constraints[index].scale > 1 {
            var changed = old
            (changed.priority, changed.weight) = (priority, weight)
            try changed.checkScaled(constraints[index].scale, .defined(id))
        }
        guard old.priority != priority || old.weight != weight else { return }
        guard constraints[index].isActive else {
            constraints[index].constraint.priority = priority
            constraints[index].constraint.weight = weight
            return
        }
        var (change, former, leader) = installNewForm(index, priority, weight)
        if case .conflict(let certificate) = change, !isProof(certificate) {
            var before = Solver(copying: self)
            if rebuild() { (change, former, leader) = installNewForm(index, priority, weight) }
            if case .conflict = change { swap(&self, &before) }
        }
        switch change {
        case .done:
            if removeFormerForm(index, former, leader: leader, weight: old.weight), finish() { return }
            try recover(index, reverting: old)
        case .conflict(let certificate): throw unsatisfiable(index, certificate)
        case .exhausted where priority.isRequired:
            try rebuild(with: index) { solver in
                solver.constraints[index].constraint.priority = priority
                solver.constraints[index].constraint.weight = weight
            }
        case .merged, .exhausted: try recover(index, reverting: old)
        }
    }

    /// Installs a constraint in its new form while the old form is still installed, so that a refusal leaves
    /// everything unchanged. Returns the result, and the symbols and the leader of the old form.
    private mutating func installNewForm(
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

    /// Removes the symbols of a constraint's old form after its new form was installed.
    private mutating func removeFormerForm(_ index: Int, _ former: Markers, leader: Int32, weight: Double) -> Bool {
        tableau.resetBudget()
        if leader >= 0 {
            // The new form may have joined the same group.
            if let place = constraints[Int(leader)].followers.firstIndex(of: Int32(index)) {
                constraints[Int(leader)].followers.remove(at: place)
            }
            addWeight(Int(leader), -weight / constraints[index].scale)
            guard case .settled = tableau.settle() else { return false }
            return true
        }
        var markers = former
        let present = constraints[index].markers
        constraints[index].markers = former
        let members = dissolveGroups(index)
        constraints[index].markers = present
        guard former.marker < 0 || tableau.remove(&markers) else { return false }
        return reinstall(members)
    }

    // MARK: - Groups

    /// The number of active preferences that share the symbols of another.
    package var followerCount: Int { constraints.records.count { $0.leader >= 0 } }

    /// Adds a preference that was found to state the same as another to that one's group.
    mutating func follow(_ leader: Int32, _ index: Int) {
        constraints[index].leader = leader
        constraints[Int(leader)].followers.append(Int32(index))
        for place in 0..<tableau.parallels.differences.count {
            let owner = Int(tableau.parallels.differences[place])
            if !constraints[owner].groups.contains(leader) { constraints[owner].groups.append(leader) }
        }
    }

    /// Removes a follower from its group, with the weight it joined with. The tableau must be settled afterwards.
    mutating func unfollow(_ index: Int, weight: Double) {
        let leader = Int(constraints[index].leader)
        constraints[index].leader = -1
        constraints[leader].followers.removeAll { $0 == Int32(index) }
        addWeight(leader, -weight / constraints[index].scale)
    }

    private mutating func addWeight(_ leader: Int, _ weight: Double) {
        tableau.objective.addWeight(constraints[leader].markers.marker, weight, &tableau.store)
    }

    /// Dissolves the groups that a change of a constraint affects: its own, and those whose members state the same
    /// only because of it. Returns the former followers, which must be installed again after the change.
    mutating func dissolveGroups(_ index: Int) -> [Int32] {
        guard !constraints[index].followers.isEmpty || !constraints[index].groups.isEmpty else { return [] }
        var members: [Int32] = []
        for leader in [Int32(index)] + constraints[index].groups {
            let followers = constraints[Int(leader)].followers
            guard !followers.isEmpty else { continue }
            for follower in followers.map(Int.init) {
                constraints[follower].leader = -1
                addWeight(Int(leader), -constraints[follower].constraint.weight / constraints[follower].scale)
            }
            constraints[Int(leader)].followers = []
            members += followers
        }
        constraints[index].groups = []
        return members
    }

    /// Installs preferences again after their groups were dissolved. Returns whether each was installed within the
    /// limit on pivots.
    mutating func reinstall(_ members: [Int32]) -> Bool {
        guard !members.isEmpty else { return true }
        tableau.resetBudget()
        guard case .settled = tableau.settle() else { return false }
        for index in members {
            guard case .done = install(Int(index)) else { return false }
        }
        return true
    }

    /// Dissolves the groups that a changed constant affects, and installs their members again. Returns whether each
    /// was installed within the limit on pivots.
    private mutating func regroup(_ index: Int) -> Bool {
        guard !constraints[index].followers.isEmpty || !constraints[index].groups.isEmpty else { return true }
        return reinstall(dissolveGroups(index))
    }
}
