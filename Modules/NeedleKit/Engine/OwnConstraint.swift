/// A constraint of the layout's own: on which item, what for, and what it asks at present.
@MainActor
struct OwnConstraint {
    let record: ItemRecord
    let role: Role
    let axis: LayoutAxis
    /// What the edge or the extent is compared to.
    var value: Double
    var priority: LayoutPriority

    /// What a constraint of the layout's own is for; an item has at most one of each along an axis.
    enum Role: CaseIterable {
        /// The root's left or top edge lies at the origin.
        case origin
        /// The root's extent.
        case size
        /// Content is no smaller than the item.
        case hugging
        /// Content is no larger than the item.
        case compressionResistance
        /// An extent is not negative.
        case notNegative
        /// A collapsed item has no extent.
        case collapsed
    }

    /// Whether both are the same item's for the same purpose.
    func isSame(as other: OwnConstraint) -> Bool {
        record === other.record && role == other.role && axis == other.axis
    }

    /// What of the content it is for; `nil` when it is for something else.
    var wish: ContentWish? {
        switch role {
        case .hugging: .hugging(axis)
        case .compressionResistance: .compressionResistance(axis)
        case .origin, .size, .notNegative, .collapsed: nil
        }
    }

    /// The part of the item that it speaks of.
    var attribute: LayoutAttribute {
        switch role {
        case .origin: axis == .horizontal ? .left : .top
        case .size, .hugging, .compressionResistance, .notNegative, .collapsed:
            axis == .horizontal ? .width : .height
        }
    }

    /// The constraint as text that outlives its item.
    var source: ConstraintSource {
        let place = wish.flatMap { record.node?.contentPlaces[$0] }
        return ConstraintSource(
            origin: wish == nil ? .layout : .content,
            item: record.displayName,
            label: nil,
            statement: statement,
            priority: priority,
            file: place.map { "\($0.file)" },
            line: place?.line
        )
    }

    private var statement: String {
        switch role {
        case .origin: "the root's \(attribute) edge"
        case .size: "the root's \(attribute)"
        case .hugging: "the \(attribute) of \(record.displayName)'s content <= \(Constraint.text(value))"
        case .compressionResistance: "the \(attribute) of \(record.displayName)'s content >= \(Constraint.text(value))"
        case .notNegative: "\(record.displayName).\(attribute) is not negative"
        case .collapsed: "\(record.displayName) is collapsed"
        }
    }
}
