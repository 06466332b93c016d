import ConstraintSolver
import LayoutReplay

/// A solver with a fault: when it refuses, the first variable moves by one.
struct DisturbedSolver: ReplaySolver, ~Copyable {
    private var solver = Solver()
    private var isDisturbed = false

    init() {}

    mutating func makeVariable() -> Variable { solver.makeVariable() }
    mutating func define(_ constraint: LinearConstraint) throws(SolverError) -> ConstraintID {
        try solver.define(constraint)
    }
    mutating func add(_ id: ConstraintID) throws(SolverError) {
        do throws(SolverError) {
            try solver.add(id)
        } catch {
            isDisturbed = true
            throw error
        }
    }
    mutating func removeVariable(_ variable: Variable) throws(SolverError) { try solver.removeVariable(variable) }
    mutating func remove(_ id: ConstraintID) throws(SolverError) { try solver.remove(id) }
    mutating func discard(_ id: ConstraintID) throws(SolverError) { try solver.discard(id) }
    mutating func setConstant(_ id: ConstraintID, _ constant: Double) throws(SolverError) {
        try solver.setConstant(id, constant)
    }
    mutating func setPriority(_ id: ConstraintID, _ priority: Priority, weight: Double) throws(SolverError) {
        try solver.setPriority(id, priority, weight: weight)
    }
    mutating func addEdit(_ variable: Variable, priority: Priority) throws(SolverError) {
        try solver.addEdit(variable, priority: priority)
    }
    mutating func suggest(_ value: Double, for variable: Variable) throws(SolverError) {
        try solver.suggest(value, for: variable)
    }
    mutating func removeEdit(_ variable: Variable) throws(SolverError) { try solver.removeEdit(variable) }
    mutating func value(of variable: Variable) -> Double {
        solver.value(of: variable) + (isDisturbed && variable.index == 0 ? 1 : 0)
    }
    mutating func drainChanges(_ body: (Variable, Double) -> Void) { solver.drainChanges(body) }
}
