/// The items of a stack, a row of gaps or a grid in their order, to know which gaps are open.
///
/// The gap before a slot is open while the slot shows something and an earlier slot does: so the spacing of collapsed
/// items collapses with them, also at either end.
@MainActor
final class Arrangement {
    private var slots: [[WeakNode]] = []
    private var followers: [WeakConstraint] = []
    private var shown: [Bool] = []
    private var firstShown = Int.max

    /// Makes an arrangement.
    ///
    /// - Parameter slots: the items of each slot; a slot is collapsed when all of its items are.
    init(_ slots: [[any LayoutItem]]) {
        self.slots = slots.map { $0.map { WeakNode(node: $0.layoutNode) } }
        for item in slots.joined() { item.layoutNode.arrangements.append(WeakArrangement(arrangement: self)) }
        refresh()
    }

    /// Tells a constraint's backend whenever its gap opens or closes.
    func follow(_ constraint: Constraint) {
        followers.append(WeakConstraint(constraint: constraint))
    }

    /// Whether the slot shows something. Where none does, all count, so that they still fill what they must.
    func isShown(_ slot: Int) -> Bool { shown[slot] || firstShown == .max }

    func isGapOpen(before slot: Int) -> Bool { shown[slot] && firstShown < slot }

    func visibilityChanged() {
        let openBefore = followers.map { $0.constraint?.condition?.isOpen }
        refresh()
        for (follower, wasOpen) in zip(followers, openBefore) {
            guard let constraint = follower.constraint, let condition = constraint.condition,
                condition.isOpen != wasOpen, constraint.isActive
            else { continue }
            if condition.closesTarget {
                constraint.backend?.expressionChanged(constraint)
            } else {
                constraint.backend?.constantChanged(constraint)
            }
        }
    }

    private func refresh() {
        shown = slots.map { $0.contains { $0.node?.isCollapsed == false } }
        firstShown = shown.firstIndex(of: true) ?? .max
    }
}
