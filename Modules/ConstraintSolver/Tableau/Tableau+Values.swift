extension Tableau {
    /// Changes a constraint's right side by `amount` in place.
    ///
    /// - Returns: done, or the conflict; then everything is as before.
    mutating func shift(_ markers: Markers, by amount: Double) -> Change {
        // The errors of a preference absorb any shift, so that only a required constraint can be refused.
        if markers.other < 0 { record() }
        applyShift(markers, by: amount)
        if infeasible.isEmpty {
            keep()
            return .done
        }
        switch makeFeasible() {
        case .settled:
            keep()
            if !candidates.isEmpty, case .exhausted = settle() { return .exhausted }
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
            keep()
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
        } else {
            refreshColumn(marker)
            let column = columns[marker]
            for index in 0..<Int(column.count) {
                let row = column.rows[index]
                let value = rows[row].entries[rows[row].find(marker)].value
                if isRecording { saveConstant(row) }
                rows[row].constant -= value * shift
                touch(rows[row].basic)
                checkFeasible(row)
            }
        }
        refreshUses(marker)
        let column = uses[marker]
        for index in 0..<Int(column.count) {
            let row = column.rows[index]
            let value = rows[row].entries[rows[row].find(marker)].value
            if isRecording { saveConstant(row) }
            rows[row].constant -= value * shift
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
        guard !touched.isEmpty else { return }
        if !isWalked { collectDependents() }
        for index in 0..<touched.count { symbols[touched[index]].isTouched = false }
        touched.removeAll()
        var index = walk.count
        while index > 0 {
            index -= 1
            let variable = walk[index]
            let row = symbols[variable].row
            var value = 0.0
            if row >= 0 {
                let definition = rows[row]
                value = definition.constant
                for place in 0..<Int(definition.count) {
                    let entry = definition.entries[place]
                    let symbol = symbols.base[Int(entry.symbol)]
                    if symbol.row < 0 { continue }
                    let other = symbol.kind == .variable ? symbol.value : rows[symbol.row].constant
                    value += entry.value * other
                }
            }
            if value != symbols[variable].value {
                symbols[variable].value = value
                if !symbols[variable].isReported {
                    symbols[variable].isReported = true
                    changed.append(variable)
                }
            }
        }
    }

    /// Whether the same symbols were touched when `walk` was listed, and nothing depends on others since: the same
    /// value suggested again and again, as a window is resized, costs no search.
    private var isWalked: Bool {
        guard walkedStructure == structure, walkedFrom.count == touched.count else { return false }
        for index in 0..<touched.count where walkedFrom[index] != touched[index] { return false }
        return true
    }

    /// Lists in `walk` the variables that depend on touched symbols, each after all that depend on it.
    private mutating func collectDependents() {
        walk.removeAll()
        walkedFrom.removeAll()
        walkedStructure = structure
        stack.removeAll()
        let present = nextStamp()
        for index in 0..<touched.count {
            let symbol = touched[index]
            walkedFrom.append(symbol)
            guard !symbols[symbol].isFree, symbols[symbol].stamp != present else { continue }
            symbols[symbol].stamp = present
            stack.append(symbol)
            stack.append(0)
            while !stack.isEmpty {
                let top = stack[stack.count - 2]
                let next = stack[stack.count - 1]
                if next < uses[top].count {
                    stack[stack.count - 1] = next + 1
                    let row = uses[top].rows[Int(next)]
                    guard isDefinition(row) else { continue }
                    let dependent = rows[row].basic
                    guard symbols[dependent].stamp != present, rows[row].find(top) >= 0 else { continue }
                    symbols[dependent].stamp = present
                    stack.append(dependent)
                    stack.append(0)
                } else {
                    stack.truncate(to: stack.count - 2)
                    if symbols[top].kind == .variable { walk.append(top) }
                }
            }
        }
    }
}
