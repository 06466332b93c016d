/// Transactions, and the recovery from rounding errors and from failed changes.
extension Solver {
    // MARK: - Transactions

    /// Makes several changes as one: all of them, or none.
    ///
    /// When the closure throws, everything is as it was before the call, to the bit: values, constraints, edits, and what
    /// every later operation does. Ids and variables that were created inside are then invalid. Transactions may be nested;
    /// if an inner one throws and the error is caught, the outer one continues.
    ///
    ///     try solver.transaction { solver in
    ///         try solver.add(first)
    ///         try solver.add(second)     // refused: the first is removed, too
    ///     }
    ///
    /// The call copies the system, which costs time and memory in proportion to its size.
    ///
    /// - Parameter body: makes the changes, on the solver that it receives.
    /// - Returns: what the closure returns.
    /// - Throws: what the closure throws.
    @discardableResult
    public mutating func transaction<Result: ~Copyable, Failure: Error>(
        _ body: (inout Solver) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var before = Solver(copying: self)
        do throws(Failure) {
            return try body(&self)
        } catch {
            let wasDrained = drains != before.drains
            swap(&self, &before)
            // A caller that drained changes inside has seen values that were reverted.
            if wasDrained { reportAll() }
            throw error
        }
    }

    /// Makes the next draining of changes report every variable.
    private mutating func reportAll() {
        tableau.evaluate()
        for variable in variables.records where variable.isAlive {
            guard !tableau.store.symbols[variable.symbol].isReported else { continue }
            tableau.store.symbols[variable.symbol].isReported = true
            tableau.evaluation.changed.append(variable.symbol)
        }
    }

    // MARK: - Rounding

    /// The largest difference between an active constraint and its form in the tableau, including slacks and errors: pure
    /// rounding.
    package mutating func largestResidual() -> Double {
        tableau.evaluate()
        return ResidualReader.read(constraints, variables, tableau.store) { $0.worst() }
    }

    /// The largest residual that is accepted.
    private var drift: Double {
        max(Tolerance.drift, tableau.store.magnitude * Tolerance.relativeFeasibility * 10)
    }

    /// The number of times residuals are corrected before the tableau is rebuilt.
    private static var refinements: Int { 6 }

    /// The usual memory of rows for each term of an active constraint beyond which the tableau is rebuilt, in bytes: four
    /// times what a new tableau takes.
    static var memoryPerTerm: Int { 256 }

    /// Ends an operation: checks residuals if enough work was done since the last check, corrects accumulated
    /// rounding errors, and rebuilds if that does not help or if the rows take much more memory than a new tableau
    /// would. That happens after many constraints were removed: definitions grow where they lose what they refer to.
    /// Returns whether the system is solved; not if it had to be rebuilt and that failed.
    mutating func finish() -> Bool {
        if tableau.store.usedBytes > max(leastMemory, rebuildMemory &* constraints.activeTermCount) {
            tableau.isDoubtful = true
        }
        if tableau.store.isSuspect || tableau.store.mergedEntries > 4 * constraints.activeTermCount {
            let largest = collectResiduals()
            if largest > drift * rebuildTolerance || !refine(from: largest) { tableau.isDoubtful = true }
            tableau.store.mergedEntries = 0
            tableau.store.isSuspect = false
        }
        return !tableau.isDoubtful || rebuild()
    }

    /// Iterative refinement: corrects each constraint's residual by a shift of its right side, as long as that reduces the
    /// largest residual.
    ///
    /// - Parameter first: the largest residual, which was just computed with all others.
    /// - Returns: whether all residuals are small now, and all rows feasible.
    private mutating func refine(from first: Double) -> Bool {
        var before = Double.infinity
        for round in 0..<Solver.refinements {
            let largest = round == 0 ? first : collectResiduals()
            if largest <= drift { break }
            guard largest < before / 2 else { return false }
            before = largest
            for index in constraints.indices where constraints[index].isActive && residuals[index] != 0 {
                tableau.applyShift(constraints[index].markers, by: -residuals[index])
            }
        }
        guard before < .infinity else { return true }
        tableau.resetBudget()
        if case .settled = tableau.makeFeasible(), case .settled = tableau.settle() {
            return collectResiduals() <= drift
        }
        return false
    }

