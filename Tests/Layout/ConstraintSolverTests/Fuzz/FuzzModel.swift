import LayoutReplay

@testable import ConstraintSolver

/// The expected state after a random program, computed without the solver under test.
struct FuzzModel {
    /// The number of each variable.
    private(set) var variables: [String: Int] = [:]
    /// The number of numbers in use; that of a removed variable is used again.
    private(set) var count = 0
    private var free: [Int] = []
    /// All defined constraints, active or not.
    private(set) var constraints: [String: ReferenceSolver.Constraint] = [:]
    /// The inactive constraints.
    private(set) var paused: Set<String> = []
    /// The inactive constraints on a removed variable, which cannot be activated again.
    private(set) var dangling: Set<String> = []
    private(set) var edits: [Int: (priority: Int, value: Double)] = [:]

    /// Applies a step that the solver accepts; expectations change nothing. Returns `false` if the step refers to
    /// something missing, as steps do after others were dropped to shrink a program.
    mutating func apply(_ step: ReplayStep) -> Bool {
        switch step {
        case .variables(let names):
            let new = names.filter { variables[$0] == nil }
            for name in new {
                let number = free.popLast() ?? count
                count = max(count, number + 1)
                variables[name] = number
            }
            return !new.isEmpty
        case .add(let id, let constraint):
            guard constraints[id] == nil, let reference = reference(constraint) else { return false }
            constraints[id] = reference
        case .remove(let id):
            guard constraints.removeValue(forKey: id) != nil else { return false }
            paused.remove(id)
            dangling.remove(id)
        case .constant(let id, let value):
            guard constraints[id] != nil else { return false }
            constraints[id]?.constant = value
        case .priority(let id, let value, let weight):
            guard let present = constraints[id] else { return false }
            constraints[id]?.priority = value
            constraints[id]?.weight = weight ?? present.weight
        case .pause(let id): return constraints[id] != nil && paused.insert(id).inserted
        case .resume(let id): return !dangling.contains(id) && paused.remove(id) != nil
        case .removeVariable(let name):
            guard let number = variables[name], !isUsed(number) else { return false }
            variables[name] = nil
            free.append(number)
            for (id, constraint) in constraints where constraint.terms[number] != nil { dangling.insert(id) }
        case .edit(let name, let priority):
            guard let variable = variables[name], edits[variable] == nil else { return false }
            edits[variable] = (priority, 0)
        case .suggest(let name, let value):
            guard let variable = variables[name], edits[variable] != nil else { return false }
            edits[variable]?.value = value
        case .endEdit(let name):
            guard let variable = variables[name] else { return false }
            return edits.removeValue(forKey: variable) != nil
        case .expect, .violation, .unsatisfiable: return false
        }
        return true
    }

    /// Whether an active constraint or an edit uses a variable.
    func isUsed(_ number: Int) -> Bool {
        edits[number] != nil || constraints.contains { !paused.contains($0.key) && $0.value.terms[number] != nil }
    }

    /// All active constraints, edits as equalities at their own priority.
    var inForce: [ReferenceSolver.Constraint] {
        constraints.keys.sorted().compactMap { paused.contains($0) ? nil : constraints[$0] }
            + edits.keys.sorted().compactMap { edit($0) }
    }

    /// A variable's edit as a constraint.
    func edit(_ variable: Int) -> ReferenceSolver.Constraint? {
        edits[variable].map {
            ReferenceSolver.Constraint(
                terms: [variable: 1],
                relation: .equal,
                constant: $0.value,
                priority: $0.priority
            )
        }
    }

    /// A constraint of a replay with numbered variables; `nil` if a variable is unknown or no term is left.
    func reference(_ constraint: ReplayConstraint) -> ReferenceSolver.Constraint? {
        var terms: [Int: Double] = [:]
        for term in constraint.terms {
            guard let variable = variables[term.variable] else { return nil }
            terms[variable, default: 0] += term.coefficient
        }
        terms = terms.filter { $0.value != 0 }
        guard !terms.isEmpty else { return nil }
        return ReferenceSolver.Constraint(
            terms: terms,
            relation: constraint.relation,
            constant: constraint.constant,
            priority: constraint.priority,
            weight: constraint.weight
        )
    }

    /// The summed, weighted violation of each priority of an active constraint.
    func violations(_ values: [Double]) -> [Int: Double] {
        var sums: [Int: Double] = [:]
        for constraint in inForce {
            sums[constraint.priority, default: 0] += FuzzModel.violation(constraint, values) * constraint.weight
        }
        return sums
    }

    /// The violation of each priority that an error of one in the unit of the variables causes: more than 1 only for large
    /// coefficients, which the solver scales to around one.
    var units: [Int: Double] {
        var units: [Int: Double] = [:]
        for constraint in inForce {
            units[constraint.priority] = max(units[constraint.priority] ?? 1, unit(constraint))
        }
        return units
    }

    /// The same for an error of one in each constraint of a priority.
    var summedUnits: [Int: Double] {
        var sums: [Int: Double] = [:]
        for constraint in inForce { sums[constraint.priority, default: 0] += unit(constraint) }
        return sums
    }

    private func unit(_ constraint: ReferenceSolver.Constraint) -> Double {
        let terms = constraint.terms.map { Term(Variable(index: 0, generation: 0), $0.value) }
        let scale = LinearConstraint(terms, .equal, 0).scale
        return scale < 1 ? max(1, constraint.weight / scale) : 1
    }

    /// How much the values violate a constraint.
    static func violation(_ constraint: ReferenceSolver.Constraint, _ values: [Double]) -> Double {
        var sum = -constraint.constant
        for (variable, coefficient) in constraint.terms { sum += values[variable] * coefficient }
        switch constraint.relation {
        case .equal: return abs(sum)
        case .lessThanOrEqual: return max(0, sum)
        case .greaterThanOrEqual: return max(0, -sum)
        }
    }
}
