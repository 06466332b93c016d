/// The hashes of keys that left the small queue unasked, as long as about as many others have left since: one that comes
/// back meanwhile goes straight to the main queue.
///
/// A table of buckets of four, each entry half of a hash with the time it came; the oldest of a full bucket makes room. So
/// it stays O(1), small, and now and then forgets one too early or takes one for another.
@usableFromInline
struct CacheGhosts {
    /// The hash's half above, the time below; 0 for none.
    private var slots: UnsafeMutablePointer<UInt32>?
    private var bucketMask = 0
    /// How many have come.
    private var arrivals = 0
    /// The time passes once in so many arrivals, as a power of two: so that half a word tells a full table's ages apart.
    private var tick = 0

    @usableFromInline init() {}

    func free() { slots?.deallocate() }

    private var now: UInt32 { UInt32(truncatingIfNeeded: arrivals >> tick) & 0xFFFF }

    /// Remembers a hash; `capacity` is how many to remember.
    @usableFromInline
    mutating func insert(_ hash: UInt32, capacity: Int) {
        if slots == nil || (bucketMask + 1) * 3 < capacity { grow(capacity) }
        guard let slots else { return }
        arrivals &+= 1
        let now = now
        let bucket = slots + bucket(of: hash)
        var (oldest, oldestAge) = (0, Self.age(bucket[0], now))
        for index in 1..<4 {
            let age = Self.age(bucket[index], now)
            if age > oldestAge { (oldest, oldestAge) = (index, age) }
        }
        bucket[oldest] = Self.half(of: hash) | now
    }

    /// Whether a hash is remembered; it is forgotten then.
    @usableFromInline
    mutating func take(_ hash: UInt32, capacity: Int) -> Bool {
        guard let slots else { return false }
        let bucket = slots + bucket(of: hash)
        let half = Self.half(of: hash)
        for index in 0..<4 where bucket[index] & 0xFFFF_0000 == half {
            let isRecent = Int(Self.age(bucket[index], now)) << tick <= capacity
            bucket[index] = 0
            if isRecent { return true }
        }
        return false
    }

    mutating func removeAll() {
        slots?.update(repeating: 0, count: (bucketMask + 1) * 4)
    }

    private static func age(_ slot: UInt32, _ now: UInt32) -> UInt32 {
        slot == 0 ? .max : (now &- slot) & 0xFFFF
    }

    /// Never 0, which stands for no entry.
    private static func half(of hash: UInt32) -> UInt32 {
        (hash & 0xFFFF_0000) | 0x8000_0000
    }

    private func bucket(of hash: UInt32) -> Int {
        (Int((UInt64(hash) &* 0x9E37_79B9_7F4A_7C15) >> 32) & bucketMask) * 4
    }

    private mutating func grow(_ capacity: Int) {
        slots?.deallocate()
        var buckets = 16
        while buckets * 2 < capacity { buckets *= 2 }
        bucketMask = buckets - 1
        tick = 0
        while buckets * 4 >> tick > 16_384 { tick += 1 }
        let fresh = CacheMemory.allocate(UInt32.self, buckets * 4)
        fresh.initialize(repeating: 0, count: buckets * 4)
        slots = fresh
    }
}
