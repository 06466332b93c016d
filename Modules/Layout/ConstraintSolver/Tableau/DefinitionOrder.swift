/// A topological order of the variables: a definition refers only to variables of lower places.
///
/// The order allows sparse definitions. A constraint with a variable that has no definition yet defines it by *reference*
/// to the constraint's other variables, whether these have definitions or not, as long as none of them depends on it. A
/// long chain of constraints then takes memory and time in proportion to its length, in whatever order it is stated.
///
/// Variables without a definition have places, too. Places are not contiguous: where a new definition contradicts the
/// order, the variable and what it refers to move in front of the definitions that refer to it, if these few variables fit
/// between their neighbors (the affected region of Pearce and Kelly, "A dynamic topological sort algorithm for directed
/// acyclic graphs", 2006). Otherwise either everything that depends on the variable moves to the end, or everything it
/// refers to moves to the beginning, whichever is found first by two walks that take turns.
struct DefinitionOrder: ~Copyable {
    /// The lowest and the highest place in use.
    private var first = 0
    private(set) var last = 0
    /// The number of variables visited so far.
    private(set) var work = 0
    private var dependents = DependencyWalk()
    private var references = ReferenceWalk()

    /// The distance between the places of variables that move to the beginning or to the end.
    private static var distance: Int { 1 << 24 }
    /// The largest numbers of definitions and of references for which places in between are sought.
    private static var mostUses: Int { 16 }
    private static var mostReferences: Int { 32 }

    init() {}

    /// Creates an order whose later behavior is the same.
    init(copying other: borrowing DefinitionOrder) {
        first = other.first
        last = other.last
    }

    /// Moves a variable on which no other depends to the end.
    mutating func append(_ variable: Int32, _ store: inout RowStore) {
        last += DefinitionOrder.distance
        store.symbols[variable].order = last
    }

    /// Moves a variable without a definition to the beginning.
    mutating func prepend(_ variable: Int32, _ store: inout RowStore) {
        first -= DefinitionOrder.distance
        store.symbols[variable].order = first
    }

    /// Moves a variable and everything that depends on it to the end. Returns the highest place of all other
    /// variables.
    mutating func moveDependentsToEnd(_ variable: Int32, _ store: inout RowStore) -> Int {
        let others = last
        dependents.removeAll()
        dependents.roots.append(variable)
        let present = store.nextStamp()
        dependents.list(&store, present)
        moveDependentsToEnd(&store)
        return others
    }

    /// Changes the order so that a variable without a definition may be defined by reference to terms. Returns
    /// `false` if that is impossible since one of the terms depends on the variable.
    mutating func place(_ variable: Int32, after terms: UnsafeBufferPointer<Entry>, _ store: inout RowStore) -> Bool {
        let place = store.symbols[variable].order
        var isOrdered = true
        for term in terms where term.symbol != variable && store.symbols[term.symbol].order >= place {
            isOrdered = false
        }
        if isOrdered { return true }
        if let isPlaced = placeBeforeUses(variable, after: terms, &store) { return isPlaced }
        var limit = 16
        while true {
            dependents.removeAll()
            dependents.roots.append(variable)
            var present = store.nextStamp()
            if dependents.list(limit: limit, &store, present) {
                for term in terms where term.symbol != variable && store.symbols[term.symbol].stamp == present {
                    return false
                }
                moveDependentsToEnd(&store)
                return true
            }
            present = store.nextStamp()
            if references.list(terms, except: variable, limit: limit, &store, present) {
                if store.symbols[variable].stamp == present { return false }
                moveReferencesToBeginning(&store)
                return true
            }
            work += 2 * limit
            limit *= 4
        }
    }

    /// Moves a variable, and what the terms refer to from the variable's dependents on, to places before these dependents.
    ///
    /// - Returns: whether that was possible; `nil` if it would take long, or if there is no place between the neighbors.
    private mutating func placeBeforeUses(
        _ variable: Int32,
        after terms: UnsafeBufferPointer<Entry>,
        _ store: inout RowStore
    ) -> Bool? {
        let uses = store.uses[variable]
        guard uses.count <= DefinitionOrder.mostUses else { return nil }
        var limit = Int.max
        for index in 0..<Int(uses.count) where store.isDefinition(uses.rows[index]) {
            limit = min(limit, store.place(uses.rows[index]))
        }
        if limit == .max {
            append(variable, &store)
            return true
        }
        let present = store.nextStamp()
        let most = DefinitionOrder.mostReferences
        guard references.list(terms, except: variable, from: limit, limit: most, &store, present) else { return nil }
        if store.symbols[variable].stamp == present { return false }
        let count = references.variables.count
        work += count
        let lowest = max(references.highestSkipped, limit - (count + 2) * DefinitionOrder.distance)
        let step = (limit - lowest) / (count + 2)
        guard step > 0 else { return nil }
        first = min(first, lowest)
        for index in 0..<count { store.symbols[references.variables[index]].order = lowest + (index + 1) * step }
        store.symbols[variable].order = lowest + (count + 1) * step
        return true
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
        work += references.variables.count
        var index = references.variables.count
        while index > 0 {
            index -= 1
            prepend(references.variables[index], &store)
        }
    }
}

/// The variables to which definitions refer, directly or not.
struct ReferenceWalk: ~Copyable {
    /// The variables, each after all to which its definition refers.
    private(set) var variables = Buffer<Int32>()
    /// The highest place of a variable that was skipped because of its place; `min` if no variable was skipped.
    private(set) var highestSkipped = Int.min
    private var stack = Buffer<DependencyWalk.Visit>()

    init() {}

    /// Lists the variables of some terms and everything to which they refer.
    ///
    /// - Parameters:
    ///   - terms: the terms to start from.
    ///   - variable: a variable whose term is ignored.
    ///   - place: the place in topological order below which variables other than that one are skipped.
    ///   - limit: the number of entries after which the walk stops.
    ///   - store: the rows.
    ///   - present: the stamp that all visited symbols receive.
    /// - Returns: whether the walk was completed.
    mutating func list(
        _ terms: UnsafeBufferPointer<Entry>,
        except variable: Int32,
        from place: Int = .min,
        limit: Int,
        _ store: inout RowStore,
        _ present: Int32
    ) -> Bool {
        variables.removeAll()
        stack.removeAll()
        highestSkipped = .min
        let symbols = store.symbols.base
        let rows = store.rows.base
        var steps = 0
        for term in terms where term.symbol != variable && symbols[Int(term.symbol)].stamp != present {
            if symbols[Int(term.symbol)].order < place {
                highestSkipped = max(highestSkipped, symbols[Int(term.symbol)].order)
                continue
            }
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
                    if symbols[Int(symbol)].order < place, symbol != variable {
                        highestSkipped = max(highestSkipped, symbols[Int(symbol)].order)
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
