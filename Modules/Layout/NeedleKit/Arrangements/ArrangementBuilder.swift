/// Collects the constraints and guides of an arrangement, and activates all of them or none.
@MainActor
final class ArrangementBuilder {
    /// The priority just below required for staying inside the container: no conflict is reported if the items do not fit.
    static let insidePriority: LayoutPriority = 999

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

    /// Creates a guide in the container that has no extent across an axis.
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
            constant: constant,
            priority: priority,
            label: label,
            file: file,
            line: line
        )
        constraint.arranged = role
        constraint.condition = condition
        condition?.arrangement.addDependent(constraint)
        constraints.append(constraint)
    }

    /// Activates all constraints; if a number is invalid, activates none and reports it on the container.
    func activate() -> ConstraintGroup {
        do throws(LayoutError) {
            for constraint in constraints { try LayoutError.checkConstant(constraint.constant, of: constraint) }
        } catch {
            for guide in guides { guide.remove() }
            container.layoutNode.report(error)
            return ConstraintGroup()
        }
        let group = ConstraintGroup(constraints, guides: guides)
        group.activate()
        return group
    }
}
