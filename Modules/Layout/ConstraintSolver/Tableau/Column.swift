extension RowStore {
    /// A list of rows that may hold a symbol.
    struct Column: BitwiseCopyable {
        var count: Int32 = 0
        var capacity: Int32 = 0
        var rows: UnsafeMutablePointer<Int32>

        /// Creates an empty list without capacity, whose `rows` is a valid pointer that is never read.
        init(_ placeholder: UnsafeMutablePointer<Int32>) { rows = placeholder }

        /// Returns a list with the same rows in newly allocated memory.
        func copied(into pool: inout Pool<Int32>) -> Column {
            guard capacity > 0 else { return self }
            var copy = self
            copy.rows = pool.allocate(Int(capacity))
            copy.rows.update(from: rows, count: Int(count))
            return copy
        }

        /// Appends a row within the capacity.
        @inline(__always) mutating func appendWithinCapacity(_ row: Int32) {
            assert(count < capacity)
            rows[Int(count)] = row
            count &+= 1
        }

        /// Empties the list and returns its memory to the pool.
        mutating func deallocate(_ pool: inout Pool<Int32>) {
            count = 0
            guard capacity > 0 else { return }
            pool.deallocate(rows, Int(capacity))
            capacity = 0
        }

        /// Doubles the capacity if more than a quarter of it is used.
        mutating func growUnlessSparse(from pool: inout Pool<Int32>) {
            guard count * 4 >= capacity else { return }
            let size = capacity == 0 ? Pool<Int32>.smallest : Int(capacity) * 2
            let larger = pool.allocate(size)
            if capacity > 0 {
                // Without a call for short lists, which are the most.
                for index in 0..<Int(count) { larger[index] = rows[index] }
                pool.deallocate(rows, Int(capacity))
            }
            rows = larger
            capacity = Int32(size)
        }
    }

    /// A row that holds a symbol, and the symbol's coefficient in it.
    struct Holder: BitwiseCopyable {
        var row: Int32
        var value: Double
    }
}
