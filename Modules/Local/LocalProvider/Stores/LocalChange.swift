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
        (self.store, self.identifier, self.kind, self.origin) = (store, identifier, kind, origin)
    }
}

/// Sends the changes of a store to all its listeners.
///
/// A listener that does not read its stream has at most ``unreadLimit`` unread changes; with each further one it loses
/// the oldest. It should then read the values again.
public final class LocalChangeHub: Sendable {
    /// The maximum number of unread changes of one listener.
    public static let unreadLimit = 65_536

    private let broadcast = Broadcast<LocalChange>(unreadLimit: LocalChangeHub.unreadLimit)

    /// Creates a hub without listeners.
    public init() {}

    /// Returns a new stream of the changes sent from now on. It ends with the hub.
    public func stream() -> AsyncStream<LocalChange> { broadcast.stream() }

    /// Whether any stream is in use.
    public var hasListeners: Bool { broadcast.hasListeners }

    /// Sends changes to all listeners.
    public func send(_ changes: [LocalChange]) {
        if !changes.isEmpty { broadcast.send(changes) }
    }
}
