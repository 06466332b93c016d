// The solver's core is in this file. The extensions in other files are separate capabilities: `Solver+Changes.swift` changes
// active constraints, `Solver+Values.swift` reads, `Solver+Recovery.swift` handles transactions and rounding, and
// `Ambiguity.swift` diagnoses.

/// An incremental solver of linear constraints with strict priorities.
///
/// Constraints are added and removed, constants change and values are suggested one at a time. Each call leaves the solver
/// at an optimum: every required constraint holds, and the summed, weighted violation of each lower priority is the least
/// that the higher ones allow, from the highest priority down. A call that throws changes nothing; one that throws because
/// of a conflict leaves every value with the bits it had.
///
/// Every call ends: it may make 1,000 pivots and eight for each row and symbol of the tableau. If it needs more, the
/// tableau is rebuilt, each constraint with the same limit; if that does not suffice either, the call is reverted and
/// throws ``SolverError/pivotLimit``. Reverting a required constraint restores every bit; reverting a preference, or a
/// removal, may require a rebuild of the former system, whose values are then as good as before, though not the same
/// where several are. Numbers have limits too: ``largestConstant``, ``largestCoefficient``, ``smallestCoefficient``; and
/// if coefficients of one constraint differ by more than a factor of 1e8, the smaller one may be lost to rounding. So may the
/// product of coefficients of constraints that depend on each other: where a preference improves by less than 1e-8 for each unit
/// by which a variable or a slack changes, it stays as it is, and the order of the calls decides how well it is satisfied. Three
/// constraints with coefficients of 0.001 and 1000 are enough for that.
///
/// The same calls produce the same bits, on every run. Values are exact to about 1e-9 for constants up to a thousand; a
/// check of all residuals, spread over the work done, corrects accumulated rounding errors (iterative refinement) or
/// rebuilds the tableau. Memory is proportional to the active constraints, too: the tableau is rebuilt when its rows take
/// much more than they need.
///
/// This file has the operations; changes of a constraint, values, recovery from errors and ambiguity have a file each.
///
///     var solver = Solver()
///     let left = solver.makeVariable(), right = solver.makeVariable()
///     try solver.add(LinearConstraint([Term(right), Term(left, -1)], .greaterThanOrEqual, 10))
///     try solver.add(LinearConstraint([Term(left)], .equal, 5, priority: Priority(500)))
///     solver.value(of: left)     // 5
///     solver.value(of: right)    // 15 or more
public struct Solver: ~Copyable {
    /// The largest magnitude of a constant or a suggested value: 1e9; less in proportion if coefficients are below 1/16.
    public static let largestConstant = 1e9
    /// The largest magnitude of a coefficient: 1e6.
    public static let largestCoefficient = 1e6
    /// The smallest magnitude of a coefficient other than zero: 1e-6.
    public static let smallestCoefficient = 1e-6

    var tableau = Tableau()
    var variables = VariableTable()
    var constraints = ConstraintTable()
    /// The number of times the tableau was rebuilt because rounding accumulated, its rows took too much memory, or a limit was
    /// reached.
    public internal(set) var rebuilds = 0
    /// The residuals at which the tableau is rebuilt, as a multiple of the usual bound: what the last rebuild achieved.
    var rebuildTolerance = 1.0
    /// The memory of rows for each term at which the tableau is rebuilt, in bytes: at least four times what the last rebuild
    /// achieved.
    var rebuildMemory = Solver.memoryPerTerm
    /// The least memory of rows for which the tableau is rebuilt: 4 MB; less in tests.
    var leastMemory = 4 << 20
    /// The number of times changes were drained.
    var drains = 0
    /// The conflict that the last rebuild met.
    var rebuildConflict: Certificate?
    /// The changes reported last.
    var changes = Buffer<VariableChange>()
    /// The residual of each constraint, while they are corrected.
    var residuals = Buffer<Double>()
    /// The terms of the constraint being inserted.
    private var entries = Buffer<Entry>(capacity: 16)

    /// Creates an empty solver.
    public init() {}

    /// Creates a solver whose later behavior is the same to the bit.
    init(copying other: borrowing Solver) {
        tableau = Tableau(copying: other.tableau)
        variables = other.variables
        constraints = other.constraints
        rebuilds = other.rebuilds
        rebuildTolerance = other.rebuildTolerance
        rebuildMemory = other.rebuildMemory
        leastMemory = other.leastMemory
        drains = other.drains
        residuals = Buffer(copying: other.residuals)
    }

    /// The number of active constraints, including edits.
    public var count: Int { constraints.activeCount }

    /// The number of pivots so far, a measure of effort that does not depend on the machine.
    public var pivots: Int { tableau.pivots }

    // MARK: - Variables

    /// Creates a variable. Until a constraint determines it, its value is 0.
    public mutating func makeVariable() -> Variable {
        let index = variables.insert()
        variables[index].symbol = tableau.makeSymbol(.variable, owner: Int32(index))
        return variables.variable(index)
    }

