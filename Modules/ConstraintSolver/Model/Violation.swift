/// A preference that is not met, because others of a higher priority, or of its own, exclude it.
public struct Violation: Hashable, Sendable {
    /// The constraint.
    public let id: ConstraintID
    /// The variable whose suggested value the constraint is, for an edit; `nil` for others.
    public let edited: Variable?
    /// How much the constraint matters.
    public let priority: Priority
    /// The left side minus the right, in the unit of the constant: what would have to go away.
    public let residual: Double

    /// By how much the constraint is not met: zero or more.
    public var amount: Double { abs(residual) }
}
