/// A ``LocalStorable`` in one line:
/// `let theme = LocalKey("theme", in: .defaults, default: "dark")`.
public struct LocalKey<Value: Codable & Sendable>: LocalStorable {
    /// The name under which the value is kept.
    public let identifier: String
    /// The store that keeps it.
    public let store: LocalStoreKind
    /// What reading gives while nothing is kept.
    public let defaultValue: Value?

    /// Creates a key with a default value.
    ///
    /// - Parameters:
    ///   - identifier: the name under which the value is kept.
    ///   - store: the store that keeps it.
    ///   - value: what reading gives while nothing is kept.
    public init(_ identifier: String, in store: LocalStoreKind, default value: Value) {
        self.identifier = identifier
        self.store = store
        defaultValue = value
    }

    /// Creates a key without a default value.
    ///
    /// - Parameters:
    ///   - identifier: the name under which the value is kept.
    ///   - type: what is kept.
    ///   - store: the store that keeps it.
    public init(_ identifier: String, of type: Value.Type = Value.self, in store: LocalStoreKind) {
        self.identifier = identifier
        self.store = store
        defaultValue = nil
    }
}
