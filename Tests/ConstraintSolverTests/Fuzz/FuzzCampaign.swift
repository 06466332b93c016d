import Foundation
import LayoutReplay
import TestSupport
import Testing

@testable import ConstraintSolver

/// Random programs of one kind.
struct FuzzCampaign: Sendable, CustomTestStringConvertible {
    var name: String
    /// What is to be seen.
    var testDescription: String
    var shape: FuzzProgram.Shape
    /// How many programs, and how many with `PAWKIT_LONG=1`.
    var programs: (short: Int, long: Int)
    /// How many steps each has then; the shape's own where there is no other number.
    var longSteps: Int?
    /// How often the exact reference is asked; 0 for never: its fractions grow too large on larger systems, which duality and
    /// systems built at once judge instead.
    var referenceEvery = 1
    /// The seed of the first program; each next one has the next.
    var seed: UInt64

    private func program(_ number: Int, isLong: Bool) -> ReplayProgram {
        var shape = shape
        if isLong, let longSteps { shape.steps = longSteps }
        var generator = SeededGenerator(seed: seed + UInt64(number))
        return FuzzProgram.make(shape, using: &generator)
    }

    /// Runs the programs. The first that fails is shrunk and written to ``FuzzCase/failureFolder(_:)``.
    func run(isLong: Bool) -> FuzzTally {
        var runner = FuzzRunner<Solver>(referenceEvery: referenceEvery)
        if referenceEvery == 0, !isLong {
            // Without optimisation larger systems take their time.
            runner.provedEvery = 10
            runner.freshEvery = 200
        }
        let count = isLong ? programs.long : programs.short
        for number in 0..<count {
            let program = program(number, isLong: isLong)
            do {
                try runner.run(program)
            } catch {
                let place = "\(name)-\(seed + UInt64(number))"
                // Printed at once, since shrinking a long program takes a while.
                FileHandle.standardError.write(Data("\(place): \(error)\n".utf8))
                let file = try? FuzzCase.write(program, runner, name: place, into: FuzzCase.failureFolder())
                Issue.record("\(place): \(error); shrunk to \(file?.path ?? "no file")")
                break
            }
        }
        print("\(name): seeds \(seed)..<\(seed + UInt64(count)), \(runner.tally)")
        return runner.tally
    }
}

extension FuzzCampaign {
    static let all: [FuzzCampaign] = small + large

    private static let small = [
        FuzzCampaign(
            name: "small",
            testDescription: "small systems reach the reference's violations at every priority after every step",
            shape: FuzzProgram.Shape(),
            programs: (30, 2500),
            seed: 1
        ),
        FuzzCampaign(
            name: "required",
            testDescription: "systems full of requirements conflict in irreducible sets",
            shape: FuzzProgram.Shape(variables: 5, capacity: 16, required: 0.8),
            programs: (40, 2500),
            seed: 100_000
        ),
        FuzzCampaign(
            name: "preferences",
            testDescription: "preferences alone, many at the same priority, reach the reference's violations",
            shape: FuzzProgram.Shape(variables: 4, capacity: 14, required: 0, priorities: [250, 250, 750]),
            programs: (30, 2500),
            seed: 200_000
        ),
        FuzzCampaign(
            name: "parallel",
            testDescription:
                "preferences that say the same share a row, and part again when what makes them so changes",
            shape: FuzzProgram.Shape(capacity: 14, priorities: [250, 250, 750], constants: [0, 10], aliases: 0.4),
            programs: (30, 2500),
            seed: 600_000
        ),
        FuzzCampaign(
            name: "scales",
            testDescription: "large and small coefficients side by side conflict and settle as in exact fractions",
            shape: FuzzProgram.Shape(scales: [1, 1, 1024, 65_536, 1.0 / 512]),
            programs: (30, 2500),
            seed: 670_000
        ),
        FuzzCampaign(
            name: "unrest",
            testDescription: "constraints that pause and go on, weights, required edits, variables that come again",
            shape: FuzzProgram.Shape(steps: 60, unrest: 0.4),
            programs: (60, 2500),
            seed: 650_000
        ),
    ]

    private static let large =
        [
            FuzzCampaign(
                name: "unrest-churn",
                testDescription: "larger systems whose variables and constraints come and go stay optimal",
                shape: FuzzProgram.Shape(
                    variables: 40,
                    steps: 600,
                    capacity: 110,
                    required: 0.15,
                    locality: 8,
                    unrest: 0.3
                ),
                programs: (4, 20),
                longSteps: 5000,
                referenceEvery: 0,
                seed: 660_000
            ),
            FuzzCampaign(
                name: "churn",
                testDescription: "long churn of larger systems keeps every residual small and stays optimal",
                shape: FuzzProgram.Shape(variables: 60, steps: 600, capacity: 160, required: 0.15),
                programs: (4, 20),
                longSteps: 5000,
                referenceEvery: 0,
                seed: 300_000
            ),
            FuzzCampaign(
                name: "local",
                testDescription:
                    "local churn, as views tie their neighbours, keeps every residual small and stays optimal",
                shape: FuzzProgram.Shape(variables: 120, steps: 800, capacity: 300, required: 0.2, locality: 5),
                programs: (3, 100),
                longSteps: 5000,
                referenceEvery: 0,
                seed: 400_000
            ),
        ]
        + [4_000_000, 4_000_019].map { seed in
            FuzzCampaign(
                name: "dense",
                testDescription: "dense churn that rounding once broke holds",
                shape: FuzzProgram.Shape(variables: 60, steps: 5000, capacity: 160, required: 0.15),
                programs: (0, 1),
                referenceEvery: 0,
                seed: seed
            )
        }
}
