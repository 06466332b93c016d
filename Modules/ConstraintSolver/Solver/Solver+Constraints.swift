extension Solver {
    /// Checks a constraint and keeps it under an id, not yet in force.
    ///
    /// - Parameter constraint: the constraint; terms of the same variable are summed.
    /// - Returns: the id, valid until ``discard(_:)``.
    /// - Throws: ``SolverError/notFinite(_:in:)``, ``SolverError/outOfRange(_:in:)``, ``SolverError/noVariables(_:)``,
    ///   ``SolverError/unknownVariable(_:)``.
    public mutating func define(_ constraint: LinearConstraint) throws(SolverError) -> ConstraintID {
        let checked = try normalized(constraint)
        let scale = Solver.scale(checked.terms)
        if scale > 1 { try Solver.checkScaled(checked, scale, .stated(constraint)) }
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
        constraints[index].scale = scale
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
    /// - Throws: ``SolverError/unknownConstraint(_:)`` when it is not in force, ``SolverError/ownedByEdit(_:)``,
    ///   ``SolverError/pivotLimit``.
    public mutating func remove(_ id: ConstraintID) throws(SolverError) {
        let index = try checked(id)
        try checkOwn(index)
        guard constraints[index].isInForce else { throw .unknownConstraint(id) }
        try leave(index)
    }

    /// Forgets a constraint, taking it out of force first where needed.
    ///
    /// - Parameter id: the constraint, which means nothing afterwards.
    /// - Throws: ``SolverError/unknownConstraint(_:)``, ``SolverError/ownedByEdit(_:)``, ``SolverError/pivotLimit``.
    public mutating func discard(_ id: ConstraintID) throws(SolverError) {
        let index = try checked(id)
        try checkOwn(index)
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

    /// Checks that a constraint goes by its id, as those of edits do not.
    private mutating func checkOwn(_ index: Int) throws(SolverError) {
        guard constraints[index].isEdit, let term = constraints[index].constraint.terms.first else { return }
        throw .ownedByEdit(term.variable)
    }

    mutating func forget(_ index: Int) {
        constraints[index].isDefined = false
        constraints[index].constraint.terms = []
        freeConstraints.append(Int32(index))
    }
}
