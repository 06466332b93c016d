extension Tableau {
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
        if scale(entries, count, by: -1, besides: place) > Tolerance.growth { isSuspect = true }
        if abs(rows[row].constant) > Tolerance.growth * magnitude { isSuspect = true }
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
}
