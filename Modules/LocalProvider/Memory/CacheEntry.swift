/// What a look-up needs of an entry, and no more: of small keys and values several share a cache line.
@usableFromInline
struct CacheEntry<Key, Value> {
    @usableFromInline var key: Key
    @usableFromInline var value: Value
    /// How often it was asked for since it came into its queue, up to 3.
    @usableFromInline var frequency: UInt8 = 0
    /// Whether it has a deadline.
    @usableFromInline var expires: Bool

    @inlinable
    init(key: Key, value: Value, expires: Bool) {
        self.key = key
        self.value = value
        self.expires = expires
    }
}

/// What setting and evicting need of an entry beside.
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

    @inlinable
    init(hash: UInt32, cost: Int) {
        self.hash = hash
        self.cost = cost
    }
}
