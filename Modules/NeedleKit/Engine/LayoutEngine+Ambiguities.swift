internal import ConstraintSolver

extension LayoutEngine {
    /// The parts of frames that have no single solution as the layout stands, in the order of the tree; of each item first
    /// its extents.
    ///
    /// A part is among them exactly when its least and its greatest value over all solutions that are optimal at every
    /// priority differ. As many have ``LayoutAmbiguity/remedies`` as constraints are missing; the others follow from
    /// those.
    ///
    /// Meant for diagnosis: it solves two small linear programs for each part that is open.
    public var ambiguities: [LayoutAmbiguity] {
        var open: [Variable: OpenVariable] = [:]
        for one in solver.openVariables() { open[one.variable] = one }
        guard !open.isEmpty, let rootRecord else { return [] }
        var finder = AmbiguityFinder(open: open)
        finder.visit(rootRecord)
        return finder.ambiguities { self.inForce(on: $0, along: $1) }
    }

    /// What code states of an item along an axis, then what its content asks for, as far as it is in force.
    private func inForce(on record: ItemRecord, along axis: LayoutAxis) -> [ConstraintSource] {
        let stated = record.constraints.filter { constraint in
            guard case .inForce = constraint.state else { return false }
            return constraint.item === record && constraint.constraint.attribute.axis == axis
        }
        let wishes = [OwnConstraint.Role.hugging, .compressionResistance].compactMap { role in
            record.own[axis][role].flatMap { ownByID[$0]?.source }
        }
        return stated.sorted { $0.sequence < $1.sequence }.map(\.source) + wishes
    }
}

/// Names what is open item by item.
@MainActor
private struct AmbiguityFinder {
    private struct Part {
        var record: ItemRecord
        var attribute: LayoutAttribute
        var open: OpenVariable
        /// The number of the member of the basis that the part is, or `nil` when it follows from others.
        var member: Int?
    }

    let open: [Variable: OpenVariable]
    private var basis = DirectionBasis()
    private var parts: [Part] = []
    /// The names of the members of the basis.
    private var members: [String] = []

    init(open: [Variable: OpenVariable]) {
        self.open = open
    }

    mutating func visit(_ record: ItemRecord) {
        for (extent, position, variables) in [
            (LayoutAttribute.width, LayoutAttribute.left, (record.width, record.left)),
            (LayoutAttribute.height, LayoutAttribute.top, (record.height, record.top)),
        ] {
            for (attribute, variable) in [(extent, variables.0), (position, variables.1)] {
                guard let one = open[variable] else { continue }
                var part = Part(record: record, attribute: attribute, open: one)
                if basis.insert(one.direction) {
                    part.member = members.count
                    members.append(name(record, attribute))
                }
                parts.append(part)
            }
        }
        for child in record.children { visit(child) }
    }

    func ambiguities(_ inForce: (ItemRecord, LayoutAxis) -> [ConstraintSource]) -> [LayoutAmbiguity] {
        parts.compactMap { part in
            // No extent is negative, which the solver is told only of those that would be.
            let lower = part.attribute.isExtent ? max(0, part.open.lower) : part.open.lower
            guard lower < part.open.upper else { return nil }
            let follows = part.member == nil ? basis.members(for: part.open.direction).map { members[$0] } : []
            return LayoutAmbiguity(
                item: part.record.displayName,
                attribute: part.attribute,
                lower: lower,
                upper: part.open.upper,
                remedies: part.member.map { remedies(part, $0) } ?? [],
                follows: follows,
                constraints: inForce(part.record, part.attribute.axis)
            )
        }
    }

    private func name(_ record: ItemRecord, _ attribute: LayoutAttribute) -> String {
        "\(record.displayName).\(attribute)"
    }

    /// The part itself, and the edges of the item that would settle it as well: those whose movement needs the same
    /// member of the basis.
    private func remedies(_ part: Part, _ member: Int) -> [String] {
        let record = part.record
        let (position, extent, near, far) =
            part.attribute.axis == .horizontal
            ? (record.left, record.width, LayoutAttribute.left, LayoutAttribute.right)
            : (record.top, record.height, LayoutAttribute.top, LayoutAttribute.bottom)
        let nearDirection = open[position]?.direction ?? [:]
        var farDirection = nearDirection
        for (symbol, value) in open[extent]?.direction ?? [:] {
            let sum = farDirection[symbol, default: 0] + value
            farDirection[symbol] = abs(sum) <= 1e-9 * abs(value) ? nil : sum
        }
        var names = [name(record, part.attribute)]
        for (edge, direction) in [(near, nearDirection), (far, farDirection)] where edge != part.attribute {
            if basis.members(for: direction).contains(member) { names.append(name(record, edge)) }
        }
        return names
    }
}
