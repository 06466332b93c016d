/// A linear constraint: the sum of its terms, a relation, a constant.
public struct LinearConstraint: Hashable, Sendable {
    /// The left side. The coefficients of terms with the same variable are summed.
    public var terms: [Term]
    /// The relation of the left side to ``constant``.
    public var relation: Relation
    /// The right side.
    public var constant: Double
    /// The priority, ``Priority/required`` for a constraint that must hold.
    public var priority: Priority
    /// The factor on the constraint's violation, compared with others of the same priority.
    public var weight: Double

    /// Creates a constraint, which a solver checks when it is defined there.
    ///
    /// - Parameters:
    ///   - terms: the left side.
    ///   - relation: its relation to the constant.
    ///   - constant: the right side; finite, at most ``Solver/largestConstant`` in magnitude, and proportionally less if
    ///     coefficients are smaller than 1/16.
    ///   - priority: the priority; required by default.
    ///   - weight: the factor on its violation inside its priority, 0.001 to 1,000,000, and times the coefficients at
    ///     least 1e-7; ignored when required.
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

    /// Returns how far a value of the left side violates the constraint: zero or more.
    func violation(_ leftSide: Double) -> Double {
        switch relation {
        case .equal: abs(leftSide - constant)
        case .lessThanOrEqual: max(0, leftSide - constant)
        case .greaterThanOrEqual: max(0, constant - leftSide)
        }
    }
}

/// A variable times a coefficient.
public struct Term: Hashable, Sendable {
    /// The unknown.
    public var variable: Variable
    /// Its factor.
    public var coefficient: Double

    /// Creates a term.
    ///
    /// - Parameters:
    ///   - variable: the unknown.
    ///   - coefficient: its factor, 1 by default; finite, at most ``Solver/largestCoefficient`` in magnitude.
    public init(_ variable: Variable, _ coefficient: Double = 1) {
        self.variable = variable
        self.coefficient = coefficient
    }
}

/// The relation of the two sides of a constraint.
public enum Relation: Sendable, Hashable, CaseIterable {
    /// Both sides are equal.
    case equal
    /// The left side is less than or equal to the right side.
    case lessThanOrEqual
    /// The left side is greater than or equal to the right side.
    case greaterThanOrEqual

    /// The relation's operator in Swift.
    var symbol: String {
        switch self {
        case .equal: "=="
        case .lessThanOrEqual: "<="
        case .greaterThanOrEqual: ">="
        }
    }
}

extension LinearConstraint: CustomStringConvertible {
    /// The constraint as a formula, such as `v0 - 2.0 v3 <= 5.0 @250`.
    public var description: String {
        var left = terms.isEmpty ? "0" : ""
        for (place, term) in terms.enumerated() {
            let isNegative = term.coefficient < 0
            if place > 0 { left += isNegative ? " - " : " + " } else if isNegative { left += "-" }
            if abs(term.coefficient) != 1 { left += "\(abs(term.coefficient)) " }
            left += "v\(term.variable.index)"
        }
        let rank = priority.isRequired ? "" : " @\(priority.value)"
        return "\(left) \(relation.symbol) \(constant)\(rank)"
    }
}
