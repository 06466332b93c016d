internal import ConstraintSolver

/// Finds the ambiguous parts of a tree and the constraints that would resolve them.
///
/// The directions in which the open variables can move have a basis; a part in the basis can be resolved by itself, any other
/// follows from members of the basis.
@MainActor
struct AmbiguityFinder {
    private struct Part {
        var record: ItemRecord
        var attribute: LayoutAttribute
        var open: OpenVariable
        /// The part's index in the basis, or `nil` if it follows from other parts.
        var member: Int?

        /// The least of the values; a negative extent counts as zero.
        var lower: Double { attribute.isExtent ? max(0, open.lower) : open.lower }
    }

    let open: [Variable: OpenVariable]
    private var basis = DirectionBasis()
    private var parts: [Part] = []
    /// The names of the parts in the basis.
    private var members: [String] = []
    /// The names of the items by the index of their records. Items of the same name are numbered in the order of the tree.
    private let names: [Int: String]

    init(open: [Variable: OpenVariable], root: ItemRecord, tree: ItemTree) {
        self.open = open
        let records = tree.subtree(of: root)
        let groups = Dictionary(grouping: records.map(\.displayName), by: { $0 }).mapValues(\.count)
        var counts: [String: Int] = [:]
        var names: [Int: String] = [:]
        for record in records {
            let name = record.displayName
            counts[name, default: 0] += 1
            names[record.index] = groups[name] == 1 ? name : "\(name) #\(counts[name] ?? 1)"
        }
        self.names = names
        visit(root)
    }

    /// Adds the open parts of an item and of everything below it, unless it is collapsed.
    private mutating func visit(_ record: ItemRecord) {
        for (extent, position, variables) in [
            (LayoutAttribute.width, LayoutAttribute.left, (record.width, record.left)),
            (LayoutAttribute.height, LayoutAttribute.top, (record.height, record.top)),
        ] {
            for (attribute, variable) in [(extent, variables.0), (position, variables.1)] {
                guard let one = open[variable] else { continue }
                var part = Part(record: record, attribute: attribute, open: one)
                // Not in the basis either, where others would follow from a part that is not listed.
                guard part.lower < one.upper else { continue }
                if basis.insert(one.direction) {
                    part.member = members.count
                    members.append(name(record, attribute))
                }
                parts.append(part)
            }
        }
        // What is inside a collapsed item is not visible, and is compressed below zero.
        guard !record.isCollapsed else { return }
        for child in record.children { visit(child) }
    }

    /// Returns the ambiguities, with the constraints that a function returns for an item and an axis.
    func ambiguities(_ constraints: (ItemRecord, LayoutAxis) -> [ConstraintSource]) -> [LayoutAmbiguity] {
        parts.map { part in
            let follows = part.member == nil ? basis.members(for: part.open.direction).map { members[$0] } : []
            return LayoutAmbiguity(
                item: name(part.record),
                attribute: part.attribute,
                lower: part.lower,
                upper: part.open.upper,
                remedies: part.member.map { remedies(part, $0) } ?? [],
                follows: follows,
                constraints: constraints(part.record, part.attribute.axis)
            )
        }
    }

    private func name(_ record: ItemRecord) -> String { names[record.index] ?? record.displayName }

    private func name(_ record: ItemRecord, _ attribute: LayoutAttribute) -> String {
        "\(name(record)).\(attribute)"
    }

    /// The part itself, and the edges of the item that resolve it too: those that move with the same member of the basis.
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
