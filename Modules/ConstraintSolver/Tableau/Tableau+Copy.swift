extension Buffer {
    /// A buffer with the same elements and room for as many more.
    init(copying other: borrowing Buffer<Element>) {
        self.init(capacity: other.capacity)
        append(contentsOf: UnsafeBufferPointer(start: other.base, count: other.count))
    }
}

extension Row {
    /// A row with the same entries in memory of its own.
    func copied(into pool: inout Pool<Entry>) -> Row {
        var copy = self
        copy.entries = pool.take(Int(capacity))
        copy.entries.update(from: entries, count: Int(count))
        return copy
    }
}

extension Column {
    /// A column with the same rows in memory of its own.
    func copied(into pool: inout Pool<Int32>) -> Column {
        guard capacity > 0 else { return self }
        var copy = self
        copy.rows = pool.take(Int(capacity))
        copy.rows.update(from: rows, count: Int(count))
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
        for index in 0..<rows.count { rows[index] = rows[index].copied(into: &entryPool) }
        for index in 0..<columns.count {
            columns[index] = columns[index].copied(into: &rowPool)
            uses[index] = uses[index].copied(into: &rowPool)
        }
        accumulator = Buffer(copying: other.accumulator)
        peaks = Buffer(copying: other.peaks)
        freeSymbols = Buffer(copying: other.freeSymbols)
        freeRows = Buffer(copying: other.freeRows)
        touched = Buffer(copying: other.touched)
        changed = Buffer(copying: other.changed)
        candidates = Buffer(copying: other.candidates)
        infeasible = Buffer(copying: other.infeasible)
        reading.roots = Buffer(copying: other.reading.roots)
        reading.variables = Buffer(copying: other.reading.variables)
        readStructure = other.readStructure
        stamp = other.stamp
        structure = other.structure
        rays = Buffer(copying: other.rays)
        rayRows = Buffer(copying: other.rayRows)
        rayValues = Buffer(copying: other.rayValues)
        hasTravelled = other.hasTravelled
        epoch = other.epoch
        shifted = Buffer(copying: other.shifted)
        nextShifted = other.nextShifted
        firstOrder = other.firstOrder
        lastOrder = other.lastOrder
        ranks = Buffer(copying: other.ranks)
        rankUses = Buffer(copying: other.rankUses)
        slots = Buffer(copying: other.slots)
        stride = other.stride
        costs = Buffer(copying: other.costs)
        magnitude = other.magnitude
        pivots = other.pivots
        pivotLimit = other.pivotLimit
        effort = other.effort
        isSuspect = other.isSuspect
        isDoubtful = other.isDoubtful
    }
}
