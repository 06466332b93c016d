/// A sum of symbols being collected from terms, before it becomes a row.
///
/// Invariant: ``symbols`` holds each symbol once; their coefficients may be zero until the expression is compacted.
struct ExpressionBuilder: ~Copyable {
    /// The number of entries up to which a definition is copied rather than referred to.
    static let shortDefinition = 8

    /// The symbols of the expression.
    var symbols = Buffer<Int32>(capacity: 64)
    /// For each symbol of the tableau, its coefficient in the expression.
    private var sums = Buffer<Sum>(capacity: 64)
    /// The number of symbols collected so far.
    private(set) var work = 0
    /// Defined variables still to be replaced: a heap with the last in topological order at the top.
    private var heap = Buffer<Int32>()

    /// A coefficient of the expression.
    struct Sum: BitwiseCopyable {
        var coefficient = 0.0
        /// The largest amount that was added to the coefficient.
        var peak = 0.0
    }

    init() {}

    /// Returns the coefficient of a symbol of the expression.
    @inline(__always) func coefficient(of symbol: Int32) -> Double {
        sums[symbol].coefficient
    }

    /// Reserves the place of a new symbol of the tableau.
    mutating func addSymbol(_ symbol: Int32) {
        guard Int(symbol) == sums.count else { return }
        sums.append(Sum())
    }

    /// Builds the expression of some terms, in which definitions are replaced only where they are so short that a
    /// reference would cost more. Returns the constant of the replaced definitions.
    mutating func collectShallow(
        _ terms: UnsafeBufferPointer<Entry>,
        except subject: Int32,
        _ store: inout RowStore
    ) -> Double {
        symbols.removeAll()
        let present = store.nextStamp()
        var constant = 0.0
        for term in terms {
            let row = store.symbols[term.symbol].row
            if row >= 0, term.symbol != subject, store.rows[row].count <= ExpressionBuilder.shortDefinition {
                let definition = store.rows[row]
                constant += term.value * definition.constant
                for index in 0..<Int(definition.count) {
                    let entry = definition.entries[index]
                    collect(entry.symbol, term.value * entry.value, present, &store)
                }
            } else {
                collect(term.symbol, term.value, present, &store)
            }
        }
        work &+= symbols.count
        return constant
    }

    /// Builds the expression of some terms over nonbasic symbols only: definitions are replaced in topological order,
    /// each once and only if its variable does not cancel out, then restricted basic symbols by their rows. Returns
    /// the constant of the replaced rows.
    mutating func collectExpanded(_ terms: UnsafeBufferPointer<Entry>, _ store: inout RowStore) -> Double {
        let (definitions, present) = replaceDefinitions(terms, after: .min, &store)
        var constant = definitions
        // No restricted row holds a basic symbol, so the list may grow during the loop.
        var place = 0
        while place < symbols.count {
            let symbol = symbols[place]
            if store.symbols[symbol].row >= 0, store.symbols[symbol].kind != .variable {
                expand(symbol, &constant, present, &store)
            }
            place += 1
        }
        compact(&store)
        return constant
    }

    /// Builds the expression of some terms in which the definitions after a place in the topological order are
    /// replaced, each once and only if its variable does not cancel out. Returns the constant of the replaced rows.
    mutating func collectExpanded(
        _ terms: UnsafeBufferPointer<Entry>,
        after order: Int,
        _ store: inout RowStore
    ) -> Double {
        let constant = replaceDefinitions(terms, after: order, &store).constant
        compact(&store)
        return constant
    }

    private mutating func replaceDefinitions(
        _ terms: UnsafeBufferPointer<Entry>,
        after order: Int,
        _ store: inout RowStore
    ) -> (constant: Double, present: Int32) {
        symbols.removeAll()
        heap.removeAll()
        let present = store.nextStamp()
        var constant = 0.0
        for term in terms { collect(term.symbol, term.value, present, &store) }
        var place = 0
        listDefined(&place, after: order, &store)
        while let symbol = popDefined(&store) {
            expand(symbol, &constant, present, &store)
            listDefined(&place, after: order, &store)
        }
        work &+= symbols.count
        return (constant, present)
    }

