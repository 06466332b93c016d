import Foundation
import LayoutReplay
import TestSupport
import Testing

@testable import ConstraintSolver

@Suite("Shrinking failures")
struct ShrinkerTests {
    /// Finds a random program that shows a fault, and makes it a case. Returns the case as written, and how many
    /// steps the program had.
    private func shrunk<Planted: Fault>(_ fault: Planted.Type, most: Int) throws {
        let folder = try TemporaryDirectory("cases")
        for seed in UInt64(0)..<200 {
            var generator = SeededGenerator(seed: 800_000 + seed)
            let program = FuzzProgram.make(FuzzProgram.Shape(), using: &generator)
            let runner = FuzzRunner<FaultySolver<Planted>>()
            var trial = runner
            guard (try? trial.run(program)) == nil else { continue }
            let file = try #require(try FuzzCase.write(program, runner, name: "planted", into: folder.url))
            let text = try Data(contentsOf: file)
            let small = try ReplayProgram(text: Array(text))
            let acting = small.steps.filter {
                switch $0 {
                case .expect, .violation, .unsatisfiable: false
                default: true
                }
            }
            print("\(fault), seed \(seed): \(program.steps.count) steps made \(acting.count):")
            print(String(decoding: text, as: UTF8.self))
            #expect(acting.count <= most, "\(acting.count) steps are left of \(program.steps.count)")
            #expect(program.steps.count > 40)
            #expect(!ReplayRunner<FaultySolver<Planted>>.failures(of: small).isEmpty, "the case shows the fault")
            #expect(ReplayRunner<Solver>.failures(of: small) == [], "the case holds without the fault")
            #expect(small.text == String(decoding: text, as: UTF8.self))
            return
        }
        Issue.record("no program of 200 showed the fault")
    }

    @Test("A lost term is shrunk to one constraint of three terms")
    func losesTerms() throws { try shrunk(LosesTerms.self, most: 3) }

    @Test("A constant that is not set is shrunk to one constraint and one change")
    func clampsBounds() throws { try shrunk(ClampsBounds.self, most: 4) }

    @Test("A forgotten removal is shrunk to what remains")
    func forgetsRemovals() throws { try shrunk(ForgetsRemovals.self, most: 6) }

    @Test("A program without a failure is not written")
    func holds() throws {
        let folder = try TemporaryDirectory("cases")
        var generator = SeededGenerator(seed: 1)
        let program = FuzzProgram.make(FuzzProgram.Shape(), using: &generator)
        #expect(try FuzzCase.write(program, FuzzRunner<Solver>(), name: "none", into: folder.url) == nil)
    }

    @Test("Failures of random programs are written outside the sources, or where an environment variable says")
    func failureFolder() {
        let sources = FuzzCase.folder().deletingLastPathComponent().path
        #expect(!FuzzCase.failureFolder([:]).path.hasPrefix(sources))
        #expect(FuzzCase.failureFolder(["PAWKIT_FUZZ_CASES": ""]) == FuzzCase.failureFolder([:]))
        #expect(FuzzCase.failureFolder(["PAWKIT_FUZZ_CASES": "/cases/new"]).path == "/cases/new")
    }
}
