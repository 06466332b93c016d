@testable import ConstraintSolver

extension LinearConstraint {
    /// What the reference solver knows by numbers, of a solver's own variables; the terms in the order of the numbers.
    init(_ constraint: ReferenceSolver.Constraint, _ variables: [Variable]) {
        self.init(
            constraint.terms.sorted { $0.key < $1.key }.map { Term(variables[$0.key], $0.value) },
            constraint.relation,
            constraint.constant,
            priority: Priority(constraint.priority),
            weight: constraint.weight
        )
    }
}