    /// Adds a symbol that the expression does not contain yet.
    mutating func add(_ symbol: Int32, _ value: Double) {
        sums[symbol].coefficient = value
        symbols.append(symbol)
    }

    /// Adds to a symbol's coefficient. A symbol is part of the expression while its stamp is `present`.
    @inline(__always)
    private mutating func collect(_ symbol: Int32, _ value: Double, _ present: Int32, _ store: inout RowStore) {
        if store.symbols[symbol].stamp != present {
            store.symbols[symbol].stamp = present
            sums[symbol] = Sum(coefficient: value, peak: abs(value))
            symbols.append(symbol)
        } else {
            sums[symbol].coefficient = RowStore.sum(sums[symbol].coefficient, value)
            sums[symbol].peak = max(sums[symbol].peak, abs(value))
        }
    }

    private mutating func expand(_ symbol: Int32, _ constant: inout Double, _ present: Int32, _ store: inout RowStore) {
        guard store.symbols[symbol].stamp == present else { return }
        let factor = sums[symbol].coefficient
        sums[symbol].coefficient = 0
        guard factor != 0 else { return }
        let row = store.rows[store.symbols[symbol].row]
        constant += factor * row.constant
        for index in 0..<Int(row.count) {
            collect(row.entries[index].symbol, factor * row.entries[index].value, present, &store)
        }
    }

    /// Removes symbols whose coefficient vanished.
    private mutating func compact(_ store: inout RowStore) {
        var remaining = 0
        for index in 0..<symbols.count {
            let symbol = symbols[index]
            let sum = sums[symbol]
            let drop = store.symbols[symbol].kind == .variable ? Tolerance.freeDrop : Tolerance.relativeDrop
            guard abs(sum.coefficient) > max(Tolerance.absoluteDrop, drop * sum.peak) else { continue }
            symbols[remaining] = symbol
            remaining += 1
        }
        symbols.truncate(to: remaining)
    }

    /// Returns the variable with the largest coefficient, the lowest id among equals; or -1.
    func largestVariable(_ store: inout RowStore) -> Int32 {
        var best: Int32 = -1
        var largest = Tolerance.pivot
        for index in 0..<symbols.count {
            let symbol = symbols[index]
            guard store.symbols[symbol].kind == .variable else { continue }
            let size = abs(sums[symbol].coefficient)
            guard size > largest || size == largest && symbol < best else { continue }
            best = symbol
            largest = size
        }
        return best
    }

    /// Removes the variables, whose coefficients are too small for a definition: exactly, they have cancelled out. In a
    /// restricted row they would become part of a cycle as soon as they are defined.
    mutating func removeVariables(_ store: inout RowStore) {
        var remaining = 0
        for index in 0..<symbols.count where store.symbols[symbols[index]].kind != .variable {
            symbols[remaining] = symbols[index]
            remaining += 1
        }
        symbols.truncate(to: remaining)
    }

    // MARK: - The heap of defined variables

    /// Adds the defined variables among the symbols from a place on to the heap.
    private mutating func listDefined(_ place: inout Int, after limit: Int, _ store: inout RowStore) {
        while place < symbols.count {
            let symbol = symbols[place]
            place += 1
            guard store.symbols[symbol].kind == .variable, store.symbols[symbol].row >= 0 else { continue }
            let order = store.symbols[symbol].order
            guard order > limit else { continue }
            var index = heap.count
            heap.append(symbol)
            while index > 0 {
                let parent = (index - 1) >> 1
                guard store.symbols[heap[parent]].order < order else { break }
                heap[index] = heap[parent]
                index = parent
            }
            heap[index] = symbol
        }
    }

    /// Removes the variable that is last in topological order, to which no other on the heap refers.
    private mutating func popDefined(_ store: inout RowStore) -> Int32? {
        guard let last = heap.popLast() else { return nil }
        guard !heap.isEmpty else { return last }
        let first = heap[0]
        let order = store.symbols[last].order
        var index = 0
        while true {
            var child = 2 * index + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count, store.symbols[heap[child + 1]].order > store.symbols[heap[child]].order {
                child += 1
            }
            guard store.symbols[heap[child]].order > order else { break }
            heap[index] = heap[child]
            index = child
        }
        heap[index] = last
        return first
    }
}