    /// Computes the residual of each active constraint. Returns the largest magnitude.
    private mutating func collectResiduals() -> Double {
        tableau.evaluate()
        let count = constraints.records.count
        if residuals.count < count { residuals.append(repeating: 0, count: count - residuals.count) }
        let place = residuals.base
        return ResidualReader.read(constraints, variables, tableau.store) { $0.collect(place) }
    }

    // MARK: - Rebuilding

    /// Rebuilds the tableau from the active constraints: required ones first, then by index; if that fails, by index
    /// from the last, which makes different pivots. Returns whether every constraint was installed within the limit
    /// on pivots.
    mutating func rebuild() -> Bool {
        if rebuild(isReversed: false) || rebuild(isReversed: true) {
            let largest = collectResiduals()
            rebuildTolerance = max(1, largest / drift * 8)
            rebuildMemory = max(Solver.memoryPerTerm, 4 * tableau.store.usedBytes / max(1, constraints.activeTermCount))
            _ = refine(from: largest)
            tableau.store.mergedEntries = 0
            tableau.store.isSuspect = false
            return true
        }
        // The tableau is incomplete: the next operation tries again.
        tableau.isDoubtful = true
        return false
    }

    private mutating func rebuild(isReversed: Bool) -> Bool {
        rebuilds += 1
        rebuildConflict = nil
        resetTableau()
        var isComplete = true
        for required in [true, false] {
            for place in constraints.indices {
                let index = isReversed ? constraints.records.count - 1 - place : place
                guard constraints[index].isActive, constraints[index].constraint.priority.isRequired == required else {
                    continue
                }
                switch install(index) {
                case .done: break
                case .conflict(let certificate):
                    rebuildConflict = certificate
                    isComplete = false
                case .merged, .exhausted: isComplete = false
                }
            }
        }
        tableau.isDoubtful = false
        return isComplete
    }

    /// Replaces the tableau by an empty one with the same variables, which remember their values.
    private mutating func resetTableau() {
        tableau.evaluate()
        var fresh = Tableau()
        fresh.pivots = tableau.pivots
        fresh.pivotLimit = tableau.pivotLimit
        for index in variables.indices where variables[index].isAlive {
            let former = tableau.store.symbols[variables[index].symbol]
            let symbol = fresh.makeSymbol(.variable, owner: Int32(index))
            fresh.store.symbols[symbol].value = former.value
            if former.isReported {
                fresh.store.symbols[symbol].isReported = true
                fresh.evaluation.changed.append(symbol)
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

    // MARK: - Failed changes

    /// Rebuilds after a change of one constraint that the tableau could not follow, or else without the change.
    mutating func recover(_ index: Int, reverting old: LinearConstraint) throws(SolverError) {
        if rebuild() { return }
        let error = rebuildFailure(index)
        constraints[index].constraint = old
        restore()
        throw error
    }

    /// Rebuilds with a change of a required constraint that the limit on pivots stopped. That left every bit unchanged, and
    /// so does this call if it does not succeed.
    mutating func rebuild(with index: Int, _ change: (inout Solver) -> Void) throws(SolverError) {
        var before = Solver(copying: self)
        change(&self)
        if rebuild() { return }
        let error = rebuildFailure(index)
        swap(&self, &before)
        throw error
    }

    /// Rebuilds the system as it was before a change that failed. The tableau is incomplete at this point, so that a lower
    /// limit than the usual one does not apply.
    mutating func restore() {
        let limit = tableau.pivotLimit
        tableau.pivotLimit = .max
        _ = rebuild()
        tableau.pivotLimit = limit
    }

    /// Returns why rebuilding with a constraint failed.
    func rebuildFailure(_ index: Int) -> SolverError {
        if let rebuildConflict, isProof(rebuildConflict) { return unsatisfiable(index, rebuildConflict) }
        return .pivotLimit
    }
}
