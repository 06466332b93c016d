import LayoutReplay
import TestSupport
import Testing

@testable import ConstraintSolver

@Suite("Transactions")
struct TransactionTests {
    private struct Abandoned: Error {}

    @Test("A successful batch is retained and its result returned")
    func commits() throws {
        var solver = Solver()
        let x = solver.makeVariable()
        let id = try solver.transaction { solver throws(SolverError) in
            try solver.add(LinearConstraint([Term(x)], .greaterThanOrEqual, 3))
            return try solver.add(LinearConstraint([Term(x)], .equal, 1, priority: Priority(7)))
        }
        #expect(solver.value(of: x) == 3)
        #expect((solver.isActive(id)) == true)
    }

    @Test("An error in the middle reverts everything before it, including variables and ids")
    func takesBack() throws {
        var solver = Solver()
        let x = solver.makeVariable()
        try solver.addEdit(x, priority: Priority(500))
        try solver.suggest(4, for: x)
        var inside: (Variable, ConstraintID)?
        do {
            try solver.transaction { solver throws(SolverError) in
                let y = solver.makeVariable()
                let id = try solver.add(LinearConstraint([Term(y), Term(x, -1)], .equal, 1))
                inside = (y, id)
                try solver.removeEdit(x)
                try solver.add(LinearConstraint([Term(y)], .equal, 9))
                #expect(solver.value(of: x) == 8)
                try solver.add(LinearConstraint([Term(x)], .lessThanOrEqual, 7))
            }
            Issue.record("the third constraint excludes the others")
        } catch {
            guard case .unsatisfiable = error else { throw error }
        }
        #expect(solver.value(of: x) == 4)
        #expect((solver.hasEdit(x)) == true)
        #expect(solver.count == 1)
        let (y, id) = try #require(inside)
        #expect(throws: SolverError.unknownConstraint(id)) { try solver.remove(id) }
        #expect(throws: SolverError.unknownVariable(y)) { try solver.removeVariable(y) }
        try solver.suggest(5, for: x)
        #expect(solver.value(of: x) == 5)
    }

    @Test("Transactions nest: the outer one continues after a failed inner one, and a failed outer one reverts all")
    func nests() throws {
        var solver = Solver()
        let (x, y) = (solver.makeVariable(), solver.makeVariable())
        try solver.transaction { solver in
            try solver.add(LinearConstraint([Term(x)], .equal, 1))
            try? solver.transaction { solver in
                try solver.add(LinearConstraint([Term(y)], .equal, 2))
                throw Abandoned()
            }
            #expect(solver.value(of: x) == 1)
            #expect(solver.value(of: y) == 0)
            try solver.add(LinearConstraint([Term(y)], .equal, 3))
        }
        #expect(solver.count == 2)
        try? solver.transaction { solver in
            try solver.transaction { solver in
                try solver.add(LinearConstraint([Term(x), Term(y)], .lessThanOrEqual, 9))
            }
            throw Abandoned()
        }
        #expect(solver.count == 2)
        #expect(solver.value(of: y) == 3)
    }

    @Test("Changes drained inside a failed batch are reported again with the former values")
    func drainsAgain() throws {
        var solver = Solver()
        let (x, y) = (solver.makeVariable(), solver.makeVariable())
        let fixed = try solver.add(LinearConstraint([Term(x)], .equal, 1))
        var mirror: [Variable: Double] = [:]
        solver.drainChanges { mirror[$0] = $1 }
        try? solver.transaction { solver in
            try solver.setConstant(fixed, 2)
            try solver.add(LinearConstraint([Term(y)], .equal, 6))
            solver.drainChanges { mirror[$0] = $1 }
            #expect(mirror == [x: 2, y: 6])
            throw Abandoned()
        }
        solver.drainChanges { mirror[$0] = $1 }
        #expect(mirror == [x: 1, y: 0])
    }

    @Test("Random batches that fail at each position leave every bit and do not affect later operations")
    func everyPosition() throws {
        var abandoned = 0
        for seed in UInt64(0)..<(isLongRun ? 60 : 16) {
            var generator = SeededGenerator(seed: 900_000 + seed)
            let isLarge = seed % 4 == 3
            let shape = FuzzProgram.Shape(
                variables: isLarge ? 40 : 6,
                steps: isLarge ? 240 : 60,
                capacity: isLarge ? 100 : 14,
                required: [0.15, 0.5][Int(seed % 2)]
            )
            let steps = FuzzProgram.make(shape, using: &generator).steps
            let batch = steps.count * 3 / 4..<steps.count
            var plain = try state(after: steps[..<batch.lowerBound])
            let later = try bits(of: steps[batch], &plain)
            let plainEnd = Fingerprint(plain.solver)
            for position in stride(
                from: batch.lowerBound,
                through: batch.upperBound,
                by: isLarge && !isLongRun ? 12 : 1
            ) {
                var tried = try state(after: steps[..<batch.lowerBound])
                let before = Fingerprint(tried.solver)
                let model = tried.model
                let ids = tried.ids
                let variables = tried.variables
                try? tried.solver.transaction { (solver: inout Solver) throws in
                    var inner = FuzzState<Solver>()
                    inner.model = model
                    inner.ids = ids
                    inner.variables = variables
                    swap(&inner.solver, &solver)
                    defer { swap(&inner.solver, &solver) }
                    for step in steps[batch.lowerBound..<position] { _ = try inner.apply(step) }
                    _ = inner.values
                    throw Abandoned()
                }
                abandoned += 1
                let after = Fingerprint(tried.solver)
                #expect(after == before, "seed \(seed), position \(position)")
                #expect(try bits(of: steps[batch], &tried) == later, "seed \(seed), position \(position)")
                let end = Fingerprint(tried.solver)
                #expect(end == plainEnd, "seed \(seed), position \(position)")
            }
        }
        #expect(abandoned > 150)
    }

    private func state(after steps: ArraySlice<ReplayStep>) throws -> FuzzState<Solver> {
        var state = FuzzState<Solver>()
        for step in steps {
            _ = try state.apply(step)
            _ = state.values
        }
        return state
    }

    /// The bits of all values after each step.
    private func bits(of steps: ArraySlice<ReplayStep>, _ state: inout FuzzState<Solver>) throws -> [[UInt64]] {
        var bits: [[UInt64]] = []
        for step in steps {
            _ = try state.apply(step)
            bits.append(state.values.map(\.bitPattern))
        }
        return bits
    }
}
