/// One part of a cache, guarded by its lock: entries in a slab, found through an open-addressing table, in the order of
/// one or two queues. Nothing in it takes longer for being large, a doubling of the slab aside.
///
/// Sendable by that lock alone: nothing of it is touched without.
@usableFromInline
struct CacheShard<Key: Hashable & Sendable, Value: Sendable>: @unchecked Sendable {
    @usableFromInline typealias Entry = CacheEntry<Key, Value>

    @usableFromInline let countLimit: Int
    @usableFromInline let costLimit: Int
    @usableFromInline let isLRU: Bool
    @usableFromInline var entries: UnsafeMutablePointer<Entry>
    /// At each entry's number what else there is to know of it.
    @usableFromInline var records: UnsafeMutablePointer<CacheRecord>
    /// At each entry's number when it expires, once there is one that does.
    @usableFromInline var lives: UnsafeMutablePointer<CacheLife>?
    /// The hash above, the entry's number plus 1 below; 0 for none. At most half full.
    @usableFromInline var table: UnsafeMutablePointer<UInt64>
    @usableFromInline var mask: Int
    @usableFromInline var capacity: Int
    /// How much of the slab has been used, and the first of the free places within that.
    @usableFromInline var used = 0
    @usableFromInline var free = CacheQueue.none
    @usableFromInline var small = CacheQueue()
    @usableFromInline var main = CacheQueue()
    @usableFromInline var ghosts = CacheGhosts()
    @usableFromInline var statistics = CacheStatistics()

    @usableFromInline
    init(countLimit: Int, costLimit: Int, policy: CachePolicy) {
        self.countLimit = countLimit
        self.costLimit = costLimit
        isLRU = policy == .leastRecentlyUsed
        capacity = 16
        mask = 31
        entries = CacheMemory.allocate(Entry.self, 16)
        records = CacheMemory.allocate(CacheRecord.self, 16)
        table = CacheMemory.allocate(UInt64.self, 32)
        table.initialize(repeating: 0, count: 32)
    }

    @inlinable var count: Int { small.count + main.count }
    @inlinable var cost: Int { small.cost + main.cost }

    /// Frees the memory; the shard must not be used any more.
    @usableFromInline
    func destroy() {
        forEach { (entries + $0).deinitialize(count: 1) }
        entries.deallocate()
        records.deallocate()
        lives?.deallocate()
        table.deallocate()
        ghosts.free()
    }

    @usableFromInline
    func forEach(_ body: (Int) -> Void) {
        for slot in 0...mask where table[slot] != 0 { body(Int(UInt32(truncatingIfNeeded: table[slot])) - 1) }
    }

    // MARK: The table

    // All of them mutating: the shard is then passed by its address; for one that is only read, the compiler makes a
    // copy at each call.

    /// The slot and the number of the entry for a key.
    @inlinable
    mutating func find(_ key: Key, _ hash: UInt32) -> (slot: Int, number: Int)? {
        var slot = Int(hash) & mask
        while true {
            let content = table[slot]
            if content == 0 { return nil }
            if UInt32(truncatingIfNeeded: content >> 32) == hash {
                let number = Int(UInt32(truncatingIfNeeded: content)) &- 1
                if entries[number].key == key { return (slot, number) }
            }
            slot = (slot &+ 1) & mask
        }
    }

    @inlinable
    mutating func slot(of number: Int) -> Int {
        var slot = Int(records[number].hash) & mask
        while UInt32(truncatingIfNeeded: table[slot]) != UInt32(number &+ 1) { slot = (slot &+ 1) & mask }
        return slot
    }

    /// Empties a slot and moves those behind it up, so that no search stops too early (Knuth, TAOCP 3, algorithm R).
    @inlinable
    mutating func clear(_ slot: Int) {
        var hole = slot
        var next = (slot &+ 1) & mask
        while table[next] != 0 {
            let home = Int(table[next] >> 32) & mask
            if ((next &- home) & mask) >= ((next &- hole) & mask) {
                table[hole] = table[next]
                hole = next
            }
            next = (next &+ 1) & mask
        }
        table[hole] = 0
    }

    @inlinable
    mutating func enter(_ hash: UInt32, _ number: Int) {
        var slot = Int(hash) & mask
        while table[slot] != 0 { slot = (slot &+ 1) & mask }
        table[slot] = UInt64(hash) << 32 | UInt64(number &+ 1)
    }

    @usableFromInline
    mutating func grow() {
        let largerEntries = CacheMemory.allocate(Entry.self, capacity * 2)
        largerEntries.moveInitialize(from: entries, count: used)
        entries.deallocate()
        entries = largerEntries
        let largerRecords = CacheMemory.allocate(CacheRecord.self, capacity * 2)
        largerRecords.moveInitialize(from: records, count: used)
        records.deallocate()
        records = largerRecords
        if let lives {
            let larger = CacheMemory.allocate(CacheLife.self, capacity * 2)
            larger.initialize(from: lives, count: capacity)
            (larger + capacity).initialize(repeating: .endless, count: capacity)
            lives.deallocate()
            self.lives = larger
        }
        capacity *= 2
        table.deallocate()
        mask = capacity * 2 - 1
        table = CacheMemory.allocate(UInt64.self, mask + 1)
        table.initialize(repeating: 0, count: mask + 1)
        // Only a full slab grows: every place is taken.
        for number in 0..<used { enter(records[number].hash, number) }
    }

    // MARK: Expiry

    @inlinable
    mutating func setLife(_ life: CacheLife, of number: Int) {
        entries[number].expires = life.deadline != 0
        if life.deadline != 0 { keepLife(life, of: number) }
    }

    @usableFromInline
    mutating func keepLife(_ life: CacheLife, of number: Int) {
        let lives =
            self.lives
            ?? {
                let fresh = CacheMemory.allocate(CacheLife.self, capacity)
                fresh.initialize(repeating: .endless, count: capacity)
                return fresh
            }()
        self.lives = lives
        lives[number] = life
    }

    /// Whether the time of an entry is over.
    @usableFromInline
    func isOver(_ number: Int, at time: @autoclosure () -> UInt64) -> Bool {
        guard entries[number].expires, let lives else { return false }
        return lives[number].isOver(at: time())
    }

    // MARK: The queues

    @inlinable
    mutating func append(_ number: Int, toMain: Bool) {
        records[number].isMain = toMain
        if toMain { main.append(number, in: records) } else { small.append(number, in: records) }
    }

    @inlinable
    mutating func unlink(_ number: Int) {
        if records[number].isMain { main.unlink(number, in: records) } else { small.unlink(number, in: records) }
    }
}
