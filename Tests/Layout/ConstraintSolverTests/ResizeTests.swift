import ConstraintSolver
import TestSupport
import Testing

/// Many suggestions for the same variables, as when a window is resized: state that is reused between them changes no value.
@Suite("Resizing")
struct ResizeTests {
    /// A random system with edits, and steps that suggest values in turn.
    private struct Case {
        var constraints: [(terms: [(variable: Int, coefficient: Double)], Relation, constant: Double, Priority)] = []
        var edits: [Int] = []
        var steps: [(edit: Int, value: Double)] = []

        init(seed: UInt64) {
            var generator = SeededGenerator(seed: seed)
            for _ in 0..<30 {
                let first = Int.random(in: 0..<12, using: &generator)
                var terms = [(variable: first, coefficient: 1.0)]
                for _ in 0..<Int.random(in: 0...2, using: &generator) {
                    let coefficient = [1.0, -1, -1, 2, -0.5, 3][Int.random(in: 0..<6, using: &generator)]
                    terms.append((Int.random(in: 0..<12, using: &generator), coefficient))
                }
                constraints.append(
                    (
                        terms, Relation.allCases[Int.random(in: 0..<3, using: &generator)],
                        Double(Int.random(in: -20...40, using: &generator)),
                        Priority([1000, 750, 500, 250, 250][Int.random(in: 0..<5, using: &generator)])
                    )
                )
            }
            let count = Int.random(in: 1...3, using: &generator)
            while edits.count < count {
                let variable = Int.random(in: 0..<12, using: &generator)
                if !edits.contains(variable) { edits.append(variable) }
            }
            for _ in 0..<60 {
                steps.append(
                    (Int.random(in: 0..<count, using: &generator), Double(Int.random(in: -40...60, using: &generator)))
                )
            }
        }
    }

    /// Builds the system of a case without the constraints that conflict.
    private func build(_ test: Case, _ variables: inout [Variable]) throws -> Solver {
        var solver = Solver()
        variables = (0..<12).map { _ in solver.makeVariable() }
        for (terms, relation, constant, priority) in test.constraints {
            _ = try? solver.add(
                LinearConstraint(
                    terms.map { Term(variables[$0.variable], $0.coefficient) },
                    relation,
                    constant,
                    priority: priority
                )
            )
        }
        for edit in test.edits { try solver.addEdit(variables[edit], priority: Priority(900)) }
        return solver
    }

    @Test(
        "After suggestions the violations equal those of a system built for the last suggestion only",
        arguments: 0..<6
    )
    func sameAsBuilt(seed: UInt64) throws {
        let test = Case(seed: 700_000 + seed)
        var variables: [Variable] = []
        var solver = try build(test, &variables)
        var values = [Double](repeating: 0, count: test.edits.count)
        for (step, (edit, value)) in test.steps.enumerated() {
            values[edit] = value
            try solver.suggest(value, for: variables[test.edits[edit]])
            #expect(solver.largestResidual() < 1e-9, "seed \(seed), step \(step)")
            guard step % 6 == 5 else { continue }
            var others: [Variable] = []
            var fresh = try build(test, &others)
            for (place, edit) in test.edits.enumerated() { try fresh.suggest(values[place], for: others[edit]) }
            let expected = fresh.violations()
            for (priority, violation) in solver.violations() {
                let difference = abs(violation - (expected[priority] ?? 0))
                #expect(difference < 1e-6, "seed \(seed), step \(step), priority \(priority)")
            }
        }
    }

    @Test("The bits of the values do not depend on when they are read", arguments: 0..<12)
    func reading(seed: UInt64) throws {
        let test = Case(seed: 710_000 + seed)
        var first: [Variable] = []
        var second: [Variable] = []
        var often = try build(test, &first)
        var atTheEnd = try build(test, &second)
        for (edit, value) in test.steps {
            try often.suggest(value, for: first[test.edits[edit]])
            often.drainChanges { _, _ in }
            try atTheEnd.suggest(value, for: second[test.edits[edit]])
        }
        for (one, other) in zip(first, second) {
            #expect(often.value(of: one).bitPattern == atTheEnd.value(of: other).bitPattern, "seed \(seed)")
        }
    }

