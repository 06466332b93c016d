/// What a look-up needs of an entry, and no more: of small keys and values several share a cache line.
@usableFromInline
struct CacheEntry<Key, Value> {
    @usableFromInline var key: Key
    @usableFromInline var value: Value
    /// How often it was asked for since it came into its queue, up to 3.
    @usableFromInline var frequency: UInt8 = 0
    /// Whether its ``CacheRecord`` has a deadline.
    @usableFromInline var expires: Bool

    @inlinable
    init(key: Key, value: Value, expires: Bool) {
        self.key = key
        self.value = value
        self.expires = expires
    }
}

/// What setting, evicting and expiry need of an entry beside.
@usableFromInline
struct CacheRecord {
    /// The key's hash, as far as the table uses it.
    @usableFromInline var hash: UInt32
    /// The neighbours in the queue; ``CacheQueue/none`` at its ends. `next` leads from one free place to another too.
    @usableFromInline var previous: UInt32 = .max
    @usableFromInline var next: UInt32 = .max
    /// Whether it is in the main queue.
    @usableFromInline var isMain = false
    /// What it counts against the limit.
    @usableFromInline var cost: Int
    @usableFromInline var life: CacheLife

    @inlinable
    init(hash: UInt32, cost: Int, life: CacheLife) {
        self.hash = hash
        self.cost = cost
        self.life = life
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
