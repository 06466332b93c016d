/// A statement under construction: one constraint for each of its attributes.
@MainActor
final class ConstraintStatement {
    /// What the right side is.
    enum Right {
        case item(any LayoutItem, area: LayoutArea)
        case anchor(any LayoutItem, [LayoutAttribute], area: LayoutArea)
        case parent(area: LayoutArea)
        /// A number for each attribute; positions count from the parent's.
        case numbers([Double])
    }

    let item: any LayoutItem
    let constraints: [Constraint]

    init(
        item: any LayoutItem,
        attributes: [LayoutAttribute],
        relation: LayoutRelation,
        right: Right,
        file: String,
        line: UInt
    ) {
        self.item = item
        constraints = attributes.enumerated().map { index, attribute in
            var constant = 0.0
            let target: ConstraintTarget
            switch right {
            case .item(let other, let area): target = .item(other, attribute, area: area)
            case .anchor(let other, let others, let area):
                target = .item(other, others.count == 1 ? others[0] : others[index], area: area)
            case .parent(let area): target = .parent(attribute, area: area)
            case .numbers(let numbers):
                constant = numbers[index]
                target = attribute.isExtent ? .number(attribute) : .parent(attribute)
            }
            return Constraint(
                item: item,
                attribute: attribute,
                relation: relation,
                target: target,
                multiplier: 1,
                constant: constant,
                priority: .required,
                label: nil,
                file: file,
                line: line
            )
        }
    }
}
