import SystemCalls
import Threading

/// A bounded cache in memory, for values of one type: every operation is O(1) and safe from any thread.
///
/// The count and the cost are exact and never exceed their limits. Expired values count until they are read or
/// ``removeExpired()`` is called. A part of a cache (see ``Options/shards``) has at most 33,554,432 values.
///
/// A value is destroyed while no part of the cache is locked, so that its `deinit` may use the cache. Keys are compared and
/// destroyed, and the clock is read, while a part is locked: they must not use the cache.
public final class MemoryCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// The options of a cache.
    public struct Options: Sendable {
        /// The maximum number of values; `nil` for no limit.
        public var countLimit: Int?
        /// The maximum sum of the costs of the values, in any unit; `nil` for no limit.
        public var costLimit: Int?
        /// The value that is evicted when a limit is reached.
        public var policy = CachePolicy.s3FIFO
        /// The expiry of values that are set without one.
        public var expiry = CacheExpiry.never
        /// The number of parts with a lock each, from 1 to 256, rounded up to a power of two; `nil` for a number that
        /// suits the limits. The parts share the limits, so that a cache of several parts may evict a value when only
        /// the part of that value is full.
        public var shards: Int?
        /// Evicts values when the system runs short of memory, in the order of the policy; `nil` for never.
        public var pressure: MemoryPressure?
        /// The clock for expiry, in nanoseconds; it must never go backwards.
        public var now: @Sendable () -> UInt64 = MemoryCache.monotonicNanoseconds

        /// Creates options with limits and otherwise the default values.
        public init(countLimit: Int? = nil, costLimit: Int? = nil) {
            self.countLimit = countLimit
            self.costLimit = costLimit
        }
    }

    @usableFromInline let shards: ContiguousArray<CachePart<Key, Value>>
    @usableFromInline let shardMask: Int
    @usableFromInline let now: @Sendable () -> UInt64
    /// The expiry of values that are set without one, in nanoseconds.
    @usableFromInline let defaultWrite: UInt64
    @usableFromInline let defaultIdle: UInt64
    @usableFromInline let hasher = CacheHash()
    let flights = SingleFlight<Key, Value>()
    private let pressure: MemoryPressure?
    /// The number of the cache as a listener of ``pressure``.
    private let listening = Locked(0)

    /// Creates an empty cache.
    public init(_ options: Options = Options()) {
        let countLimit = max(0, options.countLimit ?? .max)
        let costLimit = max(0, options.costLimit ?? .max)
        // A small cache in parts would be full too early, and one with costs could not store a large value.
        let suitable = options.costLimit == nil && countLimit >= 16_384 ? 8 : 1
        var parts = 1
        while parts < min(options.shards ?? suitable, 256) { parts *= 2 }
        shardMask = parts - 1
        shards = ContiguousArray(
            (0..<parts).map { part in
                CachePart(
                    CacheShard(
                        countLimit: Self.share(of: countLimit, part, parts),
                        costLimit: Self.share(of: costLimit, part, parts),
                        policy: options.policy
                    )
                )
            }
        )
        now = options.now
        defaultWrite = CacheExpiry.nanoseconds(options.expiry.afterWrite)
        defaultIdle = CacheExpiry.nanoseconds(options.expiry.afterAccess)
        pressure = options.pressure
        if let pressure {
            let number = pressure.listen { [weak self] level in self?.trim(keeping: level.keptShare) }
            listening.withLock { $0 = number }
        }
    }

    /// Creates an empty cache with limits and an expiry, and otherwise the default options.
    ///
    /// - Parameters:
    ///   - countLimit: the maximum number of values.
    ///   - costLimit: the maximum sum of the costs of the values, in any unit; `nil` for no limit.
    ///   - ttl: the time to live: how long after it was set a value expires; `nil` for never.
    public convenience init(countLimit: Int, costLimit: Int? = nil, ttl: Duration? = nil) {
        var options = Options(countLimit: countLimit, costLimit: costLimit)
        options.expiry = CacheExpiry(afterWrite: ttl)
        self.init(options)
    }

    deinit {
        pressure?.stop(listening.withLock { $0 })
        for shard in shards { shard.destroy() }
    }

    private static func share(of limit: Int, _ part: Int, _ parts: Int) -> Int {
        limit == .max ? .max : limit / parts + (part < limit % parts ? 1 : 0)
    }

    /// Returns the time of the monotonic clock of the system in nanoseconds, with the time for which the system sleeps.
    public static func monotonicNanoseconds() -> UInt64 {
        var time = timespec()
        #if canImport(Darwin)
            clock_gettime(CLOCK_MONOTONIC, &time)
        #else
            // Linux stops the other monotonic clock while it sleeps.
            clock_gettime(CLOCK_BOOTTIME, &time)
        #endif
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }

    // MARK: Values

    /// Returns the value for a key, or `nil` if no value is stored or it has expired. Counts as a use, and in
    /// ``statistics``.
    @inlinable
    public func value(for key: Key) -> Value? {
        let (shard, hash) = place(of: key)
        switch shard.withLock({ $0.quickValue(for: key, hash) }) {
        case .value(let value): return value
        case .nothing: return nil
        case .expiring: return expiringValue(for: key, shard, hash)
        }
    }

    @usableFromInline
    func expiringValue(for key: Key, _ shard: CachePart<Key, Value>, _ hash: UInt32) -> Value? {
        var released = CacheShard<Key, Value>.Released()
        return shard.withLock { $0.value(for: key, hash, now: now, released: &released) }
    }

    /// Sets the value for a key.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - key: its key.
    ///   - cost: the cost of the value; 0 or more.
    ///   - expiry: the expiry of the value; `nil` for the default of the cache.
    /// - Returns: whether it was stored. A value whose cost is above the limit is not, and an older value of the key
    ///   is removed.
    @inlinable
    @discardableResult
    public func set(_ value: Value, for key: Key, cost: Int = 0, expiry: CacheExpiry? = nil) -> Bool {
        let (shard, hash) = place(of: key)
        let life = life(expiry)
        var released = CacheShard<Key, Value>.Released()
        return shard.withLock { shard in
            if shard.loads > 0 { forgetFlight(key) }
            return shard.set(value, for: key, hash, cost: max(0, cost), life: life, released: &released)
        }
    }

    /// Returns the lifetime of a value that is set now.
    @inlinable
    @inline(__always)
    func life(_ expiry: CacheExpiry?) -> CacheLife {
        guard let expiry else { return CacheLife(write: defaultWrite, idle: defaultIdle, now: now) }
        return CacheLife(
            write: CacheExpiry.nanoseconds(expiry.afterWrite),
            idle: CacheExpiry.nanoseconds(expiry.afterAccess),
            now: now
        )
    }

    /// Marks the load of a key as outdated.
    @usableFromInline
    func forgetFlight(_ key: Key) { flights.forget(key) }

    /// Removes the value for a key and returns it, or `nil` if no value was stored or it had expired.
    @discardableResult
    public func removeValue(for key: Key) -> Value? {
        let (shard, hash) = place(of: key)
        let now = now
        var isOver = false
        let value = shard.withLock { shard -> Value? in
            if shard.loads > 0 { flights.forget(key) }
            let (isFound, place) = shard.table.find(key, hash)
            guard isFound else { return nil }
            isOver = shard.table.isOver(place, at: now())
            return shard.remove(place)
        }
        // After the lock is released, also if the optimizer sees that the caller does not use the value.
        return withExtendedLifetime(value) { isOver ? nil : value }
    }

    /// Returns whether there is a value for a key. Counts neither as a use nor in ``statistics``.
    public func contains(_ key: Key) -> Bool {
        let (shard, hash) = place(of: key)
        let now = now
        return shard.withLock { shard in
            let (isFound, place) = shard.table.find(key, hash)
            return isFound && !shard.table.isOver(place, at: now())
        }
    }

    /// Returns the shard for a key, and the part of the hash that its table uses.
    @inlinable
    func place(of key: Key) -> (CachePart<Key, Value>, UInt32) {
        let hash = hasher.hash(of: key)
        return (shards[Int(hash >> 40) & shardMask], UInt32(truncatingIfNeeded: hash))
    }
}

