import LayoutReplay

@testable import ConstraintSolver

/// What random programs look at beside the values.
protocol FuzzedSolver: ReplaySolver, ~Copyable {
    var rebuilds: Int { get }
    var pivots: Int { get }
    var followerCount: Int { get }
    mutating func largestResidual() -> Double
}

extension Solver: FuzzedSolver {}
