internal import ConstraintSolver

/// The engine's record of a constraint that is active on an item of its tree.
@MainActor
final class ConstraintRecord {
    enum State {
        /// Enters the solver at the next layout, or once its items are in the tree.
        case pending
        /// In the solver.
        case active
        /// Not in the solver because of a conflict; tried again after changes.
        case dropped(LayoutConflict)
        /// Not in the solver because of an error; tried again after changes.
        case rejected(LayoutError)
        /// Not in the solver while its item is collapsed: ``Constraint/isSuspended``.
        case suspended
        /// Removed from the store.
        case removed
    }

    let constraint: Constraint
    /// The index of the item in the tree.
    let itemIndex: Int
    /// The position in the order of activation: the latest constraint has the greatest number.
    let sequence: Int
    var state = State.pending
    var id: ConstraintID?
    weak var item: ItemRecord?
    weak var target: ItemRecord?
    /// The record's keys in the constraint lists of its item and of its target.
    var itemKey = -1
    var targetKey = -1
    /// The names of the items when the constraint was entered, for descriptions after they are released.
    var names: Constraint.Names
    /// Whether the record is in the pending list because of a change.
    var isChanged = false

    /// A description of the constraint.
    var source: ConstraintSource { constraint.source(names) }

    init(_ constraint: Constraint, itemIndex: Int, sequence: Int) {
        self.constraint = constraint
        self.itemIndex = itemIndex
        self.sequence = sequence
        names = constraint.names
    }

    /// Whether the constraint refers to a baseline of an item, on either side.
    func refersToBaseline(of record: ItemRecord) -> Bool {
        item === record && constraint.attribute.isBaseline
            || target === record && constraint.target.attribute.isBaseline
    }
}
