import LayoutReplay

@testable import ConstraintSolver

/// A solver in the course of a random program, with the model beside it.
struct FuzzState<Solving: FuzzedSolver & ~Copyable>: ~Copyable {
    /// What became of a step.
    enum Outcome {
        case done
        /// It refers to what is not there, as steps do after others were dropped to make a program small.
        case skipped
        case refused(conflicting: [ConstraintID])
        /// The solver did what it must refuse, or refused it for another reason.
        case wrong(String)
    }

    var solver = Solving()
    var variables: [Variable] = []
    var ids: [String: ConstraintID] = [:]
    var model = FuzzModel()

    init() {}

    var values: [Double] {
        mutating get {
            var values: [Double] = []
            for variable in variables { values.append(solver.value(of: variable)) }
            return values
        }
    }

    /// Applies a step to solver and model.
    ///
    /// - Throws: what the solver refuses, conflicts apart.
    mutating func apply(_ step: ReplayStep) throws(SolverError) -> Outcome {
        do throws(SolverError) {
            return try change(step)
        } catch {
            guard case .unsatisfiable(_, let conflicting) = error else { throw error }
            return .refused(conflicting: conflicting)
        }
    }

    private mutating func change(_ step: ReplayStep) throws(SolverError) -> Outcome {
        switch step {
        case .variables(let names):
            for name in names where model.variables[name] == nil {
                let number = model.declare(name)
                let variable = solver.makeVariable()
                if number < variables.count { variables[number] = variable } else { variables.append(variable) }
            }
        case .add(let name, let constraint):
            guard model.constraints[name] == nil, let reference = model.reference(constraint) else { return .skipped }
            if let refused = ids.removeValue(forKey: name) { try solver.discard(refused) }
            let id = try solver.define(LinearConstraint(reference, variables))
            // Kept when it is refused, so that a conflict can be read.
            ids[name] = id
            try solver.add(id)
            model.constraints[name] = reference
        case .remove(let name):
            guard let id = ids[name], model.constraints[name] != nil else { return .skipped }
            try solver.discard(id)
            ids[name] = nil
            model.discard(name)
        case .constant(let name, let value):
            guard let id = ids[name], model.constraints[name] != nil else { return .skipped }
            try solver.setConstant(id, value)
            model.constraints[name]?.constant = value
        case .priority(let name, let priority, let weight):
            guard let id = ids[name], let present = model.constraints[name] else { return .skipped }
            try solver.setPriority(id, Priority(priority), weight: weight ?? present.weight)
            model.constraints[name]?.priority = priority
            model.constraints[name]?.weight = weight ?? present.weight
        case .pause(let name):
            guard let id = ids[name], model.constraints[name] != nil, !model.paused.contains(name) else {
                return .skipped
            }
            try solver.remove(id)
            model.paused.insert(name)
        case .resume(let name): return try resume(name)
        case .removeVariable(let name): return try removeVariable(name)
        case .edit(let name, let priority):
            guard let variable = model.variables[name], model.edits[variable] == nil else { return .skipped }
            try solver.addEdit(variables[variable], priority: Priority(priority))
            model.edits[variable] = (priority, 0)
        case .suggest(let name, let value):
            guard let variable = model.variables[name], model.edits[variable] != nil else { return .skipped }
            try solver.suggest(value, for: variables[variable])
            model.edits[variable]?.value = value
        case .endEdit(let name):
            guard let variable = model.variables[name], model.edits[variable] != nil else { return .skipped }
            try solver.removeEdit(variables[variable])
            model.edits[variable] = nil
        case .expect, .violation, .unsatisfiable: return .skipped
        }
        return .done
    }

    private mutating func resume(_ name: String) throws(SolverError) -> Outcome {
        guard let id = ids[name], model.paused.contains(name) else { return .skipped }
        guard !model.dangling.contains(name) else {
            do throws(SolverError) {
                try solver.add(id)
                return .wrong("a constraint of a variable that is gone came into force")
            } catch {
                if case .unknownVariable = error { return .done }
                throw error
            }
        }
        try solver.add(id)
        model.paused.remove(name)
        return .done
    }

    private mutating func removeVariable(_ name: String) throws(SolverError) -> Outcome {
        guard let number = model.variables[name] else { return .skipped }
        guard !model.isUsed(number) else {
            do throws(SolverError) {
                try solver.removeVariable(variables[number])
                return .wrong("a variable in use was removed")
            } catch {
                if case .variableInUse = error { return .done }
                throw error
            }
        }
        try solver.removeVariable(variables[number])
        model.removeVariable(name)
        return .done
    }

    /// The constraints that a refused step would have had to hold with, as they would have been.
    func conflict(_ step: ReplayStep, _ conflicting: [ConstraintID]) -> [ReferenceSolver.Constraint]? {
        var changed = model
        var edited: Int?
        switch step {
        case .add(let name, let constraint): changed.constraints[name] = model.reference(constraint)
        case .constant(let name, let value): changed.constraints[name]?.constant = value
        case .priority(let name, let value, _): changed.constraints[name]?.priority = value
        case .resume(let name): changed.paused.remove(name)
        case .edit(let name, let priority):
            edited = model.variables[name]
            edited.map { changed.edits[$0] = (priority, 0) }
        case .suggest(let name, let value): model.variables[name].map { changed.edits[$0]?.value = value }
        default: return nil
        }
        var members: [ReferenceSolver.Constraint] = []
        for id in conflicting {
            let name = ids.first { $0.value == id }?.key
            // What has no name is an edit; the one just refused has no constraint any more.
            let variable = (try? solver.constraint(id))?.terms.first?.variable
            let number = variable.flatMap { variables.firstIndex(of: $0) } ?? edited
            let member =
                name.map { changed.paused.contains($0) ? nil : changed.constraints[$0] }
                ?? number.flatMap { changed.edit($0) }
            guard let member else { return nil }
            members.append(member)
        }
        return members
    }
}
