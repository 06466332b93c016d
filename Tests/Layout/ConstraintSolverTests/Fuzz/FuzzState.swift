import LayoutReplay

@testable import ConstraintSolver

/// A solver that runs a random program, and the expected state.
struct FuzzState<Solving: FuzzedSolver & ~Copyable>: ~Copyable {
    /// The result of a step.
    enum Outcome {
        case done
        /// The step refers to something missing, as steps do after others were dropped to shrink a program.
        case skipped
        case refused(conflicting: [ConstraintID])
        /// The solver accepted an invalid step.
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

    /// Applies a step to the solver and to the model.
    ///
    /// - Throws: the errors of the solver other than conflicts.
    mutating func apply(_ step: ReplayStep) throws(SolverError) -> Outcome {
        do throws(SolverError) {
            return try change(step)
        } catch {
            guard case .unsatisfiable(_, let conflicting) = error else { throw error }
            return .refused(conflicting: conflicting)
        }
    }

    private mutating func change(_ step: ReplayStep) throws(SolverError) -> Outcome {
        if let outcome = try checkRefusal(step) { return outcome }
        var changed = model
        guard changed.apply(step) else { return .skipped }
        switch step {
        case .variables(let names):
            for name in names where model.variables[name] == nil {
                let variable = solver.makeVariable()
                let number = changed.variables[name] ?? 0
                if number < variables.count { variables[number] = variable } else { variables.append(variable) }
            }
        case .add(let name, _):
            guard let reference = changed.constraints[name] else { return .skipped }
            if let refused = ids.removeValue(forKey: name) { try solver.discard(refused) }
            let id = try solver.define(LinearConstraint(reference, variables))
            // Stored before it is added, so that the members of a conflict can be found.
            ids[name] = id
            try solver.add(id)
        case .remove(let name):
            try solver.discard(try id(name))
            ids[name] = nil
        case .constant(let name, let value): try solver.setConstant(try id(name), value)
        case .priority(let name, let priority, _):
            try solver.setPriority(try id(name), Priority(priority), weight: changed.constraints[name]?.weight ?? 1)
        case .pause(let name): try solver.remove(try id(name))
        case .resume(let name): try solver.add(try id(name))
        case .removeVariable(let name): try solver.removeVariable(try variable(name))
        case .edit(let name, let priority): try solver.addEdit(try variable(name), priority: Priority(priority))
        case .suggest(let name, let value): try solver.suggest(value, for: try variable(name))
        case .endEdit(let name): try solver.removeEdit(try variable(name))
        case .expect, .violation, .unsatisfiable: return .skipped
        }
        model = changed
        return .done
    }

    /// The id of a constraint of the model.
    private func id(_ name: String) throws(SolverError) -> ConstraintID {
        guard let id = ids[name] else { throw .unknownConstraint(ConstraintID(index: .max, generation: 0)) }
        return id
    }

    private func variable(_ name: String) throws(SolverError) -> Variable {
        guard let number = model.variables[name] else { throw .unknownVariable(Variable(index: .max, generation: 0)) }
        return variables[number]
    }

    /// Tries a step that the solver must refuse: adding a constraint whose variable was removed, removing a variable
    /// in use. Returns `nil` if the step is valid.
    private mutating func checkRefusal(_ step: ReplayStep) throws(SolverError) -> Outcome? {
        do throws(SolverError) {
            switch step {
            case .resume(let name) where model.paused.contains(name) && model.dangling.contains(name):
                try solver.add(try id(name))
                return .wrong("a constraint on a removed variable was added")
            case .removeVariable(let name):
                guard let number = model.variables[name], model.isUsed(number) else { return nil }
                try solver.removeVariable(variables[number])
                return .wrong("a variable in use was removed")
            default: return nil
            }
        } catch .unknownVariable {
            return .done
        } catch .variableInUse {
            return .done
        } catch {
            throw error
        }
    }

    /// The members of a conflict, as they would be if the refused step were applied; `nil` if one is unknown.
    func conflict(_ step: ReplayStep, _ conflicting: [ConstraintID]) -> [ReferenceSolver.Constraint]? {
        var changed = model
        guard changed.apply(step) else { return nil }
        var edited: Int?
        if case .edit(let name, _) = step { edited = model.variables[name] }
        var members: [ReferenceSolver.Constraint] = []
        for id in conflicting {
            let name = ids.first { $0.value == id }?.key
            // An id without a name is an edit; a refused edit has no constraint any more.
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
