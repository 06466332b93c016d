extension AsyncSequence where Self: Sendable, Element: Sendable, Failure == Never {
    /// The elements of this sequence while `scope` is active.
    ///
    /// While it is inactive only the latest element is kept; it is delivered on activation, again on every later
    /// one, so that a screen that comes back shows the present state.
    ///
    /// - Parameter scope: Held weakly. The stream ends with it, and with this sequence once its latest element has
    ///   been delivered.
    /// - Returns: A stream for one consumer; the observation ends with the iteration.
    @MainActor
    public func confineTo(_ scope: any InteractorScope) -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(of: Element.self)
        let gate = ActivityGate<Element>(deliver: { continuation.yield($0) }, finish: { _ in continuation.finish() })
        let stop = gate.connect(self, to: scope)
        continuation.onTermination = { _ in Task { @MainActor in stop() } }
        return stream
    }
}

extension AsyncSequence where Self: Sendable, Element: Sendable {
    /// The elements of this sequence while `scope` is active; an error ends the stream at once.
    ///
    /// While it is inactive only the latest element is kept; it is delivered on activation, again on every later
    /// one, so that a screen that comes back shows the present state.
    ///
    /// - Parameter scope: Held weakly. The stream ends with it, and with this sequence once its latest element has
    ///   been delivered.
    /// - Returns: A stream for one consumer that throws what this sequence throws.
    @MainActor
    @_disfavoredOverload
    public func confineTo(_ scope: any InteractorScope) -> AsyncThrowingStream<Element, any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: Element.self)
        let gate = ActivityGate<Element>(
            deliver: { continuation.yield($0) },
            finish: { continuation.finish(throwing: $0) }
        )
        let stop = gate.connect(self, to: scope)
        continuation.onTermination = { _ in Task { @MainActor in stop() } }
        return stream
    }
}
