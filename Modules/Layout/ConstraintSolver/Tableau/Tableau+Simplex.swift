/// Pivots, and the primal and dual simplex methods that choose them.
extension Tableau {
    // MARK: - Pivots

    /// Makes a nonbasic symbol basic in a restricted row, whose basic symbol becomes nonbasic.
    mutating func pivot(entering: Int32, row: Int32) {
        store.gatherColumn(entering)
        pivotGathered(entering: entering, row: row)
    }

    /// Pivots where the entering symbol's column was gathered already.
    mutating func pivotGathered(entering: Int32, row: Int32) {
        pivots &+= 1
        budget &-= 1
        let leaving = store.rows[row].basic
        // The cost of a dummy is not maintained.
        if store.symbols[entering].kind == .dummy { objective.recomputeCost(entering, &store) }
        if log.isRecording { log.save(row, &store) }
        invalidateRays()
        store.solve(row, for: entering)
        touch(entering)
        touch(leaving)
        // Until now no restricted row but this one held the leaving symbol.
        store.clearColumn(leaving)
        store.noteColumn(leaving, row)
        for index in 0..<store.holders.count {
            let other = store.holders[index].row
            guard other != row else { continue }
            let before = store.rows[other].constant
            if log.isRecording { log.save(other, &store) }
            store.merge(into: other, factor: store.holders[index].value, source: row, eliminating: entering)
            if store.rows[other].constant != before { touch(store.rows[other].basic) }
            checkFeasible(other)
        }
        store.clearColumn(entering)
        objective.substitute(entering, row: row, &store, &log)
        checkFeasible(row)
    }

    /// Exchanges the basic symbol of a preference and its partner. Both represent the same expression with opposite
    /// signs, so that no other row holds the partner and this row only changes its sign: the result is that of a pivot,
    /// to the bit, at a lower cost.
    private mutating func flip(_ row: Int32) {
        let leaving = store.rows[row].basic
        let entering = store.symbols[leaving].partner
        let place = store.rows[row].find(entering)
        if store.columns[entering].count > 1 || store.rows[row].entries[place].value != 1 {
            store.gatherColumn(entering)
            guard store.holders.count == 1, store.holders[0].value == 1 else {
                pivotGathered(entering: entering, row: row)
                return
            }
        }
        pivots &+= 1
        budget &-= 1
        if log.isRecording { log.save(row, &store) }
        invalidateRays()
        store.negate(row, at: place, entering: entering)
        touch(entering)
        touch(leaving)
        store.clearColumn(leaving)
        store.noteColumn(leaving, row)
        store.clearColumn(entering)
        objective.substitute(entering, row: row, &store, &log)
        checkFeasible(row)
    }

    // MARK: - The primal simplex

    /// Optimizes, then repairs rows that rounding made infeasible, until neither is necessary.
    mutating func settle() -> Outcome {
        while true {
            switch optimize() {
            case .settled: break
            case let other: return other
            }
            if infeasible.isEmpty { return .settled }
            switch makeFeasible() {
            case .settled: break
            case let other: return other
            }
            if objective.isSettled { return .settled }
        }
    }

    /// Lowers the objective of a feasible tableau until no candidate is left.
    ///
    /// Where coefficients have lost many digits, the remainder of a reduced cost that should be zero can hide a candidate, or
    /// lead to another basis from which a true cost of a lower priority leads back, without end and with steps that are not
    /// degenerate. So costs are computed anew before a doubtful result is accepted, and only those that are certainly no
    /// rounding count then, and after half of the pivots that are allowed, which hardly any system takes.
    private mutating func optimize() -> Outcome {
        let patience = budget / 2
        var isCertain = false
        var degenerate = 0
        while true {
            let isCautious = degenerate >= Tolerance.degenerateSteps
            let entering = objective.chooseCandidate(byLowestID: isCautious, &store)
            guard entering >= 0 else {
                guard objective.isDoubtful else { return .settled }
                objective.recomputeCosts(&store)
                isCertain = true
                continue
            }
            store.gatherColumn(entering)
            objective.recomputeCost(entering, &store)
            if isCertain || budget < patience { objective.dropCosts(of: entering, below: Tolerance.certainCost) }
            guard objective.isNegative(entering) else { continue }
            guard budget > 0 else { return .exhausted }
            let (row, step) = leavingRow(entering, byLowestID: isCautious)
            guard row >= 0 else {
                // The objective is bounded by zero, so only rounding can lead here.
                isDoubtful = true
                objective.clearCost(entering)
                continue
            }
            degenerate = step < Tolerance.degenerateStep ? degenerate + 1 : 0
            pivotGathered(entering: entering, row: row)
        }
    }

