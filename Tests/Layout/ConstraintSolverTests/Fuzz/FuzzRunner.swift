import LayoutReplay

@testable import ConstraintSolver

/// Runs random programs on a solver and reports the first step after which a check fails.
struct FuzzRunner<Solving: FuzzedSolver & ~Copyable> {
    /// The number of steps between comparisons with the exact reference; 0 for none.
    var referenceEvery = 1
    /// The number of steps between checks of the violations of each priority.
    private var summedEvery: Int { 7 }
    /// The number of steps between proofs by duality that the values are optimal.
    var provedEvery = 3
    /// The number of steps between comparisons with a system built at once.
    var freshEvery = 50
    /// The largest violation of a required constraint, or difference from the reference, that rounding explains.
    var tolerance = 1e-6
    /// The counts of all programs so far.
    private(set) var tally = FuzzTally()

    struct Failure: Error, CustomStringConvertible {
        let step: Int
        let description: String
    }

    /// Runs a program. Returns the bits of all values after each step, hashed.
    @discardableResult
    mutating func run(_ program: ReplayProgram) throws -> UInt64 {
        var state = FuzzState<Solving>()
        var mirror: [Variable: Double] = [:]
        var hash = FuzzTally.startingBits
        var before: [Double] = []
        for (number, step) in program.steps.enumerated() {
            func fail(_ text: String) -> Failure {
                Failure(step: number, description: "step \(number) \(step.text): \(text)")
            }
            let outcome: FuzzState<Solving>.Outcome
            do throws(SolverError) {
                outcome = try state.apply(step)
            } catch {
                throw fail("\(error)")
            }
            switch outcome {
            case .done: break
            case .skipped: continue
            case .wrong(let text): throw fail(text)
            case .refused(let conflicting):
                guard state.values.map(\.bitPattern) == before.map(\.bitPattern) else {
                    throw fail("refused, but a value has other bits")
                }
                guard let members = state.conflict(step, conflicting) else {
                    throw fail("the conflict names an unknown constraint")
                }
                try checkConflict(members, state.variables.count, fail)
            }
            tally.steps += 1
            var drained: Set<Variable> = []
            var isTwice = false
            state.solver.drainChanges { variable, value in
                mirror[variable] = value
                if !drained.insert(variable).inserted { isTwice = true }
            }
            guard !isTwice else { throw fail("a change was reported twice") }
            let values = state.values
            guard state.model.variables.values.allSatisfy({ mirror[state.variables[$0], default: 0] == values[$0] })
            else { throw fail("changes drained differ from values") }
            let inForce = state.model.inForce
            guard !Solving.isWhole || state.solver.count == inForce.count else {
                throw fail("\(state.solver.count) are active, not \(inForce.count)")
            }
            before = values
            for value in values { FuzzTally.hash(value.bitPattern, into: &hash) }
            try checkResiduals(&state, inForce, values, fail)
            if referenceEvery > 0, number % referenceEvery == 0 { try compare(state.model, values, fail) }
            guard Solving.isWhole else { continue }
            if number % summedEvery == 0 { try compareSums(&state, values, fail) }
            if number % provedEvery == 0 { try prove(&state, values, fail) }
            if number % freshEvery == freshEvery - 1 { try compareFresh(state.model, values, fail) }
        }
        FuzzTally.hash(hash, into: &tally.bits)
        tally.rebuilds += state.solver.rebuilds
        tally.pivots += state.solver.pivots
        return hash
    }

    private mutating func checkResiduals(
        _ state: inout FuzzState<Solving>,
        _ inForce: [ReferenceSolver.Constraint],
        _ values: [Double],
        _ fail: (String) -> Failure
    ) throws {
        for constraint in inForce where constraint.priority == 1000 {
            // Scaled as in the solver, where large coefficients become around one: in the unit of the variables.
            let terms = constraint.terms.map { Term(state.variables[$0.key], $0.value) }
            let violation = FuzzModel.violation(constraint, values) * min(1, LinearConstraint(terms, .equal, 0).scale)
            tally.worstViolation = max(tally.worstViolation, violation)
            guard violation <= tolerance else {
                throw fail("a required constraint is violated by \(violation): \(constraint)")
            }
        }
        tally.merged += state.solver.followerCount
        let residual = state.solver.largestResidual()
        tally.worstResidual = max(tally.worstResidual, residual)
        guard residual <= tolerance else { throw fail("residual \(residual)") }
        guard !state.solver.hasVariableInRestrictedRow else { throw fail("a restricted row refers to a variable") }
    }

