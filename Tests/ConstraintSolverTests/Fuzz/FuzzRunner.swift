@testable import ConstraintSolver

/// Runs random programs against the solver and tells the first step after which something does not hold.
struct FuzzRunner {
    /// How often the exact reference is asked: after every so many steps; 0 for never.
    var referenceEvery = 1
    /// The largest violation of a required constraint, or difference from the reference, that rounding explains.
    var tolerance = 1e-6
    /// How often the reference could not be asked because a fraction grew too large.
    private(set) var overflows = 0
    /// How often the reference agreed.
    private(set) var comparisons = 0
    /// How many conflicts were refused and shown irreducible.
    private(set) var conflicts = 0
    /// The largest residual of any constraint after any step.
    private(set) var worstResidual = 0.0
    /// The largest violation of a required constraint after any step.
    private(set) var worstViolation = 0.0
    /// How often the solver built its tableau anew.
    private(set) var rebuilds = 0
    /// How many preferences shared another's symbols, summed over the steps.
    private(set) var merged = 0
    /// How many pivots it made.
    private(set) var pivots = 0

    struct Failure: Error, CustomStringConvertible {
        let step: Int
        let description: String
    }

    /// Runs a program.
    ///
    /// - Returns: the bits of all values after the last step.
    mutating func run(_ program: FuzzProgram) throws -> [UInt64] {
        var solver = Solver()
        let variables = (0..<program.variables).map { _ in solver.makeVariable() }
        var model = FuzzModel()
        var ids: [Int: ConstraintID] = [:]
        var mirror = [Double](repeating: 0, count: program.variables)
        for (step, operation) in program.operations.enumerated() {
            func fail(_ text: String) -> Failure {
                Failure(step: step, description: "step \(step) \(operation): \(text)")
            }
            let before = mirror.map(\.bitPattern)
            let rebuildsBefore = solver.rebuilds
            do {
                try apply(operation, &solver, variables, &ids, &model)
            } catch SolverError.unsatisfiable(_, let conflicting) {
                let after = variables.map { solver.value(of: $0).bitPattern }
                guard after == before || solver.rebuilds > rebuildsBefore else {
                    throw fail("refused, and yet a value has other bits")
                }
                try checkConflict(operation, conflicting, ids, model, program.variables, fail)
            } catch let error as SolverError {
                throw fail("\(error)")
            }
            solver.drainChanges { variable, value in mirror[Int(variable.index)] = value }
            let values = variables.map { solver.value(of: $0) }
            guard values == mirror else { throw fail("changes drained differ from values") }
            for constraint in model.inForce where constraint.priority == 1000 {
                let violation = FuzzModel.violation(constraint, values)
                worstViolation = max(worstViolation, violation)
                guard violation <= tolerance else { throw fail("required one violated by \(violation): \(constraint)") }
            }
            merged += solver.followerCount
            let residual = solver.largestResidual()
            worstResidual = max(worstResidual, residual)
            guard residual <= tolerance else { throw fail("residual \(residual)") }
            if referenceEvery > 0, step % referenceEvery == 0 {
                try compare(model, values, program.variables, fail)
            }
        }
        rebuilds += solver.rebuilds
        pivots += solver.pivots
        return mirror.map(\.bitPattern)
    }

    private func apply(
        _ operation: FuzzOperation,
        _ solver: inout Solver,
        _ variables: [Variable],
        _ ids: inout [Int: ConstraintID],
        _ model: inout FuzzModel
    ) throws {
        switch operation {
        case .add(let number, let constraint):
            let terms = constraint.terms.sorted { $0.key < $1.key }.map { Term(variables[$0.key], $0.value) }
            let id = try solver.define(
                LinearConstraint(
                    terms,
                    constraint.relation,
                    constraint.constant,
                    priority: Priority(constraint.priority),
                    weight: constraint.weight
                )
            )
            ids[number] = id
            try solver.add(id)
            model.constraints[number] = constraint
        case .remove(let number):
            guard let id = ids[number] else { return }
            guard model.constraints[number] != nil else { return try solver.discard(id) }
            try solver.discard(id)
            ids[number] = nil
            model.constraints[number] = nil
        case .constant(let number, let value):
            guard let id = ids[number], model.constraints[number] != nil else { return }
            try solver.setConstant(id, value)
            model.constraints[number]?.constant = value
        case .priority(let number, let priority):
            guard let id = ids[number], let present = model.constraints[number] else { return }
            try solver.setPriority(id, Priority(priority), weight: present.weight)
            model.constraints[number]?.priority = priority
        case .edit(let variable, let priority):
            guard model.edits[variable] == nil else { return }
            try solver.addEdit(variables[variable], priority: Priority(priority))
            model.edits[variable] = (priority, 0)
        case .suggest(let variable, let value):
            guard model.edits[variable] != nil else { return }
            try solver.suggest(value, for: variables[variable])
            model.edits[variable]?.value = value
        case .endEdit(let variable):
            guard model.edits[variable] != nil else { return }
            try solver.removeEdit(variables[variable])
            model.edits[variable] = nil
        }
    }

    /// A refused step must be truly impossible, and without any one member of the named set the others possible.
    private mutating func checkConflict(
        _ operation: FuzzOperation,
        _ conflicting: [ConstraintID],
        _ ids: [Int: ConstraintID],
        _ model: FuzzModel,
        _ variables: Int,
        _ fail: (String) -> Failure
    ) throws {
        var changed = model.constraints
        switch operation {
        case .add(let number, let constraint): changed[number] = constraint
        case .constant(let number, let value): changed[number]?.constant = value
        case .priority(let number, let value): changed[number]?.priority = value
        default: throw fail("refused a step that adds no requirement")
        }
        var members: [ReferenceSolver.Constraint] = []
        for id in conflicting {
            guard let number = ids.first(where: { $0.value == id })?.key, let member = changed[number] else {
                throw fail("conflict names an unknown constraint")
            }
            guard member.priority == 1000 else { throw fail("conflict names a preference") }
            members.append(member)
        }
        do {
            guard try !ReferenceSolver.isFeasible(members, variables: variables) else {
                throw fail("conflict of constraints that hold together: \(members)")
            }
            for index in members.indices {
                var others = members
                others.remove(at: index)
                guard try ReferenceSolver.isFeasible(others, variables: variables) else {
                    throw fail("conflict is not the smallest: \(members[index]) can be left out of \(members)")
                }
            }
            conflicts += 1
        } catch is Rational.Overflow {
            overflows += 1
        }
    }

    private mutating func compare(
        _ model: FuzzModel,
        _ values: [Double],
        _ variables: Int,
        _ fail: (String) -> Failure
    ) throws {
        let expected: [Int: Double]?
        do {
            expected = try ReferenceSolver.violations(model.inForce, variables: variables)
        } catch is Rational.Overflow {
            overflows += 1
            return
        }
        guard let expected else { throw fail("accepted what cannot hold") }
        var actual: [Int: Double] = [:]
        for constraint in model.inForce where constraint.priority != 1000 {
            actual[constraint.priority, default: 0] += FuzzModel.violation(constraint, values) * constraint.weight
        }
        for (priority, value) in actual where abs(value - (expected[priority] ?? 0)) > tolerance {
            throw fail("priority \(priority) violated by \(value), the reference by \(expected[priority] ?? 0)")
        }
        comparisons += 1
    }
}
