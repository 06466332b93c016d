import ConstraintSolver
import Foundation
import LayoutReplay

/// Regression cases: replays with the results of the exact reference as expectations.
enum FuzzCase {
    /// The folder of the cases that the tests and layout-replay run.
    static func folder() -> URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Cases")
    }

    /// The folder into which failing programs are written: a temporary one, or the one that the environment variable
    /// `PAWKIT_FUZZ_CASES` names. To add a failure to the cases, copy its file into ``folder()``.
    static func failureFolder(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> URL {
        if let path = environment["PAWKIT_FUZZ_CASES"], !path.isEmpty { return URL(fileURLWithPath: path) }
        return FileManager.default.temporaryDirectory.appendingPathComponent("pawkit-fuzz-cases")
    }

    /// A program with expectations: each conflict is expected, and at the end the least violation of each priority and the
    /// value of each variable that has a unique one, in exact fractions.
    ///
    /// - Throws: `Rational.Overflow` if a fraction needs more than 128 bits.
    static func annotated(_ program: ReplayProgram) throws -> ReplayProgram {
        var model = FuzzModel()
        var steps: [ReplayStep] = []
        for step in program.steps {
            var changed = model
            guard changed.apply(step) else { continue }
            steps.append(step)
            if try ReferenceSolver.isFeasible(changed.inForce, variables: changed.count) {
                model = changed
            } else if let id = step.constraintID {
                steps.append(.unsatisfiable(id))
            } else {
                // The format has no expectation for a refused edit or suggestion.
                steps.removeLast()
            }
        }
        guard let violations = try ReferenceSolver.violations(model.inForce, variables: model.count),
            let ranges = try ReferenceSolver.ranges(model.inForce, variables: model.count)
        else { return ReplayProgram(name: program.name, steps: steps) }
        let demands = violations.sorted { $0.key > $1.key }.map { ReplayDemand($0.key, $0.value) }
        steps.append(.violation([ReplayDemand(1000, 0)] + demands, tolerance: 1e-6))
        let settled = model.variables.sorted { $0.value < $1.value }
            .filter { ranges[$0.value].lower == ranges[$0.value].upper }
        if !settled.isEmpty {
            steps.append(.expect(settled.map { ReplayDemand($0.key, ranges[$0.value].lower) }, tolerance: 1e-6))
        }
        return ReplayProgram(name: program.name, steps: steps)
    }

    /// Shrinks a program that fails in a run, and writes it as a case. Returns the file; `nil` if the program does
    /// not fail when it runs again.
    static func write<Solving: FuzzedSolver & ~Copyable>(
        _ program: ReplayProgram,
        _ runner: FuzzRunner<Solving>,
        name: String,
        into folder: URL
    ) throws -> URL? {
        func failure(_ candidate: ReplayProgram) -> (any Error)? {
            var runner = runner
            do {
                try runner.run(candidate)
                return nil
            } catch {
                return error
            }
        }
        guard let first = failure(program) else { return nil }
        // Steps after the failure do not matter.
        var start = program
        if let first = first as? FuzzRunner<Solving>.Failure {
            start = ReplayProgram(name: program.name, steps: Array(program.steps.prefix(first.step + 1)))
        }
        var smallest = FuzzShrinker { failure($0) != nil }.shrink(start)
        smallest.name = name
        // If the fractions become too large, only the required constraints are expected to hold.
        let demanding =
            (try? annotated(smallest))
            ?? ReplayProgram(name: name, steps: smallest.steps + [.violation([ReplayDemand(1000, 0)], tolerance: 1e-6)])
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appendingPathComponent("\(name).jsonl")
        try Data(demanding.text.utf8).write(to: file)
        return file
    }
}

extension ReplayStep {
    /// The constraint that the step changes, if any.
    fileprivate var constraintID: String? {
        switch self {
        case .add(let id, _), .remove(let id), .constant(let id, _), .priority(let id, _, _), .pause(let id),
            .resume(let id):
            id
        default: nil
        }
    }
}
