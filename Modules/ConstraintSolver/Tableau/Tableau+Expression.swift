extension Tableau {
    // MARK: - Building an expression

    /// Starts an expression.
    mutating func beginExpression() {
        gathered.removeAll()
    }

    /// Adds to a symbol's coefficient in the expression being built. A symbol is gathered while its stamp is
    /// `present`.
    @inline(__always)
    private mutating func gather(_ symbol: Int32, _ value: Double, _ present: Int32) {
        if symbols[symbol].stamp != present {
            symbols[symbol].stamp = present
            accumulator[symbol] = value
            peaks[symbol] = abs(value)
            gathered.append(symbol)
        } else {
            accumulator[symbol] = Tableau.sum(accumulator[symbol], value)
            peaks[symbol] = max(peaks[symbol], abs(value))
        }
    }

    /// Builds the expression of some terms as they stand, taking over only definitions so short that a reference would
    /// cost more.
    ///
    /// - Parameters:
    ///   - terms: symbols, each once, with coefficients.
    ///   - except: a symbol whose own definition is never taken over.
    /// - Returns: the constant that was taken over.
    mutating func gatherShallow(_ terms: UnsafeBufferPointer<Entry>, except: Int32) -> Double {
        beginExpression()
        let present = nextStamp()
        var constant = 0.0
        for term in terms {
            let row = symbols[term.symbol].row
            if row >= 0, term.symbol != except, rows[row].count <= Tableau.shortDefinition {
                let definition = rows[row]
                constant += term.value * definition.constant
                for index in 0..<Int(definition.count) {
                    gather(definition.entries[index].symbol, term.value * definition.entries[index].value, present)
                }
            } else {
                gather(term.symbol, term.value, present)
            }
        }
        return constant
    }

    /// The number of entries up to which a definition is copied rather than referred to.
    static let shortDefinition = 8

    /// Builds the expression of some terms over nonbasic symbols alone: definitions are replaced in topological order,
    /// each once and only when its variable does not cancel out, then restricted basic symbols by their rows.
    ///
    /// - Returns: the constant that was gathered.
    mutating func gatherExpanded(_ terms: UnsafeBufferPointer<Entry>) -> Double {
        beginExpression()
        heap.removeAll()
        let present = nextStamp()
        var constant = 0.0
        for term in terms {
            gather(term.symbol, term.value, present)
        }
        var place = 0
        listDefined(&place)
        while let symbol = popDefined() {
            expand(symbol, &constant, present)
            listDefined(&place)
        }
        // No restricted row holds a basic symbol, so the list may grow while it is walked.
        place = 0
        while place < gathered.count {
            let symbol = gathered[place]
            if symbols[symbol].row >= 0, symbols[symbol].kind != .variable {
                expand(symbol, &constant, present)
            }
            place += 1
        }
        compactGathered()
        return constant
    }

    /// Puts the defined variables among the symbols gathered since the last call on the heap.
    private mutating func listDefined(_ place: inout Int) {
        while place < gathered.count {
            let symbol = gathered[place]
            place += 1
            guard symbols[symbol].kind == .variable, symbols[symbol].row >= 0 else { continue }
            let order = symbols[symbol].order
            var index = heap.count
            heap.append(symbol)
            while index > 0 {
                let parent = (index - 1) >> 1
                guard symbols[heap[parent]].order < order else { break }
                heap[index] = heap[parent]
                index = parent
            }
            heap[index] = symbol
        }
    }

    /// Takes the variable whose definition was made last, to which thus no other on the heap refers.
    private mutating func popDefined() -> Int32? {
        guard let last = heap.popLast() else { return nil }
        guard !heap.isEmpty else { return last }
        let first = heap[0]
        let order = symbols[last].order
        var index = 0
        while true {
            var child = 2 * index + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count, symbols[heap[child + 1]].order > symbols[heap[child]].order { child += 1 }
            guard symbols[heap[child]].order > order else { break }
            heap[index] = heap[child]
            index = child
        }
        heap[index] = last
        return first
    }

    private mutating func expand(_ symbol: Int32, _ constant: inout Double, _ present: Int32) {
        guard symbols[symbol].stamp == present else { return }
        let factor = accumulator[symbol]
        accumulator[symbol] = 0
        guard factor != 0 else { return }
        let row = rows[symbols[symbol].row]
        constant += factor * row.constant
        for index in 0..<Int(row.count) {
            gather(row.entries[index].symbol, factor * row.entries[index].value, present)
        }
    }

    /// Drops gathered symbols whose coefficient vanished.
    private mutating func compactGathered() {
        var kept = 0
        for index in 0..<gathered.count {
            let symbol = gathered[index]
            let drop = symbols[symbol].kind == .variable ? Tolerance.freeDrop : Tolerance.relativeDrop
            guard abs(accumulator[symbol]) > max(Tolerance.absoluteDrop, drop * peaks[symbol]) else { continue }
            gathered[kept] = symbol
            kept += 1
        }
        gathered.truncate(to: kept)
    }

    /// Adds a symbol that is not yet there to the expression that was built.
    mutating func addToExpression(_ symbol: Int32, _ value: Double) {
        accumulator[symbol] = value
        gathered.append(symbol)
    }

    // MARK: - Making rows of it

    /// Makes a row of the expression that was built: the basic symbol equals `factor` times constant and expression,
    /// the basic symbol's own coefficient left out.
    mutating func makeRow(basic: Int32, constant: Double, factor: Double) -> Int32 {
        let row = makeRow(capacity: gathered.count)
        gathered.sort()
        changeStructure()
        let isDefinition = symbols[basic].kind == .variable
        if isDefinition { structure += 1 }
        rows[row].basic = basic
        rows[row].count = 0
        rows[row].constant = constant * factor
        for index in 0..<gathered.count {
            let symbol = gathered[index]
            let value = accumulator[symbol] * factor
            guard symbol != basic, abs(value) > Tolerance.absoluteDrop else { continue }
            rows[row].append(symbol, value)
            if isDefinition { noteUse(symbol, row) } else { noteColumn(symbol, row) }
        }
        symbols[basic].row = row
        touch(basic)
        return row
    }
}

extension Buffer where Element == Int32 {
    /// Sorts rising: insertion for short lists, the standard library's sort for long ones.
    mutating func sort() {
        if count > 24 {
            var elements = UnsafeMutableBufferPointer(start: base, count: count)
            elements.sort()
            return
        }
        for index in 1..<max(1, count) {
            let value = base[index]
            var place = index
            while place > 0, base[place - 1] > value {
                base[place] = base[place - 1]
                place -= 1
            }
            base[place] = value
        }
    }
}
