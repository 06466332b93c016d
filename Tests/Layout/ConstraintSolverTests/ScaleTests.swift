import Testing

@testable import ConstraintSolver

/// Coefficients of unlike size in one system.
@Suite("Scales")
struct ScaleTests {
    @Test("Required constraints with a small and a large coefficient both hold")
    func requirements() throws {
        var solver = Solver()
        let x = solver.makeVariable()
        try solver.add(LinearConstraint([Term(x, 1000)], .greaterThanOrEqual, 0))
        try solver.add(LinearConstraint([Term(x, 1e-6)], .equal, 1))
        #expect(abs(solver.value(of: x) - 1e6) < 1e-3)
        let bound = LinearConstraint([Term(x, 1e6)], .lessThanOrEqual, 9e8)
        #expect(throws: SolverError.self) { try solver.add(bound) }
    }

    @Test("The scale is that of the geometric mean of the smallest and the largest coefficient")
    func scale() {
        var solver = Solver()
        let (x, y) = (solver.makeVariable(), solver.makeVariable())
        let least = Solver.smallestCoefficient
        for exponent in 0...40 {
            for factor in [1, 1.5, 2.0.nextDown, 3] {
                let most = min(least * factor * Double(sign: .plus, exponent: exponent, significand: 1), 1e6)
                let mean = (least * most).squareRoot()
                let scale = LinearConstraint([Term(x, -least), Term(y, most)], .equal, 0).scale
                #expect(scale == Double(sign: .plus, exponent: -Int(mean.exponent), significand: 1), "\(most)")
            }
        }
    }

    @Test(
        "A preference with a small coefficient is met at any weight; one too weak to be distinguished from zero is refused"
    )
    func wishes() throws {
        for (coefficient, weight) in [(1e-6, 1.0), (1e-6, 1e6), (0.001, 0.001), (1e6, 0.001), (1e6, 1e6)] {
            var solver = Solver()
            let x = solver.makeVariable()
            try solver.add(LinearConstraint([Term(x)], .greaterThanOrEqual, 0))
            let wish = LinearConstraint([Term(x, coefficient)], .equal, 1, priority: Priority(500), weight: weight)
            let id = try solver.add(wish)
            #expect(abs(solver.value(of: x) * coefficient - 1) < 1e-9, "\(coefficient), \(weight)")
            try solver.setConstant(id, 2)
            #expect(abs(solver.value(of: x) * coefficient - 2) < 1e-9, "\(coefficient), \(weight)")
        }
        var solver = Solver()
        let x = solver.makeVariable()
        var weak = LinearConstraint([Term(x, 1e-6)], .equal, 1, priority: Priority(500), weight: 0.001)
        #expect(throws: SolverError.outOfRange(0.001, in: .stated(weak))) { try solver.add(weak) }
        weak.weight = 1
        let id = try solver.add(weak)
        #expect(throws: SolverError.outOfRange(0.01, in: .defined(id))) {
            try solver.setPriority(id, Priority(500), weight: 0.01)
        }
        #expect(throws: SolverError.outOfRange(1e4, in: .defined(id))) { try solver.setConstant(id, 1e4) }
        #expect(abs(solver.value(of: x) - 1e6) < 1e-3)
    }

    @Test("Preferences that state the same in different units share their symbols and are weighted in their own units")
    func parallel() throws {
        var solver = Solver()
        let x = solver.makeVariable()
        let low = Priority(250)
        try solver.add(LinearConstraint([Term(x)], .equal, 4, priority: low, weight: 2))
        let large = try solver.add(LinearConstraint([Term(x, 1024)], .equal, 8192, priority: low))
        let twin = try solver.add(LinearConstraint([Term(x)], .equal, 8, priority: low, weight: 3))
        #expect(solver.followerCount == 1)
        #expect(solver.value(of: x) == 8)
        #expect(solver.violations() == [low: 8])
        try solver.setPriority(large, low, weight: 0.001)
        #expect(solver.value(of: x) == 8)
        try solver.remove(twin)
        #expect(solver.value(of: x) == 4)
        #expect(abs(solver.violations()[low, default: 0] - 4.096) < 1e-12)
        try solver.setPriority(large, low, weight: 0.004)
        #expect(solver.value(of: x) == 8)
        #expect(solver.largestResidual() == 0)
    }
}
