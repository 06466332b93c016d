/// A two-tier simplex tableau with a column index.
///
/// Variables are free. Each one that is determined is basic in a *definition*: a short row that refers to other
/// symbols, basic or not, and that pivots never touch; it is evaluated when it is read. Slacks, errors and dummies that
/// are basic stand in *restricted* rows, which hold nonbasic restricted symbols only; pivots touch just those of them
/// that hold the entering column. A constraint that brings a variable nobody has determined yet becomes its definition
/// and costs no pivot; all others become restricted rows.
///
/// The objective is one vector of reduced costs for each symbol, a component for each priority in use, compared
/// lexicographically. The method is the incremental simplex of Badros, Borning and Stuckey ("The Cassowary linear
/// arithmetic constraint solving algorithm", 2001), with their objective replaced by levels and required rows entered by
/// the dual simplex, so that the row which fails is a certificate (Gleeson and Ryan, "Identifying minimally infeasible
/// subsystems of inequalities", 1990).
struct Tableau: ~Copyable {
    var symbols = Buffer<Symbol>(capacity: 64)
    /// For each symbol, the restricted rows that may hold it.
    var columns = Buffer<Column>(capacity: 64)
    /// For each symbol, the definitions that may hold it.
    var uses = Buffer<Column>(capacity: 64)
    var rows = Buffer<Row>(capacity: 64)
    /// For each symbol, its coefficient in the expression being built.
    var accumulator = Buffer<Double>(capacity: 64)
    /// For each symbol, the largest amount that was added to its coefficient there.
    var peaks = Buffer<Double>(capacity: 64)
    /// The symbols of the expression being built.
    var gathered = Buffer<Int32>(capacity: 64)
    var freeSymbols = Buffer<Int32>()
    var freeRows = Buffer<Int32>()
    /// Symbols whose value may have changed since the last read.
    var touched = Buffer<Int32>()
    /// Variables whose evaluated value changed and that nobody has drained yet.
    var changed = Buffer<Int32>()
    /// Nonbasic symbols whose reduced cost was seen below zero.
    var candidates = Buffer<Int32>()
    /// Rows whose constant was seen infeasible.
    var infeasible = Buffer<Int32>()
    /// The rows that hold the symbol last looked at, with its coefficients.
    var holders = Buffer<Holder>()
    /// The memory of the rows' entries and of the columns.
    var entryPool = Pool<Entry>()
    var rowPool = Pool<Int32>()
    /// A row to merge into, swapped with the merged one.
    var scratch: Row
    var stamp: Int32 = 0
    /// The owners of the dummies in which two preferences that say the same differ.
    var differences = Buffer<Int32>()
    /// What the last reading evaluated, and the structure at that time.
    var reading = Walk()
    var readStructure = -1
    /// What a ray being made moves.
    var rayWalk = Walk()
    /// Counts the changes of definitions, apart from their constants.
    var structure = 0
    // Rays.
    var rays = Buffer<Ray>(capacity: 4)
    var rayRows = Buffer<RayRow>()
    var rayValues = Buffer<RayValue>()
    /// Whether a ray was travelled since the values on it were computed.
    var hasTravelled = false
    /// Counts the changes of dependencies and coefficients.
    var epoch = 0
    /// The markers shifted last, and the place of the one to forget next.
    var shifted = Buffer<ShiftNote>(capacity: 4)
    var nextShifted = 0
    /// Defined variables still to be replaced in the expression being built, the last defined first.
    var heap = Buffer<Int32>()
    /// The places of the first and the last definition in topological order.
    var firstOrder = 0
    var lastOrder = 0

    // The objective.
    /// The priorities that have a component, the highest first.
    var ranks = Buffer<Int32>(capacity: 8)
    /// How many constraints have a cost at each of `ranks`.
    var rankUses = Buffer<Int32>(capacity: 8)
    /// For each priority its component, or -1.
    var slots = Buffer<Int32>(capacity: 1002)
    /// Components reserved for each symbol.
    var stride = 4
    /// Reduced costs, `stride` for each symbol.
    var costs = Buffer<Double>(capacity: 256)

