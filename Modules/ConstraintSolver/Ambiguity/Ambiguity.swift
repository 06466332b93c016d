/// A variable that has no single solution: others of its values meet the constraints just as well.
public struct Ambiguity: Hashable, Sendable {
    /// The variable.
    public let variable: Variable
    /// The least value among the solutions that are as good as the present one; `-infinity` without bound.
    public let lower: Double
    /// The greatest value among them; `infinity` without bound.
    public let upper: Double
    /// The variables whose values, were they stated, would settle this one: itself alone, or those made earlier from
    /// which its own value would follow.
    public let settledBy: [Variable]
}

extension Solver {
    /// The variables that the constraints leave open, by their place.
    ///
    /// A variable is among them exactly when its least and its greatest value over all solutions that are optimal at
    /// every priority differ; both are told. Stating the values of all that are ``Ambiguity/settledBy`` themselves
    /// settles the whole system, with as few statements as can do it.
    ///
    /// Meant for diagnosis: the cost is that of two small linear programs for each variable found.
    ///
    /// - Returns: one for each open variable, also for those that stand in no constraint; none when the solution is the
    ///   only one.
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
}

/// A variable that the constraints leave open, and how it moves.
package struct OpenVariable {
    /// The variable.
    package let variable: Variable
    /// How fast it moves along each direction in which the solution can move; directions go by number.
    package let direction: [Int32: Double]
    /// The least value among the optimal ones.
    package let lower: Double
    /// The greatest value among the optimal ones.
    package let upper: Double
}

extension Solver {
    /// The variables that have no single solution, by their place, with the directions in which they can move.
    package mutating func openVariables() -> [OpenVariable] {
        tableau.evaluate()
        var face = OptimalFace(tableau)
        let directions = face.directions(tableau)
        var found: [OpenVariable] = []
        for index in variables.indices where variables[index].isAlive {
            let symbol = variables[index].symbol
            guard let direction = directions[symbol], !direction.isEmpty else { continue }
            let value = tableau.value(symbol)
            let variable = Variable(index: Int32(index), generation: variables[index].generation)
            found.append(
                OpenVariable(
                    variable: variable,
                    direction: direction,
                    lower: value - face.greatest(direction, factor: -1),
                    upper: value + face.greatest(direction, factor: 1)
                )
            )
        }
        return found
    }
}
