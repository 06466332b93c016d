import Testing

@testable import ConstraintSolver

@Suite("Errors")
struct SolverErrorTests {
    /// A small system, to see that it stays as it is.
    private func system(_ body: (inout Solver, Variable, Variable, ConstraintID) throws -> Void) throws {
        var solver = Solver()
        let x = solver.makeVariable()
        let y = solver.makeVariable()
        let fixed = try solver.add(LinearConstraint([Term(x)], .equal, 7))
        try solver.add(LinearConstraint([Term(y), Term(x, -1)], .equal, 3, priority: Priority(500)))
        let before = [solver.value(of: x).bitPattern, solver.value(of: y).bitPattern]
        try body(&solver, x, y, fixed)
        #expect([solver.value(of: x).bitPattern, solver.value(of: y).bitPattern] == before)
        #expect(solver.count == 2)
    }

    private func expect(_ expected: SolverError, _ body: () throws -> Void) {
        do {
            try body()
            Issue.record("\(expected) was not thrown")
        } catch let error as SolverError {
            #expect(error == expected)
            #expect(!error.description.isEmpty)
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test("Numbers that are not finite or too large are refused", arguments: [Double.infinity, -.infinity, 1e300])
    func numbers(_ bad: Double) throws {
        let error: SolverError = bad.isFinite ? .outOfRange(bad) : .notFinite(bad)
        try system { solver, x, y, fixed in
            expect(error) { try solver.add(LinearConstraint([Term(x)], .equal, bad)) }
            expect(error) { try solver.add(LinearConstraint([Term(y, bad)], .equal, 1)) }
            expect(error) { try solver.add(LinearConstraint([Term(y)], .equal, 1, priority: Priority(1), weight: bad)) }
            expect(error) { try solver.setConstant(fixed, bad) }
        }
    }

    @Test("NaN is refused")
    func notANumber() throws {
        try system { solver, x, _, fixed in
            #expect(throws: SolverError.self) { try solver.add(LinearConstraint([Term(x)], .equal, .nan)) }
            #expect(throws: SolverError.self) { try solver.add(LinearConstraint([Term(x, .nan)], .equal, 1)) }
            #expect(throws: SolverError.self) { try solver.setConstant(fixed, .nan) }
        }
    }

    @Test("A constraint without variables, or whose variables cancel out, is refused")
    func noVariables() throws {
        try system { solver, x, _, _ in
            expect(.noVariables) { try solver.add(LinearConstraint([], .equal, 1)) }
            expect(.noVariables) { try solver.add(LinearConstraint([Term(x), Term(x, -1)], .equal, 0)) }
        }
    }

    @Test("A constraint counts once, and one that is not in force cannot be removed")
    func twice() throws {
        try system { solver, x, _, fixed in
            expect(.duplicate(fixed)) { try solver.add(fixed) }
            let other = try solver.define(LinearConstraint([Term(x)], .lessThanOrEqual, 9))
            expect(.unknownConstraint(other)) { try solver.remove(other) }
            try solver.discard(other)
            expect(.unknownConstraint(other)) { try solver.add(other) }
            expect(.unknownConstraint(other)) { try solver.setConstant(other, 1) }
            expect(.unknownConstraint(other)) { try solver.setPriority(other, .required) }
        }
    }

    @Test("Variables in use stay, removed ones are unknown, edits are one a variable")
    func variables() throws {
        try system { solver, x, y, _ in
            expect(.variableInUse(x)) { try solver.removeVariable(x) }
            let z = solver.makeVariable()
            expect(.noEdit(z)) { try solver.suggest(1, for: z) }
            try solver.addEdit(z, priority: Priority(900))
            expect(.duplicateEdit(z)) { try solver.addEdit(z, priority: Priority(900)) }
            expect(.notFinite(.infinity)) { try solver.suggest(.infinity, for: z) }
            try solver.suggest(4, for: z)
            #expect(solver.value(of: z) == 4)
            try solver.removeEdit(z)
            expect(.noEdit(z)) { try solver.removeEdit(z) }
            try solver.removeVariable(z)
            expect(.unknownVariable(z)) { try solver.add(LinearConstraint([Term(y), Term(z)], .equal, 1)) }
        }
    }

    @Test("A conflict names the smallest set and changes nothing")
    func conflict() throws {
        try system { solver, x, y, fixed in
            let bound = try solver.define(LinearConstraint([Term(x)], .lessThanOrEqual, 6))
            expect(.unsatisfiable(bound, conflicting: [fixed, bound])) { try solver.add(bound) }
            expect(.unsatisfiable(fixed, conflicting: [fixed])) {
                // Alone, x = 7 can be any x; against y >= 9 and y <= x it must stay.
                let floor = try solver.add(LinearConstraint([Term(y)], .greaterThanOrEqual, 10))
                let cap = try solver.add(LinearConstraint([Term(y), Term(x, -1)], .lessThanOrEqual, 3))
                defer {
                    try? solver.discard(floor)
                    try? solver.discard(cap)
                }
                do {
                    try solver.setConstant(fixed, 6)
                } catch SolverError.unsatisfiable(let id, let conflicting) {
                    #expect(Set(conflicting) == [fixed, floor, cap])
                    throw SolverError.unsatisfiable(id, conflicting: [fixed])
                }
            }
        }
    }
}
