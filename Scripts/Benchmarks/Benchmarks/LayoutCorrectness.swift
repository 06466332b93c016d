import ConstraintSolver

/// What speed must not be bought with, in a bounded form; the long run of the solver's own tests does 10^6 operations
/// against exact fractions and proofs by duality.
extension LayoutBenchmark {
    private static let long = "`PAWKIT_LONG=1 Scripts/test ConstraintSolver` does 10^6, each judged"

    func correctnessRows() throws -> [BenchmarkRow] { try churn() + conflicts() }

    /// Random operations: the remaining residuals, and whether a second run results in the same bits.
    private func churn() throws -> [BenchmarkRow] {
        let program = LayoutProgram.churn(variables: 1000, operations: 20_000)
        var bits: [[UInt64]] = []
        var residual = 0.0
        for _ in 0..<2 {
            var run = LayoutRun(program)
            for phase in program.phases.indices {
                try run.run(phase)
                residual = max(residual, run.largestResidual())
            }
            bits.append(run.bits)
        }
        let differing = zip(bits[0], bits[1]).count { $0 != $1 }
        let second = "20,000 random operations, values whose bits differ on the second run"
        return [
            row("20,000 random operations, largest residual", residual, "", atMost: 1e-6, against: Self.long),
            row(second, Double(differing), "values", atMost: 0, against: Self.long),
        ]
    }

    /// Random requirements: of each conflict the named ones exclude each other, and any of them left out do not.
    private func conflicts() throws -> [BenchmarkRow] {
        var random = LayoutProgram.Random(state: 29)
        var found = 0
        var irreducible = 0
        while found < 500 {
            var solver = Solver()
            let variables = (0..<6).map { _ in solver.makeVariable() }
            var known: [ConstraintID: LinearConstraint] = [:]
            for _ in 0..<40 {
                let constraint = requirement(variables, &random)
                let id = try solver.define(constraint)
                known[id] = constraint
                do throws(SolverError) {
                    try solver.add(id)
                } catch {
                    guard case .unsatisfiable(_, let conflicting) = error else { throw error }
                    found += 1
                    let members = conflicting.compactMap { known[$0] }
                    let isSmallest = members.indices.allSatisfy { place in
                        var others = members
                        others.remove(at: place)
                        return canHold(others)
                    }
                    if members.count == conflicting.count, !canHold(members), isSmallest { irreducible += 1 }
                }
            }
        }
        let share = Double(irreducible) / Double(found) * 100
        let against = "each tried anew, whole and without each member"
        return [row("conflicting sets irreducible, of \(found)", share, "%", atLeast: 100, against: against)]
    }

    private func requirement(_ variables: [Variable], _ random: inout LayoutProgram.Random) -> LinearConstraint {
        var terms: [Term] = []
        let first = random.next(variables.count)
        for place in 0..<(1 + random.next(3)) {
            let coefficient = [1.0, 1, -1, 2, -0.5][random.next(5)]
            terms.append(Term(variables[(first + place) % variables.count], coefficient))
        }
        let relation: Relation = [.equal, .lessThanOrEqual, .greaterThanOrEqual][random.next(3)]
        return LinearConstraint(terms, relation, Double(random.next(60) - 20))
    }

    /// Whether requirements are satisfiable together, tested in a separate solver.
    private func canHold(_ constraints: [LinearConstraint]) -> Bool {
        var solver = Solver()
        var own: [Variable: Variable] = [:]
        for constraint in constraints {
            var copy = constraint
            for place in copy.terms.indices {
                let variable = copy.terms[place].variable
                copy.terms[place].variable = own[variable] ?? solver.makeVariable()
                own[variable] = copy.terms[place].variable
            }
            do throws(SolverError) {
                try solver.add(copy)
            } catch {
                return false
            }
        }
        return true
    }
}
