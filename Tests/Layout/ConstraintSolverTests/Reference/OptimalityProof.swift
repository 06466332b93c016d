import ConstraintSolver

/// A proof by duality that values are optimal at every priority, whatever found them: a multiplier of each constraint, a number
/// for each priority, highest first, under which no other values can do better.
///
/// With objective and multipliers compared lexicographically: when the multiplied constraints sum to no variable, each
/// multiplier has the sign that its relation allows and no more than its weight, and what is not tight has none, the
/// objective of the values equals a lower bound of every objective (weak duality; complementary slackness).
struct OptimalityProof {
    /// A constraint in force, with its multipliers by priority, the highest first.
    struct Member {
        var constraint: ReferenceSolver.Constraint
        var multipliers: [Double]

        /// The same with a largest coefficient of one, so that multipliers are costs of a unit of the variables.
        var normalized: Member {
            let scale = constraint.terms.values.reduce(0) { max($0, abs($1)) }
            var normalized = self
            normalized.constraint.terms = constraint.terms.mapValues { $0 / scale }
            normalized.constraint.constant /= scale
            normalized.constraint.weight *= scale
            normalized.multipliers = multipliers.map { $0 * scale }
            return normalized
        }
    }

    /// The priorities of the multipliers, the highest first.
    var priorities: [Int]
    /// Each constraint once; one whose violation others always share weighs as much as all of them.
    var members: [Member]
    /// Constraints whose violations are the same, the second's as many times as much as the first's.
    var twins: [(ReferenceSolver.Constraint, ReferenceSolver.Constraint, share: Double)] = []
    /// The tolerance for rounding, for multipliers around one and values around a hundred.
    var tolerance = 1e-6

    /// - Returns: the gap in the proof; `nil` if it is complete.
    func gap(_ values: [Double]) -> String? {
        let members = members.map(\.normalized)
        // At each priority, numbers far below the largest multiplier are rounding errors.
        let limits = priorities.indices.map { place in
            members.reduce(tolerance / 10) { max($0, abs($1.multipliers[place]) * tolerance / 1000) }
        }
        for place in priorities.indices {
            var sums = [Double](repeating: 0, count: values.count)
            for member in members where member.multipliers[place] != 0 {
                for (variable, coefficient) in member.constraint.terms {
                    sums[variable] += member.multipliers[place] * coefficient
                }
            }
            for (variable, sum) in sums.enumerated() where abs(sum) > limits[place] {
                return "the multipliers of priority \(priorities[place]) leave \(sum) of variable \(variable)"
            }
        }
        for (one, other, share) in twins {
            let difference = FuzzModel.violation(one, values) * share - FuzzModel.violation(other, values)
            guard abs(difference) <= tolerance else { return "\(one) and \(other) do not state the same" }
        }
        for member in members {
            if let gap = gap(member, values, limits) { return "\(gap): \(member)" }
        }
        return nil
    }

    private func gap(_ member: Member, _ values: [Double], _ limits: [Double]) -> String? {
        let constraint = member.constraint
        var excess = -constraint.constant
        for (variable, coefficient) in constraint.terms.sorted(by: { $0.key < $1.key }) {
            excess += coefficient * values[variable]
        }
        let rank = priorities.firstIndex(of: constraint.priority)
        // The cost of one unit above, or below, the right side, without the multiplier.
        let above = cost(rank, constraint.relation == .greaterThanOrEqual ? 0 : constraint.weight)
        let below = cost(rank, constraint.relation == .lessThanOrEqual ? 0 : constraint.weight)
        // Required constraints: a side that is not allowed at all has no bound on its multiplier.
        let isRequired = constraint.priority == 1000
        let mayRise = !isRequired || constraint.relation == .greaterThanOrEqual
        let mayFall = !isRequired || constraint.relation == .lessThanOrEqual
        let rising = zip(above, member.multipliers).map { $0 - $1 }
        let falling = zip(below, member.multipliers).map { $0 + $1 }
        let isTight = abs(excess) <= tolerance * max(1, abs(constraint.constant))
        if !isTight, excess > 0 ? !mayRise : !mayFall { return "it does not hold" }
        if mayRise, isNegative(rising, limits) { return "it pays to go above" }
        if mayFall, isNegative(falling, limits) { return "it pays to go below" }
        if !isTight, excess > 0, !isZero(rising, limits) { return "it is above, and pays for it" }
        if !isTight, excess < 0, !isZero(falling, limits) { return "it is below, and pays for it" }
        return nil
    }

    private func cost(_ rank: Int?, _ amount: Double) -> [Double] {
        var costs = [Double](repeating: 0, count: priorities.count)
        if let rank { costs[rank] = amount }
        return costs
    }

    private func isNegative(_ numbers: [Double], _ limits: [Double]) -> Bool {
        for (number, limit) in zip(numbers, limits) where abs(number) > limit { return number < 0 }
        return false
    }

    private func isZero(_ numbers: [Double], _ limits: [Double]) -> Bool {
        zip(numbers, limits).allSatisfy { abs($0) <= $1 }
    }
}
