internal import ConstraintSolver

/// A linear expression over solver variables.
struct Expression {
    var terms: [Term] = []
    var constant = 0.0

    mutating func add(_ variable: Variable, _ coefficient: Double) {
        if coefficient != 0 { terms.append(Term(variable, coefficient)) }
    }
}
