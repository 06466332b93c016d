/// How constraints enter the tableau: as definitions where they determine a variable, else as restricted rows.
extension Tableau {
    /// Activates a constraint.
    ///
    /// - Parameters:
    ///   - terms: its left side as sorted, distinct symbols.
    ///   - relation: how the left side relates to the constant.
    ///   - constant: its right side.
    ///   - priority: its priority.
    ///   - weight: its weight inside the priority.
    ///   - owner: the index of the constraint, which certificates contain.
    ///   - markers: receives its symbols; unchanged unless the result is `done`.
    /// - Returns: whether that was done, or why not; after a conflict, and for a required constraint whenever it is not
    ///   done, everything is as before.
    mutating func insert(
        _ terms: UnsafeBufferPointer<Entry>,
        _ relation: Relation,
        _ constant: Double,
        _ priority: Priority,
        _ weight: Double,
        owner: Int32,
        markers: inout Markers
    ) -> Change {
        let former = store.magnitude
        store.magnitude = max(store.magnitude, abs(constant))
        let (subject, rest) = express(terms, minus: constant)
        if subject < 0, !priority.isRequired {
            let twin = parallels.find(relation, rest, rank: Int32(priority.rank), owner: owner, &expression, &store)
            if twin >= 0 { return join(twin, weight) }
        }
        let made = makeMarkers(relation, priority, owner: owner)
        if subject >= 0 {
            define(subject, rest, made)
            setCosts(made, relation, priority, weight)
            markers = made
            return .done
        }
        let change =
            priority.isRequired
            ? insertRequired(relation, rest, made)
            : insertPreference(relation, rest, made, priority, weight)
        switch change {
        case .done: markers = made
        case .conflict: store.magnitude = former
        case .exhausted where priority.isRequired: store.magnitude = former
        case .merged, .exhausted: break
        }
        return change
    }

    /// Adds the weight of a preference to that of another one which states the same.
    private mutating func join(_ twin: Int32, _ weight: Double) -> Change {
        let leader = store.symbols[twin].owner
        objective.addWeight(twin, weight, &store)
        guard case .settled = settle() else { return .exhausted }
        return .merged(into: leader)
    }

    // MARK: - Definitions

    /// Builds the expression of a constraint's terms, and chooses the variable that the constraint defines.
    ///
    /// The definition is sparse, with references to other variables, wherever that makes no cycle.
    ///
    /// - Returns: the variable, or -1 if the terms have no variable without a definition when they are expanded; and the
    ///   constant of the expression.
    private mutating func express(
        _ terms: UnsafeBufferPointer<Entry>,
        minus constant: Double
    ) -> (subject: Int32, rest: Double) {
        var subject = freshVariable(terms)
        if subject >= 0 {
            order.append(subject, &store)
        } else if terms.count == 1, redefine(terms[0].symbol) {
            subject = terms[0].symbol
        } else {
            subject = undefinedVariable(terms)
        }
        if subject >= 0 {
            return (subject, expression.collectShallow(terms, except: subject, &store) - constant)
        }
        var rest = expression.collectExpanded(terms, &store) - constant
        subject = expression.largestVariable(&store)
        guard subject >= 0 else {
            expression.removeVariables(&store)
            return (-1, rest)
        }
        if expression.symbols.count > ExpressionBuilder.shortDefinition {
            // A long expression is replaced by a sparse one: only what depends on the variable has to be expanded.
            let others = order.moveDependentsToEnd(subject, &store)
            let sparseRest = expression.collectExpanded(terms, after: others, &store) - constant
            if abs(expression.coefficient(of: subject)) > Tolerance.pivot { return (subject, sparseRest) }
            // Only rounding can lead here.
            rest = expression.collectExpanded(terms, &store) - constant
        }
        order.prepend(subject, &store)
        for index in 0..<expression.symbols.count {
            let symbol = expression.symbols[index]
            if symbol != subject, store.symbols[symbol].kind == .variable { order.prepend(symbol, &store) }
        }
        return (subject, rest)
    }

