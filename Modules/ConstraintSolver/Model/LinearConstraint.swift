/// A linear constraint: the sum of its terms, a relation, a constant.
public struct LinearConstraint: Hashable, Sendable {
    /// The left side; a variable may stand in several terms, whose coefficients are then summed.
    public var terms: [Term]
    /// How the left side relates to ``constant``.
    public var relation: Relation
    /// The right side.
    public var constant: Double
    /// How much the constraint matters.
    public var priority: Priority
    /// The factor on the constraint's violation against others of the same priority.
    public var weight: Double

    /// Makes a constraint, which a solver checks when it is defined there.
    ///
    /// - Parameters:
    ///   - terms: the left side.
    ///   - relation: how it relates to the constant.
    ///   - constant: the right side; finite, at most ``Solver/largestConstant`` in magnitude, and so much less as
    ///     coefficients are smaller than 1/16.
    ///   - priority: how much it matters; required by default.
    ///   - weight: the factor on its violation inside its priority, 0.001 to 1,000,000, and times the coefficients at
    ///     least 1e-7; no meaning when required.
    public init(
        _ terms: [Term],
        _ relation: Relation,
        _ constant: Double,
        priority: Priority = .required,
        weight: Double = 1
    ) {
        self.terms = terms
        self.relation = relation
        self.constant = constant
        self.priority = priority
        self.weight = weight
    }
}
