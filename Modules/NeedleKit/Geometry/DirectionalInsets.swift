/// Distances inward from the edges, the horizontal ones by reading direction.
public struct DirectionalInsets: Hashable, Sendable {
    /// Inward from the top edge.
    public var top: Double
    /// Inward from the edge where lines begin.
    public var leading: Double
    /// Inward from the bottom edge.
    public var bottom: Double
    /// Inward from the edge where lines end.
    public var trailing: Double

    /// Makes insets.
    ///
    /// - Parameters:
    ///   - top: inward from the top edge.
    ///   - leading: inward from the edge where lines begin.
    ///   - bottom: inward from the bottom edge.
    ///   - trailing: inward from the edge where lines end.
    public init(top: Double = 0, leading: Double = 0, bottom: Double = 0, trailing: Double = 0) {
        self.top = top
        self.leading = leading
        self.bottom = bottom
        self.trailing = trailing
    }
}
