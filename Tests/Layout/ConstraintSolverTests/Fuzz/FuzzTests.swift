import LayoutReplay
import TestSupport
import Testing

@testable import ConstraintSolver

/// Random systems and churn against the exact reference, duality, and systems built at once. `PAWKIT_LONG=1` runs 10^6
/// operations.
@Suite("Random systems")
struct FuzzTests {
    @Test("Random programs hold after every step", arguments: FuzzCampaign.all.filter { $0.programs.short > 0 })
    func holds(_ campaign: FuzzCampaign) {
        let tally = campaign.run(isLong: false)
        if campaign.referenceEvery > 0 {
            #expect(tally.comparisons > tally.overflows, "the reference must not overflow in most of the steps")
        } else {
            #expect(tally.fresh > 0)
        }
        #expect(tally.proofs * 11 > tally.steps)
        if campaign.name == "parallel" { #expect(tally.merged > 100) }
    }

    @Test("10^6 random operations throw conflicts only, with residuals of at most 1e-6", .enabled(if: isLongRun))
    func million() async {
        var tallies: [Int: FuzzTally] = [:]
        await withTaskGroup { group in
            for (place, campaign) in FuzzCampaign.all.enumerated() {
                group.addTask { (place, campaign.run(isLong: true)) }
            }
            for await (place, tally) in group { tallies[place] = tally }
        }
        var sum = FuzzTally()
        for place in FuzzCampaign.all.indices { tallies[place].map { sum.add($0) } }
        print("all: \(sum)")
        #expect(sum.steps >= 1_000_000)
        #expect(sum.worstResidual <= 1e-6)
        #expect(sum.worstViolation <= 1e-6)
        #expect(sum.comparisons > sum.overflows)
    }

    /// The bits of all values after each step of some programs, hashed.
    private static func bits() throws -> UInt64 {
        var hash = FuzzTally.startingBits
        for seed in UInt64(500_000)..<500_006 {
            var generator = SeededGenerator(seed: seed)
            let unrest = [0, 0.3][Int(seed % 2)]
            let shape = FuzzProgram.Shape(variables: 30, steps: 300, capacity: 80, required: 0.2, unrest: unrest)
            var state = FuzzState<Solver>()
            for step in FuzzProgram.make(shape, using: &generator).steps {
                _ = try state.apply(step)
                for value in state.values { FuzzTally.hash(value.bitPattern, into: &hash) }
            }
        }
        return hash
    }

    @Test("The same operations produce the same bits, also in processes with other hash seeds")
    func deterministic() async throws {
        let bits = try Self.bits()
        #expect(try Self.bits() == bits)
        // Each process has another hash seed.
        let hash = bits.hashValue
        for _ in 0..<3 {
            await #expect(processExitsWith: .success) { [bits = bits as UInt64, hash = hash as Int] in
                #expect(bits.hashValue != hash)
                let again = try Self.bits()
                #expect(again == bits)
            }
        }
    }
}
