/// A coefficient in a row.
struct Entry: BitwiseCopyable {
    var symbol: Int32
    var value: Double
}

/// A row of the tableau: its basic symbol equals the constant plus the sum of its entries, which are sorted by symbol.
struct Row: BitwiseCopyable {
    var constant = 0.0
    /// The symbol that the row defines; -1 while the row is unused.
    var basic: Int32 = -1
    var count: Int32 = 0
    var capacity: Int32
    /// Marks the row as visited in a walk over columns; valid while it equals the store's current stamp.
    var stamp: Int32 = 0
    var entries: UnsafeMutablePointer<Entry>

    init(capacity: Int, from pool: inout Pool<Entry>) {
        let size = Pool<Entry>.capacity(for: capacity)
        self.capacity = Int32(size)
        entries = pool.allocate(size)
    }

    /// Returns a row with the same entries in newly allocated memory.
    func copied(into pool: inout Pool<Entry>) -> Row {
        var copy = self
        copy.entries = pool.allocate(Int(capacity))
        copy.entries.update(from: entries, count: Int(count))
        return copy
    }

    /// Returns the place of a symbol's entry, or -1.
    @inline(__always) func find(_ symbol: Int32) -> Int {
        let entries = entries
        if count <= 8 {
            // A linear scan is faster than a binary search in short rows.
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

    @inline(__always) mutating func reserve(_ wanted: Int, from pool: inout Pool<Entry>) {
        if wanted > Int(capacity) { grow(wanted, from: &pool) }
    }

    @inline(never) private mutating func grow(_ wanted: Int, from pool: inout Pool<Entry>) {
        let size = Pool<Entry>.capacity(for: wanted)
        let larger = pool.allocate(size)
        larger.update(from: entries, count: Int(count))
        pool.deallocate(entries, Int(capacity))
        entries = larger
        capacity = Int32(size)
    }

    /// Appends an entry whose symbol is greater than all others, within the capacity.
    @inline(__always) mutating func append(_ symbol: Int32, _ value: Double) {
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

    /// Multiplies all entries by a factor. Returns the largest magnitude of the results.
    @inline(__always) func scale(by factor: Double) -> Double {
        let entries = entries
        var largest = 0.0
        for index in 0..<Int(count) {
            let value = entries[index].value * factor
            entries[index].value = value
            largest = max(largest, abs(value))
        }
        return largest
    }

    /// Replaces the entry at a place and moves the new one to its place in the order.
    @inline(__always) func replace(at place: Int, with entry: Entry) {
        let entries = entries
        let count = Int(count)
        var hole = place
        while hole > 0, entries[hole &- 1].symbol > entry.symbol {
            entries[hole] = entries[hole &- 1]
            hole &-= 1
        }
        while hole &+ 1 < count, entries[hole &+ 1].symbol < entry.symbol {
            entries[hole] = entries[hole &+ 1]
            hole &+= 1
        }
        entries[hole] = entry
    }
}
