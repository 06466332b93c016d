/// A row of the tableau: its basic symbol equals the constant plus the sum of its entries, sorted by symbol.
struct Row: BitwiseCopyable {
    var constant = 0.0
    /// The symbol that the row defines; -1 while the row is free.
    var basic: Int32 = -1
    var count: Int32 = 0
    var capacity: Int32
    /// Used by walks over columns, which may list a row twice; valid when it equals the tableau's present stamp.
    var stamp: Int32 = 0
    var entries: UnsafeMutablePointer<Entry>

    init(capacity: Int, from pool: inout Pool<Entry>) {
        let size = Pool<Entry>.capacity(for: capacity)
        self.capacity = Int32(size)
        entries = pool.take(size)
    }

    /// Finds a symbol.
    ///
    /// - Returns: its place, or -1.
    @inline(__always)
    func find(_ symbol: Int32) -> Int {
        let entries = entries
        if count <= 8 {
            // Short rows are read faster than searched.
            for index in 0..<Int(count) where entries[index].symbol >= symbol {
                return entries[index].symbol == symbol ? index : -1
            }
            return -1
        }
        var low = 0
        var high = Int(count)
        while low < high {
            let middle = (low &+ high) >> 1
            if entries[middle].symbol < symbol { low = middle &+ 1 } else { high = middle }
        }
        return low < Int(count) && entries[low].symbol == symbol ? low : -1
    }

    @inline(__always)
    mutating func reserve(_ wanted: Int, from pool: inout Pool<Entry>) {
        if wanted > Int(capacity) { grow(wanted, from: &pool) }
    }

    @inline(never)
    private mutating func grow(_ wanted: Int, from pool: inout Pool<Entry>) {
        let size = Pool<Entry>.capacity(for: wanted)
        let larger = pool.take(size)
        larger.update(from: entries, count: Int(count))
        pool.give(entries, Int(capacity))
        entries = larger
        capacity = Int32(size)
    }

    /// Appends an entry whose symbol is greater than all present, where there is room.
    @inline(__always)
    mutating func append(_ symbol: Int32, _ value: Double) {
        assert(count < capacity)
        entries[Int(count)] = Entry(symbol: symbol, value: value)
        count &+= 1
    }

    mutating func remove(at index: Int) {
        var place = index
        while place + 1 < Int(count) {
            entries[place] = entries[place + 1]
            place += 1
        }
        count -= 1
    }
}
