/// The rows of the tableau with an index by column.
///
/// A row is either a *definition*, whose basic symbol is a variable, or *restricted*, with a slack, error or dummy as its
/// basic symbol. Invariants:
/// - The entries of a row are sorted by symbol, and none is its basic symbol.
/// - A symbol is basic in at most one row, and both refer to each other.
/// - A restricted row that holds a symbol is listed in the symbol's column, a definition that holds it in the symbol's
///   uses. The lists may also contain rows twice and rows that no longer hold the symbol; they are cleaned when read.
///
/// Functions take a store `inout` even where they only read it: a borrowed store is copied to the stack for each call.
struct RowStore: ~Copyable {
    var symbols = Buffer<Symbol>(capacity: 64)
    var rows = Buffer<Row>(capacity: 64)
    /// For each symbol, the restricted rows that may hold it.
    private(set) var columns = Buffer<Column>(capacity: 64)
    /// For each symbol, the definitions that may hold it.
    private(set) var uses = Buffer<Column>(capacity: 64)
    private var freeSymbols = Buffer<Int32>()
    private var freeRows = Buffer<Int32>()
    private var entryPool = Pool<Entry>()
    private var listPool = Pool<Int32>()
    /// The target of a merge, swapped with the merged row afterwards.
    private var scratch: Row
    private var stamp: Int32 = 0
    /// The rows found by the last ``gatherColumn(_:)`` or ``gatherUses(_:)``.
    private(set) var holders = Buffer<Holder>()
    /// The largest constant seen, which scales the feasibility tolerance.
    var magnitude = 1.0
    /// The number of entries merged since the residuals were last checked.
    var mergedEntries = 0
    /// The number of list elements cleaned and entries merged so far.
    private(set) var work = 0
    /// Whether a pivot was small compared with the rest of its row, which costs digits: the residuals must be checked.
    var isSuspect = false

    init() { scratch = Row(capacity: 16, from: &entryPool) }

    /// Creates a store whose later behavior is the same to the bit.
    init(copying other: borrowing RowStore) {
        self.init()
        // Merges exchange the memory of the target with that of a row.
        entryPool.deallocate(scratch.entries, Int(scratch.capacity))
        scratch = Row(capacity: Int(other.scratch.capacity), from: &entryPool)
        symbols = Buffer(copying: other.symbols)
        rows = Buffer(copying: other.rows)
        columns = Buffer(copying: other.columns)
        uses = Buffer(copying: other.uses)
        for index in 0..<rows.count { rows[index] = rows[index].copied(into: &entryPool) }
        for index in 0..<columns.count {
            columns[index] = columns[index].copied(into: &listPool)
            uses[index] = uses[index].copied(into: &listPool)
        }
        freeSymbols = Buffer(copying: other.freeSymbols)
        freeRows = Buffer(copying: other.freeRows)
        stamp = other.stamp
        magnitude = other.magnitude
        mergedEntries = other.mergedEntries
        isSuspect = other.isSuspect
    }

    /// The memory in use by the entries of rows and the lists of the column index, in bytes. It is the same in a copy.
    @inline(__always) var usedBytes: Int {
        entryPool.usedCount &* MemoryLayout<Entry>.stride &+ listPool.usedCount &* MemoryLayout<Int32>.stride
    }

    /// The memory of all rows, symbols and lists, in bytes.
    var allocatedBytes: Int {
        entryPool.allocatedCount * MemoryLayout<Entry>.stride + listPool.allocatedCount * MemoryLayout<Int32>.stride
            + symbols.capacity * MemoryLayout<Symbol>.stride + rows.capacity * MemoryLayout<Row>.stride
            + (columns.capacity + uses.capacity) * MemoryLayout<Column>.stride
    }

    // MARK: - Symbols and rows

    /// Creates a symbol, nonbasic and in no row.
    mutating func makeSymbol(_ kind: SymbolKind, owner: Int32) -> Int32 {
        let id: Int32
        if let free = freeSymbols.popLast() {
            id = free
            // The previous symbol may still be in the list of changes, which must not contain it twice.
            let isReported = symbols[id].isReported
            symbols[id] = Symbol(kind: kind)
            symbols[id].isReported = isReported
        } else {
            id = Int32(symbols.count)
            symbols.append(Symbol(kind: kind))
            columns.append(Column(freeRows.base))
            uses.append(Column(freeRows.base))
        }
        symbols[id].owner = owner
        return id
    }

    /// Releases a symbol that no row holds.
    mutating func freeSymbol(_ id: Int32) {
        columns[id].deallocate(&listPool)
        uses[id].deallocate(&listPool)
        symbols[id].isFree = true
        symbols[id].row = -1
        symbols[id].owner = -1
        freeSymbols.append(id)
    }

