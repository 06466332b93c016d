import LayoutReplay

@testable import ConstraintSolver

/// What random programs look at beside the values.
protocol FuzzedSolver: ReplaySolver, ~Copyable {
    /// Whether what it tells of itself is looked at, too; one with a fault must be found out by its values, as a replay
    /// would.
    static var isWhole: Bool { get }
    var rebuilds: Int { get }
    var pivots: Int { get }
    var followerCount: Int { get }
    /// How many constraints are in force.
    var count: Int { get }
    mutating func violations() -> [Priority: Double]
    func constraint(_ id: ConstraintID) throws(SolverError) -> LinearConstraint
    mutating func largestResidual() -> Double
}

extension Solver: FuzzedSolver {
    static var isWhole: Bool { true }
}
