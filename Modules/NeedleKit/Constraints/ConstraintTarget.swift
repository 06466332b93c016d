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
    /// Whether the item's safe area is meant.
    var isSafeArea = false
    /// The item's identity, which stays when the item is gone.
    var identity: ObjectIdentifier?

    @MainActor
    static func number(_ attribute: LayoutAttribute) -> ConstraintTarget {
        ConstraintTarget(kind: .number, item: nil, attribute: attribute)
    }

    @MainActor
    static func parent(_ attribute: LayoutAttribute, isSafeArea: Bool = false) -> ConstraintTarget {
        ConstraintTarget(kind: .parent, item: nil, attribute: attribute, isSafeArea: isSafeArea)
    }

    @MainActor
    static func item(_ item: any LayoutItem, _ attribute: LayoutAttribute, isSafeArea: Bool) -> ConstraintTarget {
        item.layoutNode.item = item
        return ConstraintTarget(
            kind: .item,
            item: item,
            attribute: attribute,
            isSafeArea: isSafeArea,
            identity: ObjectIdentifier(item)
        )
    }

    /// Whether both refer to the same part of the same thing.
    func isSame(as other: ConstraintTarget) -> Bool {
        kind == other.kind && attribute == other.attribute && isSafeArea == other.isSafeArea
            && identity == other.identity
    }
}