    /// Rows of a title and a button in a window, narrow and wide ones, some of whose preferences are violated at each width,
    /// and a running sum of the widths, whose rounding depends on how it was computed.
    private func buildList(_ rows: Int, _ variables: inout [Variable]) throws -> Solver {
        var solver = Solver()
        let (window, other) = (solver.makeVariable(), solver.makeVariable())
        variables = [window, other]
        for variable in variables { try solver.addEdit(variable, priority: Priority(900)) }
        for place in 0..<400 {
            variables.append(solver.makeVariable())
            let terms = [Term(variables[place + 2]), Term(other, -1)]
            try solver.add(LinearConstraint(terms, .equal, Double(place) / 3))
        }
        for row in 0..<rows {
            let (width, title, button) = (solver.makeVariable(), solver.makeVariable(), solver.makeVariable())
            let sum = solver.makeVariable()
            let above = row == 0 ? window : variables[variables.count - 1]
            variables += [width, title, button, sum]
            let content = 40 + Double(row * 37 % 200) / 3
            try solver.add(LinearConstraint([Term(width), Term(window, -0.7)], .equal, -Double(row) / 3))
            try solver.add(LinearConstraint([Term(sum), Term(above, -1), Term(width, -0.1)], .equal, 0.1))
            try solver.add(LinearConstraint([Term(title), Term(button), Term(width, -1)], .lessThanOrEqual, -8.1))
            for (part, size, weight) in [(title, content, 0.25), (button, 20.3, 0.26)] {
                let term = [Term(part)]
                try solver.add(LinearConstraint(term, .equal, size, priority: Priority(100), weight: weight))
                try solver.add(LinearConstraint(term, .greaterThanOrEqual, size, priority: Priority(100), weight: 750))
            }
        }
        return solver
    }

    @Test("The bits of a long list do not depend on when it is read, with and without pivots")
    func readingList() throws {
        var variables: [Variable] = []
        var often = try buildList(30, &variables)
        var seldom = try buildList(30, &variables)
        for cycle in 0..<40 {
            // First many independent variables, then the window: without a pivot, then with some.
            var steps = [(variables[1], Double(cycle))]
            for width in [290.7, 288.8, 280.6, 280.9, 65.4, 170] {
                steps.append((variables[0], width + Double(cycle) * 0.3))
            }
            for (variable, value) in steps.prefix(cycle % 2 == 0 ? 6 : 7) {
                try often.suggest(value, for: variable)
                often.drainChanges { _, _ in }
                try seldom.suggest(value, for: variable)
            }
            #expect(often.largestResidual() < 1e-9, "cycle \(cycle)")
            for variable in variables {
                let (one, other) = (often.value(of: variable), seldom.value(of: variable))
                #expect(one.bitPattern == other.bitPattern, "cycle \(cycle): \(one) \(other)")
            }
        }
        #expect(often.pivots > 500)
        #expect(often.pivots == seldom.pivots)
    }

    @Test("A refused required constraint leaves every bit, also after many shifts")
    func refused() throws {
        var solver = Solver()
        let width = solver.makeVariable()
        let parts = (0..<3).map { _ in solver.makeVariable() }
        let window = try solver.add(LinearConstraint([Term(width)], .equal, 100))
        for part in parts { try solver.add(LinearConstraint([Term(part)], .greaterThanOrEqual, 10)) }
        for part in parts.dropFirst() {
            try solver.add(LinearConstraint([Term(part), Term(parts[0], -1)], .equal, 0, priority: Priority(700)))
        }
        try solver.add(LinearConstraint(parts.map { Term($0) } + [Term(width, -1)], .equal, 0))
        for step in 0..<20 {
            try solver.setConstant(window, 100 + Double(step) * 0.7)
            #expect(abs(solver.value(of: parts[1]) - (100 + Double(step) * 0.7) / 3) < 1e-9)
        }
        let before = (parts + [width]).map { solver.value(of: $0).bitPattern }
        #expect(throws: SolverError.self) { try solver.setConstant(window, 29) }
        #expect((parts + [width]).map { solver.value(of: $0).bitPattern } == before)
        #expect(solver.rebuilds == 0)
        try solver.setConstant(window, 30)
        for part in parts { #expect(abs(solver.value(of: part) - 10) < 1e-12) }
    }

    @Test("The second and later resizes without a pivot visit only what changes")
    func effort() throws {
        var solver = Solver()
        let width = solver.makeVariable()
        let parts = (0..<50).map { _ in solver.makeVariable() }
        try solver.addEdit(width, priority: Priority(900))
        for part in parts {
            try solver.add(LinearConstraint([Term(part), Term(width, -1)], .equal, -8))
            try solver.add(LinearConstraint([Term(part)], .greaterThanOrEqual, 0))
        }
        for value in [100.0, 110, 120, 130] { try solver.suggest(value, for: width) }
        let pivots = solver.pivots
        var reported = 0
        for step in 0..<100 {
            try solver.suggest(200 + Double(step), for: width)
            solver.drainChanges { variable, value in
                reported += 1
                #expect(value == (variable == width ? 200 : 192) + Double(step))
            }
        }
        #expect(solver.pivots == pivots)
        #expect(reported == 100 * 51)
        solver.drainChanges { _, _ in reported += 1 }
        #expect(reported == 100 * 51)
    }
}
