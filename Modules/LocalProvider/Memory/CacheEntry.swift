/// What a cache keeps for a key. Kept small, key and value side by side: a look-up touches as few cache lines as it can.
@usableFromInline
struct CacheEntry<Key, Value> {
    @usableFromInline var key: Key
    @usableFromInline var value: Value
    /// The key's hash, as far as the table uses it.
    @usableFromInline var hash: UInt32
    /// The neighbours in the queue; ``CacheQueue/none`` at its ends.
    @usableFromInline var previous: UInt32 = .max
    @usableFromInline var next: UInt32 = .max
    /// How often it was asked for since it came into its queue, up to 3.
    @usableFromInline var frequency: UInt8 = 0
    /// Whether it is in the main queue.
    @usableFromInline var isMain = false
    /// What it counts against the limit.
    @usableFromInline var cost: Int
    /// As ``CacheLife`` has them.
    @usableFromInline var deadline: UInt64
    @usableFromInline var idle: UInt64
    @usableFromInline var limit: UInt64

    @inlinable
    init(key: Key, value: Value, hash: UInt32, cost: Int, life: CacheLife) {
        self.key = key
        self.value = value
        self.hash = hash
        self.cost = cost
        deadline = life.deadline
        idle = life.idle
        limit = life.limit
    }
}

/// The ends of a queue through the entries, with what is in it.
@usableFromInline
struct CacheQueue {
    /// No entry.
    @usableFromInline static var none: UInt32 { .max }
    /// The next to go.
    @usableFromInline var head: UInt32 = .max
    /// The last that came.
    @usableFromInline var tail: UInt32 = .max
    @usableFromInline var count = 0
    @usableFromInline var cost = 0

    @inlinable init() {}
}
