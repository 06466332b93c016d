/// The hashes of keys that were evicted from the small queue without having been used, until about as many others
/// were evicted. A key that is set again before that goes to the main queue at once.
///
/// A table of buckets of four, the latest first. Each element is half of a hash and a time; the oldest is replaced.
/// The table is small and O(1), and may rarely forget a hash too early or confuse two.
@usableFromInline
struct CacheGhosts {
    @usableFromInline typealias Bucket = SIMD4<UInt32>

    /// The half of the hash in the upper bits, the time in the lower; 0 for no element.
    @usableFromInline var buckets: UnsafeMutablePointer<Bucket>?
    @usableFromInline var mask = 0
    /// The capacity for which the table is large enough.
    @usableFromInline var room = 0
    /// The number of insertions.
    @usableFromInline var arrivals = 0
    /// The time advances once in a power of two of insertions, so that 16 bits distinguish the ages in a full table.
    @usableFromInline var tick = 0

    @inlinable init() {}

    func free() { buckets?.deallocate() }

    @inlinable var now: UInt32 { UInt32(truncatingIfNeeded: arrivals &>> tick) & 0xFFFF }

    /// Inserts a hash; `capacity` is the number of hashes to remember.
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

    /// Returns whether a hash is remembered, and forgets it.
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

    mutating func removeAll() { buckets?.update(repeating: .zero, count: mask + 1) }

    /// Never 0, which means no element.
    @inlinable
    static func half(of hash: UInt32) -> UInt32 { (hash & 0xFFFF_0000) | 0x8000_0000 }

    @inlinable
    func place(of hash: UInt32) -> Int { Int((UInt64(hash) &* 0x9E37_79B9_7F4A_7C15) &>> 32) & mask }

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
