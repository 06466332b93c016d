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
        let side = attribute.side(in: direction)
        expression.constant += factor * side.constant(of: insets)
        switch side {
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
            if let offset = usedBaselines().first {
                expression.constant += factor * offset
            } else {
                expression.add(height, factor)
            }
        case .lastBaseline:
            expression.add(top, factor)
            expression.add(height, factor)
            expression.constant -= factor * usedBaselines().last
        }
    }
}
