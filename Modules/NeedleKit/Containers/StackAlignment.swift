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
