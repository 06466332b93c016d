extension Tableau {
    /// Changes a constraint's right side in place.
    ///
    /// - Returns: done, or why not; then everything is as before, unless a preference was shifted.
    mutating func shift(_ markers: Markers, from former: Double, to constant: Double) -> Change {
        // The errors of a preference absorb any shift, so that only a required constraint can be refused.
        let mayFail = markers.other >= 0
        if slide(markers, from: former, to: constant, mayFail: mayFail) {
            if infeasible.isEmpty { return .done }
        } else {
            if !mayFail { record() }
            applyShift(markers, by: constant - former)
            noteShift(markers.marker)
        }
        if infeasible.isEmpty {
            keep()
            return .done
        }
        switch makeFeasible() {
        case .settled:
            keep()
            if !candidates.isEmpty, case .exhausted = settle() { isDoubtful = true }
            return .done
        case .conflict(let row):
            guard markers.other < 0 else {
                // Only rounding can bring us here.
                isDoubtful = true
                return .done
            }
            let certificate = certificate(row)
            undo()
            return .conflict(certificate)
        case .exhausted:
            if markers.other < 0 { undo() }
            return .exhausted
        }
    }

    /// The marker is replaced by itself less the shift wherever it stands.
    mutating func applyShift(_ markers: Markers, by amount: Double) {
        let marker = markers.marker
        let shift = markers.sign * amount
        let own = symbols[marker].row
        if own >= 0 {
            if isRecording { saveConstant(own) }
            rows[own].constant += shift
            touch(marker)
            checkFeasible(own)
        } else if columns[marker].count > 0 {
            gatherColumn(marker)
            shiftHolders(by: shift)
        }
        guard uses[marker].count > 0 else { return }
        gatherUses(marker)
        shiftHolders(by: shift)
    }

    /// Takes a shift, times its coefficient, from the constant of each row gathered.
    private mutating func shiftHolders(by shift: Double) {
        if !rays.isEmpty { retireRays() }
        let count = holders.count
        touched.reserve(touched.count &+ count)
        infeasible.reserve(infeasible.count &+ count)
        let all = rows.base
        let symbols = symbols.base
        let list = holders.base
        let limit = feasibility
        var index = 0
        while index < count {
            let row = list[index].row
            if isRecording { saveConstant(row) }
            let target = all + Int(row)
            let constant = target.pointee.constant - list[index].value * shift
            target.pointee.constant = constant
            index &+= 1
            let basic = target.pointee.basic
            let symbol = symbols + Int(basic)
            if !symbol.pointee.isTouched {
                symbol.pointee.isTouched = true
                touched.appendWithinCapacity(basic)
            }
            if constant < -limit {
                if symbol.pointee.kind != .variable { infeasible.appendWithinCapacity(row) }
            } else if constant > limit, symbol.pointee.kind == .dummy {
                infeasible.appendWithinCapacity(row)
            }
        }
    }

    // MARK: - Reading

    /// The value of a symbol; a variable's as last evaluated.
    func value(_ symbol: Int32) -> Double {
        if symbols[symbol].kind == .variable { return symbols[symbol].value }
        let row = symbols[symbol].row
        return row < 0 ? 0 : rows[row].constant
    }

    /// Evaluates the variables that depend on what changed since the last read, each once, and lists those whose value
    /// is another.
    mutating func evaluate() {
        evaluateRays()
        guard !touched.isEmpty else { return }
        let isExact = planReading()
        let present = nextStamp()
        for index in 0..<touched.count {
            symbols[touched[index]].isTouched = false
            symbols[touched[index]].stamp = present
        }
        touched.removeAll()
        let symbols = symbols.base
        let rows = rows.base
        let order = reading.variables.base
        let before = changed.count
        var moved = 0
        changed.reserve(before &+ reading.variables.count)
        var index = reading.variables.count
        while index > 0 {
            index &-= 1
            let variable = symbols + Int(order[index])
            let row = variable.pointee.row
            var value = 0.0
            // What depends on nothing that is touched keeps its bits, as if it were not listed.
            var isTouched = variable.pointee.stamp == present
            if row >= 0 {
                value = rows[Int(row)].constant
                let entries = rows[Int(row)].entries
                for place in 0..<Int(rows[Int(row)].count) {
                    let symbol = symbols + Int(entries[place].symbol)
                    let row = symbol.pointee.row
                    if symbol.pointee.stamp == present { isTouched = true }
                    if row < 0 { continue }
                    let isVariable = symbol.pointee.kind == .variable
                    value += entries[place].value * (isVariable ? symbol.pointee.value : rows[Int(row)].constant)
                }
            }
            guard isTouched else { continue }
            variable.pointee.stamp = present
            guard value != variable.pointee.value else { continue }
            variable.pointee.value = value
            moved &+= 1
            guard !variable.pointee.isReported else { continue }
            variable.pointee.isReported = true
            changed.appendWithinCapacity(order[index])
        }
        // What was evaluated for little is not worth to be evaluated again.
        if !isExact, moved &* 4 < reading.variables.count { readStructure = -1 }
    }

    /// Brings `reading` to hold all that depends on the symbols touched, in an order to evaluate it in.
    ///
    /// As a window is resized, much the same symbols are touched again and again. As long as no definition changes, what
    /// the last reading evaluated is evaluated again, and what it lacked is added, which costs less than a new search;
    /// unless what is touched now is little beside it.
    ///
    /// - Returns: whether it holds nothing else.
    private mutating func planReading() -> Bool {
        if readStructure == structure {
            var missing = 0
            for index in 0..<touched.count where !symbols[touched[index]].isRoot { missing &+= 1 }
            if missing == 0, touched.count == reading.roots.count { return true }
            if touched.count >= 16, touched.count &* 2 >= reading.roots.count {
                if missing > 0 { addToReading() }
                return false
            }
        }
        for index in 0..<reading.roots.count { symbols[reading.roots[index]].isRoot = false }
        reading.removeAll()
        readStructure = structure
        addToReading()
        return true
    }

    /// Adds to `reading` the touched symbols that it lacks, and what depends on them. Nothing that it held before depends
    /// on what is new, or that would have been there.
    private mutating func addToReading() {
        let present = nextStamp()
        let first = reading.roots.count
        for index in 0..<first { symbols[reading.roots[index]].stamp = present }
        for index in 0..<reading.variables.count { symbols[reading.variables[index]].stamp = present }
        for index in 0..<touched.count where !symbols[touched[index]].isRoot {
            symbols[touched[index]].isRoot = true
            reading.roots.append(touched[index])
        }
        reading.list(from: first, symbols.base, rows.base, uses.base, present)
    }
}
