/// The items of a stack, a row of gaps or a grid in their order, which decide which gaps are open.
///
/// The gap before a slot is open while the slot is shown and an earlier slot is shown. So the spacing of collapsed items
/// collapses with them, also at either end.
@MainActor
final class Arrangement {
    private var slots: [[WeakNode]] = []
    private var dependents: [WeakConstraint] = []
    private var shown: [Bool] = []
    private var firstShown = Int.max

    /// Creates an arrangement of the items of each slot; a slot is collapsed if all of its items are.
    init(_ slots: [[any LayoutItem]]) {
        self.slots = slots.map { $0.map { WeakNode(node: $0.layoutNode) } }
        for item in slots.joined() {
            item.layoutNode.arrangements.removeAll { $0.arrangement == nil }
            item.layoutNode.arrangements.append(WeakArrangement(arrangement: self))
        }
        refresh()
    }

    /// Adds a constraint whose backend is notified when its gap opens or closes.
    func addDependent(_ constraint: Constraint) { dependents.append(WeakConstraint(constraint: constraint)) }

    /// Whether the slot is shown. If no slot is, all count as shown, so that they still fill the container.
    func isShown(_ slot: Int) -> Bool { shown[slot] || firstShown == .max }

    func isGapOpen(before slot: Int) -> Bool { shown[slot] && firstShown < slot }

    /// Whether several slots are shown, or none, so that all count as shown.
    var hasGaps: Bool { firstShown == .max || shown.count(where: \.self) > 1 }

    func visibilityChanged() {
        let openBefore = dependents.map { $0.constraint?.condition?.isOpen }
        refresh()
        for (dependent, wasOpen) in zip(dependents, openBefore) {
            guard let constraint = dependent.constraint, let condition = constraint.condition,
                condition.isOpen != wasOpen, constraint.isActive
            else { continue }
            if condition.effect == .constant {
                constraint.backend?.constantChanged(constraint)
            } else {
                constraint.backend?.expressionChanged(constraint)
            }
        }
    }

    private func refresh() {
        shown = slots.map { $0.contains { $0.node?.isCollapsed == false } }
        firstShown = shown.firstIndex(of: true) ?? .max
    }
}

/// The condition under which a constraint of an arrangement counts in full.
@MainActor
struct GapCondition {
    enum Kind {
        /// The slot and an earlier slot are shown: for a gap.
        case gap
        /// The slot is shown: for an extent.
        case slot
        /// Any gap is open: for the end of a row of equal gaps.
        case anyGap
    }
    /// What does not count while the condition is not met.
    enum Effect {
        case constant
        case constantAndTarget
        /// The whole constraint: the end of a collapsed item, which would draw other items along.
        case constraint
    }

    let arrangement: Arrangement
    let slot: Int
    let kind: Kind
    let effect: Effect

    var isOpen: Bool {
        switch kind {
        case .gap: arrangement.isGapOpen(before: slot)
        case .slot: arrangement.isShown(slot)
        case .anyGap: arrangement.hasGaps
        }
    }
}

/// The role of a constraint in an arrangement.
enum ArrangedRole {
    /// The distance between neighbours; its constant is the spacing or the minimum spacing.
    case gap
    /// Any other constraint.
    case part
}

struct WeakNode {
    weak var node: LayoutNode?
}

struct WeakConstraint {
    weak var constraint: Constraint?
}

/// A weak reference: an arrangement is retained by the conditions of its constraints, not by its items.
struct WeakArrangement {
    weak var arrangement: Arrangement?
}
