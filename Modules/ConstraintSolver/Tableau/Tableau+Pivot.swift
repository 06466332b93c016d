extension Tableau {
    /// Adds `factor` times the row `source` to the row `target`, without the symbol `eliminated`, which the source
    /// stands for. Both are sorted and merged linearly.
    mutating func merge(into target: Int32, factor: Double, source: Int32, eliminating eliminated: Int32) {
        let isDefinition = isDefinition(target)
        if isDefinition { structure += 1 }
        let left = rows[target]
        let right = rows[source]
        let leftCount = Int(left.count)
        let rightCount = Int(right.count)
        scratch.reserve(leftCount + rightCount)
        let result = scratch.entries
        var i = 0
        var j = 0
        var count = 0
        while i < leftCount || j < rightCount {
            let leftSymbol = i < leftCount ? left.entries[i].symbol : Int32.max
            let rightSymbol = j < rightCount ? right.entries[j].symbol : Int32.max
            if leftSymbol < rightSymbol {
                if leftSymbol != eliminated {
                    result[count] = left.entries[i]
                    count += 1
                }
                i += 1
            } else if leftSymbol > rightSymbol {
                let value = factor * right.entries[j].value
                if abs(value) > Tolerance.absoluteDrop {
                    result[count] = Entry(symbol: rightSymbol, value: value)
                    count += 1
                    if isDefinition { noteUse(rightSymbol, target) } else { noteColumn(rightSymbol, target) }
                }
                j += 1
            } else {
                let value = Tableau.sum(left.entries[i].value, factor * right.entries[j].value)
                if abs(value) > Tolerance.absoluteDrop {
                    result[count] = Entry(symbol: leftSymbol, value: value)
                    count += 1
                }
                i += 1
                j += 1
            }
        }
        effort += count
        scratch.count = Int32(count)
        scratch.basic = left.basic
        scratch.stamp = rows[target].stamp
        scratch.constant = left.constant + factor * right.constant
        if abs(scratch.constant) > Tolerance.growth * magnitude { isSuspect = true }
        swap(&rows[target], &scratch)
    }

    /// Solves a row for one of its symbols: the symbol becomes the row's basic one, the old basic an entry.
    mutating func solve(_ row: Int32, for entering: Int32) {
        let place = rows[row].find(entering)
        assert(place >= 0)
        let leaving = rows[row].basic
        if symbols[entering].kind == .variable || symbols[leaving].kind == .variable { structure += 1 }
        let inverse = 1 / rows[row].entries[place].value
        rows[row].remove(at: place)
        let entries = rows[row].entries
        rows[row].constant *= -inverse
        var largest = 0.0
        for index in 0..<Int(rows[row].count) {
            entries[index].value *= -inverse
            largest = max(largest, abs(entries[index].value))
        }
        if largest > Tolerance.growth || abs(rows[row].constant) > Tolerance.growth * magnitude { isSuspect = true }
        rows[row].insert(leaving, inverse)
        rows[row].basic = entering
        symbols[leaving].row = -1
        symbols[entering].row = row
    }

    /// Makes a nonbasic symbol basic in a restricted row; the row's basic symbol leaves.
    mutating func pivot(entering: Int32, row: Int32) {
        pivots += 1
        budget -= 1
        let leaving = rows[row].basic
        refreshColumn(entering)
        if isRecording { save(row) }
        solve(row, for: entering)
        touch(entering)
        touch(leaving)
        // Until now no restricted row but its own held the leaving symbol.
        columns[leaving].count = 0
        columns[leaving].append(row)
        let column = columns[entering]
        for index in 0..<Int(column.count) {
            let other = column.rows[index]
            guard other != row else { continue }
            let factor = rows[other].entries[rows[other].find(entering)].value
            let before = rows[other].constant
            if isRecording { save(other) }
            merge(into: other, factor: factor, source: row, eliminating: entering)
            if rows[other].constant != before { touch(rows[other].basic) }
            checkFeasible(other)
        }
        columns[entering].count = 0
        substituteInObjective(entering, row: row)
        checkFeasible(row)
    }

    /// Replaces a symbol that became basic by its row in the objective.
    private mutating func substituteInObjective(_ symbol: Int32, row: Int32) {
        let start = Int(symbol) * stride
        var low = 0
        var high = ranks.count
        while low < high, costs[start + low] == 0 { low += 1 }
        while high > low, costs[start + high - 1] == 0 { high -= 1 }
        guard low < high else { return }
        let entries = rows[row].entries
        let base = costs.base
        if isRecording { saveCosts(symbol) }
        for index in 0..<Int(rows[row].count) {
            let other = entries[index].symbol
            if isRecording { saveCosts(other) }
            let factor = entries[index].value
            let target = Int(other) * stride
            for place in low..<high {
                base[target + place] = Tableau.sum(base[target + place], factor * base[start + place])
            }
            noteCandidate(other)
        }
        for place in low..<high { base[start + place] = 0 }
    }
}