    private mutating func makeRow(capacity: Int) -> Int32 {
        if let free = freeRows.popLast() {
            rows[free].reserve(capacity, from: &entryPool)
            return free
        }
        rows.append(Row(capacity: capacity, from: &entryPool))
        return Int32(rows.count - 1)
    }

    /// Creates a row from an expression: the basic symbol equals `factor` times the constant plus the expression, except
    /// for the basic symbol's own term.
    mutating func makeRow(
        basic: Int32,
        constant: Double,
        factor: Double,
        _ expression: inout ExpressionBuilder
    ) -> Int32 {
        let row = makeRow(capacity: expression.symbols.count)
        expression.symbols.sort()
        let isDefinition = symbols[basic].kind == .variable
        rows[row].basic = basic
        rows[row].count = 0
        rows[row].constant = constant * factor
        for index in 0..<expression.symbols.count {
            let symbol = expression.symbols[index]
            let value = expression.coefficient(of: symbol) * factor
            guard symbol != basic, abs(value) > Tolerance.absoluteDrop else { continue }
            rows[row].append(symbol, value)
            if isDefinition { noteUse(symbol, row) } else { noteColumn(symbol, row) }
        }
        symbols[basic].row = row
        return row
    }

    /// Replaces a definition's entries by an expression. The uses of its symbols are not updated.
    mutating func rewrite(_ row: Int32, constant: Double, _ expression: inout ExpressionBuilder) {
        expression.symbols.sort()
        rows[row].count = 0
        rows[row].reserve(expression.symbols.count, from: &entryPool)
        rows[row].constant = constant
        for index in 0..<expression.symbols.count {
            let symbol = expression.symbols[index]
            rows[row].append(symbol, expression.coefficient(of: symbol))
        }
    }

    /// Replaces a restricted row's entries.
    mutating func restore(_ row: Int32, _ entries: UnsafeBufferPointer<Entry>) {
        rows[row].count = 0
        rows[row].reserve(entries.count, from: &entryPool)
        for entry in entries {
            rows[row].append(entry.symbol, entry.value)
            noteColumn(entry.symbol, row)
        }
    }

    mutating func freeRow(_ id: Int32) {
        rows[id].basic = -1
        rows[id].count = 0
        rows[id].constant = 0
        if Int(rows[id].capacity) > Pool<Entry>.smallest {
            entryPool.deallocate(rows[id].entries, Int(rows[id].capacity))
            rows[id] = Row(capacity: Pool<Entry>.smallest, from: &entryPool)
        }
        freeRows.append(id)
    }

    /// Returns the place in topological order of the variable that a row defines.
    @inline(__always) func place(_ row: Int32) -> Int { symbols[rows[row].basic].order }

    /// Whether a row is in use and restricted.
    @inline(__always) func isRestricted(_ row: Int32) -> Bool {
        let basic = rows[row].basic
        return basic >= 0 && symbols[basic].kind != .variable
    }

    /// Whether a row is in use and a definition.
    @inline(__always) func isDefinition(_ row: Int32) -> Bool {
        let basic = rows[row].basic
        return basic >= 0 && symbols[basic].kind == .variable
    }

    /// Returns a symbol's value; for a variable, its value at the last evaluation.
    func value(_ symbol: Int32) -> Double {
        if symbols[symbol].kind == .variable { return symbols[symbol].value }
        let row = symbols[symbol].row
        return row < 0 ? 0 : rows[row].constant
    }

    /// Returns a new stamp, with which a walk marks rows or symbols as visited.
    mutating func nextStamp() -> Int32 {
        if stamp == Int32.max {
            for index in 0..<symbols.count { symbols[index].stamp = 0 }
            for index in 0..<rows.count { rows[index].stamp = 0 }
            stamp = 0
        }
        stamp += 1
        return stamp
    }

    // MARK: - Feasibility

    /// How far below zero the value of a restricted basic symbol may be.
    var feasibility: Double { max(Tolerance.feasibility, magnitude * Tolerance.relativeFeasibility) }

    /// Returns the direction in which a restricted row's value must change to become feasible: 1 when it must rise, -1
    /// when it must fall (a dummy above zero), 0 when it is feasible.
    @inline(__always) func repairDirection(_ row: Int32) -> Double {
        let constant = rows[row].constant
        if constant < -feasibility { return 1 }
        if constant > feasibility, symbols[rows[row].basic].kind == .dummy { return -1 }
        return 0
    }

    // MARK: - The column index

    /// Cleans the list of restricted rows that hold a symbol: each is in it once.
    mutating func refreshColumn(_ symbol: Int32) {
        clean(columns.base + Int(symbol), of: symbol, definitions: false) { _, _ in }
    }

