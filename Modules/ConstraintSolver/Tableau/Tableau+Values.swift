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
            for index in 0..<holders.count {
                let row = holders[index].row
                if isRecording { saveConstant(row) }
                rows[row].constant -= holders[index].value * shift
                touch(rows[row].basic)
                checkFeasible(row)
            }
        }
        guard uses[marker].count > 0 else { return }
        gatherUses(marker)
        for index in 0..<holders.count {
            let row = holders[index].row
            if isRecording { saveConstant(row) }
            rows[row].constant -= holders[index].value * shift
            touch(rows[row].basic)
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
        if !isWalked {
            walkedFrom.removeAll()
            for index in 0..<touched.count { walkedFrom.append(touched[index]) }
            walkedStructure = structure
            _ = listDependents()
        }
        for index in 0..<touched.count { symbols[touched[index]].isTouched = false }
        touched.removeAll()
        let symbols = symbols.base
        let rows = rows.base
        var index = walk.count
        while index > 0 {
            index &-= 1
            let variable = walk[index]
            let row = symbols[Int(variable)].row
            var value = 0.0
            if row >= 0 {
                value = rows[Int(row)].constant
                let entries = rows[Int(row)].entries
                for place in 0..<Int(rows[Int(row)].count) {
                    let symbol = symbols + Int(entries[place].symbol)
                    let row = symbol.pointee.row
                    if row < 0 { continue }
                    let isVariable = symbol.pointee.kind == .variable
                    value += entries[place].value * (isVariable ? symbol.pointee.value : rows[Int(row)].constant)
                }
            }
            setValue(variable, value)
        }
    }

    /// Keeps a variable's value, and lists the variable where that is another.
    @inline(__always)
    mutating func setValue(_ variable: Int32, _ value: Double) {
        guard value != symbols[variable].value else { return }
        symbols[variable].value = value
        guard !symbols[variable].isReported else { return }
        symbols[variable].isReported = true
        changed.append(variable)
    }

    /// Whether the same symbols were touched when `walk` was listed, and nothing depends on others since: the same
    /// value suggested again and again, as a window is resized, costs no search.
    private var isWalked: Bool {
        guard walkedStructure == structure, walkedFrom.count == touched.count else { return false }
        for index in 0..<touched.count where walkedFrom[index] != touched[index] { return false }
        return true
    }

    /// Lists in `walk` the variables that depend on the symbols in `walkedFrom`, each after all that depend on it.
    ///
    /// - Returns: the stamp that all symbols met now bear.
    mutating func listDependents() -> Int32 {
        walk.removeAll()
        stack.removeAll()
        let present = nextStamp()
        for index in 0..<walkedFrom.count {
            let symbol = walkedFrom[index]
            guard !symbols[symbol].isFree, symbols[symbol].stamp != present else { continue }
            symbols[symbol].stamp = present
            if uses[symbol].count == 0 {
                if symbols[symbol].kind == .variable { walk.append(symbol) }
                continue
            }
            visit(symbol, present)
        }
        return present
    }

    private mutating func visit(_ symbol: Int32, _ present: Int32) {
        let symbols = symbols.base
        let rows = rows.base
        let uses = uses.base
        stack.append(Visit(symbol: symbol, next: 0))
        while !stack.isEmpty {
            let top = stack[stack.count &- 1].symbol
            let list = uses[Int(top)]
            var next = stack[stack.count &- 1].next
            var found: Int32 = -1
            while next < list.count {
                let row = list.rows[Int(next)]
                next &+= 1
                let dependent = rows[Int(row)].basic
                guard dependent >= 0, symbols[Int(dependent)].kind == .variable,
                    symbols[Int(dependent)].stamp != present, rows[Int(row)].find(top) >= 0
                else { continue }
                symbols[Int(dependent)].stamp = present
                guard uses[Int(dependent)].count > 0 else {
                    // Nothing depends on it in turn.
                    walk.append(dependent)
                    continue
                }
                found = dependent
                break
            }
            if found >= 0 {
                stack[stack.count &- 1].next = next
                stack.append(Visit(symbol: found, next: 0))
            } else {
                stack.truncate(to: stack.count &- 1)
                if symbols[Int(top)].kind == .variable { walk.append(top) }
            }
        }
    }
}

/// A symbol whose dependents are being walked, and the place of the next.
struct Visit: BitwiseCopyable {
    var symbol: Int32
    var next: Int32
}
