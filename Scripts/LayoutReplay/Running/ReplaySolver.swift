public import ConstraintSolver

/// The solver that a replay drives: the seam at which tests put one with a fault.
public protocol ReplaySolver: ~Copyable {
    /// Makes a solver without variables.
    init()
    /// Makes a variable.
    mutating func makeVariable() -> Variable
    /// Checks a constraint and keeps it, not in force.
    mutating func define(_ constraint: LinearConstraint) throws(SolverError) -> ConstraintID
    /// Puts a constraint into force.
    mutating func add(_ id: ConstraintID) throws(SolverError)
    /// Removes a variable that no constraint in force holds.
    mutating func removeVariable(_ variable: Variable) throws(SolverError)
    /// Takes a constraint out of force; it stays defined.
    mutating func remove(_ id: ConstraintID) throws(SolverError)
    /// Forgets a constraint, in force or not.
    mutating func discard(_ id: ConstraintID) throws(SolverError)
    /// Changes a right side.
    mutating func setConstant(_ id: ConstraintID, _ constant: Double) throws(SolverError)
    /// Changes a priority.
    mutating func setPriority(_ id: ConstraintID, _ priority: Priority, weight: Double) throws(SolverError)
    /// Lets values be suggested.
    mutating func addEdit(_ variable: Variable, priority: Priority) throws(SolverError)
    /// Suggests a value.
    mutating func suggest(_ value: Double, for variable: Variable) throws(SolverError)
    /// Ends an edit.
    mutating func removeEdit(_ variable: Variable) throws(SolverError)
    /// The value of a variable.
    mutating func value(of variable: Variable) -> Double
    /// Hands over the values that changed.
    mutating func drainChanges(_ body: (Variable, Double) -> Void)
}

extension Solver: ReplaySolver {}
