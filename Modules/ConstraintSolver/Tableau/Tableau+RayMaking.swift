/// How a ray is made: what moves when one marker is shifted, and how far until a row fails.
extension Tableau {
    /// Whether all rows stay feasible when a marker is shifted: a ray that ends at once is not worth making.
    mutating func isFeasible(_ markers: Markers, by amount: Double) -> Bool {
        let shift = markers.sign * amount
        let own = symbols[markers.marker].row
        guard own < 0 else { return rows[own].constant + shift >= -feasibility }
        gatherColumn(markers.marker)
        for index in 0..<holders.count {
            let row = holders[index].row
            let constant = rows[row].constant - holders[index].value * shift
            if constant < -feasibility || constant > feasibility && bound(row) == .both { return false }
        }
        return true
    }

    /// Makes a marker's ray.
    ///
    /// - Returns: false where it would meet another one: a row or a variable may lie on one ray only.
    mutating func makeRay(_ marker: Int32, origin: Double) -> Bool {
        guard rays.count < Tableau.mostRays else { return false }
        evaluate()
        let firstRow = rayRows.count
        let own = symbols[marker].row
        if own >= 0 {
            addRow(own, gain: 1)
        } else {
            // Its column was gathered to see that no row ends the ray at once.
            for index in 0..<holders.count { addRow(holders[index].row, gain: -holders[index].value) }
        }
        gatherUses(marker)
        for index in 0..<holders.count { addRow(holders[index].row, gain: -holders[index].value) }
        // A basic marker rises by as much as it is replaced, so that no variable changes.
        guard isApart(firstRow), own >= 0 || listValues(marker, firstRow) else {
            rayRows.truncate(to: firstRow)
            return false
        }
        rays.append(Ray(marker: marker, origin: origin, rowEnd: rayRows.count, valueEnd: rayValues.count))
        return true
    }

    private mutating func addRow(_ row: Int32, gain: Double) {
        rayRows.append(RayRow(row: row, bound: bound(row), gain: gain, base: rows[row].constant))
    }

    /// Whether none of the rows from a place in the list on lies on another ray.
    private mutating func isApart(_ firstRow: Int) -> Bool {
        guard firstRow > 0 else { return true }
        let present = nextStamp()
        for index in firstRow..<rayRows.count { rows[rayRows[index].row].stamp = present }
        for index in 0..<firstRow where rows[rayRows[index].row].stamp == present { return false }
        return true
    }

    private func bound(_ row: Int32) -> RayRow.Bound {
        switch symbols[rows[row].basic].kind {
        case .variable: .none
        case .dummy: .both
        case .slack, .error: .below
        }
    }

    /// Lists the variables that depend on a nonbasic marker, with their gains.
    private mutating func listValues(_ marker: Int32, _ firstRow: Int) -> Bool {
        let present = nextStamp()
        let isRead = isRead(firstRow)
        if isRead {
            swap(&rayWalk, &reading)
            for index in 0..<rayWalk.variables.count { symbols[rayWalk.variables[index]].stamp = present }
            symbols[marker].stamp = present
        } else {
            rayWalk.removeAll()
            rayWalk.roots.append(marker)
        }
        for index in firstRow..<rayRows.count where rayRows[index].bound != .none {
            let basic = rows[rayRows[index].row].basic
            if isRead { symbols[basic].stamp = present } else { rayWalk.roots.append(basic) }
        }
        if !isRead {
            rayWalk.list(from: 0, symbols.base, rows.base, uses.base, present)
            for index in 0..<rayValues.count where symbols[rayValues[index].symbol].stamp == present { return false }
        }
        for index in 0..<rayWalk.variables.count { accumulator[rayWalk.variables[index]] = 0 }
        accumulator[marker] = -1
        for index in firstRow..<rayRows.count where rayRows[index].bound != .none {
            accumulator[rows[rayRows[index].row].basic] = rayRows[index].gain
        }
        var index = rayWalk.variables.count
        while index > 0 {
            index &-= 1
            let variable = rayWalk.variables[index]
            guard symbols[variable].row >= 0 else { continue }
            let definition = rows[symbols[variable].row]
            var gain = 0.0
            for place in 0..<Int(definition.count) {
                let entry = definition.entries[place]
                guard symbols[entry.symbol].stamp == present else { continue }
                gain = Tableau.sum(gain, entry.value * accumulator[entry.symbol])
            }
            accumulator[variable] = gain
            guard abs(gain) > Tolerance.absoluteDrop else { continue }
            rayValues.append(RayValue(symbol: variable, gain: gain, base: symbols[variable].value))
        }
        if isRead { swap(&rayWalk, &reading) }
        return true
    }

    /// Whether the last reading set out from the basic symbols of all rows on the only ray, so that it holds whatever
    /// depends on it.
    private mutating func isRead(_ firstRow: Int) -> Bool {
        guard firstRow == 0, readStructure == structure else { return false }
        for index in 0..<rayRows.count where !symbols[rows[rayRows[index].row].basic].isRoot { return false }
        return true
    }
}