    /// The ratio test: finds the row whose basic symbol first reaches its bound as the entering symbol rises. Among rows
    /// that reach it together the one with the largest coefficient leaves, which limits rounding, or, to end a cycle, the
    /// one with the lowest id. The entering symbol's column must have been gathered.
    private mutating func leavingRow(_ entering: Int32, byLowestID: Bool) -> (row: Int32, step: Double) {
        var best: Int32 = -1
        var bestSize = 0.0
        var shortest = Double.infinity
        for index in 0..<store.holders.count {
            let row = store.holders[index].row
            let coefficient = store.holders[index].value
            let isDummy = store.symbols[store.rows[row].basic].kind == .dummy
            guard coefficient < -Tolerance.pivot || isDummy && coefficient > Tolerance.pivot else { continue }
            let size = abs(coefficient)
            let step = isDummy ? 0 : max(0, store.rows[row].constant / size)
            let difference = step - shortest
            let isTie = best >= 0 && abs(difference) * min(size, bestSize) <= Tolerance.degenerateStep
            if !isTie {
                guard difference < 0 else { continue }
            } else if byLowestID || size == bestSize {
                guard store.rows[row].basic < store.rows[best].basic else { continue }
            } else {
                guard size > bestSize else { continue }
            }
            shortest = step
            bestSize = size
            best = row
        }
        return (best, shortest)
    }

    // MARK: - The dual simplex

    /// Makes the listed rows feasible while the objective stays optimal.
    mutating func makeFeasible() -> Outcome {
        var degenerate = 0
        while let row = nextInfeasible(byLowestID: degenerate >= Tolerance.degenerateSteps) {
            let direction = store.repairDirection(row)
            let isCautious = degenerate >= Tolerance.degenerateSteps
            let entering = enteringSymbol(row, direction: direction, byLowestID: isCautious)
            if entering < 0 {
                if abs(store.rows[row].constant) <= store.feasibility * Tolerance.conflictFactor {
                    // Rounding left a violation that is far below what is visible.
                    store.rows[row].constant = 0
                    continue
                }
                return .conflict(row: row)
            }
            guard budget > 0 else { return .exhausted }
            degenerate = objective.hasCost(entering) ? 0 : degenerate &+ 1
            if store.symbols[store.rows[row].basic].partner == entering {
                flip(row)
            } else {
                pivot(entering: entering, row: row)
            }
        }
        return .settled
    }

    /// Removes from the list a row that is still infeasible: the last one, or, to end a cycle, the one with the lowest
    /// basic id.
    private mutating func nextInfeasible(byLowestID: Bool) -> Int32? {
        if !byLowestID {
            while let row = infeasible.popLast() {
                if store.isRestricted(row), store.repairDirection(row) != 0 { return row }
            }
            return nil
        }
        var best: Int32 = -1
        var count = 0
        for index in 0..<infeasible.count {
            let row = infeasible[index]
            guard store.isRestricted(row), store.repairDirection(row) != 0 else { continue }
            infeasible[count] = row
            count += 1
            if best < 0 || store.rows[row].basic < store.rows[best].basic { best = row }
        }
        infeasible.truncate(to: count)
        return best < 0 ? nil : best
    }

    /// The ratio test of the dual simplex: finds the symbol of the row whose reduced cost first reaches zero. Among those
    /// that reach it together the one with the largest coefficient enters, or, to end a cycle, the one with the lowest id.
    ///
    /// - Parameters:
    ///   - row: the row to repair.
    ///   - direction: 1 when its basic symbol must rise, -1 when it must fall.
    ///   - byLowestID: how ties are broken.
    /// - Returns: the symbol, or -1 when none can repair the row.
    mutating func enteringSymbol(_ row: Int32, direction: Double, byLowestID: Bool = false) -> Int32 {
        let symbols = store.symbols.base
        let costs = objective.costs.base
        let stride = objective.stride
        let levels = objective.levels.count
        var best = -1
        var bestValue = 0.0
        var entry = store.rows[row].entries
        let end = entry + Int(store.rows[row].count)
        while entry < end {
            let value = direction * entry.pointee.value
            let symbol = Int(entry.pointee.symbol)
            entry += 1
            if value <= Tolerance.pivot || symbols[symbol].kind == .dummy { continue }
            if best >= 0 {
                // The lexicographic comparison of the reduced costs, each divided by its coefficient.
                let left = costs + symbol &* stride
                let right = costs + best &* stride
                var order = 0.0
                var place = 0
                while place < levels {
                    if left[place] != 0 || right[place] != 0 {
                        let difference = left[place] / value - right[place] / bestValue
                        if abs(difference) > Tolerance.cost {
                            order = difference
                            break
                        }
                    }
                    place &+= 1
                }
                if order > 0 || order == 0 && (byLowestID || value <= bestValue) { continue }
            }
            best = symbol
            bestValue = value
        }
        return Int32(truncatingIfNeeded: best)
    }
}
