extension Constraint {
    /// The names of a constraint's items, remembered for when they are released.
    struct Names {
        var item: String?
        var target: String?
    }

    /// The constraint as text that outlives its items.
    public var source: ConstraintSource { source(Names()) }

    /// The names of the items that are there.
    var names: Names {
        Names(item: item?.layoutNode.displayName, target: target.item?.layoutNode.displayName)
    }

    /// The constraint as text, with remembered names for items that are gone.
    func source(_ remembered: Names) -> ConstraintSource {
        let name = item?.layoutNode.displayName ?? remembered.item ?? LayoutNode.releasedName
        return ConstraintSource(
            origin: .statement,
            item: name,
            label: label,
            statement: statement(name, remembered.target),
            priority: priority,
            file: file,
            line: line
        )
    }

    private func statement(_ item: String, _ rememberedTarget: String?) -> String {
        let left = "\(item).\(attribute)"
        let area = target.area.suffix
        let factor = multiplier == 1 ? "" : " * \(multiplier)"
        let rest =
            constant == 0 ? "" : constant < 0 ? " - \(Constraint.text(-constant))" : " + \(Constraint.text(constant))"
        switch target.kind {
        case .number: return "\(left) \(relation.symbol) \(Constraint.text(constant))"
        case .item:
            let name = target.item?.layoutNode.displayName ?? rememberedTarget ?? LayoutNode.releasedName
            return "\(left) \(relation.symbol) \(name)\(area).\(target.attribute)\(factor)\(rest)"
        case .parent: return "\(left) \(relation.symbol) parent\(area).\(target.attribute)\(factor)\(rest)"
        }
    }

    static func text(_ value: Double) -> String {
        abs(value) < 1e15 && Double(Int(value)) == value ? "\(Int(value))" : "\(value)"
    }
}
