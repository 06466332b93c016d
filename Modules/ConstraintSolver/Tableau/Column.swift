/// The rows that may hold a symbol: an index that may list a row twice, or one that no longer holds it.
struct Column: BitwiseCopyable {
    var count: Int32 = 0
    var capacity: Int32 = 0
    var rows: UnsafeMutablePointer<Int32>

    /// An empty list without room: `rows` points at whatever is at hand, and nothing is read there.
    init(_ placeholder: UnsafeMutablePointer<Int32>) {
        rows = placeholder
    }

    /// Appends where there is room.
    @inline(__always)
    mutating func appendWithinCapacity(_ row: Int32) {
        assert(count < capacity)
        rows[Int(count)] = row
        count &+= 1
    }

    /// Doubles the room when more than a quarter of it is taken.
    mutating func growUnlessSparse(from pool: inout Pool<Int32>) {
        guard count * 4 >= capacity else { return }
        let size = capacity == 0 ? Pool<Int32>.smallest : Int(capacity) * 2
        let larger = pool.take(size)
        larger.update(from: rows, count: Int(count))
        if capacity > 0 { pool.give(rows, Int(capacity)) }
        rows = larger
        capacity = Int32(size)
    }
}
