extension Solver {
    /// Ends an operation: checks residuals when enough pivots have passed, and builds anew where rounding has won.
    mutating func finish() {
        if tableau.isSuspect || tableau.pivots - pivotsAtCheck > 16 + count / 16 {
            pivotsAtCheck = tableau.pivots
            tableau.isSuspect = false
            if largestResidual() > drift { tableau.isDoubtful = true }
        }
        if tableau.isDoubtful { _ = rebuild() }
    }

    private var drift: Double {
        max(Tolerance.drift, tableau.magnitude * Tolerance.relativeFeasibility * 10)
    }

    /// The largest difference between a constraint in force and what the tableau holds of it, slacks and errors
    /// included: pure rounding.
    package mutating func largestResidual() -> Double {
        tableau.evaluate()
        var largest = 0.0
        for index in constraints.indices where constraints[index].isInForce {
            let markers = constraints[index].markers
            guard markers.marker >= 0 else { continue }
            var residual = leftSide(index) - constraints[index].constraint.constant
            let marker = tableau.value(markers.marker)
            let other = markers.other >= 0 ? tableau.value(markers.other) : 0
            residual += markers.sign * (marker - other)
            largest = max(largest, abs(residual), -marker, -other)
        }
        return largest
    }

    /// Builds the tableau anew from the constraints in force: required ones first, then by place.
    ///
    /// - Returns: whether every constraint found its place within the bound on pivots.
    mutating func rebuild() -> Bool {
        rebuilds += 1
        tableau.evaluate()
        var fresh = Tableau()
        fresh.pivots = tableau.pivots
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
        for index in constraints.indices { constraints[index].markers = Markers() }
        var isComplete = true
        for required in [true, false] {
            for index in constraints.indices
            where constraints[index].isInForce && constraints[index].constraint.priority.isRequired == required {
                if case .exhausted = install(index) { isComplete = false }
            }
        }
        tableau.isDoubtful = false
        tableau.isSuspect = false
        pivotsAtCheck = tableau.pivots
        return isComplete
    }

    /// After the bound on pivots was reached in a change of one constraint: builds anew with the change, or else
    /// without it.
    mutating func recover(_ index: Int, reverting old: LinearConstraint) throws(SolverError) {
        if rebuild() { return }
        constraints[index].constraint = old
        _ = rebuild()
        throw .pivotLimit
    }
}
