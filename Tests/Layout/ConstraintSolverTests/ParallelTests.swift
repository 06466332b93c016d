import ConstraintSolver
import Testing

/// Systems on which solvers of this kind have hung, gone unbounded or let many outvote one.
@Suite("Parallel preferences")
struct ParallelTests {
    @Test("Thousands of different preferences for one width settle at the weighted median, in few pivots")
    func parallel() throws {
        var solver = Solver()
        let width = solver.makeVariable()
        try solver.add(LinearConstraint([Term(width)], .greaterThanOrEqual, 0))
        for index in 0..<2001 {
            let wish = Double(index * 7 % 2001)
            try solver.add(LinearConstraint([Term(width)], .equal, wish, priority: Priority(250)))
        }
        #expect(solver.value(of: width) == 1000)
        #expect(solver.pivots < 4 * 2001)
    }

    @Test("Thousands of equal widths, each with a preference and a bound, settle and resize in few pivots")
    func aliased() throws {
        var solver = Solver()
        let window = solver.makeVariable()
        try solver.addEdit(window, priority: Priority(900))
        let widths = (0..<1000).map { _ in solver.makeVariable() }
        for (index, width) in widths.enumerated() {
            if index > 0 { try solver.add(LinearConstraint([Term(width), Term(widths[index - 1], -1)], .equal, 0)) }
            let wish = LinearConstraint([Term(width)], .equal, Double(40 + index % 21), priority: Priority(100))
            try solver.add(wish)
            try solver.add(LinearConstraint([Term(width)], .greaterThanOrEqual, 10, priority: Priority(700)))
        }
        try solver.add(LinearConstraint([Term(widths[999], 1000), Term(window, -1)], .lessThanOrEqual, 0))
        let built = solver.pivots
        #expect(built < 8000)
        for (wanted, expected) in [(30_000.0, 30.0), (90_000, 50), (5000, 5), (60_000, 50)] {
            try solver.suggest(wanted, for: window)
            #expect(abs(solver.value(of: widths[500]) - expected) < 1e-6, "a window of \(wanted)")
        }
        #expect(solver.pivots - built < 4000)
        #expect(solver.largestResidual() < 1e-6)
    }

    @Test("The weight that a constraint gets while it is inactive applies when it is added")
    func inactiveWeight() throws {
        var solver = Solver()
        let width = solver.makeVariable()
        try solver.add(LinearConstraint([Term(width)], .equal, 10, priority: Priority(250), weight: 2))
        let other = try solver.define(LinearConstraint([Term(width)], .equal, 20, priority: Priority(250)))
        try solver.setPriority(other, Priority(250), weight: 3)
        try solver.add(other)
        #expect(solver.value(of: width) == 20)
    }

    @Test("No number or weight of lower-priority preferences outweighs a higher one")
    func strict() throws {
        var solver = Solver()
        let width = solver.makeVariable()
        for _ in 0..<1000 {
            let weak = LinearConstraint([Term(width)], .equal, 100, priority: Priority(250), weight: 1e6)
            try solver.add(weak)
        }
        try solver.add(LinearConstraint([Term(width)], .equal, 10, priority: Priority(251), weight: 0.001))
        #expect(solver.value(of: width) == 10)
    }
}
