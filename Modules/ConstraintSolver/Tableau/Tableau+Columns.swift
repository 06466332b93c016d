/// The column index: which rows may hold a symbol.
extension Tableau {
    /// Brings the list of restricted rows that hold a symbol up to date: each once, no stale ones.
    mutating func refreshColumn(_ symbol: Int32) {
        let present = nextStamp()
        let list = columns[symbol].rows
        var kept = 0
        let rows = rows.base
        let symbols = symbols.base
        for place in 0..<Int(columns[symbol].count) {
            let row = list[place]
            let holder = rows + Int(row)
            let basic = holder.pointee.basic
            guard holder.pointee.stamp != present, basic >= 0, symbols[Int(basic)].kind != .variable,
                holder.pointee.find(symbol) >= 0
            else { continue }
            holder.pointee.stamp = present
            list[kept] = row
            kept &+= 1
        }
        columns[symbol].count = Int32(truncatingIfNeeded: kept)
    }

    /// Brings the list of restricted rows that hold a symbol up to date, and lists them with its coefficients in `holders`.
    mutating func gatherColumn(_ symbol: Int32) {
        let present = nextStamp()
        let list = columns[symbol].rows
        let count = Int(columns[symbol].count)
        holders.removeAll()
        holders.reserve(count)
        let rows = rows.base
        let symbols = symbols.base
        let found = holders.base
        var kept = 0
        var place = 0
        while place < count {
            let row = list[place]
            place &+= 1
            let holder = rows + Int(row)
            let basic = holder.pointee.basic
            if holder.pointee.stamp == present || basic < 0 || symbols[Int(basic)].kind == .variable { continue }
            let entry = holder.pointee.find(symbol)
            if entry < 0 { continue }
            holder.pointee.stamp = present
            list[kept] = row
            found[kept] = Holder(row: row, value: holder.pointee.entries[entry].value)
            kept &+= 1
        }
        holders.setCount(kept)
        columns[symbol].count = Int32(truncatingIfNeeded: kept)
    }

    /// The same for the definitions that hold a symbol.
    mutating func gatherUses(_ symbol: Int32) {
        let present = nextStamp()
        let list = uses[symbol].rows
        let count = Int(uses[symbol].count)
        holders.removeAll()
        holders.reserve(count)
        let rows = rows.base
        let symbols = symbols.base
        let found = holders.base
        var kept = 0
        var place = 0
        while place < count {
            let row = list[place]
            place &+= 1
            let holder = rows + Int(row)
            let basic = holder.pointee.basic
            if holder.pointee.stamp == present || basic < 0 || symbols[Int(basic)].kind != .variable { continue }
            let entry = holder.pointee.find(symbol)
            if entry < 0 { continue }
            holder.pointee.stamp = present
            list[kept] = row
            found[kept] = Holder(row: row, value: holder.pointee.entries[entry].value)
            kept &+= 1
        }
        holders.setCount(kept)
        uses[symbol].count = Int32(truncatingIfNeeded: kept)
    }

    /// Brings the list of definitions that hold a symbol up to date: each once, no stale ones.
    mutating func refreshUses(_ symbol: Int32) {
        let present = nextStamp()
        let list = uses[symbol].rows
        var kept = 0
        let rows = rows.base
        let symbols = symbols.base
        for place in 0..<Int(uses[symbol].count) {
            let row = list[place]
            let holder = rows + Int(row)
            let basic = holder.pointee.basic
            guard holder.pointee.stamp != present, basic >= 0, symbols[Int(basic)].kind == .variable,
                holder.pointee.find(symbol) >= 0
            else { continue }
            holder.pointee.stamp = present
            list[kept] = row
            kept &+= 1
        }
        uses[symbol].count = Int32(truncatingIfNeeded: kept)
    }

    /// Notes that a restricted row holds a symbol. A full list is rid of stale entries first, and grows when that leaves
    /// it more than a quarter full, so that the next time is far off.
    @inline(__always)
    mutating func noteColumn(_ symbol: Int32, _ row: Int32) {
        if columns[symbol].count == columns[symbol].capacity { makeRoomInColumn(symbol) }
        columns[symbol].appendWithinCapacity(row)
    }

    @inline(never)
    private mutating func makeRoomInColumn(_ symbol: Int32) {
        if columns[symbol].count >= 32 { refreshColumn(symbol) }
        columns[symbol].growUnlessSparse(from: &rowPool)
    }

    /// Notes that a definition holds a symbol.
    @inline(__always)
    mutating func noteUse(_ symbol: Int32, _ row: Int32) {
        if uses[symbol].count == uses[symbol].capacity { makeRoomInUses(symbol) }
        uses[symbol].appendWithinCapacity(row)
    }

    @inline(never)
    private mutating func makeRoomInUses(_ symbol: Int32) {
        if uses[symbol].count >= 32 { refreshUses(symbol) }
        uses[symbol].growUnlessSparse(from: &rowPool)
    }
}
