@testable import ConstraintSolver

extension LinearConstraint {
    /// A constraint of the reference solver on the variables of a solver, with the terms in the order of their numbers.
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
