import Foundation
import LayoutReplay
import TestSupport
import Testing

@testable import ConstraintSolver

/// Random systems and churn against the exact reference. `PAWKIT_LONG=1` runs 10^6 operations.
@Suite("Random systems")
struct FuzzTests {
    private static let isLong = isLongRun

    @discardableResult
    private func check(
        _ name: String,
        _ shape: FuzzProgram.Shape,
        programs: Int,
        referenceEvery: Int = 1,
        seed base: UInt64
    ) -> Int {
        var runner = FuzzRunner<Solver>(referenceEvery: referenceEvery)
        for number in 0..<programs {
            let seed = base + UInt64(number)
            var generator = SeededGenerator(seed: seed)
            let program = FuzzProgram.make(shape, using: &generator)
            do {
                try runner.run(program)
            } catch {
                // The failure stays as a case that the tests and layout-replay run from now on.
                let file = try? FuzzCase.write(program, runner, name: "\(name)-\(seed)", into: FuzzCase.folder())
                Issue.record("\(name), seed \(seed): \(error); made small in \(file?.path ?? "no file")")
                return 0
            }
        }
        let tally = runner.tally
        if referenceEvery > 0 {
            #expect(tally.comparisons > tally.overflows, "the reference must be able to judge most of the steps")
        }
        print("\(name): seeds \(base)..<\(base + UInt64(programs)), \(tally)")
        return tally.merged
    }

    @Test("Small systems reach the reference's violations at every priority after every step")
    func small() {
        check("small", FuzzProgram.Shape(), programs: Self.isLong ? 2500 : 30, seed: 1)
    }

    @Test("Systems full of requirements conflict in irreducible sets")
    func required() {
        let shape = FuzzProgram.Shape(variables: 5, steps: 40, capacity: 16, required: 0.8)
        check("required", shape, programs: Self.isLong ? 2500 : 40, seed: 100_000)
    }

    @Test("Preferences alone, many at the same priority, reach the reference's violations")
    func preferences() {
        let shape = FuzzProgram.Shape(variables: 4, steps: 40, capacity: 14, required: 0, priorities: [250, 250, 750])
        check("preferences", shape, programs: Self.isLong ? 2500 : 30, seed: 200_000)
    }

    @Test("Preferences that say the same share a row, and part again when what makes them so changes")
    func parallel() {
        let shape = FuzzProgram.Shape(
            capacity: 14,
            priorities: [250, 250, 750],
            constants: [0, 10],
            aliases: 0.4
        )
        let merged = check("parallel", shape, programs: Self.isLong ? 2500 : 30, seed: 600_000)
        #expect(merged > 100)
    }

    @Test(
        "Constraints that pause and go on, weights, required edits and variables that come again reach the reference's violations"
    )
    func unrest() {
        let shape = FuzzProgram.Shape(steps: 60, unrest: 0.4)
        check("unrest", shape, programs: Self.isLong ? 2500 : 60, seed: 650_000)
    }

    @Test("Larger systems whose variables and constraints come and go keep every residual small")
    func unrestChurn() {
        let shape = FuzzProgram.Shape(
            variables: 40,
            steps: Self.isLong ? 5000 : 600,
            capacity: 110,
            required: 0.15,
            locality: 8,
            unrest: 0.3
        )
        check("unrest-churn", shape, programs: Self.isLong ? 20 : 4, referenceEvery: 0, seed: 660_000)
    }

    @Test("Long churn of larger systems keeps every residual small")
    func churn() {
        let shape = FuzzProgram.Shape(
            variables: 60,
            steps: Self.isLong ? 5000 : 600,
            capacity: 160,
            required: 0.15
        )
        check("churn", shape, programs: Self.isLong ? 20 : 4, referenceEvery: 0, seed: 300_000)
    }

    @Test(
        "Dense churn that rounding once broke holds",
        .enabled(if: isLong),
        arguments: [300_018, 300_019, 4_000_000, 4_000_019]
    )
    func dense(seed: UInt64) {
        let shape = FuzzProgram.Shape(variables: 60, steps: 5000, capacity: 160, required: 0.15)
        check("dense", shape, programs: 1, referenceEvery: 0, seed: seed)
    }

    @Test("Local churn, as views tie their neighbours, keeps every residual small")
    func local() {
        let shape = FuzzProgram.Shape(
            variables: 120,
            steps: Self.isLong ? 5000 : 800,
            capacity: 300,
            required: 0.2,
            locality: 5
        )
        check("local", shape, programs: Self.isLong ? 100 : 3, referenceEvery: 0, seed: 400_000)
    }

    @Test("The same operations give the same bits")
    func deterministic() throws {
        for seed in UInt64(500_000)..<500_006 {
            var generator = SeededGenerator(seed: seed)
            let shape = FuzzProgram.Shape(variables: 30, steps: 300, capacity: 80, required: 0.2)
            let program = FuzzProgram.make(shape, using: &generator)
            var runner = FuzzRunner<Solver>(referenceEvery: 0)
            #expect(try runner.run(program) == runner.run(program), "seed \(seed)")
        }
    }
}
