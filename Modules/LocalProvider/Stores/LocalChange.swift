import Locking

/// A value has changed in a store.
public struct LocalChange: Hashable, Sendable {
    /// What happened to the value.
    public enum Kind: Hashable, Sendable {
        /// It has a new value: for the first time or instead of another.
        case set
        /// It is gone.
        case removed
    }

    /// Who changed it.
    public enum Origin: Hashable, Sendable {
        /// This process: for JSON defaults, through any store it has on the same file.
        case thisProcess
        /// Another process, or whom nothing tells of any more: for property lists, whoever did it without the provider that
        /// tells; for JSON defaults, whoever removed a value in a migration, or before the file was rewritten twice without
        /// being looked at, or by taking the file away.
        case anotherProcess
    }

    /// The store.
    public let store: LocalStoreKind
    /// The identifier of the value.
    public let identifier: String
    /// What happened.
    public let kind: Kind
    /// Who did it.
    public let origin: Origin

    /// Creates a notice.
    public init(store: LocalStoreKind, identifier: String, kind: Kind, origin: Origin) {
        self.store = store
        self.identifier = identifier
        self.kind = kind
        self.origin = origin
    }
}

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
