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
    /// What shows that the values are optimal; `nil` where nothing does.
    func proof(of model: FuzzModel, _ ids: [String: ConstraintID], _ variables: [Variable]) -> OptimalityProof?
    func constraint(_ id: ConstraintID) throws(SolverError) -> LinearConstraint
    mutating func largestResidual() -> Double
}

extension Solver: FuzzedSolver {
    static var isWhole: Bool { true }

    func proof(of model: FuzzModel, _ ids: [String: ConstraintID], _ variables: [Variable]) -> OptimalityProof? {
        // What the model holds, by the solver's numbers.
        var stated: [Int: ReferenceSolver.Constraint] = [:]
        for (name, id) in ids where !model.paused.contains(name) { stated[Int(id.index)] = model.constraints[name] }
        for number in model.edits.keys {
            stated[Int(self.variables[Int(variables[number].index)].edit)] = model.edit(number)
        }
        let (priorities, found) = multipliers()
        var members: [OptimalityProof.Member] = []
        var twins: [(ReferenceSolver.Constraint, ReferenceSolver.Constraint, share: Double)] = []
        for each in found {
            guard var constraint = stated.removeValue(forKey: each.index) else { return nil }
            for follower in each.followers {
                guard let twin = stated.removeValue(forKey: follower) else { return nil }
                // What the one is violated by, so many times the other is.
                let share = constraints[each.index].scale / constraints[follower].scale
                constraint.weight += twin.weight * share
                twins.append((constraint, twin, share))
            }
            members.append(OptimalityProof.Member(constraint: constraint, multipliers: each.multipliers))
        }
        guard stated.isEmpty else { return nil }
        return OptimalityProof(priorities: priorities, members: members, twins: twins)
    }
}
