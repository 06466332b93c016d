/// An unknown of a ``Solver``: a number that its constraints determine.
///
/// Created by ``Solver/makeVariable()`` and valid only in the solver that created it.
public struct Variable: Hashable, Sendable, BitwiseCopyable {
    /// The index of the variable in its solver's table: dense, counted from zero, reused after removal.
    public let index: Int32
    /// A number that differs each time an index is reused.
    let generation: Int32
}

/// The identifier of a constraint that was defined in a ``Solver``.
///
/// An id stays valid, whether the constraint is active or not, until ``Solver/discard(_:)``. It is valid only in the solver
/// that created it.
public struct ConstraintID: Hashable, Sendable {
    /// The index of the constraint in its solver's table: dense, counted from zero, reused after it is discarded.
    public let index: Int32
    /// A number that differs each time an index is reused.
    let generation: Int32
}

/// A variable and its current value.
@usableFromInline struct VariableChange: BitwiseCopyable {
    @usableFromInline let variable: Variable
    @usableFromInline let value: Double
}
