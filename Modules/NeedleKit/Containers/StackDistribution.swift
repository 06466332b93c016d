/// How the items of a stack share the room along its axis.
public enum StackDistribution: Sendable, Hashable, CaseIterable {
    /// From edge to edge of the container, by their own extents, hugging and compression resistance.
    case fill
    /// From edge to edge of the container, all of the same extent.
    case equalSizes
    /// From edge to edge of the container with the same gap between all, at least the stack's spacing where there is room.
    case equalSpacing
    /// One after the other from the start; what is left over stays free at the end.
    case start
}
