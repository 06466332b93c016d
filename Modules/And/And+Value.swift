extension And where Self: ~Copyable {
    /// Configures a copy of this value and returns the copy; a noncopyable value is consumed instead of copied.
    ///
    ///     let wide = insets.with { $0.left = 4 }   // insets is as it was
    ///
    /// - Parameter configure: Changes the copy in place. Runs once, before this returns.
    /// - Returns: The configured copy.
    /// - Throws: Only what `configure` throws, with its type kept; the copy is then gone, and so is a noncopyable
    ///   value.
    @inlinable
    public consuming func with<Failure: Error>(
        _ configure: (inout Self) throws(Failure) -> Void
    ) throws(Failure) -> Self {
        try configure(&self)
        return self
    }

    /// Configures a copy of this value with a block that may suspend, and returns the copy; a noncopyable value is
    /// consumed instead of copied.
    ///
    /// The block runs on the caller's actor.
    ///
    /// - Parameter configure: Changes the copy in place. Runs once, before this returns.
    /// - Returns: The configured copy.
    /// - Throws: Only what `configure` throws, with its type kept; the copy is then gone, and so is a noncopyable
    ///   value.
    @inlinable
    nonisolated(nonsending) public consuming func with<Failure: Error>(
        _ configure: nonisolated(nonsending) (inout Self) async throws(Failure) -> Void
    ) async throws(Failure) -> Self {
        try await configure(&self)
        return self
    }
}
