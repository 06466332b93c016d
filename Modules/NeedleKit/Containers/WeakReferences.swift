/// A node that an arrangement does not keep alive.
struct WeakNode {
    weak var node: LayoutNode?
}

/// A constraint that an arrangement does not keep alive.
struct WeakConstraint {
    weak var constraint: Constraint?
}

/// An arrangement that its items do not keep alive: its constraints do.
struct WeakArrangement {
    weak var arrangement: Arrangement?
}
