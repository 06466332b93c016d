import TestSupport
import Testing

@testable import ConstraintSolver

@Suite("Conflicts")
struct ConflictTests {
    /// How many conflicts are looked at.
    private static let wanted = isLongRun ? 10_000 : 2000

    @Test("Random conflicts report an irreducible contradictory set and change no bit")
    func irreducible() throws {
        var found = 0
        var sizes: [Int: Int] = [:]
        var overflows = 0
        var seed: UInt64 = 60_000
        while found < Self.wanted {
            seed += 1
            var generator = SeededGenerator(seed: seed)
            var solver = Solver()
            let variables = (0..<Int.random(in: 2...7, using: &generator)).map { _ in solver.makeVariable() }
            var known: [ConstraintID: ReferenceSolver.Constraint] = [:]
            var order: [ConstraintID] = []
            for _ in 0..<60 {
                let constraint = requirement(variables.count, using: &generator)
                let terms = constraint.terms.sorted { $0.key < $1.key }.map { Term(variables[$0.key], $0.value) }
                let id = try solver.define(LinearConstraint(terms, constraint.relation, constraint.constant))
                known[id] = constraint
                order.append(id)
                let before = variables.map { solver.value(of: $0).bitPattern }
                guard let conflicting = try refusal(&solver, id) else { continue }
                #expect(conflicting.contains(id))
                #expect(conflicting == order.filter(conflicting.contains), "seed \(seed): in the order of definition")
                #expect(variables.map { solver.value(of: $0).bitPattern } == before, "seed \(seed)")
                let members = conflicting.compactMap { known[$0] }
                #expect(members.count == Set(conflicting).count, "seed \(seed): each named once")
                do {
                    try check(members, variables.count, seed)
                    found += 1
                    sizes[members.count, default: 0] += 1
                } catch is Rational.Overflow {
                    overflows += 1
                }
            }
        }
        print("conflicts: \(found) irreducible, sizes \(sizes.sorted { $0.key < $1.key }), \(overflows) overflows")
        #expect(overflows * 100 < found)
        #expect(sizes.filter { $0.key >= 3 }.values.reduce(0, +) > Self.wanted / 4, "not only pairs")
    }

    @Test(
        "A difference that is no rounding is a conflict, also after a refused constraint of large numbers, on either side"
    )
    func tolerance() throws {
        for sign in [1.0, -1] {
            var solver = Solver()
            let x = solver.makeVariable()
            try solver.add(LinearConstraint([Term(x, sign)], .greaterThanOrEqual, 0))
            try solver.add(LinearConstraint([Term(x, sign)], .equal, 0))
            try solver.add(LinearConstraint([Term(x, sign)], .equal, 10, priority: Priority(1)))
            #expect(abs(solver.value(of: x)) < 1e-7)
            try solver.add(LinearConstraint([Term(x)], .equal, sign * 1e-8))
            for (relation, constant) in [
                (Relation.equal, 1e12), (.greaterThanOrEqual, 1e-3), (.equal, 1e-6), (.equal, -1e-6),
            ] {
                #expect(throws: SolverError.self) {
                    try solver.add(LinearConstraint([Term(x, sign)], relation, constant))
                }
            }
            #expect(abs(solver.value(of: x)) < 1e-7)
        }
    }

    /// The members of the conflict that adding a constraint meets; `nil` when it is accepted.
    private func refusal(_ solver: inout Solver, _ id: ConstraintID) throws(SolverError) -> [ConstraintID]? {
        do throws(SolverError) {
            try solver.add(id)
            return nil
        } catch {
            guard case .unsatisfiable(let refused, let conflicting) = error, refused == id else { throw error }
            return conflicting
        }
    }

    private func check(_ members: [ReferenceSolver.Constraint], _ variables: Int, _ seed: UInt64) throws {
        let holds = try ReferenceSolver.isFeasible(members, variables: variables)
        #expect(!holds, "seed \(seed): \(members) do not conflict")
        for place in members.indices {
            var others = members
            others.remove(at: place)
            let holdsWithout = try ReferenceSolver.isFeasible(others, variables: variables)
            #expect(holdsWithout, "seed \(seed): \(members[place]) is not needed in \(members)")
        }
    }

    private func requirement(
        _ variables: Int,
        using generator: inout some RandomNumberGenerator
    ) -> ReferenceSolver.Constraint {
        var terms: [Int: Double] = [:]
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            let coefficient = [1.0, -1, 2, -2, 0.5, 3][Int.random(in: 0..<6, using: &generator)]
            terms[Int.random(in: 0..<variables, using: &generator)] = coefficient
        }
        return ReferenceSolver.Constraint(
            terms: terms,
            relation: Relation.allCases[Int.random(in: 0..<3, using: &generator)],
            constant: Double(Int.random(in: -20...40, using: &generator)),
            priority: 1000
        )
    }
}
