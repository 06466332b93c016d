import LayoutReplay

@testable import ConstraintSolver

/// The fault of a ``FaultySolver``.
protocol Fault {
    /// The constraint that is defined instead.
    static func defined(_ constraint: LinearConstraint) -> LinearConstraint
    /// The constant that is set instead.
    static func constant(_ value: Double, of constraint: LinearConstraint) -> Double
    /// Whether a removal is forgotten.
    static func forgetsRemoval(of constraint: LinearConstraint) -> Bool
}

extension Fault {
    static func defined(_ constraint: LinearConstraint) -> LinearConstraint { constraint }
    static func constant(_ value: Double, of constraint: LinearConstraint) -> Double { value }
    static func forgetsRemoval(of constraint: LinearConstraint) -> Bool { false }
}

/// Three or more terms: the last is lost.
enum LosesTerms: Fault {
    static func defined(_ constraint: LinearConstraint) -> LinearConstraint {
        var changed = constraint
        if changed.terms.count > 2 { changed.terms.removeLast() }
        return changed
    }
}

/// A lower bound that is set to a negative number is set to zero.
enum ClampsBounds: Fault {
    static func constant(_ value: Double, of constraint: LinearConstraint) -> Double {
        constraint.relation == .greaterThanOrEqual ? max(0, value) : value
    }
}

/// Inequalities between two variables are never removed.
enum ForgetsRemovals: Fault {
    static func forgetsRemoval(of constraint: LinearConstraint) -> Bool {
        constraint.terms.count == 2 && constraint.relation != .equal
    }
}

/// The solver with a fault.
struct FaultySolver<Planted: Fault>: FuzzedSolver, ~Copyable {
    private var solver = Solver()

    init() {}

    static var isWhole: Bool { false }
    var rebuilds: Int { solver.rebuilds }
    var pivots: Int { solver.pivots }
    var followerCount: Int { solver.followerCount }
    var count: Int { solver.count }
    var hasVariableInRestrictedRow: Bool { solver.hasVariableInRestrictedRow }

    mutating func largestResidual() -> Double { solver.largestResidual() }
    mutating func makeVariable() -> Variable { solver.makeVariable() }
    mutating func define(_ constraint: LinearConstraint) throws(SolverError) -> ConstraintID {
        try solver.define(Planted.defined(constraint))
    }
    mutating func add(_ id: ConstraintID) throws(SolverError) { try solver.add(id) }
    mutating func removeVariable(_ variable: Variable) throws(SolverError) { try solver.removeVariable(variable) }
    mutating func remove(_ id: ConstraintID) throws(SolverError) { try solver.remove(id) }
    mutating func violations() -> [Priority: Double] { solver.violations() }
    func proof(of model: FuzzModel, _ ids: [String: ConstraintID], _ variables: [Variable]) -> OptimalityProof? { nil }
    func constraint(_ id: ConstraintID) throws(SolverError) -> LinearConstraint { try solver.constraint(id) }
    mutating func discard(_ id: ConstraintID) throws(SolverError) {
        if Planted.forgetsRemoval(of: try solver.constraint(id)) { return }
        try solver.discard(id)
    }
    mutating func setConstant(_ id: ConstraintID, _ constant: Double) throws(SolverError) {
        try solver.setConstant(id, Planted.constant(constant, of: try solver.constraint(id)))
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
    mutating func value(of variable: Variable) -> Double { solver.value(of: variable) }
    mutating func drainChanges(_ body: (Variable, Double) -> Void) { solver.drainChanges(body) }
}
