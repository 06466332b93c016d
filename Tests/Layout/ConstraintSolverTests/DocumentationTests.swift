import ConstraintSolver
import TestSupport
import Testing

@Suite("Documentation")
struct DocumentationTests {
    @Test("Every example of the documentation is compiled by a test")
    func examplesAreCompiled() throws {
        #expect(try DocumentedExamples(of: "ConstraintSolver", count: 1).missing == [])
    }

    @Test("The first example of the landing page produces the values in its comments")
    func landingPage() throws {
        var solver = Solver()
        let left = solver.makeVariable()
        let right = solver.makeVariable()
        try solver.add(LinearConstraint([Term(right), Term(left, -1)], .greaterThanOrEqual, 10))
        let preference = try solver.add(LinearConstraint([Term(left)], .equal, 5, priority: Priority(500)))
        try solver.add(LinearConstraint([Term(right)], .lessThanOrEqual, 12))
        let bounded = solver.value(of: left)  // 2: the preference for 5 cannot be satisfied
        try solver.setConstant(preference, 1)
        let satisfied = solver.value(of: left)  // 1
        #expect(bounded == 2)
        #expect(satisfied == 1)
    }
}
