/// A distance along both axes: x to the right, y downwards.
public struct LayoutOffset: Hashable, Sendable {
    /// The distance to the right.
    public var x: Double
    /// The distance downwards.
    public var y: Double

    /// Makes an offset.
    ///
    /// - Parameters:
    ///   - x: the distance to the right.
    ///   - y: the distance downwards.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}
