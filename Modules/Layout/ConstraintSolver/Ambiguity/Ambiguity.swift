/// A variable without a unique solution: other values of it satisfy the constraints equally well.
public struct Ambiguity: Hashable, Sendable {
    /// The variable.
    public let variable: Variable
    /// The least value among the solutions that are as good as the current one; `-infinity` if unbounded.
    public let lower: Double
    /// The greatest value among them; `infinity` if unbounded.
    public let upper: Double
    /// The variables whose values, if stated, would determine this one: itself alone, or older ones from which its own
    /// value would follow.
    public let settledBy: [Variable]
}

/// A variable that the constraints leave open, and how it can move.
package struct OpenVariable {
    /// The variable.
    package let variable: Variable
    /// The variable's rate of change along each direction in which the solution can move, by the direction's number.
    package let direction: [Int32: Double]
    /// The least of the optimal values.
    package let lower: Double
    /// The greatest of the optimal values.
    package let upper: Double
}

extension Solver {
    /// Returns the variables that the constraints leave open, by index.
    ///
    /// A variable is among them exactly if its least and its greatest value over all solutions that are optimal at every
    /// priority differ. Stating the values of all variables in ``Ambiguity/settledBy`` determines the whole system, with as
    /// few statements as possible.
    ///
    /// This call is meant for diagnosis: it solves two small linear programs for each variable that it returns.
    ///
    /// - Returns: the open variables, including those without any constraint; empty if the solution is unique.
    public mutating func ambiguities() -> [Ambiguity] {
        let open = openVariables()
        var basis = DirectionBasis()
        var settling: [Variable] = []
        for one in open where basis.insert(one.direction) { settling.append(one.variable) }
        return open.map { one in
            Ambiguity(
                variable: one.variable,
                lower: one.lower,
                upper: one.upper,
                settledBy: basis.members(for: one.direction).map { settling[$0] }
            )
        }
    }

    /// Returns the variables without a unique solution, by index, with the directions in which they can move.
    package mutating func openVariables() -> [OpenVariable] {
        tableau.evaluate()
        var face = OptimalFace(tableau)
        let directions = face.directions(tableau)
        var found: [OpenVariable] = []
        for index in variables.indices where variables[index].isAlive {
            let symbol = variables[index].symbol
            guard let direction = directions[symbol], !direction.isEmpty else { continue }
            let value = tableau.store.value(symbol)
            found.append(
                OpenVariable(
                    variable: variables.variable(index),
                    direction: direction,
                    lower: value - face.greatest(direction, factor: -1),
                    upper: value + face.greatest(direction, factor: 1)
                )
            )
        }
        return found
    }
}

/// Linearly independent directions of movement, which span all directions that were inserted.
package struct DirectionBasis {
    private struct Member {
        /// The direction, reduced by the members before it.
        var vector: [Int32: Double]
        var pivot: Int32
        /// The reduced vector as a combination of the members' original directions.
        var combination: [Int: Double]
    }

    private var members: [Member] = []

    /// Creates a basis without members.
    package init() {}

    /// Inserts a direction if the basis does not span it yet. Returns whether it was inserted; it is then the member
    /// of the next number, counted from zero.
    package mutating func insert(_ direction: [Int32: Double]) -> Bool {
        var (rest, combination) = reduce(direction)
        guard let pivot = OptimalFace.largest(rest, above: 0) else { return false }
        for (number, factor) in combination { combination[number] = -factor }
        combination[members.count] = 1
        rest = rest.filter { $0.value != 0 }
        members.append(Member(vector: rest, pivot: pivot, combination: combination))
        return true
    }

    /// Returns the numbers of the members of which a direction is a combination, in ascending order, and no more members
    /// than it needs.
    package func members(for direction: [Int32: Double]) -> [Int] {
        let combination = reduce(direction).combination
        let largest = combination.values.reduce(0) { max($0, abs($1)) }
        return combination.filter { abs($0.value) > 1e-9 * largest }.keys.sorted()
    }

    /// Returns the remainder of a direction after the members are subtracted, and the factor of each member.
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
}
