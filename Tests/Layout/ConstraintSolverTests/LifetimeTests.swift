import Testing

@testable import ConstraintSolver

/// Variables, constraints and edits that are removed and created again at the same index.
@Suite("Lifetimes")
struct LifetimeTests {
    /// The id of a variable's edit, from its violation.
    private func edit(of variable: Variable, in solver: inout Solver) throws -> ConstraintID {
        try #require(solver.violatedPreferences().first { $0.edited == variable }).id
    }

    @Test("An edit's constraint can be removed by removeEdit only")
    func editsAreOwned() throws {
        var solver = Solver()
        let (x, y) = (solver.makeVariable(), solver.makeVariable())
        try solver.add(LinearConstraint([Term(x)], .lessThanOrEqual, 3))
        try solver.addEdit(x, priority: Priority(500))
        try solver.suggest(8, for: x)
        let id = try edit(of: x, in: &solver)
        #expect(throws: SolverError.ownedByEdit(x)) { try solver.discard(id) }
        #expect(throws: SolverError.ownedByEdit(x)) { try solver.remove(id) }
        #expect(throws: SolverError.duplicate(id)) { try solver.add(id) }
        // A later constraint gets another index.
        let other = try solver.add(LinearConstraint([Term(y)], .equal, 9))
        try solver.suggest(2, for: x)
        #expect(try solver.constraint(other).constant == 9)
        #expect(solver.value(of: y) == 9)
        #expect(solver.value(of: x) == 2)
        try solver.removeEdit(x)
        #expect(solver.count == 2)
        #expect(solver.variables[0].uses == 1)
        #expect(throws: SolverError.unknownConstraint(id)) { try solver.discard(id) }
    }

    @Test("An edit's constant and priority can also be changed by its constraint's id")
    func editsChange() throws {
        var solver = Solver()
        let x = solver.makeVariable()
        let rival = try solver.add(LinearConstraint([Term(x)], .equal, 5, priority: Priority(600)))
        try solver.addEdit(x, priority: Priority(500))
        try solver.suggest(8, for: x)
        let id = try edit(of: x, in: &solver)
        try solver.setConstant(id, 7)
        try solver.setPriority(id, Priority(700))
        #expect(solver.value(of: x) == 7)
        try solver.setPriority(rival, Priority(800))
        try solver.suggest(1, for: x)
        #expect(solver.value(of: x) == 5)
        try solver.removeEdit(x)
        #expect(solver.count == 1)
    }

    @Test("A constraint whose variable was removed has no violation and cannot be added, even if the index is reused")
    func removedVariables() throws {
        var solver = Solver()
        let (x, y) = (solver.makeVariable(), solver.makeVariable())
        let wish = try solver.define(LinearConstraint([Term(x), Term(y)], .equal, 4, priority: Priority(9)))
        try solver.add(LinearConstraint([Term(y)], .equal, 1))
        #expect(try solver.violation(of: wish) == 3)
        try solver.removeVariable(x)
        #expect(throws: SolverError.unknownVariable(x)) { _ = try solver.violation(of: wish) }
        #expect(throws: SolverError.unknownVariable(x)) { try solver.add(wish) }
        let again = solver.makeVariable()
        #expect(again.index == x.index)
        #expect(throws: SolverError.unknownVariable(x)) { _ = try solver.violation(of: wish) }
        #expect(throws: SolverError.unknownVariable(x)) { try solver.add(wish) }
        try solver.setConstant(wish, 6)
        try solver.setPriority(wish, .required)
        try solver.discard(wish)
        #expect(solver.value(of: again) == 0)
        #expect(solver.value(of: x) == 0)
    }

    @Test("Each change is reported once, also for a variable that reuses the index of a changed one")
    func changesOfReusedPlaces() throws {
        var solver = Solver()
        let x = solver.makeVariable()
        let wish = try solver.add(LinearConstraint([Term(x)], .equal, 4))
        #expect(solver.value(of: x) == 4)
        try solver.discard(wish)
        try solver.removeVariable(x)
        let y = solver.makeVariable()
        #expect(y.index == x.index)
        try solver.add(LinearConstraint([Term(y)], .equal, 6))
        var found: [Variable] = []
        solver.drainChanges { variable, value in
            found.append(variable)
            #expect(value == 6)
        }
        #expect(found == [y])
        solver.drainChanges { _, _ in Issue.record("nothing has changed since") }
        // The same after the tableau is built anew.
        try solver.add(LinearConstraint([Term(y)], .lessThanOrEqual, 7))
        _ = solver.rebuild()
        solver.drainChanges { _, _ in Issue.record("nothing has changed since") }
    }

    @Test(
        "A conflict that only rounding causes is not reported, for a new constraint and for one that becomes required",
        arguments: [true, false]
    )
    func falseConflicts(isNew: Bool) throws {
        var solver = Solver()
        let (x, y) = (solver.makeVariable(), solver.makeVariable())
        try solver.add(LinearConstraint([Term(x)], .equal, 5))
        try solver.add(LinearConstraint([Term(y), Term(x, -1)], .equal, 2))
        let wish = LinearConstraint([Term(y), Term(x, 2)], .equal, 17, priority: Priority(500))
        let id = isNew ? try solver.define(wish) : try solver.add(wish)
        // Errors in the row of x, as rounding could cause them.
        let row = solver.tableau.store.symbols[solver.variables[Int(x.index)].symbol].row
        for place in 0..<Int(solver.tableau.store.rows[row].count) {
            solver.tableau.store.rows[row].entries[place].value *= 2
        }
        solver.tableau.store.rows[row].constant += 1
        try solver.setPriority(id, .required)
        if isNew { try solver.add(id) }
        #expect(abs(solver.value(of: x) - 5) < 1e-9)
        #expect(abs(solver.value(of: y) - 7) < 1e-9)
        #expect(solver.rebuilds == 1)
        #expect(try solver.constraint(id).priority == .required)
        #expect(solver.violations() == [.required: 0])
    }
}
