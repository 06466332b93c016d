/// The hashes of keys that left the small queue unasked, as long as about as many others have left since: one that comes
/// back meanwhile goes straight to the main queue.
///
/// A table of buckets of four, the latest first, each half of a hash with the time it came; the oldest makes room. So it
/// stays O(1), small, and now and then forgets one too early or takes one for another.
@usableFromInline
struct CacheGhosts {
    @usableFromInline typealias Bucket = SIMD4<UInt32>

    /// The hash's half above, the time below; 0 for none.
    @usableFromInline var buckets: UnsafeMutablePointer<Bucket>?
    @usableFromInline var mask = 0
    /// How many it is large enough for.
    @usableFromInline var room = 0
    /// How many have come.
    @usableFromInline var arrivals = 0
    /// The time passes once in so many arrivals, as a power of two: so that half a word tells a full table's ages apart.
    @usableFromInline var tick = 0

    @inlinable init() {}

    func free() { buckets?.deallocate() }

    @inlinable var now: UInt32 { UInt32(truncatingIfNeeded: arrivals &>> tick) & 0xFFFF }

    /// Remembers a hash; `capacity` is how many to remember.
    @inlinable
    @inline(__always)
    mutating func insert(_ hash: UInt32, capacity: Int) {
        if capacity > room { grow(capacity) }
        guard let buckets else { return }
        arrivals &+= 1
        let bucket = buckets + place(of: hash)
        let others = bucket.pointee
        bucket.pointee = Bucket(Self.half(of: hash) | now, others[0], others[1], others[2])
    }

    /// Whether a hash is remembered; it is forgotten then.
    @inlinable
    @inline(__always)
    mutating func take(_ hash: UInt32, capacity: Int) -> Bool {
        guard let buckets else { return false }
        let place = place(of: hash)
        let found = (buckets[place] & 0xFFFF_0000) .== Bucket(repeating: Self.half(of: hash))
        return any(found) && take(hash, from: place, capacity: capacity)
    }

    @usableFromInline
    mutating func take(_ hash: UInt32, from place: Int, capacity: Int) -> Bool {
        guard let buckets else { return false }
        for index in 0..<4 where buckets[place][index] & 0xFFFF_0000 == Self.half(of: hash) {
            let age = Int((now &- buckets[place][index]) & 0xFFFF)
            buckets[place][index] = 0
            if age << tick <= capacity { return true }
        }
        return false
    }

    mutating func removeAll() {
        buckets?.update(repeating: .zero, count: mask + 1)
    }

    /// Never 0, which stands for no entry.
    @inlinable
    static func half(of hash: UInt32) -> UInt32 {
        (hash & 0xFFFF_0000) | 0x8000_0000
    }

    @inlinable
    func place(of hash: UInt32) -> Int {
        Int((UInt64(hash) &* 0x9E37_79B9_7F4A_7C15) &>> 32) & mask
    }

    @usableFromInline
    mutating func grow(_ capacity: Int) {
        buckets?.deallocate()
        var count = 16
        while count * 2 < capacity { count *= 2 }
        mask = count - 1
        room = count * 3
        tick = 0
        while count * 4 >> tick > 16_384 { tick += 1 }
        let fresh = CacheMemory.allocate(Bucket.self, count)
        fresh.initialize(repeating: .zero, count: count)
        buckets = fresh
    }
}
