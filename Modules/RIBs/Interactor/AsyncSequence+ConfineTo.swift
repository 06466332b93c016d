extension AsyncSequence where Self: Sendable, Element: Sendable, Failure == Never {
    /// Returns a stream of the elements of this sequence while `scope` is active.
    ///
    /// While the scope is inactive only the latest element is stored. It is delivered on activation, and again on every
    /// later activation, so that a screen that is displayed again shows the current state.
    ///
    /// - Parameter scope: held weakly. The stream finishes with it, and with this sequence once its latest element has been
    ///   delivered.
    /// - Returns: a stream for one consumer; the observation ends with the iteration.
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
    /// Returns a stream of the elements of this sequence while `scope` is active; an error ends it at once.
    ///
    /// While the scope is inactive only the latest element is stored. It is delivered on activation, and again on every
    /// later activation, so that a screen that is displayed again shows the current state.
    ///
    /// - Parameter scope: held weakly. The stream finishes with it, and with this sequence once its latest element has been
    ///   delivered.
    /// - Returns: a stream for one consumer that throws the errors of this sequence.
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

/// Passes elements on while a scope is active, and stores the latest one for the next activation.
@MainActor
private final class ActivityGate<Element: Sendable> {
    private let deliver: @MainActor (Element) -> Void
    private let finish: @MainActor ((any Error)?) -> Void
    private var latest: Element?
    private var isOpen = false
    private var isDelivered = true
    private var sourceHasEnded = false

    init(deliver: @escaping @MainActor (Element) -> Void, finish: @escaping @MainActor ((any Error)?) -> Void) {
        self.deliver = deliver
        self.finish = finish
    }

    /// Receives the elements of `source` and opens the gate with `scope`, until the returned function is called.
    func connect<Source: AsyncSequence & Sendable>(
        _ source: Source,
        to scope: any InteractorScope
    ) -> @MainActor () -> Void where Source.Element == Element {
        let token = scope.observeActivity({ self.set(open: $0) }, end: { self.finish(nil) })
        let task = Task {
            do {
                for try await element in source { self.receive(element) }
                self.endSource()
            } catch {
                self.finish(error)
            }
        }
        return {
            token.cancel()
            task.cancel()
        }
    }

    private func receive(_ element: Element) {
        latest = element
        isDelivered = false
        deliverIfOpen()
    }

    private func set(open: Bool) {
        isOpen = open
        deliverIfOpen()
    }

    private func endSource() {
        sourceHasEnded = true
        if isDelivered { finish(nil) }
    }

    private func deliverIfOpen() {
        guard isOpen, let latest else { return }
        isDelivered = true
        deliver(latest)
        if sourceHasEnded { finish(nil) }
    }
}
