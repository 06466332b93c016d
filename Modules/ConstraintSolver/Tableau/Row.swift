/// A coefficient in a row.
struct Entry: BitwiseCopyable {
    var symbol: Int32
    var value: Double
}

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

    init(capacity: Int) {
        self.capacity = Int32(max(capacity, 4))
        entries = .allocate(capacity: Int(self.capacity))
    }

    /// Finds a symbol.
    ///
    /// - Returns: its place, or -1.
    func find(_ symbol: Int32) -> Int {
        var low = 0
        var high = Int(count)
        while low < high {
            let middle = (low &+ high) >> 1
            if entries[middle].symbol < symbol { low = middle &+ 1 } else { high = middle }
        }
        return low < Int(count) && entries[low].symbol == symbol ? low : -1
    }

    mutating func reserve(_ wanted: Int) {
        guard wanted > Int(capacity) else { return }
        let newCapacity = max(wanted, Int(capacity) * 2)
        let larger = UnsafeMutablePointer<Entry>.allocate(capacity: newCapacity)
        larger.update(from: entries, count: Int(count))
        entries.deallocate()
        entries = larger
        capacity = Int32(newCapacity)
    }

    /// Appends an entry whose symbol is greater than all present.
    mutating func append(_ symbol: Int32, _ value: Double) {
        reserve(Int(count) + 1)
        entries[Int(count)] = Entry(symbol: symbol, value: value)
        count += 1
    }

    mutating func remove(at index: Int) {
        var place = index
        while place + 1 < Int(count) {
            entries[place] = entries[place + 1]
            place += 1
        }
        count -= 1
    }

    /// Inserts a symbol that is not present, at its sorted place.
    mutating func insert(_ symbol: Int32, _ value: Double) {
        reserve(Int(count) + 1)
        var place = Int(count)
        while place > 0, entries[place - 1].symbol > symbol {
            entries[place] = entries[place - 1]
            place -= 1
        }
        entries[place] = Entry(symbol: symbol, value: value)
        count += 1
    }
}

/// The rows that may hold a symbol: an index that may list a row twice, or one that no longer holds it.
struct Column: BitwiseCopyable {
    var count: Int32 = 0
    var capacity: Int32 = 0
    var rows: UnsafeMutablePointer<Int32>

    init() {
        rows = .allocate(capacity: 0)
    }

    mutating func append(_ row: Int32) {
        if count == capacity {
            let larger = UnsafeMutablePointer<Int32>.allocate(capacity: max(4, Int(capacity) * 2))
            larger.update(from: rows, count: Int(count))
            rows.deallocate()
            rows = larger
            capacity = max(4, capacity * 2)
        }
        rows[Int(count)] = row
        count += 1
    }
}
