import Threading

/// A change of a value in a store.
public struct LocalChange: Hashable, Sendable {
    /// The kind of a change.
    public enum Kind: Hashable, Sendable {
        /// The value was stored for the first time, or replaced.
        case set
        /// The value was removed.
        case removed
    }

    /// The process that made a change.
    public enum Origin: Hashable, Sendable {
        /// This process. For JSON defaults, through any ``JSONDefaults`` of the same file.
        case thisProcess
        /// Another process, or an unknown one. For property lists, everything that was not done through the provider that
        /// reports the change. For JSON defaults, also a value that a migration removed, that was removed before the file
        /// was compacted twice without being read, or that disappeared with the file.
        case anotherProcess
    }

    /// The store.
    public let store: LocalStoreKind
    /// The identifier of the value.
    public let identifier: String
    /// The kind of the change.
    public let kind: Kind
    /// The process that made the change.
    public let origin: Origin

    /// Creates a change.
    public init(store: LocalStoreKind, identifier: String, kind: Kind, origin: Origin) {
        self.store = store
        self.identifier = identifier
        self.kind = kind
        self.origin = origin
    }
}

/// Sends the changes of a store to all its listeners.
///
/// A listener that does not read its stream has at most ``unreadLimit`` unread changes; with each further one it loses
/// the oldest. It should then read the values again.
public final class LocalChangeHub: Sendable {
    /// The maximum number of unread changes of one listener.
    public static let unreadLimit = 65_536

    private struct State {
        var lastNumber = 0
        var listeners: [Int: AsyncStream<LocalChange>.Continuation] = [:]
    }

    private let state = Locked(State())

    /// Creates a hub without listeners.
    public init() {}

    /// Returns a new stream of the changes sent from now on. It ends with the hub.
    public func stream() -> AsyncStream<LocalChange> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: LocalChange.self,
            bufferingPolicy: .bufferingNewest(Self.unreadLimit)
        )
        let number = state.withLock { state in
            state.lastNumber += 1
            state.listeners[state.lastNumber] = continuation
            return state.lastNumber
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { state in state.listeners.removeValue(forKey: number) }
        }
        return stream
    }

    /// Whether any stream is in use.
    public var hasListeners: Bool { state.withLock { !$0.listeners.isEmpty } }

    /// Sends changes to all listeners.
    public func send(_ changes: [LocalChange]) {
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
