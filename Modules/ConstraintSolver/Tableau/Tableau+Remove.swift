extension Tableau {
    /// Takes a constraint out of force.
    mutating func remove(_ markers: inout Markers) -> Outcome {
        let marker = markers.marker
        let other = markers.other
        dropCost(marker)
        if other >= 0 { dropCost(other) }
        if symbols[marker].row < 0 {
            let row = rowToLeave(marker)
            if row >= 0 { pivot(entering: marker, row: row) }
        }
        let row = symbols[marker].row
        if row >= 0 {
            substituteInDefinitions(marker, row: row)
            symbols[marker].row = -1
            freeRow(row)
        } else {
            releaseDefinition(marker)
        }
        if other >= 0 {
            purge(other)
            freeSymbol(other)
        }
        purge(marker)
        freeSymbol(marker)
        markers.marker = -1
        markers.other = -1
        return settle()
    }

    /// Takes a constraint out of force.
    ///
    /// - Returns: whether the rest settled within the bound on pivots.
    mutating func takeOut(_ markers: inout Markers) -> Bool {
        if case .settled = remove(&markers) { return true }
        return false
    }

    /// The restricted row to pivot a marker into before that row is dropped: one that keeps the others feasible.
    private mutating func rowToLeave(_ marker: Int32) -> Int32 {
        refreshColumn(marker)
        let column = columns[marker]
        var rising: Int32 = -1
        var falling: Int32 = -1
        var dummy: Int32 = -1
        var shortestRise = Double.infinity
        var shortestFall = Double.infinity
        for index in 0..<Int(column.count) {
            let row = column.rows[index]
            let coefficient = rows[row].entries[rows[row].find(marker)].value
            guard abs(coefficient) > Tolerance.pivot else { continue }
            if symbols[rows[row].basic].kind == .dummy {
                // A redundant equality takes the place of the one that goes.
                if dummy < 0 || rows[row].basic < rows[dummy].basic { dummy = row }
                continue
            }
            let step = abs(rows[row].constant / coefficient)
            if coefficient < 0 {
                if step < shortestRise || step == shortestRise && rows[row].basic < rows[rising].basic {
                    shortestRise = step
                    rising = row
                }
            } else if step < shortestFall || step == shortestFall && rows[row].basic < rows[falling].basic {
                shortestFall = step
                falling = row
            }
        }
        return dummy >= 0 ? dummy : rising >= 0 ? rising : falling
    }

    /// Replaces a symbol by a row in every definition that holds it.
    private mutating func substituteInDefinitions(_ symbol: Int32, row: Int32) {
        refreshUses(symbol)
        let column = uses[symbol]
        for index in 0..<Int(column.count) {
            let definition = column.rows[index]
            guard definition != row else { continue }
            let factor = rows[definition].entries[rows[definition].find(symbol)].value
            merge(into: definition, factor: factor, source: row, eliminating: symbol)
            touch(rows[definition].basic)
        }
        uses[symbol].count = 0
    }

    /// Takes out a marker that only definitions hold: one variable becomes undetermined, and its definition, solved for
    /// the marker, replaces it in the others.
    private mutating func releaseDefinition(_ marker: Int32) {
        refreshUses(marker)
        let column = uses[marker]
        guard column.count > 0 else { return }
        // The definition must hold the marker once it is written over nonbasic symbols alone. The first in topological
        // order always does, and is mostly the shortest then.
        var order: [Int32] = []
        for index in 0..<Int(column.count) { order.append(column.rows[index]) }
        if order.count > 1 {
            order.sort { symbols[rows[$0].basic].order < symbols[rows[$1].basic].order }
        }
        for row in order {
            let variable = rows[row].basic
            if order.count > 1 {
                let definition = rows[row]
                let constant = gatherExpanded(
                    UnsafeBufferPointer(start: definition.entries, count: Int(definition.count))
                )
                let coefficient = gathered.contains(marker) ? accumulator[marker] : 0
                guard abs(coefficient) > Tolerance.pivot else { continue }
                rewrite(row, constant: rows[row].constant + constant)
                solve(row, for: marker)
                substituteInDefinitions(marker, row: row)
                symbols[marker].row = -1
            } else {
                symbols[variable].row = -1
            }
            freeRow(row)
            touch(variable)
            return
        }
        isDoubtful = true
    }

    /// Replaces a definition's entries by the expression that was built.
    private mutating func rewrite(_ row: Int32, constant: Double) {
        structure += 1
        changeStructure()
        gathered.sort()
        rows[row].count = 0
        rows[row].reserve(gathered.count, from: &entryPool)
        rows[row].constant = constant
        for index in 0..<gathered.count {
            rows[row].append(gathered[index], accumulator[gathered[index]])
        }
    }

    /// Removes what rounding left of a symbol that is going: exactly, it has cancelled out everywhere.
    private mutating func purge(_ symbol: Int32) {
        changeStructure()
        if symbols[symbol].row >= 0 { isDoubtful = true }
        refreshColumn(symbol)
        var column = columns[symbol]
        for index in 0..<Int(column.count) {
            let row = column.rows[index]
            let place = rows[row].find(symbol)
            if abs(rows[row].entries[place].value) > Tolerance.pivot { isDoubtful = true }
            rows[row].remove(at: place)
        }
        refreshUses(symbol)
        column = uses[symbol]
        for index in 0..<Int(column.count) {
            let row = column.rows[index]
            let place = rows[row].find(symbol)
            if abs(rows[row].entries[place].value) > Tolerance.pivot { isDoubtful = true }
            rows[row].remove(at: place)
            touch(rows[row].basic)
        }
    }

    /// Frees a variable that no constraint in force holds. Definitions may still refer to it, its effects cancelling
    /// out; they are written out.
    mutating func removeVariable(_ variable: Int32) {
        if symbols[variable].row >= 0 {
            isDoubtful = true
            return
        }
        refreshUses(variable)
        let column = uses[variable]
        let holders = (0..<Int(column.count)).map { column.rows[$0] }
        for row in holders {
            let definition = rows[row]
            let constant = gatherExpanded(
                UnsafeBufferPointer(start: definition.entries, count: Int(definition.count))
            )
            rewrite(row, constant: rows[row].constant + constant)
            for place in 0..<Int(rows[row].count) { noteUse(rows[row].entries[place].symbol, row) }
            touch(rows[row].basic)
        }
        purge(variable)
        freeSymbol(variable)
    }
}

extension Buffer where Element == Int32 {
    func contains(_ element: Int32) -> Bool {
        for index in 0..<count where base[index] == element { return true }
        return false
    }
}
