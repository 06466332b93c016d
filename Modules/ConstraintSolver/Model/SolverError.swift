/// What a ``Solver`` refuses. Whatever is thrown, what is in force is as it was before the call, and so are all values; but
/// see ``pivotLimit``.
public enum SolverError: Error, Hashable, Sendable {
    /// The required constraint cannot hold together with others that are required.
    ///
    /// `conflicting` is the smallest such set, the refused constraint among it: without any one of its members the
    /// others hold together. Remove or weaken one of them.
    case unsatisfiable(ConstraintID, conflicting: [ConstraintID])
    /// The constraint is in force already; it counts once.
    case duplicate(ConstraintID)
    /// The constraint was never defined here, was discarded, or is not in force.
    case unknownConstraint(ConstraintID)
    /// The variable was never made here, or was removed.
    case unknownVariable(Variable)
    /// The variable stands in a constraint in force; remove that first.
    case variableInUse(Variable)
    /// The variable has no edit; add one with ``Solver/addEdit(_:priority:)``.
    case noEdit(Variable)
    /// The variable has an edit already.
    case duplicateEdit(Variable)
    /// The constraint is the edit of the variable and goes with it; call ``Solver/removeEdit(_:)``.
    case ownedByEdit(Variable)
    /// A number of the constraint is not a number, or is infinite.
    case notFinite(Double, in: ConstraintName)
    /// A number of the constraint is outside the magnitudes that can be solved exactly enough: ``Solver/largestConstant``,
    /// ``Solver/largestCoefficient``, ``Solver/smallestCoefficient``, or a weight outside 0.001 to 1,000,000.
    case outOfRange(Double, in: ConstraintName)
    /// No variable of the constraint has a coefficient other than zero, so there is nothing to determine.
    case noVariables(LinearConstraint)
    /// The bound on pivots was reached twice, the second time after the system was built anew. Where several solutions are
    /// equally good, the values may be those of another one than before.
    case pivotLimit
}

extension SolverError: CustomStringConvertible {
    /// What was refused, and what to do.
    public var description: String {
        switch self {
        case .unsatisfiable(let id, let conflicting):
            let others = conflicting.map { "#\($0.index)" }.joined(separator: ", ")
            return "constraint #\(id.index) cannot hold: \(others) exclude each other; remove or weaken one of them"
        case .duplicate(let id): return "constraint #\(id.index) is in force already; add it once"
        case .unknownConstraint(let id): return "constraint #\(id.index) is not in force; define and add it first"
        case .unknownVariable(let variable): return "variable \(variable.index) does not exist; make it first"
        case .variableInUse(let variable):
            return "variable \(variable.index) stands in constraints in force; remove those first"
        case .noEdit(let variable): return "variable \(variable.index) has no edit; add one first"
        case .duplicateEdit(let variable): return "variable \(variable.index) has an edit already; suggest a value"
        case .ownedByEdit(let variable):
            return "the constraint is the edit of variable \(variable.index); end that edit instead"
        case .notFinite(let value, let name): return "\(name) has \(value), which is not finite; give a finite number"
        case .outOfRange(let value, let name):
            return "\(name) has \(value), which is outside the range that can be solved; scale the system"
        case .noVariables(let constraint):
            return "the constraint \(constraint) has no variables; give it a term whose coefficient is not zero"
        case .pivotLimit: return "the system did not settle within the bound on pivots; report it with its replay"
        }
    }
}
