internal import ConstraintSolver

/// What the engine knows of a constraint that is active on an item of its tree.
@MainActor
final class ConstraintRecord {
    enum State {
        /// To be entered at the next layout, or once its items are in the tree.
        case waiting
        /// In the solver.
        case inForce
        /// Left out because of a conflict.
        case dropped(LayoutConflict)
        /// Left out because of an error.
        case refused(LayoutError)
        /// Not part of the layout at present: an extent of a collapsed item.
        case resting
        /// Taken out for good.
        case removed
    }

    let constraint: Constraint
    /// Rises with each constraint: the latest is the greatest.
    let sequence: Int
    var state = State.waiting
    var id: ConstraintID?
    weak var item: ItemRecord?
    weak var target: ItemRecord?
    /// The record's among the constraints of its item and of its target.
    var itemTicket = -1
    var targetTicket = -1
    /// The names when it was entered, for when its items are gone.
    var names: Constraint.Names
    var isChanged = false

    /// The constraint as text.
    var source: ConstraintSource { constraint.source(names) }

    init(_ constraint: Constraint, sequence: Int) {
        self.constraint = constraint
        self.sequence = sequence
        names = constraint.names
    }
}
