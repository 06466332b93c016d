/// The hashes of keys that left the small queue unasked, as long as about as many others have left since: one that comes
/// back meanwhile goes straight to the main queue.
///
/// A table of buckets of four, each entry a hash with the time it came; the oldest of a full bucket makes room. So it
/// stays O(1), small, and now and then forgets one too early.
@usableFromInline
struct CacheGhosts {
    private var slots: UnsafeMutablePointer<UInt64>?
    private var bucketMask = 0
    private var clock: UInt32 = 0

    @usableFromInline init() {}

    func free() { slots?.deallocate() }

    /// Remembers a hash; `capacity` is how many to remember.
    @usableFromInline
    mutating func insert(_ hash: UInt32, capacity: Int) {
        if slots == nil || (bucketMask + 1) * 4 < capacity { grow(capacity) }
        guard let slots else { return }
        clock &+= 1
        let bucket = slots + bucket(of: hash)
        var oldest = 0
        for index in 1..<4 where age(bucket[index]) > age(bucket[oldest]) { oldest = index }
        bucket[oldest] = UInt64(hash) << 32 | UInt64(clock)
    }

    /// Whether a hash is remembered; it is forgotten then.
    @usableFromInline
    mutating func take(_ hash: UInt32, capacity: Int) -> Bool {
        guard let slots else { return false }
        let bucket = slots + bucket(of: hash)
        for index in 0..<4 where bucket[index] != 0 && UInt32(truncatingIfNeeded: bucket[index] >> 32) == hash {
            let isRecent = age(bucket[index]) <= capacity
            bucket[index] = 0
            if isRecent { return true }
        }
        return false
    }

    mutating func removeAll() {
        slots?.update(repeating: 0, count: (bucketMask + 1) * 4)
    }

    private func age(_ slot: UInt64) -> Int {
        slot == 0 ? .max : Int(clock &- UInt32(truncatingIfNeeded: slot))
    }

    private func bucket(of hash: UInt32) -> Int {
        (Int((UInt64(hash) &* 0x9E37_79B9_7F4A_7C15) >> 32) & bucketMask) * 4
    }

    private mutating func grow(_ capacity: Int) {
        slots?.deallocate()
        var buckets = 16
        while buckets * 2 < capacity { buckets *= 2 }
        bucketMask = buckets - 1
        let fresh = UnsafeMutablePointer<UInt64>.allocate(capacity: buckets * 4)
        fresh.initialize(repeating: 0, count: buckets * 4)
        slots = fresh
    }
}
