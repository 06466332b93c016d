/// Constraints whose variables are all determined: they enter as restricted rows.
extension Tableau {
    mutating func insertPreference(
        _ relation: Relation,
        _ rest: Double,
        _ markers: Markers,
        _ priority: Priority,
        _ weight: Double
    ) -> Change {
        // marker = -sign * expression + other, or the same solved for the other.
        if -markers.sign * rest >= 0 {
            addToExpression(markers.other, -markers.sign)
            _ = makeRow(basic: markers.marker, constant: rest, factor: -markers.sign)
        } else {
            addToExpression(markers.marker, markers.sign)
            _ = makeRow(basic: markers.other, constant: rest, factor: markers.sign)
        }
        giveCosts(markers, relation, priority, weight)
        guard case .settled = settle() else { return .exhausted }
        return .done
    }

    mutating func insertRequired(_ relation: Relation, _ rest: Double, _ markers: inout Markers) -> Change {
        let row = makeRow(basic: markers.marker, constant: rest, factor: -markers.sign)
        record()
        var outcome = Outcome.settled
        if relation == .equal {
            outcome = driveOut(row)
        } else {
            checkFeasible(row)
        }
        if case .settled = outcome { outcome = makeFeasible() }
        switch outcome {
        case .settled:
            keep()
            if !candidates.isEmpty, case .exhausted = settle() { isDoubtful = true }
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

    /// Takes a required constraint back as if it had never been inserted.
    private mutating func withdraw(_ marker: Int32) {
        undo()
        freeRow(symbols[marker].row)
        freeSymbol(marker)
    }

    /// Takes the dummy of a new required equality out of the basis by one step of the dual simplex. A row without any
    /// symbol that could enter is redundant when its constant is zero and stays, or else a conflict.
    private mutating func driveOut(_ row: Int32) -> Outcome {
        let constant = rows[row].constant
        var entering: Int32 = -1
        if constant < -feasibility {
            entering = enteringSymbol(row, direction: 1)
        } else if constant > feasibility {
            entering = enteringSymbol(row, direction: -1)
        } else {
            rows[row].constant = 0
            entering = enteringSymbol(row, direction: 1)
            if entering < 0 { entering = enteringSymbol(row, direction: -1) }
            if entering < 0 { return .settled }
        }
        if entering < 0 {
            if abs(constant) > feasibility * Tolerance.conflictFactor { return .conflict(row: row) }
            rows[row].constant = 0
            return .settled
        }
        pivot(entering: entering, row: row)
        return .settled
    }

    /// The constraints whose markers a row that cannot be repaired holds, with their multipliers. A row of a tableau has
    /// minimal support among all combinations of the constraints, so none of them can be left out.
    func certificate(_ row: Int32) -> Certificate {
        let failed = rows[row]
        var largest = 1.0
        for index in 0..<Int(failed.count) { largest = max(largest, abs(failed.entries[index].value)) }
        var members = [Certificate.Member(owner: symbols[failed.basic].owner, multiplier: -1)]
        for index in 0..<Int(failed.count) {
            let entry = failed.entries[index]
            guard abs(entry.value) > Tolerance.certificateDrop * largest else { continue }
            members.append(Certificate.Member(owner: symbols[entry.symbol].owner, multiplier: entry.value))
        }
        members.sort { $0.owner < $1.owner }
        return Certificate(members: members)
    }
}