    // Effort and magnitude.
    /// The largest constant seen, which scales the feasibility tolerance.
    var magnitude = 1.0
    /// Pivots since the start.
    var pivots = 0
    /// Entries merged since the residuals were last looked at.
    var effort = 0
    /// A lower bound on the pivots of an operation than its size gives, for tests of what then happens.
    var pivotLimit = Int.max
    /// Pivots left to the present operation.
    var budget = 0
    /// What the present operation changed, to take it back.
    var journal = Journal()
    var isRecording = false
    /// A pivot was small beside the rest of its row, which costs digits: the residuals are to be looked at.
    var isSuspect = false
    /// A numerical impossibility was met; the tableau must be built anew.
    var isDoubtful = false

    init() {
        scratch = Row(capacity: 16, from: &entryPool)
        slots.append(repeating: -1, count: 1002)
    }

    /// How far below zero a basic symbol may be.
    var feasibility: Double { max(Tolerance.feasibility, magnitude * Tolerance.relativeFeasibility) }

    // MARK: - Symbols and rows

    mutating func makeSymbol(_ kind: SymbolKind, owner: Int32) -> Int32 {
        let id: Int32
        if let free = freeSymbols.popLast() {
            id = free
            // Its former tenant may still be listed among the changed ones; it is not to be listed twice.
            let isReported = symbols[id].isReported
            symbols[id] = Symbol(kind: kind)
            symbols[id].isReported = isReported
        } else {
            id = Int32(symbols.count)
            symbols.append(Symbol(kind: kind))
            columns.append(Column(freeRows.base))
            uses.append(Column(freeRows.base))
            accumulator.append(0)
            peaks.append(0)
            costs.append(repeating: 0, count: stride)
        }
        symbols[id].owner = owner
        return id
    }

    mutating func freeSymbol(_ id: Int32) {
        structure += 1
        changeStructure()
        columns[id].count = 0
        uses[id].count = 0
        clearCost(id)
        symbols[id].isFree = true
        symbols[id].row = -1
        symbols[id].owner = -1
        freeSymbols.append(id)
    }

    mutating func makeRow(capacity: Int) -> Int32 {
        if let free = freeRows.popLast() {
            rows[free].reserve(capacity, from: &entryPool)
            return free
        }
        rows.append(Row(capacity: capacity, from: &entryPool))
        return Int32(rows.count - 1)
    }

    mutating func freeRow(_ id: Int32) {
        structure += 1
        changeStructure()
        rows[id].basic = -1
        rows[id].count = 0
        rows[id].constant = 0
        freeRows.append(id)
    }

    /// Whether the row is in use and restricted.
    @inline(__always)
    func isRestricted(_ row: Int32) -> Bool {
        let basic = rows[row].basic
        return basic >= 0 && symbols[basic].kind != .variable
    }

    /// Whether the row is in use and a definition.
    @inline(__always)
    func isDefinition(_ row: Int32) -> Bool {
        let basic = rows[row].basic
        return basic >= 0 && symbols[basic].kind == .variable
    }

    @inline(__always)
    mutating func touch(_ symbol: Int32) {
        if !rays.isEmpty { retireRays() }
        guard !symbols[symbol].isTouched else { return }
        symbols[symbol].isTouched = true
        touched.append(symbol)
    }

    /// Begins a walk over rows or symbols that must not meet one twice.
    mutating func nextStamp() -> Int32 {
        if stamp == Int32.max {
            for index in 0..<symbols.count { symbols[index].stamp = 0 }
            for index in 0..<rows.count { rows[index].stamp = 0 }
            stamp = 0
        }
        stamp += 1
        return stamp
    }

    // MARK: - Feasibility of rows

    /// Tells whether a restricted row's basic symbol has a value that it may not have.
    ///
    /// - Returns: 1 when the value must rise, -1 when it must fall (a dummy above zero), 0 when it is feasible.
    @inline(__always)
    func repairDirection(_ row: Int32) -> Double {
        let constant = rows[row].constant
        if constant < -feasibility { return 1 }
        if constant > feasibility, symbols[rows[row].basic].kind == .dummy { return -1 }
        return 0
    }

    /// Lists a row for the dual simplex when its constant is not feasible.
    @inline(__always)
    mutating func checkFeasible(_ row: Int32) {
        if repairDirection(row) != 0 { infeasible.append(row) }
    }
}
