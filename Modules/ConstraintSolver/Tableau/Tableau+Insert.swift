extension Tableau {
    /// How an insertion or a change ended.
    enum Change {
        case done
        /// Another preference says the same and weighs as much more now. The constraints that make them so stand in
        /// `differences`.
        case merged(into: Int32)
        case conflict(Certificate)
        case exhausted
    }

    /// Puts a constraint into force.
    ///
    /// - Parameters:
    ///   - terms: its left side as sorted symbols, each once.
    ///   - relation: how the left side relates to the constant.
    ///   - constant: its right side.
    ///   - priority: how much it matters.
    ///   - weight: its weight inside the priority.
    ///   - owner: the constraint's number, which certificates name.
    ///   - markers: receives its symbols; untouched unless the change is done.
    /// - Returns: done, or why not; after a conflict, and for a required one whenever it is not done, everything is as
    ///   before.
    mutating func insert(
        _ terms: UnsafeBufferPointer<Entry>,
        _ relation: Relation,
        _ constant: Double,
        _ priority: Priority,
        _ weight: Double,
        owner: Int32,
        markers: inout Markers
    ) -> Change {
        let former = magnitude
        magnitude = max(magnitude, abs(constant))
        var rest: Double
        var subject = freshVariable(terms)
        if subject >= 0 {
            rest = gatherShallow(terms, except: subject) - constant
            // No definition refers to it yet.
            lastOrder += 1
            symbols[subject].order = lastOrder
        } else if terms.count == 1, handOver(terms[0].symbol) {
            subject = terms[0].symbol
            rest = gatherShallow(terms, except: subject) - constant
        } else {
            rest = gatherExpanded(terms) - constant
            subject = largestVariable()
            if subject >= 0 {
                // Its definition refers to no variable that has one.
                firstOrder -= 1
                symbols[subject].order = firstOrder
            }
        }
        if subject < 0, !priority.isRequired {
            let twin = parallelPreference(relation, rest, rank: Int32(priority.rank), owner: owner)
            if twin >= 0 { return join(twin, weight) }
        }
        var made = makeMarkers(relation, priority, owner: owner)
        if subject >= 0 {
            define(subject, rest, made)
            giveCosts(made, relation, priority, weight)
            markers = made
            return .done
        }
        let change =
            priority.isRequired
            ? insertRequired(relation, rest, &made)
            : insertPreference(relation, rest, made, priority, weight)
        switch change {
        case .done: markers = made
        case .conflict: magnitude = former
        case .exhausted where priority.isRequired: magnitude = former
        case .merged, .exhausted: break
        }
        return change
    }

    private mutating func join(_ twin: Int32, _ weight: Double) -> Change {
        let leader = symbols[twin].owner
        addWeight(twin, weight)
        guard case .settled = settle() else { return .exhausted }
        return .merged(into: leader)
    }

    /// A variable of the terms that nothing determines and no definition refers to, or -1: the one made last, since what
    /// was made later is mostly stated in terms of what was there, and definitions then stay short. One whose
    /// coefficient is small beside the others' is passed over.
    private mutating func freshVariable(_ terms: UnsafeBufferPointer<Entry>) -> Int32 {
        var best: Int32 = -1
        var bestSize = 0.0
        for term in terms where symbols[term.symbol].row < 0 {
            if uses[term.symbol].count > 0 {
                refreshUses(term.symbol)
                guard uses[term.symbol].count == 0 else { continue }
            }
            let size = abs(term.value)
            let isBetter = term.symbol > best ? size * 8 >= bestSize : size > bestSize * 8
            guard best < 0 || isBetter else { continue }
            best = term.symbol
            bestSize = size
        }
        return best
    }

    /// Lets a variable's definition determine another that only it refers to and that nothing determines, so that the
    /// variable itself can be defined by a constraint of its own: a height first known as what a center leaves, then
    /// stated. Otherwise all that the definition refers to would have to be written out.
    ///
    /// - Returns: whether the variable is undetermined now.
    private mutating func handOver(_ variable: Int32) -> Bool {
        let row = symbols[variable].row
        guard row >= 0 else { return false }
        var largest = 0.0
        for index in 0..<Int(rows[row].count) { largest = max(largest, abs(rows[row].entries[index].value)) }
        for index in 0..<Int(rows[row].count) {
            let entry = rows[row].entries[index]
            guard symbols[entry.symbol].kind == .variable, symbols[entry.symbol].row < 0,
                abs(entry.value) * 8 >= largest
            else { continue }
            refreshUses(entry.symbol)
            guard uses[entry.symbol].count == 1 else { continue }
            solve(row, for: entry.symbol)
            uses[entry.symbol].count = 0
            noteUse(variable, row)
            touch(entry.symbol)
            touch(variable)
            lastOrder += 1
            symbols[entry.symbol].order = lastOrder
            return true
        }
        return false
    }

    /// The variable with the largest coefficient in the expression that was built, the lowest id among equals; or -1.
    private mutating func largestVariable() -> Int32 {
        var best: Int32 = -1
        for index in 0..<gathered.count {
            let symbol = gathered[index]
            guard symbols[symbol].kind == .variable, abs(accumulator[symbol]) > Tolerance.pivot else { continue }
            if best < 0 || abs(accumulator[symbol]) > abs(accumulator[best])
                || abs(accumulator[symbol]) == abs(accumulator[best]) && symbol < best
            {
                best = symbol
            }
        }
        return best
    }

    private mutating func makeMarkers(_ relation: Relation, _ priority: Priority, owner: Int32) -> Markers {
        let required = priority.isRequired
        let kind: SymbolKind = relation != .equal ? .slack : required ? .dummy : .error
        var markers = Markers(marker: makeSymbol(kind, owner: owner))
        if !required { markers.other = makeSymbol(.error, owner: owner) }
        markers.sign = relation == .greaterThanOrEqual || relation == .equal && !required ? -1 : 1
        if !required {
            symbols[markers.marker].partner = markers.other
            symbols[markers.marker].share = -markers.sign
            symbols[markers.other].partner = markers.marker
            symbols[markers.other].share = markers.sign
        }
        return markers
    }

    mutating func giveCosts(_ markers: Markers, _ relation: Relation, _ priority: Priority, _ weight: Double) {
        guard !priority.isRequired else { return }
        let rank = Int32(priority.rank)
        setCost(markers.other, rank: rank, weight: weight)
        if relation == .equal { setCost(markers.marker, rank: rank, weight: weight) }
    }

    /// Makes the expression the definition of one of its variables: no pivot, all its markers nonbasic.
    private mutating func define(_ subject: Int32, _ rest: Double, _ markers: Markers) {
        addToExpression(markers.marker, markers.sign)
        if markers.other >= 0 { addToExpression(markers.other, -markers.sign) }
        _ = makeRow(basic: subject, constant: rest, factor: -1 / accumulator[subject])
    }
}
