import Locking
import Threading

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A bounded cache in memory, for values of one type: every operation is O(1) and safe from any thread.
///
/// The count and the cost never exceed their limits, not even for a moment, and are exact; values that have expired count
/// until they are asked for or ``removeExpired()`` is called. A part of a cache (see ``Options/shards``) holds no more than
/// 33,554,432 values.
public final class MemoryCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// How a cache behaves.
    public struct Options: Sendable {
        /// The most values; `nil` for no limit.
        public var countLimit: Int?
        /// The highest sum of the values' costs, in whatever unit they are given; `nil` for no limit.
        public var costLimit: Int?
        /// Which value leaves when a limit is reached.
        public var policy = CachePolicy.s3FIFO
        /// When values expire that do not say themselves.
        public var expiry = CacheExpiry.never
        /// How many parts with a lock each, from 1 to 256, rounded up to a power of two; `nil` for as many as suit the
        /// limits. The limits are shared out between the parts, so that a cache of several parts can let a value go
        /// when only that value's part is full.
        public var shards: Int?
        /// Lets values go when the system runs short of memory, in the order of the policy; `nil` for never.
        public var pressure: MemoryPressure?
        /// The clock that expiry goes by, in nanoseconds; it must never run backwards.
        public var now: @Sendable () -> UInt64 = MemoryCache.monotonicNanoseconds

        /// Creates options with limits; everything else as it stands above.
        public init(countLimit: Int? = nil, costLimit: Int? = nil) {
            self.countLimit = countLimit
            self.costLimit = costLimit
        }
    }

    @usableFromInline let shards: ContiguousArray<CachePart<Key, Value>>
    @usableFromInline let shardMask: Int
    @usableFromInline let now: @Sendable () -> UInt64
    /// The expiry of values that do not say themselves, in nanoseconds.
    @usableFromInline let defaultWrite: UInt64
    @usableFromInline let defaultIdle: UInt64
    @usableFromInline let hasher = CacheHash()
    let flights = SingleFlight<Key, Value>()
    private let pressure: MemoryPressure?
    /// The number that ``pressure`` knows the cache by.
    private let listening = Locked(0)

    /// Creates an empty cache.
    public init(_ options: Options = Options()) {
        let countLimit = max(0, options.countLimit ?? .max)
        let costLimit = max(0, options.costLimit ?? .max)
        // A small cache in parts would be full too early, and one with costs could not keep a large value.
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

    deinit {
        pressure?.stop(listening.withLock { $0 })
        for shard in shards { shard.destroy() }
    }

    private static func share(of limit: Int, _ part: Int, _ parts: Int) -> Int {
        limit == .max ? .max : limit / parts + (part < limit % parts ? 1 : 0)
    }

    /// Nanoseconds since some moment in the past, as the system's monotonic clock counts them.
    public static func monotonicNanoseconds() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }

    // MARK: Values

    /// The value for a key, `nil` where there is none or its time is over. Counts as a use and in ``statistics``.
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
    ///   - cost: what it counts against the limit of cost; 0 or more.
    ///   - expiry: when it expires; as the cache's options say where it is `nil`.
    /// - Returns: whether it was kept: a value whose cost is above the limit is not, nor is then an older one.
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

    /// When a value that is set now expires.
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

    /// What is being made for a key is older than what is done with it now.
    @usableFromInline
    func forgetFlight(_ key: Key) {
        flights.forget(key)
    }

    /// Removes the value for a key and returns it; `nil` where there was none or its time was over.
    @discardableResult
    public func removeValue(for key: Key) -> Value? {
        let (shard, hash) = place(of: key)
        let now = now
        return shard.withLock { shard in
            if shard.loads > 0 { flights.forget(key) }
            let (isFound, place) = shard.table.find(key, hash)
            guard isFound else { return nil }
            let isOver = shard.table.isOver(place, at: now())
            let value = shard.remove(place)
            return isOver ? nil : value
        }
    }

    /// Whether there is a value for a key. No use, and not in ``statistics``.
    public func contains(_ key: Key) -> Bool {
        let (shard, hash) = place(of: key)
        let now = now
        return shard.withLock { shard in
            let (isFound, place) = shard.table.find(key, hash)
            return isFound && !shard.table.isOver(place, at: now())
        }
    }

    /// The shard for a key, and what its table needs of the hash.
    @inlinable
    func place(of key: Key) -> (CachePart<Key, Value>, UInt32) {
        let hash = hasher.hash(of: key)
        return (shards[Int(hash >> 40) & shardMask], UInt32(truncatingIfNeeded: hash))
    }
}

/// Which value leaves a full cache.
public enum CachePolicy: Hashable, Sendable, CaseIterable {
    /// S3-FIFO (Yang et al., "FIFO queues are all you need for cache eviction", SOSP 2023): newcomers prove themselves in
    /// a small queue of a tenth of the cache; what is asked for again moves to the main one. Values asked for only once
    /// cannot push the others out, and a look-up moves nothing.
    case s3FIFO
    /// Strictly the value that was not asked for the longest.
    case leastRecentlyUsed
}

/// What a cache has done so far.
public struct CacheStatistics: Hashable, Sendable {
    /// Look-ups that found a value.
    public var hits = 0
    /// Look-ups that found none, expired ones among them.
    public var misses = 0
    /// Values that left because the cache was full.
    public var evictions = 0
    /// Values that left because their time was over.
    public var expirations = 0

    /// Hits in all look-ups, from 0 to 1; 0 before the first.
    public var hitRatio: Double {
        hits + misses == 0 ? 0 : Double(hits) / Double(hits + misses)
    }

    /// Nothing done yet.
    @inlinable public init() {}

    /// The sum of both.
    public static func + (left: CacheStatistics, right: CacheStatistics) -> CacheStatistics {
        var sum = left
        sum.hits += right.hits
        sum.misses += right.misses
        sum.evictions += right.evictions
        sum.expirations += right.expirations
        return sum
    }
}
