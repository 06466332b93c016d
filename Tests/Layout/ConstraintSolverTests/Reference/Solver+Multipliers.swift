@testable import ConstraintSolver

extension Solver {
    /// An active constraint by its index, its followers, and their common multiplier for each priority.
    struct Multiplied {
        var index: Int
        var followers: [Int]
        var multipliers: [Double]
    }

    /// For each active constraint the change of the optimum at each priority, from the highest, by a unit of its right side.
    func multipliers() -> (priorities: [Int], constraints: [Multiplied]) {
        let levels = (0..<tableau.objective.levels.count).map { tableau.objective.levels[$0] }
        let none = [Double](repeating: 0, count: levels.count)
        var costs = [[Double]](repeating: none, count: tableau.store.symbols.count)
        for row in 0..<tableau.store.rows.count where tableau.store.isRestricted(Int32(row)) {
            let basic = tableau.store.symbols[tableau.store.rows[row].basic]
            guard basic.costRank > 0, let place = levels.firstIndex(of: basic.costRank) else { continue }
            for index in 0..<Int(tableau.store.rows[row].count) {
                let entry = tableau.store.rows[row].entries[index]
                costs[Int(entry.symbol)][place] += basic.costWeight * entry.value
            }
        }
        var found: [Multiplied] = []
        for index in constraints.indices where constraints[index].isActive && constraints[index].leader < 0 {
            let markers = constraints[index].markers
            let marker = tableau.store.symbols[markers.marker]
            var own = costs[Int(markers.marker)]
            // A basic symbol's reduced cost is zero: its multiplier makes up for its own cost.
            if marker.row >= 0 {
                own = none
                if let place = levels.firstIndex(of: marker.costRank) { own[place] = -marker.costWeight }
            }
            found.append(
                Multiplied(
                    index: index,
                    followers: constraints[index].followers.map { Int($0) },
                    multipliers: own.map { markers.sign * $0 * constraints[index].scale }
                )
            )
        }
        return (levels.map { Int($0) }, found)
    }
}
