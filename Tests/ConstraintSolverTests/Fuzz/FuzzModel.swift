import LayoutReplay

@testable import ConstraintSolver

/// What a random program should have brought about, kept beside the solver under test.
struct FuzzModel {
    /// The number of each variable.
    var variables: [String: Int] = [:]
    var constraints: [String: ReferenceSolver.Constraint] = [:]
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

    /// A constraint of a replay with numbered variables; `nil` when one is unknown or none is left.
    func reference(_ constraint: ReplayConstraint) -> ReferenceSolver.Constraint? {
        var terms: [Int: Double] = [:]
        for term in constraint.terms {
            guard let variable = variables[term.variable] else { return nil }
            terms[variable, default: 0] += term.coefficient
        }
        terms = terms.filter { $0.value != 0 }
        guard !terms.isEmpty else { return nil }
        return ReferenceSolver.Constraint(
            terms: terms,
            relation: constraint.relation,
            constant: constraint.constant,
            priority: constraint.priority,
            weight: constraint.weight
        )
    }

    /// How much the values violate a constraint.
    static func violation(_ constraint: ReferenceSolver.Constraint, _ values: [Double]) -> Double {
        var sum = -constraint.constant
        for (variable, coefficient) in constraint.terms {
            sum += values[variable] * coefficient
        }
        switch constraint.relation {
        case .equal: return abs(sum)
        case .lessThanOrEqual: return max(0, sum)
        case .greaterThanOrEqual: return max(0, -sum)
        }
    }
}
