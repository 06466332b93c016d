extension Buffer {
    /// A buffer with the same elements and room for as many more.
    init(copying other: borrowing Buffer<Element>) {
        self.init(capacity: other.capacity)
        append(contentsOf: UnsafeBufferPointer(start: other.base, count: other.count))
    }
}

extension Row {
    /// A row with the same entries in memory of its own.
    func copied() -> Row {
        var copy = self
        copy.entries = .allocate(capacity: Int(capacity))
        copy.entries.initialize(from: entries, count: Int(count))
        return copy
    }
}

extension Column {
    /// A column with the same rows in memory of its own.
    func copied() -> Column {
        var copy = self
        copy.rows = .allocate(capacity: Int(capacity))
        copy.rows.initialize(from: rows, count: Int(count))
        return copy
    }
}

extension Tableau {
    /// Makes a tableau that goes on from the same bits. What is only scratch inside one operation is not taken over, nor
    /// is the journal, which is empty between operations.
    ///
    /// - Parameter other: a tableau between two operations.
    init(copying other: borrowing Tableau) {
        self.init()
        symbols = Buffer(copying: other.symbols)
        columns = Buffer(copying: other.columns)
        uses = Buffer(copying: other.uses)
        rows = Buffer(copying: other.rows)
        for index in 0..<rows.count { rows[index] = rows[index].copied() }
        for index in 0..<columns.count {
            columns[index] = columns[index].copied()
            uses[index] = uses[index].copied()
        }
        accumulator = Buffer(copying: other.accumulator)
        peaks = Buffer(copying: other.peaks)
        freeSymbols = Buffer(copying: other.freeSymbols)
        freeRows = Buffer(copying: other.freeRows)
        touched = Buffer(copying: other.touched)
        changed = Buffer(copying: other.changed)
        candidates = Buffer(copying: other.candidates)
        infeasible = Buffer(copying: other.infeasible)
        walk = Buffer(copying: other.walk)
        walkedFrom = Buffer(copying: other.walkedFrom)
        walkedStructure = other.walkedStructure
        stamp = other.stamp
        structure = other.structure
        firstOrder = other.firstOrder
        lastOrder = other.lastOrder
        ranks = Buffer(copying: other.ranks)
        rankUses = Buffer(copying: other.rankUses)
        slots = Buffer(copying: other.slots)
        stride = other.stride
        costs = Buffer(copying: other.costs)
        magnitude = other.magnitude
        pivots = other.pivots
        effort = other.effort
        isSuspect = other.isSuspect
        isDoubtful = other.isDoubtful
    }
}
