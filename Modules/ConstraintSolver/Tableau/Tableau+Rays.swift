/// The way that a tableau moves when one marker is shifted and nothing pivots: which constants change, and how much each
/// variable does for each unit of the shift.
struct Ray: BitwiseCopyable {
    var marker: Int32
    /// The right side of the marker's constraint where the ray begins.
    var origin: Double
    /// How far the marker was shifted from there.
    var travelled = 0.0
    /// The last of the ray's rows and values in the tableau's lists, which each ray continues.
    var rowEnd = 0
    var valueEnd = 0
}

/// A row on a ray.
struct RayRow: BitwiseCopyable {
    enum Bound: UInt8, BitwiseCopyable {
        /// A definition, whose constant is free.
        case none
        /// A slack or an error, zero or more.
        case below
        /// A dummy, zero.
        case both
    }

    var row: Int32
    var bound: Bound
    /// How much the constant changes for each unit.
    var gain: Double
    /// The constant where the ray begins.
    var base: Double
}

/// A variable on a ray.
struct RayValue: BitwiseCopyable {
    var symbol: Int32
    /// How much the value changes for each unit.
    var gain: Double
    /// The value where the ray begins.
    var base: Double
}

/// A window that is resized shifts the same one or two markers again and again, mostly without a pivot. The second time the
/// way is kept as a ray, and from then on a shift costs a multiplication for each row and each variable on it. Constants and
/// values are counted from where the ray began, so that no rounding adds up.
extension Tableau {
    /// Notes that dependencies or coefficients are others now, so that no ray holds any longer.
    @inline(__always)
    mutating func changeStructure() {
        epoch &+= 1
        if !rays.isEmpty { retireRays() }
    }

    /// Brings the values on the rays up to date and forgets the rays.
    @inline(never)
    mutating func retireRays() {
        evaluateRays()
        rays.removeAll()
        rayRows.removeAll()
        rayValues.removeAll()
        epoch &+= 1
    }

    /// Moves along a marker's ray, where there is one or one is worth making: at the second shift in the same state.
    ///
    /// - Parameters:
    ///   - markers: the symbols of the constraint whose right side changes.
    ///   - former: its right side before.
    ///   - constant: its right side from now on.
    ///   - mayFail: whether rows may become infeasible, which are then listed; otherwise nothing happens where one would.
    /// - Returns: whether the shift was done.
    mutating func slide(_ markers: Markers, from former: Double, to constant: Double, mayFail: Bool) -> Bool {
        var place = 0
        while place < rays.count, rays[place].marker != markers.marker { place &+= 1 }
        if place == rays.count {
            guard wasShifted(markers.marker), isFeasible(markers, by: constant - former),
                makeRay(markers.marker, origin: former)
            else { return false }
        }
        let travelled = markers.sign * (constant - rays[place].origin)
        let limit = feasibility
        let start = place == 0 ? 0 : rays[place &- 1].rowEnd
        let end = rays[place].rowEnd
        if !mayFail {
            for index in start..<end {
                let item = rayRows[index]
                guard item.bound != .none else { continue }
                let value = item.base + item.gain * travelled
                if value < -limit || item.bound == .both && value > limit { return false }
            }
        }
        infeasible.reserve(infeasible.count &+ end &- start)
        let rows = rows.base
        var item = rayRows.base + start
        let last = rayRows.base + end
        while item < last {
            let row = item.pointee.row
            let value = item.pointee.base + item.pointee.gain * travelled
            rows[Int(row)].constant = value
            if value < -limit {
                if item.pointee.bound != .none { infeasible.appendWithinCapacity(row) }
            } else if value > limit, item.pointee.bound == .both {
                infeasible.appendWithinCapacity(row)
            }
            item += 1
        }
        rays[place].travelled = travelled
        hasTravelled = true
        effort &+= 1
        return true
    }

    /// Brings the values of the variables on the rays up to date.
    mutating func evaluateRays() {
        guard hasTravelled else { return }
        hasTravelled = false
        changed.reserve(changed.count &+ rayValues.count)
        let symbols = symbols.base
        var item = rayValues.base
        for place in 0..<rays.count {
            let travelled = rays[place].travelled
            let last = rayValues.base + rays[place].valueEnd
            while item < last {
                let symbol = item.pointee.symbol
                let variable = symbols + Int(symbol)
                let value = item.pointee.base + item.pointee.gain * travelled
                item += 1
                if value == variable.pointee.value { continue }
                variable.pointee.value = value
                if variable.pointee.isReported { continue }
                variable.pointee.isReported = true
                changed.appendWithinCapacity(symbol)
            }
        }
    }

    /// Remembers that a marker was shifted in the present state.
    mutating func noteShift(_ marker: Int32) {
        for index in 0..<shifted.count where shifted[index].marker == marker {
            shifted[index].epoch = epoch
            return
        }
        if shifted.count == Tableau.mostRays {
            shifted[nextShifted] = ShiftNote(marker: marker, epoch: epoch)
            nextShifted = (nextShifted + 1) % Tableau.mostRays
        } else {
            shifted.append(ShiftNote(marker: marker, epoch: epoch))
        }
    }

    private func wasShifted(_ marker: Int32) -> Bool {
        for index in 0..<shifted.count where shifted[index].marker == marker { return shifted[index].epoch == epoch }
        return false
    }

    /// How many rays are kept at a time.
    private static var mostRays: Int { 4 }

    /// Whether all rows stay feasible when a marker is shifted: a ray that ends at once is not worth making.
    private mutating func isFeasible(_ markers: Markers, by amount: Double) -> Bool {
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
    private mutating func makeRay(_ marker: Int32, origin: Double) -> Bool {
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

/// A marker that was shifted, and the state it was shifted in.
struct ShiftNote: BitwiseCopyable {
    var marker: Int32
    var epoch: Int
}
