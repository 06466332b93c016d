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
    ///   - first: the place of the first root to walk from.
    ///   - limit: the number of dependents after which the walk stops.
    ///   - store: the rows and their index.
    ///   - present: the stamp of the symbols to skip, which all visited symbols receive.
    /// - Returns: whether the walk was completed.
    @discardableResult
    mutating func list(
        from first: Int,
        limit: Int = .max,
        _ store: inout RowStore,
        _ present: Int32
    ) -> Bool {
        let symbols = store.symbols.base
        var steps = 0
        for index in first..<roots.count {
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
    /// Symbols whose value may have changed since the last evaluation.
    private var touched = Buffer<Int32>()
    /// Variables whose value changed and that were not drained yet.
    var changed = Buffer<Int32>()
    /// The plan of the last evaluation, and the count of definition changes it is valid for.
    private(set) var plan = DependencyWalk()
    private var planVersion = -1

    init() {}

    /// Creates an evaluation whose later behavior is the same to the bit.
    init(copying other: borrowing Evaluation) {
        touched = Buffer(copying: other.touched)
        changed = Buffer(copying: other.changed)
        plan.roots = Buffer(copying: other.plan.roots)
        plan.variables = Buffer(copying: other.plan.variables)
        planVersion = other.planVersion
    }

    var touchedCount: Int { touched.count }

    /// Notes that a symbol's value may have changed.
    @inline(__always)
    mutating func touch(_ symbol: Int32, _ store: inout RowStore) {
        guard !store.symbols[symbol].isTouched else { return }
        store.symbols[symbol].isTouched = true
        touched.append(symbol)
    }

    /// Reserves capacity for a number of symbols that ``touchWithinCapacity(_:)`` adds.
    @inline(__always)
    mutating func reserveTouched(_ count: Int) {
        touched.reserve(touched.count &+ count)
    }

    /// Adds a symbol that was just marked as touched, within the capacity.
    @inline(__always)
    mutating func touchWithinCapacity(_ symbol: Int32) {
        touched.appendWithinCapacity(symbol)
    }

    /// Forgets the symbols touched last, whose values were restored.
    mutating func forgetTouched(after count: Int, _ store: inout RowStore) {
        while touched.count > count, let symbol = touched.popLast() { store.symbols[symbol].isTouched = false }
    }

    /// Computes the variables that depend on what changed since the last evaluation, each once, and lists those whose
    /// value is different.
    mutating func evaluate(_ store: inout RowStore) {
        guard !touched.isEmpty else { return }
        let isExact = makePlan(&store)
        let present = store.nextStamp()
        for index in 0..<touched.count {
            store.symbols[touched[index]].isTouched = false
            store.symbols[touched[index]].stamp = present
        }
        touched.removeAll()
        let symbols = store.symbols.base
        let rows = store.rows.base
        let order = plan.variables.base
        var moved = 0
        changed.reserve(changed.count &+ plan.variables.count)
        var index = plan.variables.count
        while index > 0 {
            index &-= 1
            let variable = symbols + Int(order[index])
            let row = variable.pointee.row
            var value = 0.0
            // A variable that depends on nothing touched retains its bits, as if it were not in the plan.
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
        // A plan of which little was needed is not worth using again.
        if !isExact, moved &* 4 < plan.variables.count { planVersion = -1 }
    }

    /// Updates the plan so that it holds everything that depends on the touched symbols.
    ///
    /// While a window is resized, mostly the same symbols are touched again and again. As long as no definition changes,
    /// the last plan is reused and extended where it lacks something, which costs less than a new walk; unless the
    /// symbols touched now are few in comparison.
    ///
    /// - Returns: whether the plan holds nothing else.
    private mutating func makePlan(_ store: inout RowStore) -> Bool {
        if planVersion == store.definitionChanges {
            var missing = 0
            for index in 0..<touched.count where !store.symbols[touched[index]].isRoot { missing &+= 1 }
            if missing == 0, touched.count == plan.roots.count { return true }
            if touched.count >= 16, touched.count &* 2 >= plan.roots.count {
                if missing > 0 { extendPlan(&store) }
                return false
            }
        }
        for index in 0..<plan.roots.count { store.symbols[plan.roots[index]].isRoot = false }
        plan.removeAll()
        planVersion = store.definitionChanges
        extendPlan(&store)
        return true
    }

    /// Adds to the plan the touched symbols that it lacks, and their dependents. Nothing that was in the plan depends on
    /// what is new, or that would have been in it.
    private mutating func extendPlan(_ store: inout RowStore) {
        let present = store.nextStamp()
        let first = plan.roots.count
        for index in 0..<first { store.symbols[plan.roots[index]].stamp = present }
        for index in 0..<plan.variables.count { store.symbols[plan.variables[index]].stamp = present }
        for index in 0..<touched.count where !store.symbols[touched[index]].isRoot {
            store.symbols[touched[index]].isRoot = true
            plan.roots.append(touched[index])
        }
        plan.list(from: first, &store, present)
    }

    /// Whether the plan is still valid.
    func isPlanValid(_ store: inout RowStore) -> Bool { planVersion == store.definitionChanges }
}
