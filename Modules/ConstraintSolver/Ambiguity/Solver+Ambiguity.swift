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
