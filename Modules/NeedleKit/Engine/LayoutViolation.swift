/// A wish of a layout that is not met, because others that matter more, or as much, exclude it.
public struct LayoutViolation: Hashable, Sendable, CustomStringConvertible {
    /// The constraint as stated; `nil` for a wish of the layout's own, such as that of an item's content.
    public let constraint: ConstraintSource?
    /// The wish in words: the constraint's statement, or what the layout's own asks for.
    public let statement: String
    /// How much it matters.
    public let priority: LayoutPriority
    /// The left side minus the right, in the unit of the layout: positive when it is too large.
    public let residual: Double

    /// By how much it is not met: zero or more.
    public var amount: Double { abs(residual) }

    /// What is not met, and by how much.
    public var description: String {
        let name = constraint.map { "\($0)" } ?? "\(statement) @\(priority)"
        let side = residual > 0 ? "too large" : "too small"
        return "\(name) is not met: \(LayoutEngine.text(amount)) \(side)"
    }
}
