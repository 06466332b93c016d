public import ConstraintSolver

/// The solver that a replay controls; tests implement it with faults.
public protocol ReplaySolver: ~Copyable {
    /// Creates a solver without variables.
    init()
    /// Creates a variable.
    mutating func makeVariable() -> Variable
    /// Checks and defines a constraint, which is not active yet.
    mutating func define(_ constraint: LinearConstraint) throws(SolverError) -> ConstraintID
    /// Activates a constraint.
    mutating func add(_ id: ConstraintID) throws(SolverError)
    /// Removes a variable that no active constraint uses.
    mutating func removeVariable(_ variable: Variable) throws(SolverError)
    /// Deactivates a constraint, which stays defined.
    mutating func remove(_ id: ConstraintID) throws(SolverError)
    /// Removes a constraint, active or not.
    mutating func discard(_ id: ConstraintID) throws(SolverError)
    /// Changes the right side of a constraint.
    mutating func setConstant(_ id: ConstraintID, _ constant: Double) throws(SolverError)
    /// Changes the priority of a constraint.
    mutating func setPriority(_ id: ConstraintID, _ priority: Priority, weight: Double) throws(SolverError)
    /// Makes a variable editable.
    mutating func addEdit(_ variable: Variable, priority: Priority) throws(SolverError)
    /// Suggests a value.
    mutating func suggest(_ value: Double, for variable: Variable) throws(SolverError)
    /// Removes an edit.
    mutating func removeEdit(_ variable: Variable) throws(SolverError)
    /// Returns the value of a variable.
    mutating func value(of variable: Variable) -> Double
    /// Returns the values that changed.
    mutating func drainChanges(_ body: (Variable, Double) -> Void)
}

extension Solver: ReplaySolver {}
