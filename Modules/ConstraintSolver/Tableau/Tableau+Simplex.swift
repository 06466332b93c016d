extension Tableau {
    /// How a run of the simplex ended.
    enum Outcome {
        /// Feasible, and optimal where that was asked.
        case settled
        /// The row cannot be made feasible: the constraints whose markers it holds exclude each other.
        case conflict(row: Int32)
        /// The bound on pivots was reached.
        case exhausted
    }

    /// Sets the bound on pivots for the operation that begins.
    mutating func resetBudget() {
        budget = min(pivotLimit, 1000 + 8 * (rows.count + symbols.count))
    }

    // MARK: - The primal simplex

    /// Lowers the objective from a feasible tableau until no candidate is left.
    mutating func optimize() -> Outcome {
        var degenerate = 0
        while true {
            let isCautious = degenerate >= Tolerance.degenerateSteps
            let entering = chooseCandidate(byLowestID: isCautious)
            guard entering >= 0 else { return .settled }
            gatherColumn(entering)
            recomputeCost(entering)
            guard isNegative(entering) else { continue }
            guard budget > 0 else { return .exhausted }
            let (row, step) = leavingRow(entering, byLowestID: isCautious)
            guard row >= 0 else {
                // The objective is bounded by zero, so only rounding can bring us here.
                isDoubtful = true
                clearCost(entering)
                continue
            }
            degenerate = step < Tolerance.degenerateStep ? degenerate + 1 : 0
            pivotGathered(entering: entering, row: row)
        }
    }

    /// The candidate with the lowest reduced cost, or with the lowest id; ties go to the lowest id.
    private mutating func chooseCandidate(byLowestID: Bool) -> Int32 {
        var best: Int32 = -1
        var index = 0
        var count = candidates.count
        while index < count {
            let symbol = candidates[index]
            if symbols[symbol].isFree || symbols[symbol].row >= 0 || symbols[symbol].kind == .dummy
                || !isNegative(symbol)
            {
                symbols[symbol].isCandidate = false
                count -= 1
                candidates[index] = candidates[count]
                continue
            }
            if best < 0 {
                best = symbol
            } else if byLowestID {
                best = min(best, symbol)
            } else if isLess(symbol, over: 1, than: best, over: 1) {
                best = symbol
            } else if symbol < best, !isLess(best, over: 1, than: symbol, over: 1) {
                best = symbol
            }
            index += 1
        }
        candidates.truncate(to: count)
        return best
    }

    /// The ratio test: the row whose basic symbol first reaches its bound as the entering one rises. Among rows that
    /// reach it together the one with the largest coefficient leaves, which keeps rounding small, or, to end a cycle,
    /// the one with the lowest id. The entering symbol's column must have been gathered.
    private mutating func leavingRow(_ entering: Int32, byLowestID: Bool) -> (row: Int32, step: Double) {
        var best: Int32 = -1
        var bestSize = 0.0
        var shortest = Double.infinity
        for index in 0..<holders.count {
            let row = holders[index].row
            let coefficient = holders[index].value
            let isDummy = symbols[rows[row].basic].kind == .dummy
            guard coefficient < -Tolerance.pivot || isDummy && coefficient > Tolerance.pivot else { continue }
            let size = abs(coefficient)
            let step = isDummy ? 0 : max(0, rows[row].constant / size)
            let difference = step - shortest
            let isTie = best >= 0 && abs(difference) * min(size, bestSize) <= Tolerance.degenerateStep
            if !isTie {
                guard difference < 0 else { continue }
            } else if byLowestID || size == bestSize {
                guard rows[row].basic < rows[best].basic else { continue }
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
            let direction = repairDirection(row)
            let isCautious = degenerate >= Tolerance.degenerateSteps
            let entering = enteringSymbol(row, direction: direction, byLowestID: isCautious)
            if entering < 0 {
                if abs(rows[row].constant) <= feasibility * Tolerance.conflictFactor {
                    // Rounding left it there: the violation is far below what anybody can see.
                    rows[row].constant = 0
                    continue
                }
                return .conflict(row: row)
            }
            guard budget > 0 else { return .exhausted }
            degenerate = hasCost(entering) ? 0 : degenerate &+ 1
            if symbols[rows[row].basic].partner == entering {
                flip(row)
            } else {
                pivot(entering: entering, row: row)
            }
        }
        return .settled
    }

    /// Takes from the list a row that is still infeasible: the last one, or, to end a cycle, the one of the lowest basic
    /// id.
    private mutating func nextInfeasible(byLowestID: Bool) -> Int32? {
        if !byLowestID {
            while let row = infeasible.popLast() {
                if isRestricted(row), repairDirection(row) != 0 { return row }
            }
            return nil
        }
        var best: Int32 = -1
        var count = 0
        for index in 0..<infeasible.count {
            let row = infeasible[index]
            guard isRestricted(row), repairDirection(row) != 0 else { continue }
            infeasible[count] = row
            count += 1
            if best < 0 || rows[row].basic < rows[best].basic { best = row }
        }
        infeasible.truncate(to: count)
        return best < 0 ? nil : best
    }

    /// Whether a symbol's reduced cost is not zero, so that the objective changes when it enters.
    private mutating func hasCost(_ symbol: Int32) -> Bool {
        let start = Int(symbol) &* stride
        for place in 0..<ranks.count where abs(costs[start &+ place]) > Tolerance.cost { return true }
        return false
    }

    /// The ratio test of the dual simplex: the symbol of the row whose reduced cost first reaches zero. Among those that
    /// reach it together the one with the largest coefficient enters, or, to end a cycle, the one with the lowest id.
    ///
    /// - Parameters:
    ///   - row: the row to repair.
    ///   - direction: 1 when its basic symbol must rise, -1 when it must fall.
    ///   - byLowestID: how ties are broken.
    /// - Returns: the symbol, or -1 when none can repair it.
    mutating func enteringSymbol(_ row: Int32, direction: Double, byLowestID: Bool = false) -> Int32 {
        let symbols = symbols.base
        let costs = costs.base
        let stride = stride
        let levels = ranks.count
        var best = -1
        var bestValue = 0.0
        var entry = rows[row].entries
        let end = entry + Int(rows[row].count)
        while entry < end {
            let value = direction * entry.pointee.value
            let symbol = Int(entry.pointee.symbol)
            entry += 1
            if value <= Tolerance.pivot || symbols[symbol].kind == .dummy { continue }
            if best >= 0 {
                // How the reduced costs, each divided by its coefficient, compare lexicographically.
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

    /// Optimizes, then repairs what rounding made infeasible on the way, until neither finds work.
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
            if candidates.isEmpty { return .settled }
        }
    }
}