    /// Removes a variable that no active constraint holds.
    ///
    /// - Throws: ``SolverError/unknownVariable(_:)``, ``SolverError/variableInUse(_:)``.
    public mutating func removeVariable(_ variable: Variable) throws(SolverError) {
        let index = try variables.index(of: variable)
        guard variables[index].uses == 0 else { throw .variableInUse(variable) }
        tableau.removeVariable(variables[index].symbol)
        variables.remove(index)
        if tableau.isDoubtful, !rebuild() { restore() }
    }

    // MARK: - Constraints

    /// Checks a constraint and stores it under an id, without activating it.
    ///
    /// - Parameter constraint: the constraint; terms of the same variable are summed. Without any variable it states a
    ///   fact: `0 == 0` holds, and `0 == 4` is unsatisfiable if required and violated otherwise.
    /// - Returns: the id, valid until ``discard(_:)``.
    /// - Throws: ``SolverError/notFinite(_:in:)``, ``SolverError/outOfRange(_:in:)``, ``SolverError/unknownVariable(_:)``.
    public mutating func define(_ constraint: LinearConstraint) throws(SolverError) -> ConstraintID {
        let normalized = try constraint.normalized(variables)
        let scale = normalized.scale
        if scale > 1 { try normalized.checkScaled(scale, .stated(constraint)) }
        let index = constraints.insert(normalized, scale: scale)
        return constraints.id(index)
    }

    /// Defines a constraint and activates it.
    ///
    /// - Returns: its id.
    /// - Throws: what ``define(_:)`` and ``add(_:)-swift.method`` throw. The id in
    ///   ``SolverError/unsatisfiable(_:conflicting:)`` is no longer valid then.
    @discardableResult
    public mutating func add(_ constraint: LinearConstraint) throws(SolverError) -> ConstraintID {
        let id = try define(constraint)
        do {
            try add(id)
        } catch {
            constraints.remove(Int(id.index))
            throw error
        }
        return id
    }

    /// Activates a defined constraint.
    ///
    /// - Throws: ``SolverError/unsatisfiable(_:conflicting:)`` when it is required and cannot hold,
    ///   ``SolverError/duplicate(_:)`` when it is already active, ``SolverError/unknownConstraint(_:)``,
    ///   ``SolverError/unknownVariable(_:)`` when one of its variables was removed, ``SolverError/pivotLimit``.
    public mutating func add(_ id: ConstraintID) throws(SolverError) {
        let index = try constraints.index(of: id)
        guard !constraints[index].isActive else { throw .duplicate(id) }
        for term in constraints[index].constraint.terms { _ = try variables.index(of: term.variable) }
        try activate(index)
    }

    /// Deactivates a constraint, which remains defined.
    ///
    /// - Throws: ``SolverError/unknownConstraint(_:)`` when it is not active, ``SolverError/ownedByEdit(_:)``,
    ///   ``SolverError/pivotLimit``.
    public mutating func remove(_ id: ConstraintID) throws(SolverError) {
        let index = try constraints.index(of: id)
        try constraints.checkIsNoEdit(index)
        guard constraints[index].isActive else { throw .unknownConstraint(id) }
        try deactivate(index)
    }

    /// Removes a constraint and its id, deactivating it first if necessary.
    ///
    /// - Parameter id: the constraint, whose id is invalid afterwards.
    /// - Throws: ``SolverError/unknownConstraint(_:)``, ``SolverError/ownedByEdit(_:)``, ``SolverError/pivotLimit``.
    public mutating func discard(_ id: ConstraintID) throws(SolverError) {
        let index = try constraints.index(of: id)
        try constraints.checkIsNoEdit(index)
        if constraints[index].isActive { try deactivate(index) }
        constraints.remove(index)
    }

    /// Returns whether a constraint is active.
    public func isActive(_ id: ConstraintID) -> Bool {
        guard let index = try? constraints.index(of: id) else { return false }
        return constraints[index].isActive
    }

    /// Returns a constraint with its terms summed and sorted.
    ///
    /// - Throws: ``SolverError/unknownConstraint(_:)``.
    public func constraint(_ id: ConstraintID) throws(SolverError) -> LinearConstraint {
        constraints[try constraints.index(of: id)].constraint
    }

    // MARK: - Edits

    /// Adds an edit: a preference that a variable equal a suggested value, 0 at first.
    ///
    /// - Parameters:
    ///   - variable: the variable.
    ///   - priority: the priority of the suggestion, below required; 1000 makes it a required constraint that
    ///     ``suggest(_:for:)`` may refuse to change.
    /// - Throws: ``SolverError/duplicateEdit(_:)``, ``SolverError/unknownVariable(_:)``,
    ///   ``SolverError/unsatisfiable(_:conflicting:)``, ``SolverError/pivotLimit``.
    public mutating func addEdit(_ variable: Variable, priority: Priority) throws(SolverError) {
        let index = try variables.index(of: variable)
        guard variables[index].edit < 0 else { throw .duplicateEdit(variable) }
        let id = try add(LinearConstraint([Term(variable)], .equal, 0, priority: priority))
        constraints[Int(id.index)].isEdit = true
        variables[index].edit = id.index
    }

