/// How constraints come into force and go out of it.
extension Solver {
    /// Inserts a constraint into the tableau.
    mutating func install(_ index: Int) -> Tableau.Change {
        let count = constraints[index].constraint.terms.count
        let scale = constraints[index].scale
        entries.removeAll()
        entries.reserve(count)
        for place in 0..<count {
            let term = constraints[index].constraint.terms[place]
            entries.appendWithinCapacity(
                Entry(symbol: variables[Int(term.variable.index)].symbol, value: term.coefficient * scale)
            )
        }
        tableau.resetBudget()
        let change = tableau.insert(
            UnsafeBufferPointer(start: entries.base, count: count),
            constraints[index].constraint.relation,
            constraints[index].constraint.constant * scale,
            constraints[index].constraint.priority,
            constraints[index].constraint.weight / scale,
            owner: Int32(index),
            markers: &constraints[index].markers
        )
        guard case .merged(let leader) = change else { return change }
        follow(leader, index)
        return .done
    }

    mutating func enter(_ index: Int) throws(SolverError) {
        var change = install(index)
        if case .conflict(let certificate) = change, !proves(certificate) {
            // Rounding may have made it up. Should it be none of that, everything gets its former bits again.
            var before = Solver(copying: self)
            if rebuild() { change = install(index) }
            if case .conflict = change { swap(&self, &before) }
        }
        switch change {
        case .conflict(let certificate): throw unsatisfiable(index, certificate)
        case .exhausted where constraints[index].constraint.priority.isRequired:
            return try buildAnew(index) { $0.count(index, inForce: true) }
        case .done:
            count(index, inForce: true)
            if finish() { return }
        case .merged, .exhausted:
            count(index, inForce: true)
            if rebuild() { return }
        }
        let error = failure(index)
        count(index, inForce: false)
        restore()
        throw error
    }

    mutating func leave(_ index: Int) throws(SolverError) {
        count(index, inForce: false)
        tableau.resetBudget()
        if constraints[index].leader >= 0 {
            unfollow(index, weight: constraints[index].constraint.weight)
            if case .settled = tableau.settle(), finish() { return }
        } else {
            guard constraints[index].markers.marker >= 0 else { return }
            let loose = takeApart(index)
            if tableau.takeOut(&constraints[index].markers), reinstall(loose), finish() { return }
        }
        constraints[index].markers = Markers()
        guard rebuild() else {
            count(index, inForce: true)
            restore()
            throw .pivotLimit
        }
    }

    private mutating func count(_ index: Int, inForce: Bool) {
        constraints[index].isInForce = inForce
        count += inForce ? 1 : -1
        let terms = constraints[index].constraint.terms.count
        termCount += terms * (inForce ? 1 : -1)
        for place in 0..<terms {
            variables[Int(constraints[index].constraint.terms[place].variable.index)].uses += inForce ? 1 : -1
        }
    }
}
