/// A two-tier simplex tableau.
///
/// Variables are free. Each one that is determined is basic in a *definition*: a short row that refers to other
/// symbols, basic or not, that pivots never change, and that is evaluated when it is read. Slacks, errors and dummies
/// that are basic have *restricted* rows, which hold nonbasic restricted symbols only; pivots change just those of them
/// that hold the entering column. A constraint with a variable that is not determined yet becomes its definition and
/// costs no pivot; all others become restricted rows.
///
/// The objective is a vector of reduced costs for each symbol, a component for each priority in use, compared
/// lexicographically. The method is the incremental simplex of Badros, Borning and Stuckey ("The Cassowary linear
/// arithmetic constraint solving algorithm", 2001), with their objective replaced by levels and required rows entered by
/// the dual simplex, so that the row which fails is a certificate (Gleeson and Ryan, "Identifying minimally infeasible
/// subsystems of inequalities", 1990).
///
/// The parts are types with separate invariants: ``RowStore``, ``DefinitionOrder``, ``Objective``, ``Evaluation``,
/// ``RayCache`` and ``UndoLog``. The tableau's own invariants, between operations, are that every restricted row is
/// feasible and that no reduced cost is negative.
struct Tableau: ~Copyable {
    /// How an insertion or a change ended.
    enum Change {
        case done
        /// Another preference states the same, and its weight was increased instead. The constraints on which that depends
        /// are in ``ParallelPreferences/differences``.
        case merged(into: Int32)
        case conflict(Certificate)
        /// The limit on pivots was reached.
        case exhausted
    }

    /// How a run of the simplex ended.
    enum Outcome {
        /// Feasible, and optimal if that was the goal.
        case settled
        /// The row cannot be made feasible: the constraints whose markers it holds exclude each other.
        case conflict(row: Int32)
        /// The limit on pivots was reached.
        case exhausted
    }

    var store = RowStore()
    var objective = Objective()
    var evaluation = Evaluation()
    var rays = RayCache()
    var log = UndoLog()
    /// The expression of the constraint being inserted or the definition being rewritten.
    var expression = ExpressionBuilder()
    var parallels = ParallelPreferences()
    /// Restricted rows whose constant was seen infeasible.
    var infeasible = Buffer<Int32>()
    var order = DefinitionOrder()
    /// The number of pivots so far.
    var pivots = 0
    /// A limit on the pivots of an operation, lower than the usual one, for tests of what happens then.
    var pivotLimit = Int.max
    /// The number of pivots that the current operation may still make.
    var budget = 0
    /// Whether a numerical impossibility was met, so that the tableau must be rebuilt.
    var isDoubtful = false

    init() {}

    /// Creates a tableau whose later behavior is the same to the bit, between two operations. What is used only inside one
    /// operation is not copied.
    init(copying other: borrowing Tableau) {
        store = RowStore(copying: other.store)
        objective = Objective(copying: other.objective)
        evaluation = Evaluation(copying: other.evaluation)
        rays = RayCache(copying: other.rays)
        for symbol in 0..<store.symbols.count { expression.addSymbol(Int32(symbol)) }
        infeasible = Buffer(copying: other.infeasible)
        order = DefinitionOrder(copying: other.order)
        pivots = other.pivots
        pivotLimit = other.pivotLimit
        isDoubtful = other.isDoubtful
    }

    /// The number of entries, list elements and variables visited so far, apart from evaluation: a measure of effort that
    /// does not depend on the machine.
    var work: Int { store.work + expression.work + order.work }

    /// Sets the limit on pivots for the operation that begins.
    mutating func resetBudget() {
        budget = min(pivotLimit, 1000 + 8 * (store.rows.count + store.symbols.count))
    }

    // MARK: - Symbols and rows

    /// Creates a symbol, nonbasic and in no row.
    mutating func makeSymbol(_ kind: SymbolKind, owner: Int32) -> Int32 {
        let symbol = store.makeSymbol(kind, owner: owner)
        objective.addSymbol(symbol)
        expression.addSymbol(symbol)
        return symbol
    }

    /// Releases a symbol that no row holds.
    mutating func freeSymbol(_ symbol: Int32) {
        invalidateRays()
        objective.clearCost(symbol)
        store.freeSymbol(symbol)
    }

