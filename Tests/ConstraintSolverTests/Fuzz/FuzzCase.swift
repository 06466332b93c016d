import ConstraintSolver
import Foundation
import LayoutReplay

/// Regression cases: replays with what the exact reference demands of them.
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

    /// A program with what must hold: each step that cannot be is confirmed as refused, and at the end stand the least
    /// violation of each priority and the value of each variable that has a single one, in exact fractions.
    ///
    /// - Throws: `Rational.Overflow` when they leave 128 bits.
    static func annotated(_ program: ReplayProgram) throws -> ReplayProgram {
        var model = FuzzModel()
        var steps: [ReplayStep] = []
        for step in program.steps {
            guard let (changed, id) = apply(step, model) else { continue }
            steps.append(step)
            if try ReferenceSolver.isFeasible(changed.inForce, variables: changed.count) {
                model = changed
            } else if let id {
                steps.append(.unsatisfiable(id))
            } else {
                // A refused edit or suggestion: nothing in the format confirms it.
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

    /// What a step makes of the model if it is accepted, and the constraint it concerns; `nil` when it refers to what is
    /// not there.
    private static func apply(_ step: ReplayStep, _ model: FuzzModel) -> (FuzzModel, id: String?)? {
        var changed = model
        switch step {
        case .variables(let names):
            let isNew = names.contains { model.variables[$0] == nil }
            for name in names where model.variables[name] == nil { _ = changed.declare(name) }
            return isNew ? (changed, nil) : nil
        case .add(let id, let constraint):
            guard model.constraints[id] == nil, let reference = model.reference(constraint) else { return nil }
            changed.constraints[id] = reference
            return (changed, id)
        case .remove(let id):
            guard changed.constraints[id] != nil else { return nil }
            changed.discard(id)
            return (changed, id)
        case .constant(let id, let value):
            guard model.constraints[id] != nil else { return nil }
            changed.constraints[id]?.constant = value
            return (changed, id)
        case .priority(let id, let value, let weight):
            guard model.constraints[id] != nil else { return nil }
            changed.constraints[id]?.priority = value
            if let weight { changed.constraints[id]?.weight = weight }
            return (changed, id)
        case .pause(let id):
            guard model.constraints[id] != nil, changed.paused.insert(id).inserted else { return nil }
            return (changed, id)
        case .resume(let id):
            guard !model.dangling.contains(id), changed.paused.remove(id) != nil else { return nil }
            return (changed, id)
        case .removeVariable(let name):
            guard let number = model.variables[name], !model.isUsed(number) else { return nil }
            changed.removeVariable(name)
            return (changed, nil)
        case .edit(let name, let priority):
            guard let variable = model.variables[name], model.edits[variable] == nil else { return nil }
            changed.edits[variable] = (priority, 0)
            return (changed, nil)
        case .suggest(let name, let value):
            guard let variable = model.variables[name], model.edits[variable] != nil else { return nil }
            changed.edits[variable]?.value = value
            return (changed, nil)
        case .endEdit(let name):
            guard let variable = model.variables[name], changed.edits.removeValue(forKey: variable) != nil else {
                return nil
            }
            return (changed, nil)
        case .expect, .violation, .unsatisfiable: return nil
        }
    }

    /// Shrinks a program that fails in a run, and writes it as a case.
    ///
    /// - Returns: where it was written; `nil` when it holds on being run again.
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
        // What comes after the failure has no part in it.
        var start = program
        if let first = first as? FuzzRunner<Solving>.Failure {
            start = ReplayProgram(name: program.name, steps: Array(program.steps.prefix(first.step + 1)))
        }
        var smallest = FuzzShrinker { failure($0) != nil }.shrink(start)
        smallest.name = name
        // Where the fractions grow too large, all that is demanded is that the requirements hold.
        let demanding =
            (try? annotated(smallest))
            ?? ReplayProgram(
                name: name,
                steps: smallest.steps + [.violation([ReplayDemand(1000, 0)], tolerance: 1e-6)]
            )
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appendingPathComponent("\(name).jsonl")
        try Data(demanding.text.utf8).write(to: file)
        return file
    }
}
