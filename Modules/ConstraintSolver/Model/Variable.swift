/// An unknown of a ``Solver``: a number that its constraints determine.
///
/// Made by ``Solver/makeVariable()`` and meaningful only to the solver that made it.
public struct Variable: Hashable, Sendable, BitwiseCopyable {
    /// The place of the variable in its solver's table: dense, counted from zero, reused after removal.
    public let index: Int32
    /// Tells a reused place from its former tenant.
    let generation: Int32
}