    /// Cleans the list of definitions that hold a symbol: each is in it once.
    mutating func refreshUses(_ symbol: Int32) {
        clean(uses.base + Int(symbol), of: symbol, definitions: true) { _, _ in }
    }

    /// Whether a definition holds a symbol. Rows at the end of the list that no longer hold it are removed, so that the
    /// cost is constant on average.
    mutating func hasUses(_ symbol: Int32) -> Bool {
        while uses[symbol].count > 0 {
            let row = uses[symbol].rows[Int(uses[symbol].count) - 1]
            if isDefinition(row), rows[row].find(symbol) >= 0 { return true }
            uses[symbol].count -= 1
        }
        return false
    }

    /// Whether a given definition is the only one that holds a symbol. Rows at the end of the list that no longer hold it
    /// are removed, so that the cost is constant on average.
    mutating func isOnlyUse(_ row: Int32, of symbol: Int32) -> Bool {
        var isRemoved = false
        var isOnly = true
        while isOnly, uses[symbol].count > 0 {
            let other = uses[symbol].rows[Int(uses[symbol].count) - 1]
            if other == row {
                isRemoved = true
            } else if isDefinition(other), rows[other].find(symbol) >= 0 {
                isOnly = false
                break
            }
            uses[symbol].count -= 1
        }
        if isRemoved { noteUse(symbol, row) }
        return isOnly
    }

    /// Collects the restricted rows that hold a symbol, with its coefficients, in ``holders``.
    mutating func gatherColumn(_ symbol: Int32) {
        gather(columns.base + Int(symbol), of: symbol, definitions: false)
    }

    /// Collects the definitions that hold a symbol, with its coefficients, in ``holders``.
    mutating func gatherUses(_ symbol: Int32) {
        gather(uses.base + Int(symbol), of: symbol, definitions: true)
    }

    /// Empties a symbol's list of restricted rows when none holds it any longer.
    @inline(__always) mutating func clearColumn(_ symbol: Int32) {
        columns[symbol].count = 0
    }

    /// Empties a symbol's list of definitions when none holds it any longer.
    @inline(__always) mutating func clearUses(_ symbol: Int32) {
        uses[symbol].count = 0
    }

    @inline(__always)
    private mutating func gather(_ column: UnsafeMutablePointer<Column>, of symbol: Int32, definitions: Bool) {
        holders.removeAll()
        holders.reserve(Int(column.pointee.count))
        let found = holders.base
        clean(column, of: symbol, definitions: definitions) { place, holder in found[place] = holder }
        holders.setCount(Int(column.pointee.count))
    }

