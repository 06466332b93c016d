import Locking

/// A property that is kept by a ``LocalProvider``: read from it and written to it at each use.
///
/// ```swift
/// struct Settings {
///     @Stored var theme: String
///
///     init(_ provider: LocalProvider) {
///         _theme = Stored(wrappedValue: "dark", "theme", in: .defaults, of: provider)
///     }
/// }
/// ```
///
/// A property cannot throw. What goes wrong is told to the handler and is in ``error``, the property then has its default
/// when it is read and stays as it was when it is set; ``read()`` and ``set(_:)`` of `$theme` throw instead.
///
/// For a value that views follow, the module LocalObservation has one.
@propertyWrapper
public struct Stored<Value: Codable & Sendable>: Sendable {
    /// The key of the value; its default is the property's initial value.
    public let key: LocalKey<Value>
    /// What keeps the value.
    public let provider: LocalProvider

    private let initial: Value
    private let onError: (@Sendable (LocalError) -> Void)?
    private let last = Locked<LocalError?>(nil)

    /// Creates a property; nothing is read or written.
    ///
    /// - Parameters:
    ///   - wrappedValue: what it is while nothing is kept.
    ///   - identifier: the name under which it is kept.
    ///   - kind: the store that keeps it.
    ///   - provider: the provider.
    ///   - onError: told of each failure, on the thread that met it.
    public init(
        wrappedValue: Value,
        _ identifier: String,
        in kind: LocalStoreKind,
        of provider: LocalProvider,
        onError: (@Sendable (LocalError) -> Void)? = nil
    ) {
        key = LocalKey(identifier, in: kind, default: wrappedValue)
        initial = wrappedValue
        self.provider = provider
        self.onError = onError
    }

    /// The value that is kept.
    public var wrappedValue: Value {
        get { noting(read) ?? initial }
        nonmutating set { noting { () throws(LocalError) in try set(newValue) } }
    }

    /// The property itself, for ``read()``, ``set(_:)``, ``error`` and the like.
    public var projectedValue: Stored<Value> { self }

    /// Why the last use of the property failed; `nil` where it did not.
    public var error: LocalError? { last.withLock { $0 } }

    /// Reads the value.
    ///
    /// - Throws: ``LocalError``.
    public func read() throws(LocalError) -> Value {
        try provider.read(key)
    }

    /// Keeps a value.
    ///
    /// - Throws: ``LocalError``.
    public func set(_ value: Value) throws(LocalError) {
        try provider.set(key, to: value)
    }

    /// Removes what is kept, so that the property has its initial value again.
    ///
    /// - Throws: ``LocalError``.
    public func reset() throws(LocalError) {
        try provider.delete(key)
    }

    /// The value now and after each change, by whomever.
    public var values: AsyncThrowingStream<Value?, any Error> { provider.values(of: key) }

    @discardableResult
    private func noting<Result>(_ body: () throws(LocalError) -> Result) -> Result? {
        do throws(LocalError) {
            let result = try body()
            last.withLock { $0 = nil }
            return result
        } catch {
            last.withLock { $0 = error }
            onError?(error)
            return nil
        }
    }
}
