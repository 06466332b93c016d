extension Solver {
    /// Ends an operation: checks residuals when the work since the last check is worth one, corrects what rounding has
    /// added up, and builds anew where that does not help.
    ///
    /// - Returns: whether the system stands; not when it had to be built anew and that failed.
    mutating func finish() -> Bool {
        if tableau.isSuspect || tableau.effort > 4 * termCount {
            let largest = gatherResiduals()
            if largest > drift * rebuildTolerance || !refine(from: largest) { tableau.isDoubtful = true }
            tableau.effort = 0
            tableau.isSuspect = false
        }
        return !tableau.isDoubtful || rebuild()
    }

    /// Iterative refinement: takes each constraint's residual back by a shift of its right side, as long as that makes
    /// the largest residual smaller.
    ///
    /// - Parameter first: the largest residual, which was just gathered with all others.
    /// - Returns: whether all residuals are small now, and all rows feasible.
    mutating func refine(from first: Double) -> Bool {
        var before = Double.infinity
        for round in 0..<Solver.refinements {
            let largest = round == 0 ? first : gatherResiduals()
            if largest <= drift { break }
            guard largest < before / 2 else { return false }
            before = largest
            for index in constraints.indices where constraints[index].isInForce && residuals[index] != 0 {
                tableau.applyShift(constraints[index].markers, by: -residuals[index])
            }
        }
        guard before < .infinity else { return true }
        tableau.resetBudget()
        if case .settled = tableau.makeFeasible(), case .settled = tableau.settle() {
            return gatherResiduals() <= drift
        }
        return false
    }

    /// How often residuals are corrected before the tableau is built anew.
    private static var refinements: Int { 6 }

    /// Computes the residual of each constraint in force.
    ///
    /// - Returns: the largest magnitude.
    private mutating func gatherResiduals() -> Double {
        tableau.evaluate()
        if residuals.count < constraints.count {
            residuals.append(repeating: 0, count: constraints.count - residuals.count)
        }
        let place = residuals.base
        return reading { $0.gather(place) }
    }

    private var drift: Double {
        max(Tolerance.drift, tableau.magnitude * Tolerance.relativeFeasibility * 10)
    }

    /// The largest difference between a constraint in force and what the tableau holds of it, slacks and errors
    /// included: pure rounding.
    package mutating func largestResidual() -> Double {
        tableau.evaluate()
        return reading { $0.worst() }
    }

    /// Builds the tableau anew from the constraints in force: required ones first, then by place; where that fails, by
    /// place from the last, which takes other pivots.
    ///
    /// - Returns: whether every constraint found its place within the bound on pivots.
    mutating func rebuild() -> Bool {
        if build(isReversed: false) || build(isReversed: true) {
            let largest = gatherResiduals()
            rebuildTolerance = max(1, largest / drift * 8)
            _ = refine(from: largest)
            tableau.effort = 0
            tableau.isSuspect = false
            return true
        }
        // What is there is incomplete: the next operation tries again.
        tableau.isDoubtful = true
        return false
    }

    private mutating func build(isReversed: Bool) -> Bool {
        rebuilds += 1
        refusal = nil
        startAnew()
        var isComplete = true
        for required in [true, false] {
            for place in constraints.indices {
                let index = isReversed ? constraints.count - 1 - place : place
                guard constraints[index].isInForce, constraints[index].constraint.priority.isRequired == required else {
                    continue
                }
                switch install(index) {
                case .done: break
                case .conflict(let certificate):
                    refusal = certificate
                    isComplete = false
                case .merged, .exhausted: isComplete = false
                }
            }
        }
        tableau.isDoubtful = false
        return isComplete
    }

    /// Replaces the tableau by an empty one with the same variables, whose values it remembers.
    private mutating func startAnew() {
        tableau.evaluate()
        var fresh = Tableau()
        fresh.pivots = tableau.pivots
        fresh.pivotLimit = tableau.pivotLimit
        for index in variables.indices where variables[index].isAlive {
            let former = tableau.symbols[variables[index].symbol]
            let symbol = fresh.makeSymbol(.variable, owner: Int32(index))
            fresh.symbols[symbol].value = former.value
            if former.isReported {
                fresh.symbols[symbol].isReported = true
                fresh.changed.append(symbol)
            }
            fresh.touch(symbol)
            variables[index].symbol = symbol
        }
        swap(&fresh, &tableau)
        for index in constraints.indices {
            constraints[index].markers = Markers()
            constraints[index].leader = -1
            constraints[index].followers = []
            constraints[index].groups = []
        }
    }

    /// After a change of one constraint that the tableau could not follow: builds anew with the change, or else without
    /// it.
    mutating func recover(_ index: Int, reverting old: LinearConstraint) throws(SolverError) {
        if rebuild() { return }
        let error = failure(index)
        constraints[index].constraint = old
        restore()
        throw error
    }

    /// Builds anew with a change of a required constraint that the bound on pivots stopped, which left every bit as it was;
    /// and so does this where it does not succeed.
    mutating func buildAnew(_ index: Int, _ change: (inout Solver) -> Void) throws(SolverError) {
        var before = Solver(copying: self)
        change(&self)
        if rebuild() { return }
        let error = failure(index)
        swap(&self, &before)
        throw error
    }

    /// Builds the system anew as it stood before a change that failed. What the tableau holds by then is incomplete, so
    /// that no bound lower than the usual one counts here.
    mutating func restore() {
        let limit = tableau.pivotLimit
        tableau.pivotLimit = .max
        _ = rebuild()
        tableau.pivotLimit = limit
    }

    /// Why building anew with a constraint failed.
    func failure(_ index: Int) -> SolverError {
        if let refusal, proves(refusal) { return unsatisfiable(index, refusal) }
        return .pivotLimit
    }
}
