internal import ConstraintSolver

/// A linear expression over solver variables.
struct Expression {
    var terms: [Term] = []
    var constant = 0.0

    mutating func add(_ variable: Variable, _ coefficient: Double) {
        if coefficient != 0 { terms.append(Term(variable, coefficient)) }
    }
}

extension ItemRecord {
    /// Adds a multiple of an attribute of the item to an expression.
    func add(
        _ attribute: LayoutAttribute,
        times factor: Double,
        area: LayoutArea,
        direction: LayoutDirection,
        to expression: inout Expression
    ) {
        let insets = area == .frame ? .zero : node?.insets(of: area) ?? .zero
        var attribute = attribute
        if attribute == .leading { attribute = direction == .leftToRight ? .left : .right }
        if attribute == .trailing { attribute = direction == .leftToRight ? .right : .left }
        expression.constant += factor * attribute.constant(of: insets)
        switch attribute {
        case .left, .leading: expression.add(left, factor)
        case .right, .trailing:
            expression.add(left, factor)
            expression.add(width, factor)
        case .centerX:
            expression.add(left, factor)
            expression.add(width, factor / 2)
        case .width: expression.add(width, factor)
        case .top: expression.add(top, factor)
        case .bottom:
            expression.add(top, factor)
            expression.add(height, factor)
        case .centerY:
            expression.add(top, factor)
            expression.add(height, factor / 2)
        case .height: expression.add(height, factor)
        case .firstBaseline:
            expression.add(top, factor)
            if let offset = item?.firstBaselineFromTop {
                expression.constant += factor * offset
            } else {
                expression.add(height, factor)
            }
        case .lastBaseline:
            expression.add(top, factor)
            expression.add(height, factor)
            expression.constant -= factor * (item?.lastBaselineFromBottom ?? 0)
        }
    }
}
