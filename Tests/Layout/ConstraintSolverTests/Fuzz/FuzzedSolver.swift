import LayoutReplay

@testable import ConstraintSolver

/// The properties that random programs check beside the values.
protocol FuzzedSolver: ReplaySolver, ~Copyable {
    /// Whether everything is checked; a solver with a fault must be found by its values alone, as in a replay.
    static var isWhole: Bool { get }
    var rebuilds: Int { get }
    var pivots: Int { get }
    var followerCount: Int { get }
    /// The number of active constraints.
    var count: Int { get }
    mutating func violations() -> [Priority: Double]
    /// A proof that the values are optimal; `nil` if the active constraints are not those of the model.
    func proof(of model: FuzzModel, _ ids: [String: ConstraintID], _ variables: [Variable]) -> OptimalityProof?
    func constraint(_ id: ConstraintID) throws(SolverError) -> LinearConstraint
    mutating func largestResidual() -> Double
    /// Whether a row of a slack, an error or a dummy refers to a variable, which only definitions may.
    var hasVariableInRestrictedRow: Bool { get }
}

extension Solver: FuzzedSolver {
    static var isWhole: Bool { true }

    var hasVariableInRestrictedRow: Bool {
        for index in 0..<tableau.store.symbols.count {
            let row = tableau.store.symbols[index].row
            guard row >= 0, tableau.store.symbols[index].kind != .variable else { continue }
            for place in 0..<Int(tableau.store.rows[row].count) {
                let symbol = tableau.store.rows[row].entries[place].symbol
                if tableau.store.symbols[symbol].kind == .variable { return true }
            }
        }
        return false
    }

    func proof(of model: FuzzModel, _ ids: [String: ConstraintID], _ variables: [Variable]) -> OptimalityProof? {
        // The constraints of the model, by their index in the solver.
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
                // The ratio of their violations.
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
