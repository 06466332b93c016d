/// Collects the constraints and guides of an arrangement, to put all of them into force or none.
@MainActor
final class ArrangementBuilder {
    /// Just below required: what keeps items inside, without a conflict where there is no room.
    static let keepInside: LayoutPriority = 999

    let container: any LayoutItem
    private let label: String?
    private let file: String
    private let line: UInt
    private var constraints: [Constraint] = []
    private var guides: [LayoutGuide] = []

    init(_ container: any LayoutItem, label: String?, file: StaticString, line: UInt) {
        self.container = container
        self.label = label
        self.file = "\(file)"
        self.line = line
    }

    /// A guide in the container, without extent along an axis that it does not serve.
    func guide(_ name: String, along axis: LayoutAxis) -> LayoutGuide {
        let guide = LayoutGuide(in: container, name: name)
        guides.append(guide)
        let across = AxisAttributes(axis.other)
        relate(guide, across.start, to: container, across.start)
        set(guide, across.extent, .equal, 0)
        return guide
    }

    func relate(
        _ item: any LayoutItem,
        _ attribute: LayoutAttribute,
        _ relation: LayoutRelation = .equal,
        to target: any LayoutItem,
        _ targetAttribute: LayoutAttribute,
        plus constant: Double = 0,
        priority: LayoutPriority = .required,
        role: ArrangedRole = .part,
        condition: GapCondition? = nil
    ) {
        let target = ConstraintTarget.item(target, targetAttribute, area: .frame)
        add(item, attribute, relation, target, constant, priority, role, condition)
    }

    func set(
        _ item: any LayoutItem,
        _ extent: LayoutAttribute,
        _ relation: LayoutRelation,
        _ number: Double,
        priority: LayoutPriority = .required,
        role: ArrangedRole = .part
    ) {
        add(item, extent, relation, .number(extent), number, priority, role, nil)
    }

    private func add(
        _ item: any LayoutItem,
        _ attribute: LayoutAttribute,
        _ relation: LayoutRelation,
        _ target: ConstraintTarget,
        _ constant: Double,
        _ priority: LayoutPriority,
        _ role: ArrangedRole,
        _ condition: GapCondition?
    ) {
        item.layoutNode.item = item
        let constraint = Constraint(
            item: item,
            attribute: attribute,
            relation: relation,
            target: target,
            multiplier: 1,
            constant: constant,
            priority: priority,
            label: label,
            file: file,
            line: line
        )
        constraint.arranged = role
        constraint.condition = condition
        condition?.arrangement.follow(constraint)
        constraints.append(constraint)
    }

    /// Puts everything into force; where a number is impossible, nothing, and the container tells so.
    func finish() -> ConstraintGroup {
        do throws(LayoutError) {
            for constraint in constraints { try LayoutError.check(constraint.constant, of: constraint) }
        } catch {
            for guide in guides { guide.remove() }
            container.layoutNode.refuse(error)
            return ConstraintGroup()
        }
        let group = ConstraintGroup(constraints, guides: guides)
        group.activate()
        return group
    }
}
