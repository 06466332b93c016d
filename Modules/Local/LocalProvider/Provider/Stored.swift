import Threading

/// A property that a ``LocalProvider`` stores: every use reads or writes the store.
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
/// A property cannot throw. If reading fails, the property has its initial value; if writing fails, the stored value is
/// unchanged. The error is passed to the handler and available as ``error``. ``read()`` and ``set(_:)`` of `$theme` throw.
///
/// For a value that views observe, use `ObservedValue` of the module LocalObservation.
@propertyWrapper
public struct Stored<Value: Codable & Sendable>: Sendable {
    /// The key of the value, with the initial value of the property as its default value.
    public let key: LocalKey<Value>
    /// The provider.
    public let provider: LocalProvider

    private let initial: Value
    private let durability: LocalDurability?
    private let onError: (@Sendable (LocalError) -> Void)?
    private let last = Locked<LocalError?>(nil)

    /// Creates a property. Nothing is read or written.
    ///
    /// The provider has no default: a provider that all of a program shares would be a global variable.
    ///
    /// - Parameters:
    ///   - wrappedValue: the value of the property if none is stored.
    ///   - identifier: the name of the value in its store.
    ///   - kind: the store.
    ///   - provider: the provider.
    ///   - durability: what an assignment survives; `nil` for the store's default. An assignment blocks for the disk unless
    ///     it is ``LocalDurability/deferred`` or the store is in memory.
    ///   - onError: called with each error, on the thread of the use that failed.
    public init(
        wrappedValue: Value,
        _ identifier: String,
        in kind: LocalStoreKind,
        of provider: LocalProvider,
        durability: LocalDurability? = nil,
        onError: (@Sendable (LocalError) -> Void)? = nil
    ) {
        key = LocalKey(identifier, in: kind, default: wrappedValue)
        initial = wrappedValue
        (self.provider, self.durability, self.onError) = (provider, durability, onError)
    }

    /// Creates a property for the value of a key. Nothing is read or written.
    ///
    /// - Parameters:
    ///   - wrappedValue: the value of the property if none is stored, instead of the default value of the key.
    ///   - key: the key.
    ///   - provider: the provider.
    ///   - durability: as for ``init(wrappedValue:_:in:of:durability:onError:)``.
    ///   - onError: called with each error, on the thread of the use that failed.
    public init(
        wrappedValue: Value,
        _ key: some LocalStorable<Value>,
        of provider: LocalProvider,
        durability: LocalDurability? = nil,
        onError: (@Sendable (LocalError) -> Void)? = nil
    ) {
        self.init(
            wrappedValue: wrappedValue,
            key.identifier,
            in: key.store,
            of: provider,
            durability: durability,
            onError: onError
        )
    }

    /// The stored value.
    public var wrappedValue: Value {
        get { recordingError(read) ?? initial }
        nonmutating set { recordingError { () throws(LocalError) in try set(newValue) } }
    }

    /// The property wrapper itself, for ``read()``, ``set(_:)`` and ``error``.
    public var projectedValue: Stored<Value> { self }

    /// The error of the last use of the property, or `nil` if it succeeded.
    public var error: LocalError? { last.withLock { $0 } }

    /// Reads the value.
    ///
    /// - Throws: ``LocalError``.
    public func read() throws(LocalError) -> Value { try provider.read(key) }

    /// Stores a value.
    ///
    /// - Throws: ``LocalError``.
    public func set(_ value: Value) throws(LocalError) {
        try provider.set(key, to: value, durability: durability)
    }

    /// Removes the stored value, so that the property has its initial value again.
    ///
    /// - Throws: ``LocalError``.
    public func reset() throws(LocalError) { try provider.delete(key, durability: durability) }

    /// A new stream of the value: as it is now, and after each change by this or another process.
    public var values: AsyncThrowingStream<Value, any Error> { provider.values(of: key, default: initial) }

    @discardableResult
    private func recordingError<Result>(_ body: () throws(LocalError) -> Result) -> Result? {
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
