/// Which constraint an error speaks of.
public enum ConstraintName: Hashable, Sendable {
    /// One that is defined.
    case defined(ConstraintID)
    /// One that was refused before it had an id, as it was stated.
    case stated(LinearConstraint)
    /// The wish that a variable equal what is suggested for it.
    case edit(Variable)
}

extension ConstraintName: CustomStringConvertible {
    /// The constraint in words: its number, its statement, or the variable of its edit.
    public var description: String {
        switch self {
        case .defined(let id): "constraint #\(id.index)"
        case .edit(let variable): "the edit of variable \(variable.index)"
        case .stated(let constraint): "the constraint \(constraint)"
        }
    }
}

extension LinearConstraint: CustomStringConvertible {
    /// The statement, such as `v0 - 2.0 v3 <= 5.0 @250`.
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

extension Relation {
    /// The relation as a sign.
    var symbol: String {
        switch self {
        case .equal: "=="
        case .lessThanOrEqual: "<="
        case .greaterThanOrEqual: ">="
        }
    }
}
