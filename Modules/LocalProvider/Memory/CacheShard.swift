/// One part of a cache, guarded by its lock: entries in a table, in the order of one or two queues. Nothing in it takes
/// longer for being large, a growth of the table or of a queue aside.
///
/// Sendable by that lock alone: nothing of it is touched without.
@usableFromInline
struct CacheShard<Key: Hashable & Sendable, Value: Sendable>: @unchecked Sendable {
    @usableFromInline typealias Table = CacheTable<Key, Value>

    @usableFromInline let countLimit: Int
    @usableFromInline let costLimit: Int
    @usableFromInline let isLRU: Bool
    @usableFromInline var table = Table(size: 16)
    @usableFromInline var small = CacheQueue()
    @usableFromInline var main = CacheQueue()
    @usableFromInline var statistics = CacheStatistics()
    @usableFromInline var ghosts = CacheGhosts()
    /// How many values are being made for keys of this shard: then setting and removing has to say so.
    @usableFromInline var loads = 0

    @usableFromInline
    init(countLimit: Int, costLimit: Int, policy: CachePolicy) {
        // A queue has gaps too, for less than twice as many.
        self.countLimit = min(countLimit, CacheHead.tickets / 4)
        self.costLimit = costLimit
        isLRU = policy == .leastRecentlyUsed
    }

    // Mutating, as the table's are.
    @inlinable var count: Int { mutating get { small.count &+ main.count } }
    @inlinable var cost: Int { mutating get { small.cost &+ main.cost } }

    /// Frees the memory; the shard must not be used any more.
    @usableFromInline
    func destroy() {
        table.destroy()
        small.free()
        main.free()
        ghosts.free()
    }
}
