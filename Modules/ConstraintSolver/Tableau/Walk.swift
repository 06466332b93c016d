/// Variables in topological order, and the symbols they depend on.
struct Walk: ~Copyable {
    /// The symbols whose dependents are listed.
    var roots = Buffer<Int32>()
    /// The variables that depend on them, each after all that depend on it.
    var variables = Buffer<Int32>()
    private var stack = Buffer<Visit>()

    mutating func removeAll() {
        roots.removeAll()
        variables.removeAll()
    }

    /// Lists the variables that depend on the roots, those met before apart.
    ///
    /// - Parameters:
    ///   - first: the place of the first root to look at.
    ///   - symbols: the tableau's symbols.
    ///   - rows: its rows.
    ///   - uses: for each symbol the definitions that may hold it.
    ///   - present: the stamp of the symbols met before, which all that are met now get.
    mutating func list(
        from first: Int,
        _ symbols: UnsafeMutablePointer<Symbol>,
        _ rows: UnsafeMutablePointer<Row>,
        _ uses: UnsafeMutablePointer<Column>,
        _ present: Int32
    ) {
        for index in first..<roots.count {
            let root = roots[index]
            let symbol = symbols + Int(root)
            guard !symbol.pointee.isFree, symbol.pointee.stamp != present else { continue }
            symbol.pointee.stamp = present
            if uses[Int(root)].count == 0 {
                if symbol.pointee.kind == .variable { variables.append(root) }
                continue
            }
            visit(root, symbols, rows, uses, present)
        }
    }

    private mutating func visit(
        _ root: Int32,
        _ symbols: UnsafeMutablePointer<Symbol>,
        _ rows: UnsafeMutablePointer<Row>,
        _ uses: UnsafeMutablePointer<Column>,
        _ present: Int32
    ) {
        stack.append(Visit(symbol: root, next: 0))
        while !stack.isEmpty {
            let top = stack[stack.count &- 1].symbol
            let list = uses[Int(top)]
            var next = stack[stack.count &- 1].next
            var found: Int32 = -1
            while next < list.count {
                let row = rows + Int(list.rows[Int(next)])
                next &+= 1
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
