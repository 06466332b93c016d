/// An object with a period of activity that others can observe: an interactor, as its workers and streams see it.
@MainActor
public protocol InteractorScope: AnyObject {
    /// Whether the scope is active.
    var isActive: Bool { get }

    /// Calls `receive` with the current state, then with each new state; never twice in a row with the same one.
    ///
    /// The calls are synchronous, in the middle of the change.
    ///
    /// - Parameters:
    ///   - receive: receives the state. It must not retain the scope.
    ///   - end: called once, when the scope is deallocated.
    /// - Returns: the token; the observation ends when it is deallocated.
    func observeActivity(
        _ receive: @escaping @MainActor (Bool) -> Void,
        end: (@MainActor () -> Void)?
    ) -> ObservationToken
}

extension InteractorScope {
    /// Calls `receive` with the current state, then with each new state; never twice in a row with the same one.
    ///
    /// - Parameter receive: receives the state, synchronously. It must not retain the scope.
    /// - Returns: the token; the observation ends when it is deallocated.
    public func observeActivity(_ receive: @escaping @MainActor (Bool) -> Void) -> ObservationToken {
        observeActivity(receive, end: nil)
    }

    /// The activity as a stream: the current state, then each change. The stream finishes with the scope.
    ///
    /// Every access makes a new stream, for one consumer. The elements arrive asynchronously; use ``observeActivity(_:)``
    /// for work that must be done in the middle of the change.
    public var isActiveStream: AsyncStream<Bool> {
        let (stream, continuation) = AsyncStream.makeStream(of: Bool.self)
        let token = observeActivity({ continuation.yield($0) }, end: { continuation.finish() })
        continuation.onTermination = { _ in Task { @MainActor in token.cancel() } }
        return stream
    }
}
