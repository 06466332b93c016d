@testable import ConstraintSolver

/// What a random program should have brought about, kept beside the solver under test.
struct FuzzModel {
    var constraints: [Int: ReferenceSolver.Constraint] = [:]
    var edits: [Int: (priority: Int, value: Double)] = [:]

    /// All constraints in force, edits as equalities at their own priority.
    var inForce: [ReferenceSolver.Constraint] {
        constraints.keys.sorted().compactMap { constraints[$0] }
            + edits.keys.sorted().compactMap { variable in
                edits[variable].map {
                    ReferenceSolver.Constraint(
                        terms: [variable: 1],
                        relation: .equal,
                        constant: $0.value,
                        priority: $0.priority
                    )
                }
            }
    }

    /// How much the values violate a constraint.
    static func violation(_ constraint: ReferenceSolver.Constraint, _ values: [Double]) -> Double {
        var sum = -constraint.constant
        for (variable, coefficient) in constraint.terms.sorted(by: { $0.key < $1.key }) {
            sum += values[variable] * coefficient
        }
        switch constraint.relation {
        case .equal: return abs(sum)
        case .lessThanOrEqual: return max(0, sum)
        case .greaterThanOrEqual: return max(0, -sum)
        }
    }
}