/// The policy that chooses the value to be evicted.
public enum CachePolicy: Hashable, Sendable, CaseIterable {
    /// S3-FIFO (Yang et al., "FIFO queues are all you need for cache eviction", SOSP 2023): new values come into a
    /// small queue of a tenth of the cache, and used ones move to the main queue. Values that are used once cannot
    /// evict the others, and a lookup moves nothing.
    case s3FIFO
    /// The least recently used value.
    case leastRecentlyUsed
}

/// The statistics of a cache.
public struct CacheStatistics: Hashable, Sendable {
    /// The number of lookups that found a value.
    public var hits = 0
    /// The number of lookups that found no value, or an expired one.
    public var misses = 0
    /// The number of values that were removed because the cache was full.
    public var evictions = 0
    /// The number of values that were removed because they had expired.
    public var expirations = 0

    /// The share of lookups that found a value, from 0 to 1; 0 before the first.
    public var hitRatio: Double { hits + misses == 0 ? 0 : Double(hits) / Double(hits + misses) }

    /// Creates statistics without any lookups.
    @inlinable public init() {}

    /// Returns the sum of both.
    public static func + (left: CacheStatistics, right: CacheStatistics) -> CacheStatistics {
        var sum = left
        sum.hits += right.hits
        sum.misses += right.misses
        sum.evictions += right.evictions
        sum.expirations += right.expirations
        return sum
    }
}
