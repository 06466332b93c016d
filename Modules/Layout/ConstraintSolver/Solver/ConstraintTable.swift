/// The variables of a solver, by index.
///
/// Invariant: the index of a removed variable is reused with a new generation, so that an old ``Variable`` is never taken
/// for a new one.
struct VariableTable {
    struct Record {
        var symbol: Int32
        var generation: Int32
        /// The number of active constraints that hold the variable.
        var uses: Int32 = 0
        /// The index of the constraint of its edit, or -1.
        var edit: Int32 = -1
        var isAlive = true
    }

    private(set) var records: [Record] = []
    private(set) var free: [Int32] = []

    /// Adds a variable. Returns its index.
    mutating func insert() -> Int {
        guard let index = free.popLast() else {
            records.append(Record(symbol: -1, generation: 0))
            return records.count - 1
        }
        records[Int(index)].generation += 1
        records[Int(index)].isAlive = true
        return Int(index)
    }

    mutating func remove(_ index: Int) {
        records[index].isAlive = false
        free.append(Int32(index))
    }

    var indices: Range<Int> { records.indices }

    subscript(index: Int) -> Record {
        @inline(__always) _read { yield records[index] }
        @inline(__always) _modify { yield &records[index] }
    }

    func variable(_ index: Int) -> Variable {
        Variable(index: Int32(index), generation: records[index].generation)
    }

    /// Returns the index of a variable.
    ///
    /// - Throws: ``SolverError/unknownVariable(_:)``.
    @inline(__always) func index(of variable: Variable) throws(SolverError) -> Int {
        let index = Int(variable.index)
        guard index >= 0, index < records.count, records[index].isAlive,
            records[index].generation == variable.generation
        else { throw .unknownVariable(variable) }
        return index
    }
}

/// The constraints of a solver, by index.
///
/// Invariants: the index of a discarded constraint is reused with a new generation; ``activeCount`` and
/// ``activeTermCount`` count the records that are active.
struct ConstraintTable {
    struct Record {
        var constraint: LinearConstraint
        /// The factor between the constraint and its form in the tableau, where coefficients are around one.
        var scale = 1.0
        var markers = Markers()
        /// The preference that states the same and whose symbols this one shares, or -1.
        var leader: Int32 = -1
        /// The preferences that share this one's symbols.
        var followers: [Int32] = []
        /// The leaders of groups whose members state the same only because of this constraint.
        var groups: [Int32] = []
        var generation: Int32
        var isDefined = true
        var isActive = false
        var isEdit = false
    }

    private(set) var records: [Record] = []
    private(set) var free: [Int32] = []
    private(set) var activeCount = 0
    /// The number of terms of all active constraints: the cost of a check of all residuals.
    private(set) var activeTermCount = 0

    /// Adds a constraint that is not active. Returns its index.
    mutating func insert(_ constraint: LinearConstraint, scale: Double) -> Int {
        let index: Int
        if let place = free.popLast() {
            index = Int(place)
            records[index].constraint = constraint
            records[index].generation += 1
            records[index].isDefined = true
            records[index].isEdit = false
            records[index].groups = []
        } else {
            index = records.count
            records.append(Record(constraint: constraint, generation: 0))
        }
        records[index].scale = scale
        return index
    }

    /// Removes a constraint that is not active.
    mutating func remove(_ index: Int) {
        records[index].isDefined = false
        records[index].constraint.terms = []
        free.append(Int32(index))
    }

    /// Throws if a constraint is that of an edit.
    func checkIsNoEdit(_ index: Int) throws(SolverError) {
        guard records[index].isEdit, let term = records[index].constraint.terms.first else { return }
        throw .ownedByEdit(term.variable)
    }

    /// Marks a constraint as active or not, and counts it and the uses of its variables.
    mutating func setActive(_ index: Int, _ isActive: Bool, _ variables: inout VariableTable) {
        let step = isActive ? 1 : -1
        records[index].isActive = isActive
        activeCount += step
        let terms = records[index].constraint.terms.count
        activeTermCount += terms * step
        for place in 0..<terms {
            variables[Int(records[index].constraint.terms[place].variable.index)].uses += Int32(step)
        }
    }

    var indices: Range<Int> { records.indices }

    subscript(index: Int) -> Record {
        @inline(__always) _read { yield records[index] }
        @inline(__always) _modify { yield &records[index] }
    }

    @inline(__always) func id(_ index: Int) -> ConstraintID {
        ConstraintID(index: Int32(index), generation: records[index].generation)
    }

    /// Returns the index of a constraint.
    ///
    /// - Throws: ``SolverError/unknownConstraint(_:)``.
    @inline(__always) func index(of id: ConstraintID) throws(SolverError) -> Int {
        let index = Int(id.index)
        guard index >= 0, index < records.count, records[index].isDefined,
            records[index].generation == id.generation
        else { throw .unknownConstraint(id) }
        return index
    }
}
