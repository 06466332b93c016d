/// Preferences that say the same share the symbols of the first of them, its leader, as one that weighs as much as all.
extension Solver {
    /// How many preferences in force share the symbols of another.
    package var followerCount: Int { constraints.count { $0.leader >= 0 } }

    /// Makes a preference, found to say the same as another, its follower.
    mutating func follow(_ leader: Int32, _ index: Int) {
        constraints[index].leader = leader
        constraints[Int(leader)].followers.append(Int32(index))
        for place in 0..<tableau.differences.count {
            let owner = Int(tableau.differences[place])
            if !constraints[owner].groups.contains(leader) { constraints[owner].groups.append(leader) }
        }
    }

    /// Takes a follower, which joined with a weight, out of its group; the tableau is to be settled afterwards.
    mutating func unfollow(_ index: Int, weight: Double) {
        let leader = Int(constraints[index].leader)
        constraints[index].leader = -1
        constraints[leader].followers.removeAll { $0 == Int32(index) }
        tableau.addWeight(constraints[leader].markers.marker, -weight / constraints[index].scale)
    }

    /// Takes the groups apart that a change of a constraint concerns: its own, and those whose members say the same only
    /// because of it.
    ///
    /// - Returns: the former followers, which are to be installed again after the change.
    mutating func takeApart(_ index: Int) -> [Int32] {
        guard !constraints[index].followers.isEmpty || !constraints[index].groups.isEmpty else { return [] }
        var loose: [Int32] = []
        for leader in [Int32(index)] + constraints[index].groups {
            let followers = constraints[Int(leader)].followers
            guard !followers.isEmpty else { continue }
            for follower in followers {
                constraints[Int(follower)].leader = -1
                tableau.addWeight(
                    constraints[Int(leader)].markers.marker,
                    -constraints[Int(follower)].constraint.weight / constraints[Int(follower)].scale
                )
            }
            constraints[Int(leader)].followers = []
            loose += followers
        }
        constraints[index].groups = []
        return loose
    }

    /// Installs preferences again after their groups were taken apart.
    ///
    /// - Returns: whether each found its place within the bound on pivots.
    mutating func reinstall(_ loose: [Int32]) -> Bool {
        guard !loose.isEmpty else { return true }
        tableau.resetBudget()
        guard case .settled = tableau.settle() else { return false }
        for index in loose {
            guard case .done = install(Int(index)) else { return false }
        }
        return true
    }
}
