/// What the right side of a constraint refers to.
struct ConstraintTarget {
    enum Kind {
        /// Nothing: the constant alone.
        case number
        /// An item, held weakly.
        case item
        /// Whatever the constraint's own item is in at the time.
        case parent
    }

    var kind: Kind
    weak var item: (any LayoutItem)?
    /// The attribute referred to; the constraint's own when `kind` is `number`.
    var attribute: LayoutAttribute
    /// The rectangle of the item that is meant.
    var area = LayoutArea.frame

    @MainActor
    static func number(_ attribute: LayoutAttribute) -> ConstraintTarget {
        ConstraintTarget(kind: .number, item: nil, attribute: attribute)
    }

    @MainActor
    static func parent(_ attribute: LayoutAttribute, area: LayoutArea = .frame) -> ConstraintTarget {
        ConstraintTarget(kind: .parent, item: nil, attribute: attribute, area: area)
    }

    @MainActor
    static func item(_ item: any LayoutItem, _ attribute: LayoutAttribute, area: LayoutArea) -> ConstraintTarget {
        item.layoutNode.item = item
        return ConstraintTarget(kind: .item, item: item, attribute: attribute, area: area)
    }

    /// Whether both refer to the same part of the same thing. An item that is gone is the same as no other: another may
    /// stand at its address.
    func isSame(as other: ConstraintTarget) -> Bool {
        guard kind == other.kind, attribute == other.attribute, area == other.area else { return false }
        guard kind == .item else { return true }
        return item != nil && item === other.item
    }
}
