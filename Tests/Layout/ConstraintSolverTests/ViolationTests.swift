import Testing

@testable import ConstraintSolver

/// The reported violations of preferences.
@Suite("Violations")
struct ViolationTests {
    /// Preferences of each relation on x == 5, with their residuals.
    private static let table: [(Relation, coefficient: Double, constant: Double, weight: Double, residual: Double)] = [
        (.equal, 1, 5, 1, 0), (.equal, 1, 8, 1, -3), (.equal, 1, 1, 2, 4), (.equal, -2, 0, 0.5, -10),
        (.lessThanOrEqual, 1, 5, 1, 0), (.lessThanOrEqual, 1, 4.5, 4, 0.5), (.lessThanOrEqual, 1, 90, 1, 0),
        (.lessThanOrEqual, -1, -7, 1, 2), (.greaterThanOrEqual, 1, 5, 1, 0), (.greaterThanOrEqual, 3, 16, 0.001, -1),
        (.greaterThanOrEqual, 1, 6.25, 1000, -1.25), (.greaterThanOrEqual, 1, -90, 1, 0),
    ]

    @Test(
        "A violated preference is reported with its residual, left side minus right, and counts by its amount times its weight",
        arguments: table
    )
    func each(_ relation: Relation, coefficient: Double, constant: Double, weight: Double, residual: Double) throws {
        var solver = Solver()
        let x = solver.makeVariable()
        try solver.add(LinearConstraint([Term(x)], .equal, 5))
        let wish = LinearConstraint([Term(x, coefficient)], relation, constant, priority: Priority(300), weight: weight)
        let id = try solver.add(wish)
        let reported = solver.violatedPreferences()
        #expect(reported.map(\.id) == (residual == 0 ? [] : [id]))
        for violation in reported {
            #expect(abs(violation.residual - residual) < 1e-12)
            #expect(abs(violation.amount - abs(residual)) < 1e-12)
            #expect(violation.priority == Priority(300))
            #expect(violation.edited == nil)
        }
        #expect(abs(try solver.violation(of: id) - abs(residual)) < 1e-12)
        let sums = solver.violations()
        #expect(Set(sums.keys) == [.required, Priority(300)])
        #expect(sums[.required] == 0)
        #expect(abs(sums[Priority(300), default: .nan] - abs(residual) * weight) < 1e-12)
    }

    @Test("Violations are sorted by descending priority, then by id; the tolerance is in the unit of the constant")
    func order() throws {
        var solver = Solver()
        let (x, y) = (solver.makeVariable(), solver.makeVariable())
        func wish(_ constant: Double, _ priority: Int) -> LinearConstraint {
            LinearConstraint([Term(x)], .equal, constant, priority: Priority(priority))
        }
        let low = try solver.add(wish(1, 10))
        let high = try solver.add(wish(2, 800))
        let middle = try solver.add(wish(3, 400))
        let twin = try solver.add(wish(3, 400))
        let near = try solver.add(wish(5.001, 999))
        try solver.addEdit(x, priority: Priority(600))
        try solver.suggest(9, for: x)
        try solver.add(LinearConstraint([Term(x)], .equal, 5))
        try solver.addEdit(y, priority: Priority(900))
        let reported = solver.violatedPreferences()
        #expect(reported.filter { $0.edited == nil }.map(\.id) == [near, high, middle, twin, low])
        #expect(reported.map { $0.priority.value } == [999, 800, 600, 400, 400, 10])
        #expect(reported.map(\.edited) == [nil, nil, x, nil, nil, nil])
        #expect(zip(reported.map(\.residual), [-0.001, 3, -4, 2, 2, 4]).allSatisfy { abs($0 - $1) < 1e-12 })
        #expect(solver.violatedPreferences(tolerance: 0.01).map { $0.priority.value } == [800, 600, 400, 400, 10])
        #expect(solver.violatedPreferences(tolerance: 3.5).map { $0.priority.value } == [600, 10])
        #expect(solver.violatedPreferences(tolerance: 4).isEmpty)
        let sums = solver.violations()
        let expected = [1000: 0, 999: 0.001, 900: 0, 800: 3, 600: 4, 400: 4, 10: 4.0]
        #expect(Set(sums.keys.map(\.value)) == Set(expected.keys))
        for (priority, sum) in expected { #expect(abs(sums[Priority(priority), default: .nan] - sum) < 1e-12) }
        // Inactive and satisfied preferences are not reported.
        try solver.remove(high)
        try solver.suggest(5, for: x)
        #expect(solver.violatedPreferences().map { $0.priority.value } == [999, 400, 400, 10])
        #expect(try solver.violation(of: high) == 3)
    }

    @Test("Terms that cancel out except for rounding are removed")
    func cancelled() throws {
        var solver = Solver()
        let (x, y) = (solver.makeVariable(), solver.makeVariable())
        let nothing = [Term(x, 0.1), Term(x, 0.2), Term(x, -0.3)]
        let empty = LinearConstraint(nothing, .equal, 1)
        let fact = try solver.define(empty)
        #expect(try solver.constraint(fact).terms.isEmpty)
        let id = try solver.add(LinearConstraint(nothing + [Term(y, 2)], .equal, 8))
        #expect(try solver.constraint(id).terms == [Term(y, 2)])
        #expect(solver.value(of: y) == 4)
        let small = try solver.define(LinearConstraint([Term(x, 1), Term(x, 1e-6 - 1)], .equal, 1))
        #expect(abs(try solver.constraint(small).terms[0].coefficient - 1e-6) < 1e-15)
    }
}
