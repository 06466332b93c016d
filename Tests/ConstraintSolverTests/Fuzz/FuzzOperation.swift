@testable import ConstraintSolver

/// One step of a random program; constraints and variables go by number.
enum FuzzOperation: CustomStringConvertible {
    case add(Int, ReferenceSolver.Constraint)
    case remove(Int)
    case constant(Int, Double)
    case priority(Int, Int)
    case edit(Int, Int)
    case suggest(Int, Double)
    case endEdit(Int)

    /// The step as a line of the replay format; a change of priority, which the format lacks, as remove and add.
    var description: String {
        switch self {
        case .add(let id, let constraint):
            let terms = constraint.terms.sorted { $0.key < $1.key }.map { "[\"x\($0.key)\",\($0.value)]" }
            let relation =
                switch constraint.relation {
                case .equal: "eq"
                case .lessThanOrEqual: "le"
                case .greaterThanOrEqual: "ge"
                }
            return "{\"add\":\"c\(id)\",\"terms\":[\(terms.joined(separator: ","))],\"relation\":\"\(relation)\","
                + "\"constant\":\(constraint.constant),\"priority\":\(constraint.priority),\"weight\":\(constraint.weight)}"
        case .remove(let id): return "{\"remove\":\"c\(id)\"}"
        case .constant(let id, let value): return "{\"constant\":\"c\(id)\",\"value\":\(value)}"
        case .priority(let id, let value): return "{\"reprioritize\":\"c\(id)\",\"priority\":\(value)}"
        case .edit(let variable, let priority): return "{\"edit\":\"x\(variable)\",\"priority\":\(priority)}"
        case .suggest(let variable, let value): return "{\"suggest\":\"x\(variable)\",\"value\":\(value)}"
        case .endEdit(let variable): return "{\"endEdit\":\"x\(variable)\"}"
        }
    }
}
