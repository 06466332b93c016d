import LayoutReplay
import TestSupport
import Testing

@testable import ConstraintSolver

@Suite("Ambiguity")
struct AmbiguityTests {
    @Test("A variable without constraints is open and unbounded; a variable with a stated value is settled")
    func unbounded() throws {
        var solver = Solver()
        let (x, y) = (solver.makeVariable(), solver.makeVariable())
        try solver.add(LinearConstraint([Term(x)], .equal, 3))
        #expect(solver.ambiguities() == [Ambiguity(variable: y, lower: -.infinity, upper: .infinity, settledBy: [y])])
        try solver.add(LinearConstraint([Term(y), Term(x, 2)], .equal, 8, priority: Priority(1)))
        #expect(solver.ambiguities().isEmpty)
    }

    @Test("Bounds leave a range, and dependent variables follow the open one")
    func range() throws {
        var solver = Solver()
        let (width, right) = (solver.makeVariable(), solver.makeVariable())
        try solver.add(LinearConstraint([Term(width)], .greaterThanOrEqual, 2))
        try solver.add(LinearConstraint([Term(width)], .lessThanOrEqual, 10, priority: Priority(20)))
        try solver.add(LinearConstraint([Term(right), Term(width, -2)], .equal, 1))
        #expect(
            solver.ambiguities() == [
                Ambiguity(variable: width, lower: 2, upper: 10, settledBy: [width]),
                Ambiguity(variable: right, lower: 5, upper: 21, settledBy: [width]),
            ]
        )
        // A preference of any priority settles both.
        let wish = try solver.add(LinearConstraint([Term(right)], .equal, 40, priority: Priority(1)))
        #expect(solver.ambiguities().isEmpty)
        try solver.remove(wish)
        #expect(solver.ambiguities().count == 2)
    }

    @Test("Conflicting preferences of one priority leave the range between them")
    func tie() throws {
        var solver = Solver()
        let x = solver.makeVariable()
        let low = Priority(250)
        try solver.add(LinearConstraint([Term(x)], .equal, 4, priority: low))
        let other = try solver.add(LinearConstraint([Term(x)], .equal, 9, priority: low))
        #expect(solver.ambiguities() == [Ambiguity(variable: x, lower: 4, upper: 9, settledBy: [x])])
        try solver.setPriority(other, low, weight: 2)
        #expect(solver.ambiguities().isEmpty)
        try solver.setPriority(other, Priority(249))
        #expect(solver.ambiguities().isEmpty)
    }

    @Test("A degenerate solution is not an ambiguity")
    func degenerate() throws {
        var solver = Solver()
        let (x, y) = (solver.makeVariable(), solver.makeVariable())
        // x + y <= 4, x >= 2, y >= 2: one point, three rows at their bounds.
        try solver.add(LinearConstraint([Term(x), Term(y)], .lessThanOrEqual, 4))
        try solver.add(LinearConstraint([Term(x)], .greaterThanOrEqual, 2))
        let bound = try solver.add(LinearConstraint([Term(y)], .greaterThanOrEqual, 2))
        #expect(solver.ambiguities().isEmpty)
        try solver.setConstant(bound, 1)
        #expect(
            solver.ambiguities() == [
                Ambiguity(variable: x, lower: 2, upper: 3, settledBy: [x]),
                Ambiguity(variable: y, lower: 1, upper: 2, settledBy: [y]),
            ]
        )
    }

    @Test(
        "Random systems: a variable is open exactly if its least and greatest exact values differ, and settledBy settles all"
    )
    func reference() throws {
        var found = (open: 0, settled: 0, overflows: 0, bounded: 0, followers: 0)
        for seed in UInt64(0)..<(isLongRun ? 2500 : 250) {
            var generator = SeededGenerator(seed: 700_000 + seed)
            let shape = FuzzProgram.Shape(
                variables: 5,
                steps: 24,
                capacity: [4, 7, 10][Int(seed % 3)],
                required: [0.1, 0.4, 0.7][Int(seed / 3 % 3)],
                constants: seed % 2 == 0 ? [0, 5, 10] : []
            )
            try check(FuzzProgram.make(shape, using: &generator), seed, &found)
        }
        print("ambiguity: \(found)")
        #expect(found.open > 300 && found.settled > 300 && found.bounded > 100 && found.followers > 50)
        #expect(found.overflows * 5 < found.open + found.settled)
    }

    private func check(
        _ program: ReplayProgram,
        _ seed: UInt64,
        _ found: inout (open: Int, settled: Int, overflows: Int, bounded: Int, followers: Int)
    ) throws {
        var final = FuzzState<Solver>()
        for step in program.steps { _ = try final.apply(step) }
        let ranges: [(lower: Double, upper: Double)]
        do {
            let constraints = final.model.inForce
            guard let exact = try ReferenceSolver.ranges(constraints, variables: final.variables.count) else {
                Issue.record("seed \(seed): a conflict was accepted")
                return
            }
            ranges = exact
        } catch is Rational.Overflow {
            found.overflows += 1
            return
        }
        let ambiguities = final.solver.ambiguities()
        for (index, variable) in final.variables.enumerated() {
            let range = ranges[index]
            let ambiguity = ambiguities.first { $0.variable == variable }
            #expect((range.lower != range.upper) == (ambiguity != nil), "seed \(seed): x\(index) \(range)")
            guard let ambiguity else {
                found.settled += 1
                continue
            }
            found.open += 1
            if range.lower.isFinite || range.upper.isFinite { found.bounded += 1 }
            if ambiguity.settledBy != [variable] { found.followers += 1 }
            #expect(isNear(ambiguity.lower, range.lower), "seed \(seed): x\(index) \(ambiguity) \(range)")
            #expect(isNear(ambiguity.upper, range.upper), "seed \(seed): x\(index) \(ambiguity) \(range)")
        }
        // Constraints on all variables of settledBy determine every variable; with one fewer, one stays open.
        let settling = ambiguities.filter { $0.settledBy == [$0.variable] }.map(\.variable)
        #expect(Set(ambiguities.flatMap(\.settledBy)) == Set(settling), "seed \(seed)")
        for (place, variable) in settling.enumerated() {
            let left = final.solver.ambiguities()
            guard let ambiguity = left.first(where: { $0.variable == variable }) else {
                Issue.record("seed \(seed): x\(variable.index) was settled by \(place) statements")
                continue
            }
            // Between the bounds, so that no other bound determines the variable by chance.
            let value = final.solver.value(of: variable)
            let lower = max(ambiguity.lower, value - 7)
            let upper = min(ambiguity.upper, value + 7)
            try final.solver.add(LinearConstraint([Term(variable)], .equal, lower + (upper - lower) * 0.4))
        }
        #expect(final.solver.ambiguities().isEmpty, "seed \(seed): \(final.solver.ambiguities())")
    }

    private func isNear(_ value: Double, _ expected: Double) -> Bool {
        value == expected || abs(value - expected) <= 1e-6 * max(1, abs(expected))
    }
}
