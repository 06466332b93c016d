/// A type whose values can be configured in the expression that creates them.
///
/// | Member | For | Returns |
/// |---|---|---|
/// | `and` | references | the same object, configured |
/// | `with` | values, copyable or not | a configured copy (a noncopyable value is consumed) |
/// | `do` | both | nothing: the block runs for its effect |
///
/// A type adopts it in one line, `extension Label: And {}`; on Apple platforms every `NSObject` does so already. All members
/// are inlinable and throw exactly the error of the block, so that an optimised build removes them entirely.
public protocol And: ~Copyable {}

extension Array: And {}
extension Dictionary: And {}
extension Set: And {}
extension String: And {}

extension And where Self: AnyObject {
    /// Configures this object and returns it.
    ///
    ///     let title = Label().and {
    ///         $0.text = "PRESS START"
    ///         $0.isBold = true
    ///     }
    ///
    /// - Parameter configure: sets the properties. It runs once, before the method returns.
    /// - Returns: this object.
    /// - Throws: the error of `configure`, with its type; properties that were set before the error stay set.
    @inlinable
    @discardableResult
    public func and<Failure: Error>(_ configure: (Self) throws(Failure) -> Void) throws(Failure) -> Self {
        try configure(self)
        return self
    }

    /// Configures this object with a block that may suspend, and returns it.
    ///
    /// The block runs on the caller's actor, so that an object that is bound to an actor never leaves it.
    ///
    /// - Parameter configure: sets the properties. It runs once, before the method returns.
    /// - Returns: this object.
    /// - Throws: the error of `configure`, with its type; properties that were set before the error stay set.
    @inlinable
    @discardableResult
    nonisolated(nonsending) public func and<Failure: Error>(
        _ configure: nonisolated(nonsending) (Self) async throws(Failure) -> Void
    ) async throws(Failure) -> Self {
        try await configure(self)
        return self
    }
}

extension And where Self: ~Copyable {
    /// Configures a copy of this value and returns the copy; a noncopyable value is consumed instead of copied.
    ///
    ///     let wide = insets.with { $0.left = 4 }   // insets is unchanged
    ///
    /// - Parameter configure: changes the copy in place. It runs once, before the method returns.
    /// - Returns: the configured copy.
    /// - Throws: the error of `configure`, with its type; the copy, or the noncopyable value, is then destroyed.
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
    /// - Parameter configure: changes the copy in place. It runs once, before the method returns.
    /// - Returns: the configured copy.
    /// - Throws: the error of `configure`, with its type; the copy, or the noncopyable value, is then destroyed.
    @inlinable
    nonisolated(nonsending) public consuming func with<Failure: Error>(
        _ configure: nonisolated(nonsending) (inout Self) async throws(Failure) -> Void
    ) async throws(Failure) -> Self {
        try await configure(&self)
        return self
    }
}

extension And where Self: ~Copyable {
    /// Runs a block on this value for its effect.
    ///
    ///     UserDefaults.standard.do {
    ///         $0.set("Rex", forKey: "name")
    ///         $0.set(3, forKey: "age")
    ///     }
    ///
    /// - Parameter body: uses the value. It runs once, before the method returns.
    /// - Throws: the error of `body`, with its type.
    @inlinable
    public borrowing func `do`<Failure: Error>(_ body: (borrowing Self) throws(Failure) -> Void) throws(Failure) {
        try body(self)
    }

    /// Runs a block that may suspend on this value for its effect.
    ///
    /// The block runs on the caller's actor.
    ///
    /// - Parameter body: uses the value. It runs once, before the method returns.
    /// - Throws: the error of `body`, with its type.
    @inlinable
    nonisolated(nonsending) public borrowing func `do`<Failure: Error>(
        _ body: nonisolated(nonsending) (borrowing Self) async throws(Failure) -> Void
    ) async throws(Failure) {
        try await body(self)
    }
}

#if canImport(ObjectiveC)
    public import ObjectiveC

    extension NSObject: And {}
#endif
