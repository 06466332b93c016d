/// How constraints and variables leave the tableau.
extension Tableau {
    /// Deactivates a constraint and resets its symbols. Returns whether the rest was settled within the limit on pivots.
    mutating func remove(_ markers: inout Markers) -> Bool {
        let marker = markers.marker
        let other = markers.other
        objective.removeCost(marker, &store)
        if other >= 0 { objective.removeCost(other, &store) }
        if store.symbols[marker].row < 0 {
            let row = rowToLeave(marker)
            if row >= 0 { pivotGathered(entering: marker, row: row) }
        }
        let row = store.symbols[marker].row
        if row >= 0 {
            substituteInDefinitions(marker, row: row)
            store.symbols[marker].row = -1
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
        if case .settled = settle() { return true }
        return false
    }

    /// Gathers a marker's column and returns the restricted row in which it becomes basic before the row is removed: one
    /// that leaves the others feasible; -1 when no restricted row holds the marker.
    private mutating func rowToLeave(_ marker: Int32) -> Int32 {
        store.gatherColumn(marker)
        var rising: Int32 = -1
        var falling: Int32 = -1
        var dummy: Int32 = -1
        var shortestRise = Double.infinity
        var shortestFall = Double.infinity
        for index in 0..<store.holders.count {
            let row = store.holders[index].row
            let basic = store.rows[row].basic
            let coefficient = store.holders[index].value
            guard abs(coefficient) > Tolerance.pivot else { continue }
            if store.symbols[basic].kind == .dummy {
                // A redundant equality replaces the one that is removed.
                if dummy < 0 || basic < store.rows[dummy].basic { dummy = row }
                continue
            }
            let step = abs(store.rows[row].constant / coefficient)
            if coefficient < 0 {
                if step < shortestRise || step == shortestRise && basic < store.rows[rising].basic {
                    shortestRise = step
                    rising = row
                }
            } else if step < shortestFall || step == shortestFall && basic < store.rows[falling].basic {
                shortestFall = step
                falling = row
            }
        }
        return dummy >= 0 ? dummy : rising >= 0 ? rising : falling
    }

    /// Replaces a symbol by a row in every definition that holds it.
    private mutating func substituteInDefinitions(_ symbol: Int32, row: Int32) {
        store.refreshUses(symbol)
        let column = store.uses[symbol]
        for index in 0..<Int(column.count) {
            let definition = column.rows[index]
            guard definition != row else { continue }
            let factor = store.rows[definition].entries[store.rows[definition].find(symbol)].value
            invalidateRays()
            store.merge(into: definition, factor: factor, source: row, eliminating: symbol)
            touch(store.rows[definition].basic)
        }
        store.clearUses(symbol)
    }

    /// Removes a marker that only definitions hold: one variable loses its definition, which, solved for the marker,
    /// replaces it in the others.
    private mutating func releaseDefinition(_ marker: Int32) {
        store.refreshUses(marker)
        let column = store.uses[marker]
        guard column.count > 0 else { return }
        var first: Int32 = column.rows[0]
        for index in 0..<Int(column.count) where store.place(column.rows[index]) < store.place(first) {
            first = column.rows[index]
        }
        // No definition to which the first one refers holds the marker, so that its own coefficient is the whole effect.
        guard abs(store.rows[first].entries[store.rows[first].find(marker)].value) > Tolerance.pivot else {
            isDoubtful = true
            return
        }
        let variable = store.rows[first].basic
        if column.count > 1 {
            // The others then refer to the variable, which is before them in the order.
            invalidateRays()
            store.solve(first, for: marker)
            substituteInDefinitions(marker, row: first)
            store.symbols[marker].row = -1
        } else {
            store.symbols[variable].row = -1
        }
        freeRow(first)
        touch(variable)
    }

    /// Removes what rounding left of a symbol that is about to be released: exactly, it has cancelled out everywhere.
    private mutating func purge(_ symbol: Int32) {
        invalidateRays()
        if store.symbols[symbol].row >= 0 { isDoubtful = true }
        store.refreshColumn(symbol)
        purge(symbol, from: store.columns[symbol])
        store.refreshUses(symbol)
        purge(symbol, from: store.uses[symbol])
    }

    private mutating func purge(_ symbol: Int32, from column: RowStore.Column) {
        for index in 0..<Int(column.count) {
            let row = column.rows[index]
            let place = store.rows[row].find(symbol)
            if abs(store.rows[row].entries[place].value) > Tolerance.pivot { isDoubtful = true }
            store.rows[row].remove(at: place)
            if !store.isRestricted(row) { touch(store.rows[row].basic) }
        }
    }

    /// Releases a variable that no active constraint holds. Definitions may still refer to it, with effects that cancel
    /// out; those that depend on it are expanded.
    mutating func removeVariable(_ variable: Int32) {
        if store.symbols[variable].row >= 0 {
            isDoubtful = true
            return
        }
        store.refreshUses(variable)
        let column = store.uses[variable]
        if column.count > 0 {
            let holders = (0..<Int(column.count)).map { column.rows[$0] }
            let others = order.moveDependentsToEnd(variable, &store)
            for row in holders { expand(row, after: others) }
        }
        purge(variable)
        freeSymbol(variable)
    }

    /// Replaces the definitions after a place in the topological order in another definition.
    private mutating func expand(_ row: Int32, after place: Int) {
        let definition = store.rows[row]
        let constant = expression.collectExpanded(
            UnsafeBufferPointer(start: definition.entries, count: Int(definition.count)),
            after: place,
            &store
        )
        invalidateRays()
        store.rewrite(row, constant: definition.constant + constant, &expression)
        for index in 0..<Int(store.rows[row].count) {
            let symbol = store.rows[row].entries[index].symbol
            store.noteUse(symbol, row)
        }
        touch(store.rows[row].basic)
    }
}
