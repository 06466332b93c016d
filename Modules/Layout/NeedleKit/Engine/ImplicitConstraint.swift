internal import ConstraintSolver

/// A constraint that no statement makes: the root's origin and size, an item's content priorities, extents of zero or more.
@MainActor
struct ImplicitConstraint {
    let record: ItemRecord
    let key: Key
    /// The value with which the edge or extent is compared.
    var value: Double
    var priority: LayoutPriority

    /// The purpose of an implicit constraint.
    enum Role: CaseIterable {
        /// The root's left or top edge is at the origin.
        case origin
        /// The root's extent.
        case size
        /// The item is no larger than its content.
        case hugging
        /// The item is no smaller than its content.
        case compressionResistance
        /// An extent is not negative.
        case notNegative
        /// An extent of a collapsed item is not positive; ``notNegative`` keeps it from being negative.
        case collapsed
    }

    /// The role of an implicit constraint along an axis, of which an item has at most one constraint.
    struct Key: Hashable {
        let role: Role
        let axis: LayoutAxis
    }

    var role: Role { key.role }
    var axis: LayoutAxis { key.axis }

    /// The content priority that the constraint applies; `nil` if it has another purpose.
    var content: ContentPriority? {
        switch role {
        case .hugging: .hugging(axis)
        case .compressionResistance: .compressionResistance(axis)
        case .origin, .size, .notNegative, .collapsed: nil
        }
    }

    /// The constrained part of the item.
    var attribute: LayoutAttribute {
        switch role {
        case .origin: axis == .horizontal ? .left : .top
        case .size, .hugging, .compressionResistance, .notNegative, .collapsed:
            axis == .horizontal ? .width : .height
        }
    }

    var variable: Variable {
        switch attribute {
        case .left: record.left
        case .top: record.top
        case .width: record.width
        default: record.height
        }
    }

    var relation: Relation {
        switch role {
        case .origin, .size: .equal
        case .hugging, .collapsed: .lessThanOrEqual
        case .compressionResistance, .notNegative: .greaterThanOrEqual
        }
    }

    /// A description of the constraint that outlives its item.
    var source: ConstraintSource {
        let location = content.flatMap { record.node?.contentLocations[$0] }
        return ConstraintSource(
            origin: content == nil ? .layout : .content,
            item: record.displayName,
            label: nil,
            statement: statement,
            priority: priority,
            file: location.map { "\($0.file)" },
            line: location?.line
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

/// Required content of an item that conflicts with other constraints at present.
@MainActor
struct UnmetContentConstraint {
    let constraint: ImplicitConstraint
    let diagnostic: LayoutDiagnostic
}
