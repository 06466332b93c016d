/// Where the items of a stack lie across its axis.
public enum StackAlignment: Sendable, Hashable, CaseIterable {
    /// From edge to edge of the container.
    case fill
    /// At the top of a horizontal stack, at the edge where lines begin of a vertical one.
    case start
    /// In the middle.
    case center
    /// At the bottom of a horizontal stack, at the edge where lines end of a vertical one.
    case end
    /// With their first lines of text on one baseline; for horizontal stacks, as ``start`` in vertical ones.
    case firstBaseline
    /// With their last lines of text on one baseline; for horizontal stacks, as ``end`` in vertical ones.
    case lastBaseline
}

extension StackAlignment {
    /// What it comes to along an axis: one below the other, items have no baseline in common.
    func effective(along axis: LayoutAxis) -> StackAlignment {
        switch self {
        case .firstBaseline where axis == .vertical: .start
        case .lastBaseline where axis == .vertical: .end
        default: self
        }
    }

    /// The baseline that items are aligned by, if any.
    var baseline: LayoutAttribute? {
        switch self {
        case .firstBaseline: .firstBaseline
        case .lastBaseline: .lastBaseline
        case .fill, .start, .center, .end: nil
        }
    }
}