    /// Creates a row from the expression that was built.
    mutating func makeRow(basic: Int32, constant: Double, factor: Double) -> Int32 {
        invalidateRays()
        let row = store.makeRow(basic: basic, constant: constant, factor: factor, &expression)
        touch(basic)
        return row
    }

    mutating func freeRow(_ row: Int32) {
        invalidateRays()
        store.freeRow(row)
    }

    // MARK: - Values

    /// Notes that dependencies or coefficients change.
    @inline(__always) mutating func invalidateRays() {
        rays.invalidate(&store, &evaluation)
    }

    /// Notes that a symbol's value may have changed.
    @inline(__always) mutating func touch(_ symbol: Int32) {
        if !rays.isEmpty { rays.removeAll(&store, &evaluation) }
        evaluation.touch(symbol, &store)
    }

    /// Computes the values of the variables that depend on what changed since the last call.
    mutating func evaluate() {
        rays.evaluate(&store, &evaluation)
        evaluation.evaluate(&store)
    }

    /// Lists a row for the dual simplex if its constant is not feasible.
    @inline(__always) mutating func checkFeasible(_ row: Int32) {
        if store.repairDirection(row) != 0 { infeasible.append(row) }
    }

    // MARK: - Shifts

    /// Changes a constraint's right side in place. Returns whether that was done, or why not; everything is then as
    /// before, unless a preference was shifted.
    mutating func shift(_ markers: Markers, from former: Double, to constant: Double) -> Change {
        // The errors of a preference absorb any shift, so that only a required constraint can be refused.
        let isRequired = markers.other < 0
        if rays.slide(markers, from: former, to: constant, mayFail: !isRequired, &store, &evaluation, &infeasible) {
            if infeasible.isEmpty { return .done }
        } else {
            if isRequired { log.begin(touchedCount: evaluation.touchedCount, isDoubtful: objective.isDoubtful) }
            applyShift(markers, by: constant - former)
            rays.noteShift(markers.marker)
        }
        if infeasible.isEmpty {
            log.commit()
            return .done
        }
        switch makeFeasible() {
        case .settled:
            log.commit()
            if !objective.isSettled, case .exhausted = settle() { isDoubtful = true }
            return .done
        case .conflict(let row):
            guard isRequired else {
                // Only rounding can lead here.
                isDoubtful = true
                return .done
            }
            let certificate = certificate(row)
            undo()
            return .conflict(certificate)
        case .exhausted:
            if isRequired { undo() }
            return .exhausted
        }
    }

    /// Replaces a marker by itself minus the shift in every row that holds it.
    mutating func applyShift(_ markers: Markers, by amount: Double) {
        let marker = markers.marker
        let shift = markers.sign * amount
        let own = store.symbols[marker].row
        if own >= 0 {
            if log.isRecording { log.saveConstant(own, &store) }
            store.rows[own].constant += shift
            touch(marker)
            checkFeasible(own)
        } else if store.columns[marker].count > 0 {
            store.gatherColumn(marker)
            shiftHolders(by: shift)
        }
        guard store.uses[marker].count > 0 else { return }
        store.gatherUses(marker)
        shiftHolders(by: shift)
    }

    /// Subtracts a shift, times its coefficient, from the constant of each gathered row.
    private mutating func shiftHolders(by shift: Double) {
        if !rays.isEmpty { rays.removeAll(&store, &evaluation) }
        let count = store.holders.count
        evaluation.reserveTouched(count)
        infeasible.reserve(infeasible.count &+ count)
        let all = store.rows.base
        let symbols = store.symbols.base
        let list = store.holders.base
        let limit = store.feasibility
        var index = 0
        while index < count {
            let row = list[index].row
            if log.isRecording { log.saveConstant(row, &store) }
            let target = all + Int(row)
            let constant = target.pointee.constant - list[index].value * shift
            target.pointee.constant = constant
            index &+= 1
            let basic = target.pointee.basic
            let symbol = symbols + Int(basic)
            if !symbol.pointee.isTouched {
                symbol.pointee.isTouched = true
                evaluation.touchWithinCapacity(basic)
            }
            if constant < -limit {
                if symbol.pointee.kind != .variable { infeasible.appendWithinCapacity(row) }
            } else if constant > limit, symbol.pointee.kind == .dummy {
                infeasible.appendWithinCapacity(row)
            }
        }
    }

    /// Reverts what was done since recording began.
    mutating func undo() {
        invalidateRays()
        log.undo(&store, &objective, &evaluation)
        infeasible.removeAll()
    }
}