    /// The members of a conflict exclude each other, and without any one of them the others do not.
    private mutating func checkConflict(
        _ members: [ReferenceSolver.Constraint],
        _ variables: Int,
        _ fail: (String) -> Failure
    ) throws {
        if let member = members.first(where: { $0.priority != 1000 }) {
            throw fail("the conflict names a preference: \(member)")
        }
        do {
            guard try !ReferenceSolver.isFeasible(members, variables: variables) else {
                throw fail("no conflict: \(members)")
            }
            for index in members.indices {
                var others = members
                others.remove(at: index)
                guard try ReferenceSolver.isFeasible(others, variables: variables) else {
                    throw fail("the conflict is reducible: \(members[index]) of \(members)")
                }
            }
            tally.conflicts += 1
        } catch is Rational.Overflow {
            tally.overflows += 1
        }
    }

    private mutating func compare(_ model: FuzzModel, _ values: [Double], _ fail: (String) -> Failure) throws {
        let expected: [Int: Double]?
        do {
            expected = try ReferenceSolver.violations(model.inForce, variables: values.count)
        } catch is Rational.Overflow {
            tally.overflows += 1
            return
        }
        guard let expected else { throw fail("a conflict was accepted") }
        let units = model.units
        for (priority, value) in model.violations(values)
        where priority != 1000
            && abs(value - (expected[priority] ?? 0)) > tolerance * (units[priority] ?? 1)
        {
            throw fail("priority \(priority) violated by \(value), the reference by \(expected[priority] ?? 0)")
        }
        tally.comparisons += 1
    }

    private mutating func prove(
        _ state: inout FuzzState<Solving>,
        _ values: [Double],
        _ fail: (String) -> Failure
    ) throws {
        guard let proof = state.solver.proof(of: state.model, state.ids, state.variables) else {
            throw fail("the solver and the model have different active constraints")
        }
        if let gap = proof.gap(values) { throw fail("not proved to be optimal: \(gap)") }
        tally.proofs += 1
    }

    /// The violations of each priority are those of a new system of the same constraints, except for rounding.
    private mutating func compareFresh(_ model: FuzzModel, _ values: [Double], _ fail: (String) -> Failure) throws {
        var solver = Solver()
        let variables = (0..<model.count).map { _ in solver.makeVariable() }
        for constraint in model.inForce {
            do throws(SolverError) {
                try solver.add(LinearConstraint(constraint, variables))
            } catch {
                throw fail("built at once, \(constraint) is refused: \(error)")
            }
        }
        let (fresh, units) = (solver.violations(), model.summedUnits)
        for (priority, sum) in model.violations(values) {
            let other = fresh[Priority(priority), default: .infinity]
            guard abs(other - sum) <= tolerance * (units[priority] ?? 1) else {
                throw fail("priority \(priority) is violated by \(sum); built at once, by \(other)")
            }
        }
        tally.fresh += 1
    }

    /// The violations that the solver reports are those of its values.
    private func compareSums(
        _ state: inout FuzzState<Solving>,
        _ values: [Double],
        _ fail: (String) -> Failure
    ) throws {
        let reported = state.solver.violations()
        let (sums, units) = (state.model.violations(values), state.model.units)
        guard reported.count == sums.count else {
            throw fail("reported the violations of \(reported.count) of \(sums.count) priorities")
        }
        for (priority, sum) in sums {
            let amount = reported[Priority(priority), default: .infinity]
            guard abs(amount - sum) <= tolerance * (units[priority] ?? 1) else {
                throw fail("priority \(priority) is reported as violated by \(amount), not \(sum)")
            }
        }
    }
}
