/// The name of a constraint that was defined in a ``Solver``.
///
/// An id stays valid, in force or not, until ``Solver/discard(_:)``; it means nothing to another solver.
public struct ConstraintID: Hashable, Sendable {
    /// The place of the constraint in its solver's table: dense, counted from zero, reused after it is discarded.
    public let index: Int32
    /// Tells a reused place from its former tenant.
    let generation: Int32
}
