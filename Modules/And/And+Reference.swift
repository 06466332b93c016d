extension And where Self: AnyObject {
    /// Configures this object and returns it.
    ///
    ///     let title = Label().and {
    ///         $0.text = "PRESS START"
    ///         $0.isBold = true
    ///     }
    ///
    /// - Parameter configure: Sets what is to be set. Runs once, before this returns.
    /// - Returns: This object, so that the expression can go on.
    /// - Throws: Only what `configure` throws, with its type kept; what was set before the error stays set.
    @inlinable
    @discardableResult
    public func and<Failure: Error>(_ configure: (Self) throws(Failure) -> Void) throws(Failure) -> Self {
        try configure(self)
        return self
    }

    /// Configures this object with a block that may suspend, and returns it.
    ///
    /// The block runs on the caller's actor, so an object that is bound to an actor never leaves it.
    ///
    /// - Parameter configure: Sets what is to be set. Runs once, before this returns.
    /// - Returns: This object, so that the expression can go on.
    /// - Throws: Only what `configure` throws, with its type kept; what was set before the error stays set.
    @inlinable
    @discardableResult
    nonisolated(nonsending) public func and<Failure: Error>(
        _ configure: nonisolated(nonsending) (Self) async throws(Failure) -> Void
    ) async throws(Failure) -> Self {
        try await configure(self)
        return self
    }
}