    /// Returns a variable of the terms that has no definition and to which none refers, or -1: the newest one, since newer
    /// variables are mostly stated in terms of older ones, and definitions then stay short. One whose coefficient is small
    /// compared with the others' is skipped.
    private mutating func freshVariable(_ terms: UnsafeBufferPointer<Entry>) -> Int32 {
        var best: Int32 = -1
        var bestSize = 0.0
        // Terms are sorted by variable, whose symbols are in the same order except after a reuse.
        var index = terms.count
        while index > 0 {
            index -= 1
            let term = terms[index]
            let size = abs(term.value)
            guard best < 0 || size > bestSize * 8, store.symbols[term.symbol].row < 0, !store.hasUses(term.symbol)
            else { continue }
            best = term.symbol
            bestSize = size
        }
        return best
    }

    /// Returns a variable of the terms that has no definition and on which no other term depends, or -1: the newest one
    /// whose coefficient is not small compared with the others'. The order is changed so that it may be defined.
    private mutating func undefinedVariable(_ terms: UnsafeBufferPointer<Entry>) -> Int32 {
        var largest = 0.0
        for term in terms { largest = max(largest, abs(term.value)) }
        var index = terms.count
        while index > 0 {
            index -= 1
            let term = terms[index]
            guard store.symbols[term.symbol].row < 0, abs(term.value) * 8 >= largest else { continue }
            if order.place(term.symbol, after: terms, &store) { return term.symbol }
        }
        return -1
    }

    /// Makes a variable's definition determine another variable instead, which has no definition and to which only
    /// this one refers, so that the variable itself can be defined by a new constraint: for example a height that
    /// first follows from a center, and is stated later. Otherwise everything that the definition refers to would
    /// have to be expanded. Returns whether the variable has no definition now.
    private mutating func redefine(_ variable: Int32) -> Bool {
        let row = store.symbols[variable].row
        guard row >= 0 else { return false }
        var largest = 0.0
        for index in 0..<Int(store.rows[row].count) {
            largest = max(largest, abs(store.rows[row].entries[index].value))
        }
        for index in 0..<Int(store.rows[row].count) {
            let entry = store.rows[row].entries[index]
            guard store.symbols[entry.symbol].kind == .variable, store.symbols[entry.symbol].row < 0,
                abs(entry.value) * 8 >= largest, store.isOnlyUse(row, of: entry.symbol)
            else { continue }
            invalidateRays()
            store.solve(row, for: entry.symbol)
            store.clearUses(entry.symbol)
            store.noteUse(variable, row)
            touch(entry.symbol)
            touch(variable)
            order.append(entry.symbol, &store)
            return true
        }
        return false
    }

    /// Makes the expression the definition of one of its variables, without a pivot: all its markers are nonbasic.
    private mutating func define(_ subject: Int32, _ rest: Double, _ markers: Markers) {
        expression.add(markers.marker, markers.sign)
        if markers.other >= 0 { expression.add(markers.other, -markers.sign) }
        _ = makeRow(basic: subject, constant: rest, factor: -1 / expression.coefficient(of: subject))
    }

    // MARK: - Markers

    private mutating func makeMarkers(_ relation: Relation, _ priority: Priority, owner: Int32) -> Markers {
        let isRequired = priority.isRequired
        let kind: SymbolKind = relation != .equal ? .slack : isRequired ? .dummy : .error
        var markers = Markers(marker: makeSymbol(kind, owner: owner))
        if !isRequired { markers.other = makeSymbol(.error, owner: owner) }
        markers.sign = relation == .greaterThanOrEqual || relation == .equal && !isRequired ? -1 : 1
        if !isRequired {
            store.symbols[markers.marker].partner = markers.other
            store.symbols[markers.marker].share = -markers.sign
            store.symbols[markers.other].partner = markers.marker
            store.symbols[markers.other].share = markers.sign
        }
        return markers
    }

