/// The variables that depend on a set of symbols, in topological order.
struct DependencyWalk: ~Copyable {
    /// A symbol whose dependents are being walked, and the place of the next one.
    struct Visit: BitwiseCopyable {
        var symbol: Int32
        var next: Int32
    }

    /// The symbols from which the walk started.
    var roots = Buffer<Int32>()
    /// The variables that depend on them, each after all variables that depend on it.
    var variables = Buffer<Int32>()
    private var stack = Buffer<Visit>()

    init() {}

    mutating func removeAll() {
        roots.removeAll()
        variables.removeAll()
    }

    /// Lists the variables that depend on the roots, except those that already have the stamp.
    ///
    /// - Parameters:
    ///   - limit: the number of dependents after which the walk stops.
    ///   - store: the rows and their index.
    ///   - present: the stamp of the symbols to skip, which all visited symbols receive.
    /// - Returns: whether the walk was completed.
    @discardableResult
    mutating func list(limit: Int = .max, _ store: inout RowStore, _ present: Int32) -> Bool {
        let symbols = store.symbols.base
        var steps = 0
        for index in 0..<roots.count {
            let root = roots[index]
            let symbol = symbols + Int(root)
            guard !symbol.pointee.isFree, symbol.pointee.stamp != present else { continue }
            symbol.pointee.stamp = present
            if store.uses[root].count == 0 {
                if symbol.pointee.kind == .variable { variables.append(root) }
                continue
            }
            visit(root, symbols, store.rows.base, store.uses.base, present, limit, &steps)
            if steps > limit { return false }
        }
        return true
    }

    private mutating func visit(
        _ root: Int32,
        _ symbols: UnsafeMutablePointer<Symbol>,
        _ rows: UnsafeMutablePointer<Row>,
        _ uses: UnsafeMutablePointer<RowStore.Column>,
        _ present: Int32,
        _ limit: Int,
        _ steps: inout Int
    ) {
        stack.removeAll()
        stack.append(Visit(symbol: root, next: 0))
        while !stack.isEmpty {
            let top = stack[stack.count &- 1].symbol
            let list = uses[Int(top)]
            var next = stack[stack.count &- 1].next
            var found: Int32 = -1
            while next < list.count {
                let row = rows + Int(list.rows[Int(next)])
                next &+= 1
                steps &+= 1
                let dependent = row.pointee.basic
                guard dependent >= 0, symbols[Int(dependent)].kind == .variable,
                    symbols[Int(dependent)].stamp != present, row.pointee.find(top) >= 0
                else { continue }
                symbols[Int(dependent)].stamp = present
                guard uses[Int(dependent)].count > 0 else {
                    // Nothing depends on it in turn.
                    variables.append(dependent)
                    continue
                }
                found = dependent
                break
            }
            if steps > limit { return }
            if found >= 0 {
                stack[stack.count &- 1].next = next
                stack.append(Visit(symbol: found, next: 0))
            } else {
                stack.truncate(to: stack.count &- 1)
                if symbols[Int(top)].kind == .variable { variables.append(top) }
            }
        }
    }
}

/// The values of variables, computed from their definitions when they are read.
///
/// Invariants: a symbol whose value may differ from the last evaluation is listed as touched, once; a variable whose value
/// changed since the changes were last drained is in ``changed``, once.
struct Evaluation: ~Copyable {
    /// Variables whose value changed and that were not drained yet.
    var changed = Buffer<Int32>()
    /// The walk of the next evaluation; its roots are the symbols whose value may have changed since the last one.
    private var walk = DependencyWalk()

    init() {}

    /// Creates an evaluation whose later behavior is the same to the bit.
    init(copying other: borrowing Evaluation) {
        changed = Buffer(copying: other.changed)
        walk.roots = Buffer(copying: other.walk.roots)
    }

    var touchedCount: Int { walk.roots.count }

    /// Notes that a symbol's value may have changed.
    @inline(__always) mutating func touch(_ symbol: Int32, _ store: inout RowStore) {
        guard !store.symbols[symbol].isTouched else { return }
        store.symbols[symbol].isTouched = true
        walk.roots.append(symbol)
    }

    /// Reserves capacity for a number of symbols that ``touchWithinCapacity(_:)`` adds.
    @inline(__always) mutating func reserveTouched(_ count: Int) {
        walk.roots.reserve(walk.roots.count &+ count)
    }

    /// Adds a symbol that was just marked as touched, within the capacity.
    @inline(__always) mutating func touchWithinCapacity(_ symbol: Int32) {
        walk.roots.appendWithinCapacity(symbol)
    }

    /// Forgets the symbols touched last, whose values were restored.
    mutating func forgetTouched(after count: Int, _ store: inout RowStore) {
        while walk.roots.count > count, let symbol = walk.roots.popLast() { store.symbols[symbol].isTouched = false }
    }

    /// Computes the variables that depend on what changed since the last evaluation, each once, and lists those whose
    /// value is different.
    mutating func evaluate(_ store: inout RowStore) {
        guard !walk.roots.isEmpty else { return }
        let present = store.nextStamp()
        walk.list(&store, present)
        for index in 0..<walk.roots.count { store.symbols[walk.roots[index]].isTouched = false }
        let symbols = store.symbols.base
        let rows = store.rows.base
        let order = walk.variables.base
        changed.reserve(changed.count &+ walk.variables.count)
        var index = walk.variables.count
        while index > 0 {
            index &-= 1
            let variable = symbols + Int(order[index])
            let row = variable.pointee.row
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
            guard value != variable.pointee.value else { continue }
            variable.pointee.value = value
            guard !variable.pointee.isReported else { continue }
            variable.pointee.isReported = true
            changed.appendWithinCapacity(order[index])
        }
        walk.removeAll()
    }
}
