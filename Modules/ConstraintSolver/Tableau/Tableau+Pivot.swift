extension Tableau {
    /// Adds `factor` times the row `source` to the row `target`, without the symbol `eliminated`, which the source
    /// stands for. Both are sorted and merged linearly.
    mutating func merge(into target: Int32, factor: Double, source: Int32, eliminating eliminated: Int32) {
        changeStructure()
        let isDefinition = isDefinition(target)
        if isDefinition { structure += 1 }
        var left = rows[target].entries
        var right = rows[source].entries
        let leftEnd = left + Int(rows[target].count)
        let rightEnd = right + Int(rows[source].count)
        scratch.reserve(Int(rows[target].count &+ rows[source].count), from: &entryPool)
        var result = scratch.entries
        while left < leftEnd, right < rightEnd {
            let symbol = left.pointee.symbol
            if symbol == right.pointee.symbol {
                let value = Tableau.sum(left.pointee.value, factor * right.pointee.value)
                left += 1
                right += 1
                if abs(value) > Tolerance.absoluteDrop {
                    result.pointee = Entry(symbol: symbol, value: value)
                    result += 1
                }
            } else if symbol < right.pointee.symbol {
                if symbol != eliminated {
                    result.pointee = left.pointee
                    result += 1
                }
                left += 1
            } else {
                fill(&result, right.pointee, factor, target, isDefinition)
                right += 1
            }
        }
        while left < leftEnd {
            if left.pointee.symbol != eliminated {
                result.pointee = left.pointee
                result += 1
            }
            left += 1
        }
        while right < rightEnd {
            fill(&result, right.pointee, factor, target, isDefinition)
            right += 1
        }
        let count = result - scratch.entries
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
        _ result: inout UnsafeMutablePointer<Entry>,
        _ entry: Entry,
        _ factor: Double,
        _ target: Int32,
        _ isDefinition: Bool
    ) {
        let value = factor * entry.value
        guard abs(value) > Tolerance.absoluteDrop else { return }
        result.pointee = Entry(symbol: entry.symbol, value: value)
        result += 1
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
        let count = Int(rows[row].count)
        let largest = scale(entries, count, by: -inverse, besides: place)
        replace(entries, count, at: place, by: Entry(symbol: leaving, value: inverse))
        if largest > Tolerance.growth || abs(constant) > Tolerance.growth * magnitude { isSuspect = true }
        rows[row].basic = entering
        symbols[leaving].row = -1
        symbols[entering].row = row
    }

    /// Multiplies entries by a factor.
    ///
    /// - Returns: the largest magnitude then, but for the one at `place`.
    @inline(__always)
    private func scale(
        _ entries: UnsafeMutablePointer<Entry>,
        _ count: Int,
        by factor: Double,
        besides place: Int
    ) -> Double {
        entries[place].value = 0
        var largest = 0.0
        for index in 0..<count {
            let value = entries[index].value * factor
            entries[index].value = value
            largest = max(largest, abs(value))
        }
        return largest
    }

    /// Puts an entry into the place of another one, then moves it to where its symbol stands in order.
    @inline(__always)
    private func replace(
        _ entries: UnsafeMutablePointer<Entry>,
        _ count: Int,
        at place: Int,
        by entry: Entry
    ) {
        var hole = place
        while hole > 0, entries[hole &- 1].symbol > entry.symbol {
            entries[hole] = entries[hole &- 1]
            hole &-= 1
        }
        while hole &+ 1 < count, entries[hole &+ 1].symbol < entry.symbol {
            entries[hole] = entries[hole &+ 1]
            hole &+= 1
        }
        entries[hole] = entry
    }

    /// Lets the basic symbol of a preference and its partner change places. Both stand for the same expression, with
    /// opposite signs, so that no other row holds the partner and this one only changes its sign: what a pivot would do,
    /// to the bit, for less.
    mutating func flip(_ row: Int32) {
        let leaving = rows[row].basic
        let entering = symbols[leaving].partner
        let place = rows[row].find(entering)
        if columns[entering].count > 1 || rows[row].entries[place].value != 1 {
            gatherColumn(entering)
            guard holders.count == 1, holders[0].value == 1 else {
                pivotGathered(entering: entering, row: row)
                return
            }
        }
        pivots &+= 1
        budget &-= 1
        if isRecording { save(row) }
        changeStructure()
        let entries = rows[row].entries
        let count = Int(rows[row].count)
        for index in 0..<count { entries[index].value = -entries[index].value }
        replace(entries, count, at: place, by: Entry(symbol: leaving, value: 1))
        rows[row].constant = -rows[row].constant
        rows[row].basic = entering
        symbols[leaving].row = -1
        symbols[entering].row = row
        touch(entering)
        touch(leaving)
        columns[leaving].count = 0
        noteColumn(leaving, row)
        columns[entering].count = 0
        substituteInObjective(entering, row: row)
        checkFeasible(row)
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
        if low &+ 1 == high {
            substituteInLevel(low, symbol, row)
        } else {
            substituteInLevels(low, high, symbol, row)
        }
    }

    /// The same for a symbol that has a reduced cost in one level only.
    private mutating func substituteInLevel(_ level: Int, _ symbol: Int32, _ row: Int32) {
        let stride = stride
        let costs = costs.base + level
        let all = symbols.base
        let first = costs[Int(symbol) &* stride]
        var entry = rows[row].entries
        let end = entry + Int(rows[row].count)
        while entry < end {
            let other = Int(entry.pointee.symbol)
            let amount = entry.pointee.value * first
            entry += 1
            if all[other].kind == .dummy { continue }
            let target = costs + other &* stride
            let cost = Tableau.sum(target.pointee, amount)
            target.pointee = cost
            // What did not fall, or is above zero still, is no candidate unless it was one already.
            if amount < 0, cost <= Tolerance.cost { noteCandidate(Int32(truncatingIfNeeded: other)) }
        }
        costs[Int(symbol) &* stride] = 0
    }

    private mutating func substituteInLevels(_ low: Int, _ high: Int, _ symbol: Int32, _ row: Int32) {
        let stride = stride
        let costs = costs.base
        let all = symbols.base
        let levels = ranks.count
        let own = costs + Int(symbol) &* stride
        var entry = rows[row].entries
        let end = entry + Int(rows[row].count)
        while entry < end {
            let other = Int(entry.pointee.symbol)
            let factor = entry.pointee.value
            entry += 1
            if all[other].kind == .dummy { continue }
            let target = costs + other &* stride
            var place = low
            while place < high {
                target[place] = Tableau.sum(target[place], factor * own[place])
                place &+= 1
            }
            guard Tableau.isNegative(target, levels), !all[other].isCandidate else { continue }
            all[other].isCandidate = true
            candidates.append(Int32(truncatingIfNeeded: other))
        }
        var place = low
        while place < high {
            own[place] = 0
            place &+= 1
        }
    }
}
