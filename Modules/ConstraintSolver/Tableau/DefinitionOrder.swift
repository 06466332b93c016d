/// A topological order of the variables: a definition refers only to variables of lower places.
///
/// The order allows sparse definitions. A constraint with a variable that has no definition yet defines it by *reference*
/// to the constraint's other variables, whether these have definitions or not, as long as none of them depends on it. A
/// long chain of constraints then takes memory and time in proportion to its length, in whatever order it is stated.
///
/// Variables without a definition have places, too. Places are not contiguous: where a new definition contradicts the
/// order, either everything that depends on the variable moves to the end, or everything it refers to moves to the
/// beginning, whichever is found first by two walks that take turns.
struct DefinitionOrder: ~Copyable {
    /// The lowest and the highest place in use.
    private var first = 0
    private(set) var last = 0
    /// The number of variables visited so far.
    private(set) var work = 0
    private var dependents = DependencyWalk()
    private var references = ReferenceWalk()

    init() {}

    /// Creates an order whose later behavior is the same.
    init(copying other: borrowing DefinitionOrder) {
        first = other.first
        last = other.last
    }

    /// Moves a variable on which no other depends to the end.
    mutating func append(_ variable: Int32, _ store: inout RowStore) {
        last += 1
        store.symbols[variable].order = last
    }

    /// Moves a variable without a definition to the beginning.
    mutating func prepend(_ variable: Int32, _ store: inout RowStore) {
        first -= 1
        store.symbols[variable].order = first
    }

    /// Moves a variable and everything that depends on it to the end.
    ///
    /// - Returns: the highest place of all other variables.
    mutating func moveDependentsToEnd(_ variable: Int32, _ store: inout RowStore) -> Int {
        let others = last
        dependents.removeAll()
        dependents.roots.append(variable)
        let present = store.nextStamp()
        dependents.list(from: 0, store, present)
        moveDependentsToEnd(&store)
        return others
    }

    /// Changes the order so that a variable without a definition may be defined by reference to terms.
    ///
    /// - Returns: `false` if that is impossible since one of the terms depends on the variable.
    mutating func place(_ variable: Int32, after terms: UnsafeBufferPointer<Entry>, _ store: inout RowStore) -> Bool {
        let place = store.symbols[variable].order
        var isOrdered = true
        for term in terms where term.symbol != variable && store.symbols[term.symbol].order >= place {
            isOrdered = false
        }
        if isOrdered { return true }
        var limit = 16
        while true {
            dependents.removeAll()
            dependents.roots.append(variable)
            var present = store.nextStamp()
            if dependents.list(from: 0, limit: limit, store, present) {
                for term in terms where term.symbol != variable && store.symbols[term.symbol].stamp == present {
                    return false
                }
                moveDependentsToEnd(&store)
                return true
            }
            present = store.nextStamp()
            if references.list(terms, except: variable, limit: limit, store, present) {
                if store.symbols[variable].stamp == present { return false }
                moveReferencesToBeginning(&store)
                return true
            }
            work += 2 * limit
            limit *= 4
        }
    }

    private mutating func moveDependentsToEnd(_ store: inout RowStore) {
        var index = dependents.variables.count
        work += index
        while index > 0 {
            index -= 1
            append(dependents.variables[index], &store)
        }
    }

    private mutating func moveReferencesToBeginning(_ store: inout RowStore) {
        first -= references.variables.count
        work += references.variables.count
        for index in 0..<references.variables.count {
            store.symbols[references.variables[index]].order = first + index
        }
    }
}

/// The variables to which definitions refer, directly or not.
struct ReferenceWalk: ~Copyable {
    /// The variables, each after all to which its definition refers.
    private(set) var variables = Buffer<Int32>()
    private var stack = Buffer<DependencyWalk.Visit>()

    init() {}

    /// Lists the variables of some terms and everything to which they refer.
    ///
    /// - Parameters:
    ///   - terms: the terms to start from.
    ///   - variable: a variable whose term is ignored.
    ///   - limit: the number of entries after which the walk stops.
    ///   - store: the rows.
    ///   - present: the stamp that all visited symbols receive.
    /// - Returns: whether the walk was completed.
    mutating func list(
        _ terms: UnsafeBufferPointer<Entry>,
        except variable: Int32,
        limit: Int,
        _ store: borrowing RowStore,
        _ present: Int32
    ) -> Bool {
        variables.removeAll()
        stack.removeAll()
        let symbols = store.symbols.base
        let rows = store.rows.base
        var steps = 0
        for term in terms where term.symbol != variable && symbols[Int(term.symbol)].stamp != present {
            symbols[Int(term.symbol)].stamp = present
            stack.append(DependencyWalk.Visit(symbol: term.symbol, next: 0))
            while !stack.isEmpty {
                let top = stack[stack.count &- 1].symbol
                let row = symbols[Int(top)].row
                let count = row < 0 ? 0 : rows[Int(row)].count
                var next = stack[stack.count &- 1].next
                var found: Int32 = -1
                while next < count {
                    let symbol = rows[Int(row)].entries[Int(next)].symbol
                    next &+= 1
                    steps &+= 1
                    guard symbols[Int(symbol)].kind == .variable, symbols[Int(symbol)].stamp != present else {
                        continue
                    }
                    found = symbol
                    break
                }
                if steps > limit { return false }
                stack[stack.count &- 1].next = next
                if found >= 0 {
                    symbols[Int(found)].stamp = present
                    stack.append(DependencyWalk.Visit(symbol: found, next: 0))
                } else {
                    stack.truncate(to: stack.count &- 1)
                    variables.append(top)
                }
            }
        }
        return true
    }
}