    private mutating func setCosts(_ markers: Markers, _ relation: Relation, _ priority: Priority, _ weight: Double) {
        guard !priority.isRequired else { return }
        let rank = Int32(priority.rank)
        objective.setCost(markers.other, rank: rank, weight: weight, &store)
        if relation == .equal { objective.setCost(markers.marker, rank: rank, weight: weight, &store) }
    }

    // MARK: - Restricted rows

    private mutating func insertPreference(
        _ relation: Relation,
        _ rest: Double,
        _ markers: Markers,
        _ priority: Priority,
        _ weight: Double
    ) -> Change {
        // marker = -sign * expression + other, or the same solved for the other.
        if -markers.sign * rest >= 0 {
            expression.add(markers.other, -markers.sign)
            _ = makeRow(basic: markers.marker, constant: rest, factor: -markers.sign)
        } else {
            expression.add(markers.marker, markers.sign)
            _ = makeRow(basic: markers.other, constant: rest, factor: markers.sign)
        }
        setCosts(markers, relation, priority, weight)
        guard case .settled = settle() else { return .exhausted }
        return .done
    }

    private mutating func insertRequired(_ relation: Relation, _ rest: Double, _ markers: Markers) -> Change {
        let row = makeRow(basic: markers.marker, constant: rest, factor: -markers.sign)
        log.begin(touchedCount: evaluation.touchedCount, isDoubtful: objective.isDoubtful)
        var outcome = Outcome.settled
        if relation == .equal {
            outcome = driveOut(row)
        } else {
            checkFeasible(row)
        }
        if case .settled = outcome { outcome = makeFeasible() }
        switch outcome {
        case .settled:
            log.commit()
            if !objective.isSettled, case .exhausted = settle() { isDoubtful = true }
            return .done
        case .conflict(let failed):
            let certificate = certificate(failed)
            withdraw(markers.marker)
            return .conflict(certificate)
        case .exhausted:
            withdraw(markers.marker)
            return .exhausted
        }
    }

    /// Reverts the insertion of a required constraint.
    private mutating func withdraw(_ marker: Int32) {
        undo()
        freeRow(store.symbols[marker].row)
        freeSymbol(marker)
    }

    /// Removes the dummy of a new required equality from the basis by one step of the dual simplex. A row without a symbol
    /// that could enter is redundant if its constant is zero, and remains; otherwise it is a conflict.
    private mutating func driveOut(_ row: Int32) -> Outcome {
        let constant = store.rows[row].constant
        var entering: Int32 = -1
        if constant < -store.feasibility {
            entering = enteringSymbol(row, direction: 1)
        } else if constant > store.feasibility {
            entering = enteringSymbol(row, direction: -1)
        } else {
            store.rows[row].constant = 0
            entering = enteringSymbol(row, direction: 1)
            if entering < 0 { entering = enteringSymbol(row, direction: -1) }
            if entering < 0 { return .settled }
        }
        if entering < 0 {
            if abs(constant) > store.feasibility * Tolerance.conflictFactor { return .conflict(row: row) }
            store.rows[row].constant = 0
            return .settled
        }
        pivot(entering: entering, row: row)
        return .settled
    }

    /// Returns the constraints whose markers are in a row that cannot be repaired, with their multipliers. A row of a
    /// tableau has minimal support among all combinations of the constraints, so that none of them can be omitted.
    func certificate(_ row: Int32) -> Certificate {
        let failed = store.rows[row]
        var largest = 1.0
        for index in 0..<Int(failed.count) { largest = max(largest, abs(failed.entries[index].value)) }
        var members = [Certificate.Member(owner: store.symbols[failed.basic].owner, multiplier: -1)]
        for index in 0..<Int(failed.count) {
            let entry = failed.entries[index]
            guard abs(entry.value) > Tolerance.certificateDrop * largest else { continue }
            members.append(Certificate.Member(owner: store.symbols[entry.symbol].owner, multiplier: entry.value))
        }
        members.sort { $0.owner < $1.owner }
        return Certificate(members: members)
    }
}
