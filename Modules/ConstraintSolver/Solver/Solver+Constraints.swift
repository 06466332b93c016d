extension Solver {
    /// Checks a constraint and keeps it under an id, not yet in force.
    ///
    /// - Parameter constraint: the constraint; terms of the same variable are summed.
    /// - Returns: the id, valid until ``discard(_:)``.
    /// - Throws: ``SolverError/notFinite(_:in:)``, ``SolverError/outOfRange(_:in:)``, ``SolverError/noVariables(_:)``,
    ///   ``SolverError/unknownVariable(_:)``.
    public mutating func define(_ constraint: LinearConstraint) throws(SolverError) -> ConstraintID {
        let checked = try normalized(constraint)
        let index: Int
        if let free = freeConstraints.popLast() {
            index = Int(free)
            constraints[index].constraint = checked
            constraints[index].generation += 1
            constraints[index].isDefined = true
            constraints[index].isEdit = false
            constraints[index].groups = []
        } else {
            index = constraints.count
            constraints.append(ConstraintRecord(constraint: checked, generation: 0))
        }
        return id(index)
    }

    /// Defines a constraint and puts it into force.
    ///
    /// - Parameter constraint: the constraint.
    /// - Returns: its id.
    /// - Throws: what ``define(_:)`` and ``add(_:)-swift.method`` throw; the id in ``SolverError/unsatisfiable(_:conflicting:)``
    ///   is then of the past.
    @discardableResult
    public mutating func add(_ constraint: LinearConstraint) throws(SolverError) -> ConstraintID {
        let id = try define(constraint)
        do {
            try add(id)
        } catch {
            forget(Int(id.index))
            throw error
        }
        return id
    }

    /// Puts a defined constraint into force.
    ///
    /// - Parameter id: the constraint.
    /// - Throws: ``SolverError/unsatisfiable(_:conflicting:)`` when it is required and cannot hold,
    ///   ``SolverError/duplicate(_:)`` when it is in force, ``SolverError/unknownConstraint(_:)``,
    ///   ``SolverError/unknownVariable(_:)`` when one of its variables was removed, ``SolverError/pivotLimit``.
    public mutating func add(_ id: ConstraintID) throws(SolverError) {
        let index = try checked(id)
        guard !constraints[index].isInForce else { throw .duplicate(id) }
        for term in constraints[index].constraint.terms { _ = try checked(term.variable) }
        try enter(index)
    }

    /// Takes a constraint out of force; it stays defined.
    ///
    /// - Parameter id: the constraint.
    /// - Throws: ``SolverError/unknownConstraint(_:)`` when it is not in force, ``SolverError/pivotLimit``.
    public mutating func remove(_ id: ConstraintID) throws(SolverError) {
        let index = try checked(id)
        guard constraints[index].isInForce else { throw .unknownConstraint(id) }
        try leave(index)
    }

    /// Forgets a constraint, taking it out of force first where needed.
    ///
    /// - Parameter id: the constraint, which means nothing afterwards.
    /// - Throws: ``SolverError/unknownConstraint(_:)``, ``SolverError/pivotLimit``.
    public mutating func discard(_ id: ConstraintID) throws(SolverError) {
        let index = try checked(id)
        if constraints[index].isInForce { try leave(index) }
        forget(index)
    }

    /// Whether a constraint is in force.
    public func isInForce(_ id: ConstraintID) -> Bool {
        guard let index = try? checked(id) else { return false }
        return constraints[index].isInForce
    }

    /// The constraint under an id, its terms summed and sorted.
    ///
    /// - Throws: ``SolverError/unknownConstraint(_:)``.
    public func constraint(_ id: ConstraintID) throws(SolverError) -> LinearConstraint {
        constraints[try checked(id)].constraint
    }

    // MARK: - Changes in place

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
        try changeConstant(index, constant)
    }

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
        guard old.priority != priority || old.weight != weight else { return }
        guard constraints[index].isInForce else {
            constraints[index].constraint.priority = priority
            constraints[index].constraint.weight = weight
            return
        }
        // The new form enters beside the old one, so that a refusal leaves everything as it is.
        let former = constraints[index].markers
        let leader = constraints[index].leader
        constraints[index].markers = Markers()
        constraints[index].leader = -1
        constraints[index].constraint.priority = priority
        constraints[index].constraint.weight = weight
        switch install(index) {
        case .done:
            if settleFormer(index, former, leader: leader, weight: old.weight), finish() { return }
            try recover(index, reverting: old)
        case .conflict(let certificate):
            constraints[index].constraint = old
            constraints[index].markers = former
            constraints[index].leader = leader
            throw unsatisfiable(index, certificate)
        case .merged, .exhausted:
            try recover(index, reverting: old)
        }
    }

    /// Takes a constraint's former symbols out after its new form entered beside them.
    private mutating func settleFormer(_ index: Int, _ former: Markers, leader: Int32, weight: Double) -> Bool {
        tableau.resetBudget()
        if leader >= 0 {
            // The new form may have joined the same group.
            if let place = constraints[Int(leader)].followers.firstIndex(of: Int32(index)) {
                constraints[Int(leader)].followers.remove(at: place)
            }
            tableau.addWeight(constraints[Int(leader)].markers.marker, -weight)
            guard case .settled = tableau.settle() else { return false }
            return true
        }
        var markers = former
        let present = constraints[index].markers
        constraints[index].markers = former
        let loose = takeApart(index)
        constraints[index].markers = present
        guard former.marker < 0 || tableau.isSettled(afterRemoving: &markers) else { return false }
        return reinstall(loose)
    }

    // MARK: - Steps

    /// Checks a constraint and brings its terms into order.
    func normalized(_ constraint: LinearConstraint) throws(SolverError) -> LinearConstraint {
        try Solver.checkConstant(constraint.constant, .stated(constraint))
        try Solver.checkWeight(constraint.weight, .stated(constraint))
        var last: Int32 = -1
        // Sorted terms without doubles or zeros are taken as they are.
        var isOrdered = true
        for term in constraint.terms {
            _ = try checked(term.variable)
            let size = abs(term.coefficient)
            guard size.isFinite else { throw .notFinite(term.coefficient, in: .stated(constraint)) }
            if term.variable.index <= last || size > Solver.largestCoefficient || size < Solver.smallestCoefficient {
                isOrdered = false
            }
            last = term.variable.index
        }
        if isOrdered, last >= 0 { return constraint }
        var result = constraint
        if result.terms.count > 1 {
            result.terms.sort { $0.variable.index < $1.variable.index }
            var merged: [Term] = []
            merged.reserveCapacity(result.terms.count)
            for term in result.terms {
                if let last = merged.last, last.variable == term.variable {
                    merged[merged.count - 1].coefficient += term.coefficient
                } else {
                    merged.append(term)
                }
            }
            result.terms = merged
        }
        result.terms.removeAll { $0.coefficient == 0 }
        for term in result.terms {
            let size = abs(term.coefficient)
            guard size <= Solver.largestCoefficient, size >= Solver.smallestCoefficient else {
                throw .outOfRange(term.coefficient, in: .stated(constraint))
            }
        }
        guard !result.terms.isEmpty else { throw .noVariables(constraint) }
        return result
    }

    static func checkWeight(_ weight: Double, _ name: @autoclosure () -> ConstraintName) throws(SolverError) {
        guard weight.isFinite else { throw .notFinite(weight, in: name()) }
        guard weight >= 0.001, weight <= 1e6 else { throw .outOfRange(weight, in: name()) }
    }

    /// Inserts a constraint into the tableau.
    mutating func install(_ index: Int) -> Tableau.Change {
        let count = constraints[index].constraint.terms.count
        entries.removeAll()
        entries.reserve(count)
        for place in 0..<count {
            let term = constraints[index].constraint.terms[place]
            entries.appendWithinCapacity(
                Entry(symbol: variables[Int(term.variable.index)].symbol, value: term.coefficient)
            )
        }
        tableau.resetBudget()
        let change = tableau.insert(
            UnsafeBufferPointer(start: entries.base, count: count),
            constraints[index].constraint.relation,
            constraints[index].constraint.constant,
            constraints[index].constraint.priority,
            constraints[index].constraint.weight,
            owner: Int32(index),
            markers: &constraints[index].markers
        )
        guard case .merged(let leader) = change else { return change }
        follow(leader, index)
        return .done
    }

    mutating func enter(_ index: Int) throws(SolverError) {
        var change = install(index)
        if case .conflict(let certificate) = change, !proves(certificate) {
            // Rounding may have made it up. Should it be none of that, everything gets its former bits again.
            var before = Solver(copying: self)
            if rebuild() { change = install(index) }
            if case .conflict = change { swap(&self, &before) }
        }
        if case .conflict(let certificate) = change { throw unsatisfiable(index, certificate) }
        count(index, inForce: true)
        if case .done = change {
            if finish() { return }
        } else if rebuild() {
            return
        }
        let error = failure(index)
        count(index, inForce: false)
        _ = rebuild()
        throw error
    }

    mutating func leave(_ index: Int) throws(SolverError) {
        count(index, inForce: false)
        tableau.resetBudget()
        if constraints[index].leader >= 0 {
            unfollow(index, weight: constraints[index].constraint.weight)
            if case .settled = tableau.settle(), finish() { return }
        } else {
            guard constraints[index].markers.marker >= 0 else { return }
            let loose = takeApart(index)
            if tableau.isSettled(afterRemoving: &constraints[index].markers), reinstall(loose), finish() { return }
        }
        constraints[index].markers = Markers()
        guard rebuild() else {
            count(index, inForce: true)
            _ = rebuild()
            throw .pivotLimit
        }
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
        let magnitude = tableau.magnitude
        tableau.magnitude = max(magnitude, abs(constant))
        tableau.resetBudget()
        var change = tableau.shift(markers, from: former, to: constant)
        if case .conflict(let certificate) = change, !proves(certificate) {
            constraints[index].constraint.constant = former
            var before = Solver(copying: self)
            if rebuild() {
                constraints[index].constraint.constant = constant
                tableau.resetBudget()
                change = tableau.shift(constraints[index].markers, from: former, to: constant)
            }
            if case .conflict = change { swap(&self, &before) }
        }
        switch change {
        case .done: if !isApart(index) || !finish() { try recover(index, reverting: former) }
        case .conflict(let certificate):
            constraints[index].constraint.constant = former
            tableau.magnitude = magnitude
            throw unsatisfiable(index, certificate)
        case .merged, .exhausted: try recover(index, reverting: former)
        }
    }

    /// Takes apart the groups that a changed constant concerns, and lets their members find new ones.
    ///
    /// - Returns: whether each found its place within the bound on pivots.
    private mutating func isApart(_ index: Int) -> Bool {
        guard !constraints[index].followers.isEmpty || !constraints[index].groups.isEmpty else { return true }
        return reinstall(takeApart(index))
    }

    private mutating func recover(_ index: Int, reverting constant: Double) throws(SolverError) {
        var old = constraints[index].constraint
        old.constant = constant
        try recover(index, reverting: old)
    }

    mutating func forget(_ index: Int) {
        constraints[index].isDefined = false
        constraints[index].constraint.terms = []
        freeConstraints.append(Int32(index))
    }

    private mutating func count(_ index: Int, inForce: Bool) {
        constraints[index].isInForce = inForce
        count += inForce ? 1 : -1
        let terms = constraints[index].constraint.terms.count
        termCount += terms * (inForce ? 1 : -1)
        for place in 0..<terms {
            variables[Int(constraints[index].constraint.terms[place].variable.index)].uses += inForce ? 1 : -1
        }
    }

    /// Whether a conflict is one in the constraints as they were stated, not in what rounding made of them: its sum
    /// leaves no variable.
    func proves(_ certificate: Certificate) -> Bool {
        var sums: [Int32: (left: Double, size: Double)] = [:]
        for member in certificate.members {
            let constraint = constraints[Int(member.owner)].constraint
            let factor = constraint.relation == .greaterThanOrEqual ? -member.multiplier : member.multiplier
            for term in constraint.terms {
                let amount = factor * term.coefficient
                sums[term.variable.index, default: (0, 0)].left += amount
                sums[term.variable.index, default: (0, 0)].size += abs(amount)
            }
        }
        return sums.values.allSatisfy { abs($0.left) <= $0.size * Tolerance.certificate }
    }

    func unsatisfiable(_ index: Int, _ certificate: Certificate) -> SolverError {
        var ids = certificate.members.map { id(Int($0.owner)) }
        let own = id(index)
        if !ids.contains(own) { ids.append(own) }
        return .unsatisfiable(own, conflicting: ids)
    }
}
