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
