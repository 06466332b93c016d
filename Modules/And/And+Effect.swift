extension And where Self: ~Copyable {
    /// Runs a block on this value for its effect alone.
    ///
    ///     UserDefaults.standard.do {
    ///         $0.set("Rex", forKey: "name")
    ///         $0.set(3, forKey: "age")
    ///     }
    ///
    /// - Parameter body: Uses the value. Runs once, before this returns.
    /// - Throws: Only what `body` throws, with its type kept.
    @inlinable
    public borrowing func `do`<Failure: Error>(_ body: (borrowing Self) throws(Failure) -> Void) throws(Failure) {
        try body(self)
    }

    /// Runs a block that may suspend on this value, for its effect alone.
    ///
    /// The block runs on the caller's actor.
    ///
    /// - Parameter body: Uses the value. Runs once, before this returns.
    /// - Throws: Only what `body` throws, with its type kept.
    @inlinable
    nonisolated(nonsending) public borrowing func `do`<Failure: Error>(
        _ body: nonisolated(nonsending) (borrowing Self) async throws(Failure) -> Void
    ) async throws(Failure) {
        try await body(self)
    }
}
