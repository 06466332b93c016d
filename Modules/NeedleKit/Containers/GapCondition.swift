/// What has to show for a constraint of an arrangement to count in full.
@MainActor
struct GapCondition {
    enum Kind {
        /// Something in the slot and something before it: a gap.
        case gap
        /// Something in the slot: an extent.
        case slot
    }

    let arrangement: Arrangement
    let slot: Int
    let kind: Kind
    /// Whether the target counts for nothing too while closed, not only the constant.
    let closesTarget: Bool

    var isOpen: Bool {
        switch kind {
        case .gap: arrangement.isGapOpen(before: slot)
        case .slot: arrangement.isShown(slot)
        }
    }
}
