import Threading

/// A store in the memory of this process: a ``MemoryCache`` of values of any type.
///
/// Each value is in a box of its type. Reading compares the identity of the types, which is faster than a cast.
///
/// A value is destroyed inside the write that replaces or removes it: its `deinit` may read the store, but its own writes
/// throw ``LocalError/locked(path:)``.
public final class MemoryStore: LocalStore, Sendable {
    /// ``LocalStoreKind/memory``.
    public let kind = LocalStoreKind.memory
    /// `memory`, for error messages.
    public let path = "memory"
    /// False: no method waits for the disk.
    public var mayBlock: Bool { false }
    /// The statistics of the store.
    public var statistics: CacheStatistics { cache.statistics }

    private let cache: MemoryCache<LocalIdentifier, AnyValueBox>
    private let hub = LocalChangeHub()
    /// Held by every write, so that an update is one step.
    private let monitor = Monitor()
    private let pressure: MemoryPressure?
    /// The number of the store as a listener of ``pressure``, from the first value on.
    private let listening = Locked<Int?>(nil)

    /// The options of a store.
    public struct Options: Sendable {
        /// The maximum number of values; `nil` for no limit.
        public var countLimit: Int? = 10_000
        /// The value that is evicted when the limit is reached.
        public var policy = CachePolicy.s3FIFO
        /// The expiry of values.
        public var expiry = CacheExpiry.never
        /// Evicts values when the system runs short of memory; `nil` for never. The system is not followed before the
        /// first value is stored.
        public var pressure: MemoryPressure? = MemoryPressure()
        /// The clock for expiry, in nanoseconds.
        public var now: @Sendable () -> UInt64 = MemoryCache<Int, Int>.monotonicNanoseconds

        /// Creates the default options.
        public init() {}
    }

    /// Creates an empty store.
    public init(_ options: Options = Options()) {
        var cacheOptions = MemoryCache<LocalIdentifier, AnyValueBox>.Options(countLimit: options.countLimit)
        cacheOptions.policy = options.policy
        cacheOptions.expiry = options.expiry
        cacheOptions.now = options.now
        cache = MemoryCache(cacheOptions)
        pressure = options.pressure
    }

    deinit {
        if let number = listening.withLock({ $0 }) { pressure?.stop(number) }
    }

    /// Evicts values until a share of them is left, from 0 to 1: for a shortage of memory.
    public func trim(keeping share: Double) { cache.trim(keeping: share) }

    /// Reads a value; returns `nil` if none is stored.
    public func value<Value: Codable & Sendable>(
        for identifier: LocalIdentifier,
        as type: Value.Type
    ) throws(LocalError) -> Value? {
        guard let box = cache.value(for: identifier) else { return nil }
        return try unboxed(box, identifier, as: type)
    }

    /// Writes a value.
    public func set<Value: Codable & Sendable>(
        _ value: Value,
        for identifier: LocalIdentifier,
        rule: LocalWriteRule,
        durability: LocalDurability?
    ) throws(LocalError) {
        try enter()
        defer { monitor.unlock() }
        if rule != .set {
            try rule.check(isPresent: cache.contains(identifier), identifier: identifier.text, path: path)
        }
        put(value, identifier)
    }

    /// Reads a value, changes it with `body` and writes it, as one step for all threads.
    public func update<Value: Codable & Sendable, Result>(
        _ identifier: LocalIdentifier,
        as type: Value.Type,
        durability: LocalDurability?,
        _ body: (inout Value?) throws -> Result
    ) throws -> Result {
        try enter()
        defer { monitor.unlock() }
        let old = cache.value(for: identifier)
        var value = try old.map { box throws(LocalError) in try unboxed(box, identifier, as: type) }
        let result = try body(&value)
        if let value {
            put(value, identifier)
        } else if old != nil {
            cache.removeValue(for: identifier)
            tell(identifier.text, .removed)
        }
        return result
    }

    /// Removes a value; returns whether one was stored.
    public func remove(_ identifier: LocalIdentifier, durability: LocalDurability?) throws(LocalError) -> Bool {
        try enter()
        defer { monitor.unlock() }
        guard cache.removeValue(for: identifier) != nil else { return false }
        tell(identifier.text, .removed)
        return true
    }

    /// Returns whether a value is stored.
    public func contains(_ identifier: LocalIdentifier) throws(LocalError) -> Bool {
        cache.contains(identifier)
    }

    /// Returns the identifiers of all values, in no particular order.
    public func identifiers() throws(LocalError) -> [String] { cache.keys.map(\.text) }

    /// Removes all values.
    public func removeAll(durability: LocalDurability?) throws(LocalError) {
        try enter()
        defer { monitor.unlock() }
        let removed = hub.hasListeners ? cache.keys : []
        cache.removeAll()
        for key in removed { tell(key.text, .removed) }
    }

    /// Returns a new stream of every change from now on. Evictions and expirations are no changes.
    public func changes() -> AsyncStream<LocalChange> { hub.stream() }

    private func enter() throws(LocalError) {
        guard monitor.lockUnlessHeldByCaller() else { throw .locked(path: path) }
    }

    private func put<Value: Sendable>(_ value: Value, _ identifier: LocalIdentifier) {
        if let pressure, listening.withLock({ $0 }) == nil {
            let number = pressure.listen { [weak self] level in self?.trim(keeping: level.keptShare) }
            listening.withLock { $0 = number }
        }
        cache.set(ValueBox(value), for: identifier)
        tell(identifier.text, .set)
    }

    private func tell(_ identifier: String, _ kind: LocalChange.Kind) {
        guard hub.hasListeners else { return }
        hub.send([LocalChange(store: .memory, identifier: identifier, kind: kind, origin: .thisProcess)])
    }

    private func unboxed<Value: Sendable>(
        _ box: AnyValueBox,
        _ identifier: LocalIdentifier,
        as type: Value.Type
    ) throws(LocalError) -> Value {
        guard Swift.type(of: box) == ValueBox<Value>.self else {
            throw .undecodable(identifier: identifier.text, path: path, detail: "it is not of type \(Value.self)")
        }
        return unsafeDowncast(box, to: ValueBox<Value>.self).value
    }
}

/// A box whose type identifies the type of the value.
class AnyValueBox: @unchecked Sendable {}

/// A box for values of one type.
private final class ValueBox<Value: Sendable>: AnyValueBox, @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
