/// Sends elements to any number of streams. The streams end when it is deallocated.
package final class Broadcast<Element: Sendable>: Sendable {
    private struct State {
        var lastNumber = 0
        var listeners: [Int: AsyncStream<Element>.Continuation] = [:]
    }

    private let state = Locked(State())
    private let unreadLimit: Int

    /// Creates a broadcast without streams.
    ///
    /// - Parameter unreadLimit: the maximum number of elements that a stream stores for its reader; with each further one
    ///   it loses the oldest.
    package init(unreadLimit: Int) { self.unreadLimit = unreadLimit }

    deinit {
        for listener in listeners { listener.finish() }
    }

    private var listeners: [AsyncStream<Element>.Continuation] { state.withLock { Array($0.listeners.values) } }

    /// Whether any stream is in use.
    package var hasListeners: Bool { state.withLock { !$0.listeners.isEmpty } }

    /// Returns a stream of the elements that are sent from now on, after a first one if there is one.
    package func stream(first: Element? = nil) -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Element.self,
            bufferingPolicy: .bufferingNewest(unreadLimit)
        )
        if let first { continuation.yield(first) }
        let number = state.withLock { state in
            state.lastNumber += 1
            state.listeners[state.lastNumber] = continuation
            return state.lastNumber
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.listeners.removeValue(forKey: number) }
        }
        return stream
    }

    /// Sends elements to all streams, in their order.
    package func send(_ elements: Element...) { send(elements) }

    /// Sends elements to all streams, in their order.
    package func send(_ elements: [Element]) {
        for listener in listeners {
            for element in elements { listener.yield(element) }
        }
    }
}
