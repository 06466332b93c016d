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
