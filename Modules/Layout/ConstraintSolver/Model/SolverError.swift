/// An error of a ``Solver``.
///
/// Whatever is thrown, the active constraints and all values are as they were before the call; but see ``pivotLimit``.
public enum SolverError: Error, Hashable, Sendable {
    /// The required constraint contradicts other required constraints.
    ///
    /// `conflicting` is the smallest contradictory set, which contains the refused constraint: without any one of its
    /// members the others hold together. Remove or weaken one of them.
    case unsatisfiable(ConstraintID, conflicting: [ConstraintID])
    /// The constraint is already active.
    case duplicate(ConstraintID)
    /// The constraint was never defined here, was discarded, or is not active.
    case unknownConstraint(ConstraintID)
    /// The variable was never created here, or was removed.
    case unknownVariable(Variable)
    /// The variable is part of an active constraint; remove that first.
    case variableInUse(Variable)
    /// The variable has no edit; add one with ``Solver/addEdit(_:priority:)``.
    case noEdit(Variable)
    /// The variable already has an edit.
    case duplicateEdit(Variable)
    /// The constraint belongs to the edit of the variable; call ``Solver/removeEdit(_:)``.
    case ownedByEdit(Variable)
    /// A number of the constraint is infinite or not a number.
    case notFinite(Double, in: ConstraintName)
    /// A number of the constraint is outside the range that can be solved accurately: ``Solver/largestConstant``,
    /// ``Solver/largestCoefficient``, ``Solver/smallestCoefficient``, or a weight outside 0.001 to 1,000,000.
    case outOfRange(Double, in: ConstraintName)
    /// The limit on pivots was reached twice, the second time after the system was rebuilt. Where several solutions are
    /// equally good, the values may be those of a different one than before.
    case pivotLimit
}

extension SolverError: CustomStringConvertible {
    /// What was refused, and what to do.
    public var description: String {
        switch self {
        case .unsatisfiable(let id, let conflicting):
            let others = conflicting.map { "#\($0.index)" }.joined(separator: ", ")
            return "constraint #\(id.index) cannot hold: \(others) exclude each other; remove or weaken one of them"
        case .duplicate(let id): return "constraint #\(id.index) is already active; add it once"
        case .unknownConstraint(let id): return "constraint #\(id.index) is not active; define and add it first"
        case .unknownVariable(let variable): return "variable \(variable.index) does not exist; create it first"
        case .variableInUse(let variable):
            return "variable \(variable.index) is part of active constraints; remove those first"
        case .noEdit(let variable): return "variable \(variable.index) has no edit; add one first"
        case .duplicateEdit(let variable): return "variable \(variable.index) already has an edit; suggest a value"
        case .ownedByEdit(let variable):
            return "the constraint is the edit of variable \(variable.index); remove that edit instead"
        case .notFinite(let value, let name): return "\(name) has \(value), which is not finite; use a finite number"
        case .outOfRange(let value, let name):
            return "\(name) has \(value), which is outside the range that can be solved; scale the system"
        case .pivotLimit: return "the system was not solved within the limit on pivots; report it with its replay"
        }
    }
}

/// A reference to a constraint in an error.
public enum ConstraintName: Hashable, Sendable {
    /// A constraint that is defined.
    case defined(ConstraintID)
    /// A constraint that was refused before it had an id.
    case stated(LinearConstraint)
    /// The suggestion for a variable.
    case edit(Variable)
}

extension ConstraintName: CustomStringConvertible {
    /// The constraint's number, its formula, or the variable of its edit.
    public var description: String {
        switch self {
        case .defined(let id): "constraint #\(id.index)"
        case .edit(let variable): "the edit of variable \(variable.index)"
        case .stated(let constraint): "the constraint \(constraint)"
        }
    }
}
