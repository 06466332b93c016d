import LayoutReplay
import TestSupport
import Testing

@testable import ConstraintSolver

/// The bound on pivots: real systems never reach it, so it is lowered here.
@Suite("Limits")
struct LimitTests {
    @Test("An operation that may not pivot is refused with a typed error and taken back, and goes through later")
    func typedError() throws {
        var solver = Solver()
        let x = solver.makeVariable()
        let y = solver.makeVariable()
        for terms in [[Term(x)], [Term(y)]] { try solver.add(LinearConstraint(terms, .lessThanOrEqual, 4)) }
        try solver.add(LinearConstraint([Term(x), Term(y)], .lessThanOrEqual, 20))
        let before = [solver.value(of: x), solver.value(of: y)]
        // In whatever order the system is built, the wish is met only by a pivot.
        let wish = LinearConstraint([Term(x), Term(y)], .lessThanOrEqual, -3, priority: Priority(5))
        let pivots = solver.pivots
        solver.tableau.pivotLimit = 0
        #expect(throws: SolverError.pivotLimit) { try solver.add(wish) }
        #expect(solver.pivots == pivots, "not one pivot was made")
        #expect([solver.value(of: x), solver.value(of: y)] == before)
        #expect(solver.count == 3)
        solver.tableau.pivotLimit = .max
        try solver.add(wish)
        #expect(solver.pivots > pivots)
        #expect(solver.value(of: x) + solver.value(of: y) <= -3)
    }

    @Test("Whatever the bound, each operation ends within it, and the system is whole again once it is lifted")
    func everyBound() throws {
        var refused = 0
        for seed in UInt64(0)..<(isLongRun ? 400 : 30) {
            var generator = SeededGenerator(seed: 70_000 + seed)
            let program = FuzzProgram.make(FuzzProgram.Shape(capacity: 14), using: &generator)
            for limit in [0, 1, 2, 3, 5, 8] {
                var state = FuzzState<Solver>()
                state.solver.tableau.pivotLimit = limit
                for step in program.steps {
                    let pivots = state.solver.pivots
                    do throws(SolverError) {
                        _ = try state.apply(step)
                    } catch {
                        guard case .pivotLimit = error else { throw error }
                        refused += 1
                    }
                    // The operation itself and at most three times anew, where each constraint is entered, settled and
                    // corrected by that many pivots, and one more that puts it into its place.
                    let most = (limit + 1) * 8 * (state.solver.count + 2)
                    #expect(state.solver.pivots - pivots <= most, "seed \(seed), bound \(limit), \(step.text)")
                }
                state.solver.tableau.pivotLimit = .max
                try heal(&state)
                try check(&state, "seed \(seed), bound \(limit)")
            }
        }
        print("limits: \(refused) operations refused")
        #expect(refused > 100)
    }

    private func heal(_ state: inout FuzzState<Solver>) throws {
        let spare = state.solver.makeVariable()
        try state.solver.discard(try state.solver.add(LinearConstraint([Term(spare)], .equal, 1)))
    }

    private func check(_ state: inout FuzzState<Solver>, _ place: String) throws {
        let values = state.values
        let expected: [Int: Double]
        do {
            let constraints = state.model.inForce
            let found = try ReferenceSolver.violations(constraints, variables: values.count)
            expected = try #require(found, "\(place): accepted what cannot hold")
        } catch is Rational.Overflow {
            return
        }
        var actual: [Int: Double] = [:]
        for constraint in state.model.inForce {
            let violation = FuzzModel.violation(constraint, values)
            if constraint.priority == 1000 { #expect(violation <= 1e-6, "\(place): \(constraint)") }
            actual[constraint.priority, default: 0] += violation * constraint.weight
        }
        for (priority, violation) in expected {
            #expect(abs(violation - actual[priority, default: 0]) <= 1e-6, "\(place): priority \(priority)")
        }
    }
}
