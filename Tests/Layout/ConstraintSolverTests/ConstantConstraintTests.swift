import Testing

@testable import ConstraintSolver

/// Constraints in which no variable remains, such as 0 == 4.
@Suite("Constraints without variables")
struct ConstantConstraintTests {
    /// The relations with a constant that makes each true, and one that makes it false.
    static let facts: [(relation: Relation, met: Double, unmet: Double)] = [
        (.equal, 0, 4), (.lessThanOrEqual, 4, -4), (.greaterThanOrEqual, -4, 4),
    ]

    @Test("A true one is accepted at every priority and violated by nothing", arguments: facts)
    func met(_ relation: Relation, _ met: Double, _ unmet: Double) throws {
        for priority in [Priority.required, Priority(1), Priority(999)] {
            var solver = Solver()
            let x = solver.makeVariable()
            try solver.add(LinearConstraint([Term(x)], .equal, 7))
            let id = try solver.add(LinearConstraint([Term(x, 0)], relation, met, priority: priority))
            #expect(try solver.violation(of: id) == 0)
            #expect(solver.violatedPreferences().isEmpty)
            #expect(solver.value(of: x) == 7)
            try solver.discard(id)
            #expect(solver.count == 1)
        }
    }

    @Test("A false one that is required is unsatisfiable by itself, and leaves the solver unchanged", arguments: facts)
    func unmetRequired(_ relation: Relation, _ met: Double, _ unmet: Double) throws {
        var solver = Solver()
        let x = solver.makeVariable()
        try solver.add(LinearConstraint([Term(x)], .equal, 7))
        let before = Fingerprint(solver, withFree: false)
        let id = try solver.define(LinearConstraint([Term(x), Term(x, -1)], relation, unmet))
        #expect(throws: SolverError.unsatisfiable(id, conflicting: [id])) { try solver.add(id) }
        try solver.discard(id)
        #expect(Fingerprint(solver, withFree: false) == before)
    }

    @Test(
        "A false one below required is reported as violated, until its constant or priority changes",
        arguments: facts
    )
    func unmetPreference(_ relation: Relation, _ met: Double, _ unmet: Double) throws {
        var solver = Solver()
        let id = try solver.add(LinearConstraint([], relation, unmet, priority: Priority(500)))
        #expect(solver.violatedPreferences().map(\.id) == [id])
        #expect(solver.violations() == [Priority(500): 4])
        #expect(throws: SolverError.unsatisfiable(id, conflicting: [id])) { try solver.setPriority(id, .required) }
        #expect(solver.violatedPreferences().map(\.priority) == [Priority(500)])
        try solver.setConstant(id, met)
        #expect(solver.violatedPreferences().isEmpty)
        try solver.setPriority(id, .required)
        #expect(throws: SolverError.unsatisfiable(id, conflicting: [id])) { try solver.setConstant(id, unmet) }
        #expect(try solver.constraint(id).constant == met)
        try solver.remove(id)
        #expect(solver.count == 0)
        #expect(solver.largestResidual() == 0)
    }
}
