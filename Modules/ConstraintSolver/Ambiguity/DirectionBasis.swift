/// Independent directions of movement, gathered one at a time: those that are kept span all that were offered.
package struct DirectionBasis {
    private struct Member {
        /// Reduced by the members before it.
        var vector: [Int32: Double]
        var pivot: Int32
        /// The reduced vector as a combination of the members as they were offered.
        var combination: [Int: Double]
    }

    private var members: [Member] = []

    /// Makes a basis without members.
    package init() {}

    /// Keeps a direction when those kept so far do not span it.
    ///
    /// - Returns: whether it was kept; it is then the member of the next number, counted from zero.
    package mutating func insert(_ direction: [Int32: Double]) -> Bool {
        var (rest, combination) = reduce(direction)
        guard let pivot = Self.largest(rest) else { return false }
        for (number, factor) in combination { combination[number] = -factor }
        combination[members.count] = 1
        rest = rest.filter { $0.value != 0 }
        members.append(Member(vector: rest, pivot: pivot, combination: combination))
        return true
    }

    /// The numbers of the members of which a direction is a combination, rising; a spanned direction is told of no more
    /// members than it needs.
    package func members(for direction: [Int32: Double]) -> [Int] {
        let combination = reduce(direction).combination
        let largest = combination.values.reduce(0) { max($0, abs($1)) }
        return combination.filter { abs($0.value) > 1e-9 * largest }.keys.sorted()
    }

    /// What is left of a direction after the members are taken out, and how often each was.
    private func reduce(_ direction: [Int32: Double]) -> (rest: [Int32: Double], combination: [Int: Double]) {
        var rest = direction
        let size = direction.values.reduce(0) { max($0, abs($1)) }
        var combination: [Int: Double] = [:]
        for member in members {
            guard let amount = rest[member.pivot], let own = member.vector[member.pivot], amount != 0 else { continue }
            let factor = amount / own
            for (symbol, value) in member.vector { rest[symbol, default: 0] -= factor * value }
            rest[member.pivot] = nil
            for (number, share) in member.combination { combination[number, default: 0] += factor * share }
        }
        for (symbol, value) in rest where abs(value) <= 1e-9 * size { rest[symbol] = nil }
        return (rest, combination)
    }

    /// The symbol of the largest coefficient, the lowest among equals.
    private static func largest(_ vector: [Int32: Double]) -> Int32? {
        vector.min { (-abs($0.value), $0.key) < (-abs($1.value), $1.key) }?.key
    }
}
