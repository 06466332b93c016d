/// A value that is kept somewhere: its identifier, its store, its type.
///
/// Three lines declare one:
///
/// ```swift
/// struct Greeting: LocalStorable {
///     typealias Value = String
///     let identifier = "greeting", store = LocalStoreKind.defaults
/// }
/// ```
///
/// Where the identifier is not made from data, a ``LocalKey`` does it in one.
public protocol LocalStorable<Value>: Sendable {
    /// What is kept.
    associatedtype Value: Codable & Sendable

    /// The name under which it is kept: 1 to 4,096 bytes of UTF-8, compared byte by byte.
    var identifier: String { get }

    /// The store that keeps it.
    var store: LocalStoreKind { get }

    /// What reading gives while nothing is kept; `nil`, unless declared, makes reading throw
    /// ``LocalError/absent(identifier:path:)``.
    var defaultValue: Value? { get }
}

extension LocalStorable {
    /// None: reading what is not kept throws.
    public var defaultValue: Value? { nil }
}

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