    /// Suggests a value for a variable.
    ///
    /// - Parameters:
    ///   - value: the suggested value.
    ///   - variable: a variable with an edit.
    /// - Throws: ``SolverError/noEdit(_:)``, ``SolverError/unknownVariable(_:)``, ``SolverError/notFinite(_:in:)``,
    ///   ``SolverError/outOfRange(_:in:)``, ``SolverError/unsatisfiable(_:conflicting:)``, ``SolverError/pivotLimit``.
    public mutating func suggest(_ value: Double, for variable: Variable) throws(SolverError) {
        let index = try variables.index(of: variable)
        guard variables[index].edit >= 0 else { throw .noEdit(variable) }
        try LinearConstraint.checkConstant(value, .edit(variable))
        try changeConstant(Int(variables[index].edit), value)
    }

    /// Removes a variable's edit.
    ///
    /// - Parameter variable: a variable with an edit.
    /// - Throws: ``SolverError/noEdit(_:)``, ``SolverError/unknownVariable(_:)``, ``SolverError/pivotLimit``.
    public mutating func removeEdit(_ variable: Variable) throws(SolverError) {
        let index = try variables.index(of: variable)
        guard variables[index].edit >= 0 else { throw .noEdit(variable) }
        let edit = Int(variables[index].edit)
        try deactivate(edit)
        constraints.remove(edit)
        variables[index].edit = -1
    }

    /// Returns whether a variable has an edit.
    public func hasEdit(_ variable: Variable) -> Bool {
        guard let index = try? variables.index(of: variable) else { return false }
        return variables[index].edit >= 0
    }

    // MARK: - Activation

    /// Inserts a constraint into the tableau.
    mutating func install(_ index: Int) -> Tableau.Change {
        let count = constraints[index].constraint.terms.count
        let scale = constraints[index].scale
        entries.removeAll()
        entries.reserve(count)
        for place in 0..<count {
            let term = constraints[index].constraint.terms[place]
            entries.appendWithinCapacity(
                Entry(symbol: variables[Int(term.variable.index)].symbol, value: term.coefficient * scale)
            )
        }
        tableau.resetBudget()
        let change = tableau.insert(
            UnsafeBufferPointer(start: entries.base, count: count),
            constraints[index].constraint.relation,
            constraints[index].constraint.constant * scale,
            constraints[index].constraint.priority,
            constraints[index].constraint.weight / scale,
            owner: Int32(index),
            markers: &constraints[index].markers
        )
        guard case .merged(let leader) = change else { return change }
        follow(leader, index)
        return .done
    }

    private mutating func activate(_ index: Int) throws(SolverError) {
        var change = install(index)
        if case .conflict(let certificate) = change, !isProof(certificate) {
            // Rounding may have caused it. If it did not, everything gets its former bits again.
            var before = Solver(copying: self)
            if rebuild() { change = install(index) }
            if case .conflict = change { swap(&self, &before) }
        }
        switch change {
        case .conflict(let certificate): throw unsatisfiable(index, certificate)
        case .exhausted where constraints[index].constraint.priority.isRequired:
            return try rebuild(with: index) { $0.constraints.setActive(index, true, &$0.variables) }
        case .done:
            constraints.setActive(index, true, &variables)
            if finish() { return }
        case .merged, .exhausted:
            constraints.setActive(index, true, &variables)
            if rebuild() { return }
        }
        let error = rebuildFailure(index)
        constraints.setActive(index, false, &variables)
        restore()
        throw error
    }

    private mutating func deactivate(_ index: Int) throws(SolverError) {
        constraints.setActive(index, false, &variables)
        tableau.resetBudget()
        if constraints[index].leader >= 0 {
            unfollow(index, weight: constraints[index].constraint.weight)
            if case .settled = tableau.settle(), finish() { return }
        } else {
            guard constraints[index].markers.marker >= 0 else { return }
            let members = dissolveGroups(index)
            if tableau.remove(&constraints[index].markers), reinstall(members), finish() { return }
        }
        constraints[index].markers = Markers()
        guard rebuild() else {
            constraints.setActive(index, true, &variables)
            restore()
            throw .pivotLimit
        }
    }

    func isProof(_ certificate: Certificate) -> Bool {
        certificate.isProof(constraints, feasibility: tableau.store.feasibility)
    }

    func unsatisfiable(_ index: Int, _ certificate: Certificate) -> SolverError {
        var ids = certificate.members.map { constraints.id(Int($0.owner)) }
        let own = constraints.id(index)
        if !ids.contains(own) { ids.append(own) }
        return .unsatisfiable(own, conflicting: ids)
    }
}
