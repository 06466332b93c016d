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
                if entry.isActive { try solver.add(entry.id) }
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

extension ReplayRunner where Solving: ~Copyable {
    /// Returns the description of a solver error with the names of the file.
    func text(_ error: SolverError) -> String {
        switch error {
        case .unsatisfiable(_, let conflicting):
            let members = conflicting.map { name(of: $0) ?? "itself" }
            return "these exclude each other: \(members.joined(separator: ", "))"
        case .noEdit: return "the variable has no edit; an \"edit\" line must come first"
        case .duplicateEdit: return "the variable already has an edit"
        case .notFinite(let value, let name): return "\(text(name)) has \(value), which is not finite"
        case .outOfRange(let value, let name):
            return "\(text(name)) has \(value), which is outside the range that can be solved"
        case .unknownVariable(let variable): return "the variable \(name(of: variable)) was removed"
        case .variableInUse(let variable):
            return "the variable \(name(of: variable)) is part of active constraints, or has an edit"
        case .duplicate(let id): return "\(name(of: id) ?? "it") is already active"
        case .unknownConstraint(let id): return "\(name(of: id) ?? "it") is not active"
        case .ownedByEdit, .pivotLimit: return "\(error)"
        }
    }

    /// Returns the id of a constraint in the file with its line, or the edit that it is.
    private func name(of id: ConstraintID) -> String? {
        for case let entry? in known where entry.id == id { return "\(entry.name) (line \(entry.line))" }
        return nil
    }

    private func name(of variable: Variable) -> String {
        variables.lastIndex(of: variable).map { names[$0] } ?? "\(variable.index)"
    }

    private func text(_ name: ConstraintName) -> String {
        switch name {
        case .defined(let id): self.name(of: id) ?? "it"
        case .stated: "it"
        case .edit(let variable): "the suggestion for \(self.name(of: variable))"
        }
    }
}
