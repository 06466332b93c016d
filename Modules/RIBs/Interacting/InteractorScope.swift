/// A span of activity that others may follow: an interactor, seen by its workers and streams.
@MainActor
public protocol InteractorScope: AnyObject {
    /// Whether the scope is active now.
    var isActive: Bool { get }

    /// Tells `receive` whether the scope is active: now, then at each change, never the same twice running.
    ///
    /// The calls come synchronously, in the midst of the change. `end` is called when the scope goes away.
    ///
    /// - Parameters:
    ///   - receive: Gets the state. It must not hold the scope strongly.
    ///   - end: Called once, when the scope is deallocated.
    /// - Returns: The token that keeps the observation alive.
    func observeActivity(
        _ receive: @escaping @MainActor (Bool) -> Void,
        end: (@MainActor () -> Void)?
    ) -> ObservationToken
}

extension InteractorScope {
    /// Tells `receive` whether the scope is active: now, then at each change, never the same twice running.
    ///
    /// - Parameter receive: Gets the state, synchronously. It must not hold the scope strongly.
    /// - Returns: The token that keeps the observation alive.
    public func observeActivity(_ receive: @escaping @MainActor (Bool) -> Void) -> ObservationToken {
        observeActivity(receive, end: nil)
    }

    /// Whether the scope is active, as a stream: the current state first, then each change; it ends with the scope.
    ///
    /// Every access makes a new stream, for one consumer. A stream delivers after a hop; what must happen in the midst
    /// of the change uses ``observeActivity(_:)``.
    public var isActiveStream: AsyncStream<Bool> {
        let (stream, continuation) = AsyncStream.makeStream(of: Bool.self)
        let token = observeActivity({ continuation.yield($0) }, end: { continuation.finish() })
        continuation.onTermination = { _ in Task { @MainActor in token.cancel() } }
        return stream
    }
}
