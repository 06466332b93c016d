extension Tableau {
    /// Adds `factor` times the row `source` to the row `target`, without the symbol `eliminated`, which the source
    /// stands for. Both are sorted and merged linearly.
    mutating func merge(into target: Int32, factor: Double, source: Int32, eliminating eliminated: Int32) {
        changeStructure()
        let isDefinition = isDefinition(target)
        if isDefinition { structure += 1 }
        let left = rows[target].entries
        let right = rows[source].entries
        let leftCount = Int(rows[target].count)
        let rightCount = Int(rows[source].count)
        scratch.reserve(leftCount &+ rightCount, from: &entryPool)
        let result = scratch.entries
        var i = 0
        var j = 0
        var count = 0
        while i < leftCount, j < rightCount {
            let leftSymbol = left[i].symbol
            let rightSymbol = right[j].symbol
            if leftSymbol < rightSymbol {
                if leftSymbol != eliminated {
                    result[count] = left[i]
                    count &+= 1
                }
                i &+= 1
            } else if leftSymbol > rightSymbol {
                fill(&count, result, right[j], factor, target, isDefinition)
                j &+= 1
            } else {
                let value = Tableau.sum(left[i].value, factor * right[j].value)
                if abs(value) > Tolerance.absoluteDrop {
                    result[count] = Entry(symbol: leftSymbol, value: value)
                    count &+= 1
                }
                i &+= 1
                j &+= 1
            }
        }
        while i < leftCount {
            if left[i].symbol != eliminated {
                result[count] = left[i]
                count &+= 1
            }
            i &+= 1
        }
        while j < rightCount {
            fill(&count, result, right[j], factor, target, isDefinition)
            j &+= 1
        }
        effort &+= count
        scratch.count = Int32(truncatingIfNeeded: count)
        scratch.basic = rows[target].basic
        scratch.stamp = rows[target].stamp
        scratch.constant = rows[target].constant + factor * rows[source].constant
        if abs(scratch.constant) > Tolerance.growth * magnitude { isSuspect = true }
        swap(&rows[target], &scratch)
    }

    /// Appends a multiple of an entry that the target lacked.
    @inline(__always)
    private mutating func fill(
        _ count: inout Int,
        _ result: UnsafeMutablePointer<Entry>,
        _ entry: Entry,
        _ factor: Double,
        _ target: Int32,
        _ isDefinition: Bool
    ) {
        let value = factor * entry.value
        guard abs(value) > Tolerance.absoluteDrop else { return }
        result[count] = Entry(symbol: entry.symbol, value: value)
        count &+= 1
        if isDefinition { noteUse(entry.symbol, target) } else { noteColumn(entry.symbol, target) }
    }

    /// Solves a row for one of its symbols: the symbol becomes the row's basic one, the old basic an entry.
    mutating func solve(_ row: Int32, for entering: Int32) {
        let place = rows[row].find(entering)
        assert(place >= 0)
        let leaving = rows[row].basic
        changeStructure()
        if symbols[entering].kind == .variable || symbols[leaving].kind == .variable { structure += 1 }
        let entries = rows[row].entries
        let inverse = 1 / entries[place].value
        let constant = rows[row].constant * -inverse
        rows[row].constant = constant
        // The leaving symbol takes the place of the entering one, then moves to its own; all others are scaled on the way.
        let count = Int(rows[row].count)
        var largest = 0.0
        for index in 0..<count {
            let value = entries[index].value * -inverse
            entries[index].value = value
            if index != place { largest = max(largest, abs(value)) }
        }
        var hole = place
        while hole > 0, entries[hole &- 1].symbol > leaving {
            entries[hole] = entries[hole &- 1]
            hole &-= 1
        }
        while hole &+ 1 < count, entries[hole &+ 1].symbol < leaving {
            entries[hole] = entries[hole &+ 1]
            hole &+= 1
        }
        entries[hole] = Entry(symbol: leaving, value: inverse)
        if largest > Tolerance.growth || abs(constant) > Tolerance.growth * magnitude { isSuspect = true }
        rows[row].basic = entering
        symbols[leaving].row = -1
        symbols[entering].row = row
    }

    /// Makes a nonbasic symbol basic in a restricted row; the row's basic symbol leaves.
    mutating func pivot(entering: Int32, row: Int32) {
        gatherColumn(entering)
        pivotGathered(entering: entering, row: row)
    }

    /// The same when the entering symbol's column was gathered already.
    mutating func pivotGathered(entering: Int32, row: Int32) {
        pivots &+= 1
        budget &-= 1
        let leaving = rows[row].basic
        // The cost of a dummy is not kept, since it never enters to lower the objective.
        if symbols[entering].kind == .dummy { recomputeCost(entering) }
        if isRecording { save(row) }
        solve(row, for: entering)
        touch(entering)
        touch(leaving)
        // Until now no restricted row but its own held the leaving symbol.
        columns[leaving].count = 0
        noteColumn(leaving, row)
        for index in 0..<holders.count {
            let other = holders[index].row
            guard other != row else { continue }
            let before = rows[other].constant
            if isRecording { save(other) }
            merge(into: other, factor: holders[index].value, source: row, eliminating: entering)
            if rows[other].constant != before { touch(rows[other].basic) }
            checkFeasible(other)
        }
        columns[entering].count = 0
        substituteInObjective(entering, row: row)
        checkFeasible(row)
    }

    /// Replaces a symbol that became basic by its row in the objective.
    private mutating func substituteInObjective(_ symbol: Int32, row: Int32) {
        let start = Int(symbol) &* stride
        var low = 0
        var high = ranks.count
        while low < high, costs[start &+ low] == 0 { low &+= 1 }
        while high > low, costs[start &+ high &- 1] == 0 { high &-= 1 }
        guard low < high else { return }
        if isRecording {
            saveCosts(symbol)
            for index in 0..<Int(rows[row].count) where symbols[rows[row].entries[index].symbol].kind != .dummy {
                saveCosts(rows[row].entries[index].symbol)
            }
        }
        let entries = rows[row].entries
        let base = costs.base
        let all = symbols.base
        let levels = ranks.count
        let stride = stride
        let first = base[start &+ low]
        for index in 0..<Int(rows[row].count) {
            let other = Int(entries[index].symbol)
            guard all[other].kind != .dummy else { continue }
            let factor = entries[index].value
            let target = base + other &* stride
            target[low] = Tableau.sum(target[low], factor * first)
            var place = low &+ 1
            while place < high {
                target[place] = Tableau.sum(target[place], factor * base[start &+ place])
                place &+= 1
            }
            guard Tableau.isNegative(target, levels), !all[other].isCandidate else { continue }
            all[other].isCandidate = true
            candidates.append(Int32(truncatingIfNeeded: other))
        }
        for place in low..<high { costs[start &+ place] = 0 }
    }
}
