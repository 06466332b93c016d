internal import ConstraintSolver

extension ReplayRunner where Solving: ~Copyable {
    mutating func add(
        _ id: String,
        _ constraint: ReplayConstraint,
        _ line: Int,
        _ mayBeRefused: Bool
    ) throws(ReplayFailure) {
        closeAdd(id)
        lastAdds[id] = nil
        var terms: [(variable: Int, coefficient: Double)] = []
        for term in constraint.terms { terms.append((try place(term.variable, line), term.coefficient)) }
        if mayBeRefused { drain() }
        var last = LastAdd(line: line)
        do throws(SolverError) {
            if let slot = slots[id], let entry = known[slot] {
                if entry.isInForce { try solver.add(entry.id) }
                throw .duplicate(entry.id)
            }
            let new = try solver.define(
                LinearConstraint(
                    terms.map { Term(variables[$0.variable], $0.coefficient) },
                    constraint.relation,
                    constraint.constant,
                    priority: Priority(constraint.priority),
                    weight: constraint.weight
                )
            )
            do throws(SolverError) {
                try solver.add(new)
            } catch {
                try? solver.discard(new)
                throw error
            }
            let slot = free.popLast() ?? known.count
            if slot == known.count { known.append(nil) }
            known[slot] = Known(name: id, id: new, constraint: constraint, terms: terms, line: line)
            slots[id] = slot
        } catch {
            last.refusal =
                if case .duplicate = error {
                    "the add of \(id) was refused: it is there already"
                } else {
                    "the add of \(id) was refused: \(text(error))"
                }
            if mayBeRefused { last.change = firstChange() }
        }
        lastAdds[id] = last
    }

    mutating func confirm(_ id: String, _ line: Int) throws(ReplayFailure) {
        guard let last = lastAdds[id] else {
            throw ReplayFailure(line: line, message: "\(id) was never added, so it cannot have been refused")
        }
        lastAdds[id]?.isConfirmed = true
        guard last.refusal != nil else {
            throw ReplayFailure(line: line, message: "the add of \(id) in line \(last.line) was accepted, not refused")
        }
        if let change = last.change {
            let message = "the add of \(id) in line \(last.line) was refused, and yet \(change)"
            throw ReplayFailure(line: line, message: message)
        }
    }
}