    /// Removes from a list the rows that are in it twice, no longer hold the symbol or are of the other kind. `report`
    /// receives each remaining row with its new place.
    @inline(__always) private mutating func clean(
        _ column: UnsafeMutablePointer<Column>,
        of symbol: Int32,
        definitions: Bool,
        _ report: (_ place: Int, _ holder: Holder) -> Void
    ) {
        guard column.pointee.count > 0 else { return }
        let present = nextStamp()
        let list = column.pointee.rows
        let count = Int(column.pointee.count)
        let rows = rows.base
        let symbols = symbols.base
        var remaining = 0
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
            list[remaining] = row
            report(remaining, Holder(row: row, value: holder.pointee.entries[entry].value))
            remaining &+= 1
        }
        column.pointee.count = Int32(truncatingIfNeeded: remaining)
        work &+= count
    }

    /// Adds a restricted row to a symbol's column. A full list is cleaned first, and grows when it then remains more than
    /// a quarter full, so that cleaning costs little in total.
    @inline(__always) mutating func noteColumn(_ symbol: Int32, _ row: Int32) {
        note(row, of: symbol, in: columns.base, definitions: false)
    }

    /// Adds a definition to a symbol's uses.
    @inline(__always) mutating func noteUse(_ symbol: Int32, _ row: Int32) {
        note(row, of: symbol, in: uses.base, definitions: true)
    }

    /// Adds a row to a symbol's list, which is one of `lists`: all columns, or the uses of all symbols.
    @inline(__always) private mutating func note(
        _ row: Int32,
        of symbol: Int32,
        in lists: UnsafeMutablePointer<Column>,
        definitions: Bool
    ) {
        let list = lists + Int(symbol)
        if list.pointee.count == list.pointee.capacity { makeRoom(list, of: symbol, definitions: definitions) }
        list.pointee.appendWithinCapacity(row)
    }

    @inline(never)
    private mutating func makeRoom(_ list: UnsafeMutablePointer<Column>, of symbol: Int32, definitions: Bool) {
        if list.pointee.count >= 32 { clean(list, of: symbol, definitions: definitions) { _, _ in } }
        list.pointee.growUnlessSparse(from: &listPool)
    }

    // MARK: - Row operations

    /// Solves a row for one of its symbols: the symbol becomes basic, and the former basic symbol an entry.
    mutating func solve(_ row: Int32, for entering: Int32) {
        let place = rows[row].find(entering)
        assert(place >= 0)
        let leaving = rows[row].basic
        let inverse = 1 / rows[row].entries[place].value
        let constant = rows[row].constant * -inverse
        rows[row].constant = constant
        let largest = rows[row].scale(by: -inverse)
        rows[row].replace(at: place, with: Entry(symbol: leaving, value: inverse))
        if largest > Tolerance.growth || abs(constant) > Tolerance.growth * magnitude { isSuspect = true }
        exchangeBasic(row, leaving: leaving, entering: entering)
    }

    /// Negates a row whose basic symbol and `entering`, its entry of coefficient 1 at `place`, exchange their roles.
    mutating func negate(_ row: Int32, at place: Int, entering: Int32) {
        let leaving = rows[row].basic
        if rows[row].scale(by: -1) > Tolerance.growth { isSuspect = true }
        if abs(rows[row].constant) > Tolerance.growth * magnitude { isSuspect = true }
        rows[row].replace(at: place, with: Entry(symbol: leaving, value: 1))
        rows[row].constant = -rows[row].constant
        exchangeBasic(row, leaving: leaving, entering: entering)
    }

    @inline(__always) mutating func exchangeBasic(_ row: Int32, leaving: Int32, entering: Int32) {
        rows[row].basic = entering
        symbols[leaving].row = -1
        symbols[entering].row = row
    }

    /// Adds `factor` times the row `source` to the row `target`, where it replaces `eliminated`, the source's basic
    /// symbol. Both rows are sorted, and the merge is linear.
    mutating func merge(into target: Int32, factor: Double, source: Int32, eliminating eliminated: Int32) {
        let isDefinition = !isRestricted(target)
        let lists = isDefinition ? uses.base : columns.base
        var left = rows[target].entries
        var right = rows[source].entries
        let leftEnd = left + Int(rows[target].count)
        let rightEnd = right + Int(rows[source].count)
        scratch.count = 0
        scratch.reserve(Int(rows[target].count &+ rows[source].count), from: &entryPool)
        var result = scratch.entries
        while right < rightEnd {
            let symbol = right.pointee.symbol
            let amount = factor * right.pointee.value
            right += 1
            while left < leftEnd, left.pointee.symbol < symbol { RowStore.move(&left, to: &result, unless: eliminated) }
            if left < leftEnd, left.pointee.symbol == symbol {
                let value = left.pointee.value + amount
                left += 1
                // Drops what ``sum(_:_:)`` sets to zero, and what is too small. Most terms that meet cancel out exactly.
                guard abs(value) > Tolerance.absoluteDrop, abs(value) >= Tolerance.relativeDrop * abs(amount) else {
                    continue
                }
                result.pointee = Entry(symbol: symbol, value: value)
            } else {
                guard abs(amount) > Tolerance.absoluteDrop else { continue }
                result.pointee = Entry(symbol: symbol, value: amount)
                note(target, of: symbol, in: lists, definitions: isDefinition)
            }
            result += 1
        }
        while left < leftEnd { RowStore.move(&left, to: &result, unless: eliminated) }
        let count = result - scratch.entries
        mergedEntries &+= count
        work &+= count
        scratch.count = Int32(truncatingIfNeeded: count)
        scratch.basic = rows[target].basic
        scratch.stamp = rows[target].stamp
        scratch.constant = rows[target].constant + factor * rows[source].constant
        if abs(scratch.constant) > Tolerance.growth * magnitude { isSuspect = true }
        swap(&rows[target], &scratch)
    }

    /// Copies the entry at `left` to `result` unless its symbol is `eliminated`, and advances both pointers.
    @inline(__always) private static func move(
        _ left: inout UnsafeMutablePointer<Entry>,
        to result: inout UnsafeMutablePointer<Entry>,
        unless eliminated: Int32
    ) {
        if left.pointee.symbol != eliminated {
            result.pointee = left.pointee
            result += 1
        }
        left += 1
    }

    /// Adds two numbers; a result that is only the rounding error of a cancellation becomes zero. Such a result occurs
    /// only where both numbers are of similar size, so that a comparison with one of them is enough.
    @inline(__always) static func sum(_ first: Double, _ second: Double) -> Double {
        let result = first + second
        return abs(result) < Tolerance.relativeDrop * abs(second) ? 0 : result
    }
}
