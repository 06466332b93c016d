import LayoutReplay

@testable import ConstraintSolver

/// What a random program should have brought about, kept beside the solver under test.
struct FuzzModel {
    /// The number of each variable.
    var variables: [String: Int] = [:]
    /// How many numbers were given to variables; one that was removed is given again.
    private(set) var count = 0
    private var free: [Int] = []
    /// All that are defined, in force or not.
    var constraints: [String: ReferenceSolver.Constraint] = [:]
    /// Those out of force.
    var paused: Set<String> = []
    /// Those out of force that hold a variable which is gone: they cannot come into force any more.
    private(set) var dangling: Set<String> = []
    var edits: [Int: (priority: Int, value: Double)] = [:]

    /// Gives a variable a number.
    mutating func declare(_ name: String) -> Int {
        let number = free.popLast() ?? count
        count = max(count, number + 1)
        variables[name] = number
        return number
    }

    /// Whether a constraint in force or an edit holds a variable.
    func isUsed(_ number: Int) -> Bool {
        edits[number] != nil || constraints.contains { !paused.contains($0.key) && $0.value.terms[number] != nil }
    }

    /// Forgets a variable that is not used.
    mutating func removeVariable(_ name: String) {
        guard let number = variables.removeValue(forKey: name) else { return }
        free.append(number)
        for (id, constraint) in constraints where constraint.terms[number] != nil { dangling.insert(id) }
    }

    mutating func discard(_ id: String) {
        constraints[id] = nil
        paused.remove(id)
        dangling.remove(id)
    }

    /// All constraints in force, edits as equalities at their own priority.
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

    /// A constraint of a replay with numbered variables; `nil` when one is unknown or none is left.
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

    /// The summed, weighted violation of each priority in force.
    func violations(_ values: [Double]) -> [Int: Double] {
        var sums: [Int: Double] = [:]
        for constraint in inForce {
            sums[constraint.priority, default: 0] += FuzzModel.violation(constraint, values) * constraint.weight
        }
        return sums
    }

    /// What an error of one in the unit of the variables is in the violation of each priority: more than 1 only for large
    /// coefficients, which the solver holds brought to around one.
    var units: [Int: Double] {
        var units: [Int: Double] = [:]
        for constraint in inForce {
            units[constraint.priority] = max(units[constraint.priority] ?? 1, unit(constraint))
        }
        return units
    }

    /// What an error of one in each constraint of a priority makes in their sum.
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
        for (variable, coefficient) in constraint.terms {
            sum += values[variable] * coefficient
        }
        switch constraint.relation {
        case .equal: return abs(sum)
        case .lessThanOrEqual: return max(0, sum)
        case .greaterThanOrEqual: return max(0, -sum)
        }
    }
}
