import Locking

/// Gives each listener every change.
final class ChangeHub: Sendable {
    private struct State {
        var next = 0
        var listeners: [Int: AsyncStream<LocalChange>.Continuation] = [:]
    }

    private let state = Locked(State())

    /// A new stream. It buffers without a limit: a change is small, and none may be missed.
    func stream() -> AsyncStream<LocalChange> {
        let (stream, continuation) = AsyncStream.makeStream(of: LocalChange.self)
        let number = state.withLock { state in
            state.next += 1
            state.listeners[state.next] = continuation
            return state.next
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { state in state.listeners.removeValue(forKey: number) }
        }
        return stream
    }

    /// Whether anybody listens.
    var isHeard: Bool { state.withLock { !$0.listeners.isEmpty } }

    /// Tells all listeners.
    func send(_ changes: [LocalChange]) {
        guard !changes.isEmpty else { return }
        let listeners = state.withLock { Array($0.listeners.values) }
        for listener in listeners {
            for change in changes { listener.yield(change) }
        }
    }

    deinit {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.finish() }
    }
}
