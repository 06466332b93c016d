import Foundation
import LayoutReplay
import TestSupport
import Testing

@testable import ConstraintSolver

/// Random programs of one kind.
struct FuzzCampaign: Sendable, CustomTestStringConvertible {
    var name: String
    var testDescription: String
    var shape: FuzzProgram.Shape
    /// The number of programs by default, and with `PAWKIT_LONG=1`.
    var programs: (short: Int, long: Int)
    /// The number of steps of each with `PAWKIT_LONG=1`; that of the shape if `nil`.
    var longSteps: Int?
    /// The number of steps between comparisons with the exact reference; 0 for none: its fractions become too large for
    /// larger systems, which are checked by duality and by systems built at once instead.
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
            // Larger systems are slow without optimization.
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
                // Printed first: shrinking a long program is slow.
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
            programs: (10, 2500),
            seed: 1
        ),
        FuzzCampaign(
            name: "required",
            testDescription: "systems with many required constraints conflict in irreducible sets",
            shape: FuzzProgram.Shape(variables: 5, capacity: 16, required: 0.8),
            programs: (14, 2500),
            seed: 100_000
        ),
        FuzzCampaign(
            name: "preferences",
            testDescription: "preferences alone, many at the same priority, reach the reference's violations",
            shape: FuzzProgram.Shape(variables: 4, capacity: 14, required: 0, priorities: [250, 250, 750]),
            programs: (10, 2500),
            seed: 200_000
        ),
        FuzzCampaign(
            name: "parallel",
            testDescription: "equal preferences share a row until a constraint on which this depends changes",
            shape: FuzzProgram.Shape(capacity: 14, priorities: [250, 250, 750], constants: [0, 10], aliases: 0.4),
            programs: (10, 2500),
            seed: 600_000
        ),
        FuzzCampaign(
            name: "scales",
            testDescription: "systems of large and small coefficients have the conflicts and values of exact fractions",
            shape: FuzzProgram.Shape(scales: [1, 1, 1024, 65_536, 1.0 / 512]),
            programs: (10, 2500),
            seed: 670_000
        ),
        FuzzCampaign(
            name: "unrest",
            testDescription: "paused and resumed constraints, weights, required edits, recreated variables",
            shape: FuzzProgram.Shape(steps: 60, unrest: 0.4),
            programs: (20, 2500),
            seed: 650_000
        ),
    ]

    private static let large =
        [
            FuzzCampaign(
                name: "unrest-churn",
                testDescription:
                    "larger systems whose variables and constraints are removed and recreated stay optimal",
                shape: FuzzProgram.Shape(
                    variables: 40,
                    steps: 600,
                    capacity: 110,
                    required: 0.15,
                    locality: 8,
                    unrest: 0.3
                ),
                programs: (1, 20),
                longSteps: 5000,
                referenceEvery: 0,
                seed: 660_000
            ),
            FuzzCampaign(
                name: "churn",
                testDescription: "long churn of larger systems has small residuals and optimal values",
                shape: FuzzProgram.Shape(variables: 60, steps: 600, capacity: 160, required: 0.15),
                programs: (1, 20),
                longSteps: 5000,
                referenceEvery: 0,
                seed: 300_000
            ),
            FuzzCampaign(
                name: "local",
                testDescription: "churn of constraints between neighbors has small residuals and optimal values",
                shape: FuzzProgram.Shape(variables: 120, steps: 800, capacity: 300, required: 0.2, locality: 5),
                programs: (1, 100),
                longSteps: 5000,
                referenceEvery: 0,
                seed: 400_000
            ),
        ]
        + [4_000_000, 4_000_019].map { seed in
            FuzzCampaign(
                name: "dense",
                testDescription: "dense churn that was once wrong because of rounding",
                shape: FuzzProgram.Shape(variables: 60, steps: 5000, capacity: 160, required: 0.15),
                programs: (0, 1),
                referenceEvery: 0,
                seed: seed
            )
        }
}
