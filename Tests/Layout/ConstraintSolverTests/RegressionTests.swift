import Foundation
import LayoutReplay
import TestSupport
import Testing

@testable import ConstraintSolver

@Suite("Regression cases")
struct RegressionTests {
    private static var cases: [URL] { files(in: FuzzCase.folder()) }
    /// Cases whose fractions are too large for the exact reference: duality proves that they are optimal.
    private static var largeCases: [URL] { files(in: FuzzCase.folder().appendingPathComponent("Large")) }

    private static func files(in folder: URL) -> [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".jsonl") }.sorted().map(folder.appendingPathComponent)
    }

    @Test("There are cases to run")
    func exist() {
        #expect(Self.cases.count >= 5 && !Self.largeCases.isEmpty)
    }

    @Test("Each case meets its expectations, and after each step all checks of random programs", arguments: cases)
    func holds(_ file: URL) throws {
        let program = try ReplayProgram(text: Array(Data(contentsOf: file)))
        #expect(
            program.lines.contains {
                switch $0.step {
                case .expect, .violation, .unsatisfiable: true
                default: false
                }
            },
            "a case has an expectation"
        )
        for failure in ReplayRunner<Solver>.failures(of: program) {
            Issue.record("\(file.lastPathComponent):\(failure.line): \(failure.message)")
        }
        var steps = program.steps
        // The reference cannot represent invalid numbers.
        steps.removeAll { if case .add(_, let constraint) = $0 { !isSane(constraint) } else { false } }
        var runner = FuzzRunner<Solver>()
        try runner.run(ReplayProgram(steps: steps))
    }

    @Test("Each large case is solved within the limit on pivots, to what is optimal", arguments: largeCases)
    func holdsLarge(_ file: URL) throws {
        var runner = FuzzRunner<Solver>(referenceEvery: 0)
        try runner.run(ReplayProgram(text: Array(Data(contentsOf: file))))
        #expect(runner.tally.proofs * 4 > runner.tally.steps)
    }

    private func isSane(_ constraint: ReplayConstraint) -> Bool {
        abs(constraint.constant) < 1e9 && constraint.terms.allSatisfy { abs($0.coefficient) < 1e6 }
    }
}
