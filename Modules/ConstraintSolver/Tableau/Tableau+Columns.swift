/// The column index: which rows may hold a symbol.
extension Tableau {
    /// Brings the list of restricted rows that hold a symbol up to date: each once, no stale ones.
    mutating func refreshColumn(_ symbol: Int32) {
        sift(columns.base + Int(symbol), of: symbol, definitions: false) { _, _ in }
    }

    /// Brings the list of definitions that hold a symbol up to date: each once, no stale ones.
    mutating func refreshUses(_ symbol: Int32) {
        sift(uses.base + Int(symbol), of: symbol, definitions: true) { _, _ in }
    }

    /// Brings the list of restricted rows that hold a symbol up to date, and lists them with its coefficients in `holders`.
    mutating func gatherColumn(_ symbol: Int32) {
        gather(columns.base + Int(symbol), of: symbol, definitions: false)
    }

    /// The same for the definitions that hold a symbol.
    mutating func gatherUses(_ symbol: Int32) {
        gather(uses.base + Int(symbol), of: symbol, definitions: true)
    }

    @inline(__always)
    private mutating func gather(_ column: UnsafeMutablePointer<Column>, of symbol: Int32, definitions: Bool) {
        holders.removeAll()
        holders.reserve(Int(column.pointee.count))
        let found = holders.base
        sift(column, of: symbol, definitions: definitions) { place, holder in found[place] = holder }
        holders.setCount(Int(column.pointee.count))
    }

    /// Rids a list of `columns`, or of `uses` for definitions, of what is in it twice, holds the symbol no more or is of
    /// the other kind. `keep` is told what stays: its new place, and the row with the symbol's coefficient.
    @inline(__always)
    private mutating func sift(
        _ column: UnsafeMutablePointer<Column>,
        of symbol: Int32,
        definitions: Bool,
        _ keep: (_ place: Int, _ holder: Holder) -> Void
    ) {
        let present = nextStamp()
        let list = column.pointee.rows
        let count = Int(column.pointee.count)
        let rows = rows.base
        let symbols = symbols.base
        var kept = 0
        var place = 0
        while place < count {
            let row = list[place]
            place &+= 1
            let holder = rows + Int(row)
            let basic = holder.pointee.basic
            if holder.pointee.stamp == present || basic < 0 { continue }
            if (symbols[Int(basic)].kind == .variable) != definitions { continue }
            let entry = holder.pointee.find(symbol)
            if entry < 0 { continue }
            holder.pointee.stamp = present
            list[kept] = row
            keep(kept, Holder(row: row, value: holder.pointee.entries[entry].value))
            kept &+= 1
        }
        column.pointee.count = Int32(truncatingIfNeeded: kept)
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
