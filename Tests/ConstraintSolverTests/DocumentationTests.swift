import ConstraintSolver
import Testing

@Suite("Documentation")
struct DocumentationTests {
    @Test("The first example of the landing page produces the values in its comments")
    func landingPage() throws {
        var solver = Solver()
        let left = solver.makeVariable()
        let right = solver.makeVariable()
        try solver.add(LinearConstraint([Term(right), Term(left, -1)], .greaterThanOrEqual, 10))
        let preference = try solver.add(LinearConstraint([Term(left)], .equal, 5, priority: Priority(500)))
        try solver.add(LinearConstraint([Term(right)], .lessThanOrEqual, 12))
        #expect(solver.value(of: left) == 2)
        try solver.setConstant(preference, 1)
        #expect(solver.value(of: left) == 1)
    }
}
