import LayoutReplay
import TestSupport
import Testing

@testable import ConstraintSolver

/// The limit on pivots, lower than the usual one, which real systems do not reach.
@Suite("Limits")
struct LimitTests {
    @Test("An operation that may not pivot throws a typed error, is reverted, and succeeds later")
    func typedError() throws {
        var solver = Solver()
        let (x, y) = (solver.makeVariable(), solver.makeVariable())
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

    @Test("Rebuilding counts its pivots in addition to those before")
    func countsAcrossRebuilds() throws {
        var solver = Solver()
        let (x, y) = (solver.makeVariable(), solver.makeVariable())
        try solver.add(LinearConstraint([Term(x), Term(y)], .lessThanOrEqual, 20))
        try solver.add(LinearConstraint([Term(x), Term(y)], .lessThanOrEqual, -3, priority: Priority(5)))
        for step in 1...4 { try solver.add(LinearConstraint([Term(x)], .greaterThanOrEqual, Double(step))) }
        let pivots = solver.pivots
        #expect(pivots > 0)
        let first = solver.rebuild()
        let once = solver.pivots
        let second = solver.rebuild()
        #expect(first && second && once > pivots && solver.pivots > once)
    }

    @Test("Each operation ends within any pivot limit, and the system is intact when the limit is removed")
    func everyBound() throws {
        var refused = 0
        var unchanged = 0
        for seed in UInt64(0)..<(isLongRun ? 400 : 30) {
            var generator = SeededGenerator(seed: 70_000 + seed)
            let program = FuzzProgram.make(FuzzProgram.Shape(capacity: 14), using: &generator)
            for limit in [0, 1, 2, 3, 5, 8] {
                var state = FuzzState<Solver>()
                state.solver.tableau.pivotLimit = limit
                for step in program.steps {
                    let pivots = state.solver.pivots
                    let before = state.values
                    // The operation itself and at most three rebuilds, where each constraint is inserted, settled and
                    // corrected by that many pivots, and one more to place it.
                    var most = (limit + 1) * 8 * (state.solver.count + 2)
                    let place = "seed \(seed), bound \(limit), \(step.text)"
                    do throws(SolverError) {
                        _ = try state.apply(step)
                    } catch {
                        guard case .pivotLimit = error else { throw error }
                        refused += 1
                        try checkRefusal(&state, before, &unchanged, place)
                        // After a refusal the former system is rebuilt without a limit.
                        most += rebuildPivots(state.solver)
                    }
                    #expect(state.solver.pivots - pivots <= most, "\(place)")
                }
                state.solver.tableau.pivotLimit = .max
                try heal(&state)
                try check(&state, "seed \(seed), bound \(limit)")
            }
        }
        #expect(refused > 100 && unchanged > 20)
    }

    /// After an operation that reached the limit, all violations are those before it; after a required constraint that
    /// reached it, the values have the same bits.
    private func checkRefusal(
        _ state: inout FuzzState<Solver>,
        _ before: [Double],
        _ unchanged: inout Int,
        _ place: String
    ) throws {
        let after = state.values
        if after.map(\.bitPattern) == before.map(\.bitPattern) { unchanged += 1 }
        let sums = state.model.violations(after)
        for (priority, violation) in state.model.violations(before) {
            let now = sums[priority, default: .infinity]
            #expect(abs(now - violation) <= 1e-6, "\(place): priority \(priority) went from \(violation) to \(now)")
        }
        #expect(state.solver.largestResidual() <= 1e-6, "\(place)")
    }

    /// The number of pivots that a rebuild takes.
    private func rebuildPivots(_ solver: borrowing Solver) -> Int {
        var twin = Solver(copying: solver)
        twin.tableau.pivotLimit = .max
        let pivots = twin.pivots
        _ = twin.rebuild()
        return twin.pivots - pivots
    }

    @Test("A required constraint stopped by the pivot limit, new or changed, leaves every bit of every value")
    func requirementsStopped() throws {
        var solver = Solver()
        let parts = (0..<6).map { _ in solver.makeVariable() }
        let total = try solver.add(LinearConstraint(parts.map { Term($0) }, .equal, 60))
        for part in parts { try solver.add(LinearConstraint([Term(part)], .greaterThanOrEqual, 1)) }
        for part in parts { try solver.add(LinearConstraint([Term(part)], .lessThanOrEqual, 30)) }
        for (index, part) in parts.enumerated() {
            try solver.add(LinearConstraint([Term(part)], .equal, Double(7 * index), priority: Priority(500 - index)))
        }
        let weak = LinearConstraint(
            [Term(parts[0]), Term(parts[1], 3)],
            .greaterThanOrEqual,
            100,
            priority: Priority(2)
        )
        let wish = try solver.add(weak)
        var steep = weak
        steep.priority = .required
        let before = parts.map { solver.value(of: $0).bitPattern }
        for limit in 0..<2 {
            solver.tableau.pivotLimit = limit
            #expect(throws: SolverError.pivotLimit) { try solver.add(steep) }
            #expect(parts.map { solver.value(of: $0).bitPattern } == before)
            #expect(throws: SolverError.pivotLimit) { try solver.setPriority(wish, .required) }
            #expect(parts.map { solver.value(of: $0).bitPattern } == before)
            #expect(throws: SolverError.pivotLimit) { try solver.setConstant(total, 170) }
            #expect(parts.map { solver.value(of: $0).bitPattern } == before)
        }
        solver.tableau.pivotLimit = .max
        try solver.setPriority(wish, .required)
        try solver.setConstant(total, 170)
        #expect(abs(solver.value(of: parts[1]) - 30) < 1e-9)
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
            expected = try #require(found, "\(place): a conflict was accepted")
        } catch is Rational.Overflow {
            return
        }
        for constraint in state.model.inForce where constraint.priority == 1000 {
            #expect(FuzzModel.violation(constraint, values) <= 1e-6, "\(place): \(constraint)")
        }
        let actual = state.model.violations(values)
        for (priority, violation) in expected {
            #expect(abs(violation - actual[priority, default: 0]) <= 1e-6, "\(place): priority \(priority)")
        }
    }
}
