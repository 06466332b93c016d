/// A wish of a layout that is not met, because others that matter more, or as much, exclude it.
public struct LayoutViolation: Hashable, Sendable, CustomStringConvertible {
    /// The wish: a constraint that was stated, or what an item's content asks for.
    public let constraint: ConstraintSource
    /// The left side minus the right, in the unit of the layout: positive when it is too large.
    public let residual: Double

    /// How much it matters.
    public var priority: LayoutPriority { constraint.priority }

    /// By how much it is not met: zero or more.
    public var amount: Double { abs(residual) }

    /// What is not met, and by how much.
    public var description: String {
        let side = residual > 0 ? "too large" : "too small"
        return "\(constraint) is not met: \(LayoutEngine.text(amount)) \(side)"
    }
}
