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
                model.variables[name] = variables.count
                variables.append(solver.makeVariable())
            }
        case .add(let name, let constraint):
            guard model.constraints[name] == nil, let reference = model.reference(constraint) else { return .skipped }
            if let refused = ids.removeValue(forKey: name) { try solver.discard(refused) }
            let terms = reference.terms.sorted { $0.key < $1.key }.map { Term(variables[$0.key], $0.value) }
            let id = try solver.define(
                LinearConstraint(
                    terms,
                    constraint.relation,
                    constraint.constant,
                    priority: Priority(constraint.priority),
                    weight: constraint.weight
                )
            )
            // Kept when it is refused, so that a conflict can be read.
            ids[name] = id
            try solver.add(id)
            model.constraints[name] = reference
        case .remove(let name):
            guard let id = ids[name], model.constraints[name] != nil else { return .skipped }
            try solver.discard(id)
            ids[name] = nil
            model.constraints[name] = nil
        case .constant(let name, let value):
            guard let id = ids[name], model.constraints[name] != nil else { return .skipped }
            try solver.setConstant(id, value)
            model.constraints[name]?.constant = value
        case .priority(let name, let priority):
            guard let id = ids[name], let present = model.constraints[name] else { return .skipped }
            try solver.setPriority(id, Priority(priority), weight: present.weight)
            model.constraints[name]?.priority = priority
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

    /// The constraints that a refused step would have had to hold with, as they would have been.
    func conflict(_ step: ReplayStep, _ conflicting: [ConstraintID]) -> [ReferenceSolver.Constraint]? {
        var changed = model.constraints
        switch step {
        case .add(let name, let constraint): changed[name] = model.reference(constraint)
        case .constant(let name, let value): changed[name]?.constant = value
        case .priority(let name, let value): changed[name]?.priority = value
        default: return nil
        }
        var members: [ReferenceSolver.Constraint] = []
        for id in conflicting {
            guard let name = ids.first(where: { $0.value == id })?.key, let member = changed[name] else { return nil }
            members.append(member)
        }
        return members
    }
}
