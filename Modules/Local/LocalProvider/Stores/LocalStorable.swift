/// A key of a stored value: its identifier, its store and its type.
///
/// Three lines declare a type of keys:
///
/// ```swift
/// struct Greeting: LocalStorable {
///     typealias Value = String
///     let identifier = "greeting", store = LocalStoreKind.defaults
/// }
/// ```
///
/// For a single key use ``LocalKey``.
public protocol LocalStorable<Value>: Sendable {
    /// The type of the value.
    associatedtype Value: Codable & Sendable

    /// The name of the value in its store: 1 to 4,096 bytes of UTF-8, compared byte by byte.
    var identifier: String { get }

    /// The store of the value.
    var store: LocalStoreKind { get }

    /// The value that reading returns if none is stored. If it is `nil`, as by default, reading throws
    /// ``LocalError/absent(identifier:path:)``.
    var defaultValue: Value? { get }
}

extension LocalStorable {
    /// `nil`: reading throws if no value is stored.
    public var defaultValue: Value? { nil }
}

/// A key declared in one line: `let theme = LocalKey("theme", in: .defaults, default: "dark")`.
public struct LocalKey<Value: Codable & Sendable>: LocalStorable {
    /// The name of the value in its store.
    public let identifier: String
    /// The store of the value.
    public let store: LocalStoreKind
    /// The value that reading returns if none is stored.
    public let defaultValue: Value?

    /// Creates a key with a default value.
    ///
    /// - Parameters:
    ///   - identifier: the name of the value in its store.
    ///   - store: the store.
    ///   - value: the value that reading returns if none is stored.
    public init(_ identifier: String, in store: LocalStoreKind, default value: Value) {
        self.identifier = identifier
        self.store = store
        defaultValue = value
    }

    /// Creates a key without a default value.
    ///
    /// - Parameters:
    ///   - identifier: the name of the value in its store.
    ///   - type: the type of the value.
    ///   - store: the store.
    public init(_ identifier: String, of type: Value.Type = Value.self, in store: LocalStoreKind) {
        self.identifier = identifier
        self.store = store
        defaultValue = nil
    }
}
