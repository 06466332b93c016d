public import ConstraintSolver

/// A constraint of a replay: `coefficient * variable + ... relation constant`.
public struct ReplayConstraint: Hashable, Sendable {
    /// A variable, by name, times a coefficient.
    public struct Term: Hashable, Sendable {
        /// The variable's name.
        public var variable: String
        /// Its factor.
        public var coefficient: Double

        /// Makes a term.
        public init(_ variable: String, _ coefficient: Double) {
            self.variable = variable
            self.coefficient = coefficient
        }
    }

    /// The left side; a variable may stand in several terms, whose coefficients are then summed.
    public var terms: [Term]
    /// How the left side relates to the constant.
    public var relation: Relation
    /// The right side.
    public var constant: Double
    /// 1 to 1000, the latter required.
    public var priority: Int
    /// The factor on the violation inside the priority; 1 but in the extended dialect.
    public var weight: Double

    /// Makes a constraint.
    public init(_ terms: [Term], _ relation: Relation, _ constant: Double, priority: Int = 1000, weight: Double = 1) {
        self.terms = terms
        self.relation = relation
        self.constant = constant
        self.priority = priority
        self.weight = weight
    }
}
