import LayoutReplay
import TestSupport
import Testing

@testable import ConstraintSolver

/// Values that are not optimal have no proof.
@Suite("Proofs of optimality")
struct OptimalityTests {
    @Test("Modified values or multipliers are not a proof")
    func gaps() throws {
        var moved = 0
        var better = 0
        for seed in UInt64(0)..<40 {
            var generator = SeededGenerator(seed: 950_000 + seed)
            var state = FuzzState<Solver>()
            let shape = FuzzProgram.Shape(steps: 30, required: [0.1, 0.4][Int(seed % 2)])
            for step in FuzzProgram.make(shape, using: &generator).steps { _ = try state.apply(step) }
            let values = state.values
            let found = state.solver.proof(of: state.model, state.ids, state.variables)
            let proof = try #require(found)
            #expect(proof.gap(values) == nil, "seed \(seed)")
            let sums = state.model.violations(values)
            for place in values.indices {
                for amount in [-1.0, 0.5] {
                    var others = values
                    others[place] += amount
                    let isWorse = isWorse(state.model.violations(others), than: sums)
                    // Where several values are equally good, the multipliers prove all of them.
                    #expect((proof.gap(others) == nil) == !isWorse, "seed \(seed), x\(place) moved by \(amount)")
                    if isWorse { moved += 1 }
                }
            }
            for place in proof.members.indices {
                for level in proof.priorities.indices where abs(proof.members[place].multipliers[level]) > 1e-3 {
                    var wrong = proof
                    wrong.members[place].multipliers[level] *= 0.5
                    #expect(wrong.gap(values) != nil, "seed \(seed)")
                    better += 1
                }
            }
        }
        print("proofs: \(moved) moved values, \(better) multipliers")
        #expect(moved > 200 && better > 200)
    }

    private func isWorse(_ sums: [Int: Double], than best: [Int: Double]) -> Bool {
        for priority in best.keys.sorted(by: >) {
            let difference = sums[priority, default: 0] - best[priority, default: 0]
            if abs(difference) > 1e-6 { return difference > 0 }
        }
        return false
    }

    @Test("Every part of a proof is checked")
    func parts() {
        func proof(_ multipliers: [Double], _ relation: Relation, _ constant: Double, required: Double = 3)
            -> OptimalityProof
        {
            OptimalityProof(
                priorities: [500],
                members: [
                    .init(
                        constraint: .init(
                            terms: [0: 1],
                            relation: .lessThanOrEqual,
                            constant: required,
                            priority: 1000
                        ),
                        multipliers: [multipliers[0]]
                    ),
                    .init(
                        constraint: .init(
                            terms: [0: 1],
                            relation: relation,
                            constant: constant,
                            priority: 500,
                            weight: 2
                        ),
                        multipliers: [multipliers[1]]
                    ),
                ]
            )
        }
        // x <= 3, and a wish that x be 5: x = 3, the bound is worth 2.
        #expect(proof([2, -2], .equal, 5).gap([3]) == nil)
        #expect(proof([0, 0], .equal, 5).gap([3])?.contains("is below, and pays") == true)
        #expect(proof([2, -1], .equal, 5).gap([3])?.contains("leave 1.0 of variable 0") == true)
        #expect(proof([3, -3], .equal, 5).gap([3])?.contains("pays to go below") == true)
        #expect(proof([-2, 2], .equal, 1).gap([3])?.contains("pays to go below") == true)
        #expect(proof([2, -2], .equal, 5).gap([2])?.contains("is below, and pays") == true)
        #expect(proof([2, -2], .equal, 5).gap([4])?.contains("does not hold") == true)
        #expect(proof([0, 0], .lessThanOrEqual, 5).gap([3]) == nil)
        #expect(proof([1, -1], .lessThanOrEqual, 5).gap([3])?.contains("pays to go below") == true)
    }
}
