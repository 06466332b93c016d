/// One of the two directions of a layout.
public enum LayoutAxis: Sendable, Hashable, CaseIterable {
    /// Left to right: x grows to the right.
    case horizontal
    /// Top to bottom: y grows downwards.
    case vertical
}
