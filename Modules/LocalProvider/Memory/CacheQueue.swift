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

    /// Puts an entry last.
    @inlinable
    mutating func append(_ number: Int, in records: UnsafeMutablePointer<CacheRecord>) {
        let record = records + number
        record.pointee.next = Self.none
        record.pointee.previous = tail
        if tail == Self.none {
            head = UInt32(truncatingIfNeeded: number)
        } else {
            records[Int(tail)].next = UInt32(truncatingIfNeeded: number)
        }
        tail = UInt32(truncatingIfNeeded: number)
        count &+= 1
        cost &+= record.pointee.cost
    }

    /// Takes an entry out.
    @inlinable
    mutating func unlink(_ number: Int, in records: UnsafeMutablePointer<CacheRecord>) {
        let (previous, next) = (records[number].previous, records[number].next)
        if previous == Self.none { head = next } else { records[Int(previous)].next = next }
        if next == Self.none { tail = previous } else { records[Int(next)].previous = previous }
        count &-= 1
        cost &-= records[number].cost
    }
}
