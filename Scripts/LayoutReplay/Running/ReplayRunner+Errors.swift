internal import ConstraintSolver

extension ReplayRunner where Solving: ~Copyable {
    /// A solver's error in the file's names.
    func text(_ error: SolverError) -> String {
        switch error {
        case .unsatisfiable(_, let conflicting):
            let members = conflicting.map { name(of: $0) ?? "itself" }
            return "these exclude each other: \(members.joined(separator: ", "))"
        case .noEdit: return "the variable has no edit; an \"edit\" line must come first"
        case .duplicateEdit: return "the variable has an edit already"
        case .notFinite(let value, let name): return "\(text(name)) has \(value), which is not finite"
        case .outOfRange(let value, let name):
            return "\(text(name)) has \(value), which is outside the range that can be solved"
        case .noVariables: return "it has no variable whose coefficient is not zero"
        case .unknownVariable(let variable): return "the variable \(name(of: variable)) was removed"
        case .variableInUse(let variable):
            return "the variable \(name(of: variable)) stands in constraints in force, or has an edit"
        case .duplicate(let id): return "\(name(of: id) ?? "it") is in force already"
        case .unknownConstraint(let id): return "\(name(of: id) ?? "it") is not in force"
        case .ownedByEdit, .pivotLimit: return "\(error)"
        }
    }

    /// A constraint's id in the file, with its line; or the edit that it is.
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
