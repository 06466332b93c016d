/// An incremental solver of linear constraints with strict priorities.
///
/// Constraints come and go, constants change and values are suggested one at a time; each call leaves the solver at an
/// optimum: every required constraint holds, and the summed, weighted violation of each lower priority is the least that
/// the higher ones allow, from the highest priority down. A call that throws changes nothing; one that is refused for a
/// conflict leaves every value with the bits it had.
///
/// No call goes on for ever: it may make 1,000 pivots and eight for each row and symbol of the tableau. One that would
/// need more has the tableau built anew, each constraint with as many; where that does not do either, the call is taken
/// back and throws ``SolverError/pivotLimit``. Taking back a requirement leaves every bit; taking back a wish, or a
/// removal, may have to build the system anew as it was, whose values are then as good as before, though not the same
/// where several are. Numbers have limits too: ``largestConstant``, ``largestCoefficient``,
/// ``smallestCoefficient``; and of coefficients of one constraint that lie more than a factor of 1e8 apart, the smaller may
/// be lost to rounding.
///
/// The same calls give the same bits, on every run. Values are exact to about 1e-9 for constants up to a thousand; a
/// check of all residuals, spread over the work done, corrects what rounding has added up (iterative refinement) or
/// builds the tableau anew.
///
///     var solver = Solver()
///     let left = solver.makeVariable(), right = solver.makeVariable()
///     try solver.add(LinearConstraint([Term(right), Term(left, -1)], .greaterThanOrEqual, 10))
///     try solver.add(LinearConstraint([Term(left)], .equal, 5, priority: Priority(500)))
///     solver.value(of: left)     // 5
///     solver.value(of: right)    // 15 or more
public struct Solver: ~Copyable {
    /// The largest magnitude of a constant or a suggested value: 1e9; beside coefficients below 1/16 so much less as they
    /// are smaller than one.
    public static let largestConstant = 1e9
    /// The largest magnitude of a coefficient: 1e6.
    public static let largestCoefficient = 1e6
    /// The smallest magnitude of a coefficient other than zero: 1e-6.
    public static let smallestCoefficient = 1e-6

    struct VariableRecord {
        var symbol: Int32
        var generation: Int32
        /// How many constraints in force hold it.
        var uses: Int32 = 0
        /// The constraint of its edit, or -1.
        var edit: Int32 = -1
        var isAlive = true
    }

    struct ConstraintRecord {
        var constraint: LinearConstraint
        /// What the tableau holds of it is so many times as much, so that coefficients are around one there.
        var scale = 1.0
        var markers = Markers()
        /// The preference that says the same and whose symbols it shares, or -1.
        var leader: Int32 = -1
        /// The preferences that share its symbols.
        var followers: [Int32] = []
        /// The leaders of groups whose members say the same only because of this constraint.
        var groups: [Int32] = []
        var generation: Int32
        var isDefined = true
        var isInForce = false
        var isEdit = false
    }

    var tableau = Tableau()
    var variables: [VariableRecord] = []
    var constraints: [ConstraintRecord] = []
    var freeVariables: [Int32] = []
    var freeConstraints: [Int32] = []
    var entries = Buffer<Entry>(capacity: 16)
    /// How many constraints are in force.
    public internal(set) var count = 0
    /// How many times the tableau was built anew because rounding had added up or a bound was reached.
    public internal(set) var rebuilds = 0
    /// How many terms the constraints in force have: the cost of a check of all residuals.
    var termCount = 0
    /// By how much more than at best the residuals may drift before the tableau is built anew: what building it anew
    /// last left.
    var rebuildTolerance = 1.0
    /// How many times changes were drained.
    var drains = 0
    /// The conflict that building anew met last.
    var refusal: Certificate?
    /// The changes handed over last.
    var changes = Buffer<VariableChange>()
    /// The residual of each constraint, while they are corrected.
    var residuals = Buffer<Double>()

    /// Makes an empty solver.
    public init() {}

    /// How many pivots were made, a measure of effort that does not depend on the machine.
    public var pivots: Int { tableau.pivots }

    // MARK: - Variables

    /// Makes a variable. Until a constraint determines it, its value is 0.
    public mutating func makeVariable() -> Variable {
        let index: Int32
        if let free = freeVariables.popLast() {
            index = free
            variables[Int(index)].generation += 1
            variables[Int(index)].isAlive = true
        } else {
            index = Int32(variables.count)
            variables.append(VariableRecord(symbol: -1, generation: 0))
        }
        variables[Int(index)].symbol = tableau.makeSymbol(.variable, owner: index)
        return Variable(index: index, generation: variables[Int(index)].generation)
    }

    /// Removes a variable that no constraint in force holds.
    ///
    /// - Parameter variable: the variable.
    /// - Throws: ``SolverError/unknownVariable(_:)``, ``SolverError/variableInUse(_:)``.
    public mutating func removeVariable(_ variable: Variable) throws(SolverError) {
        let index = try checked(variable)
        guard variables[index].uses == 0 else { throw .variableInUse(variable) }
        tableau.removeVariable(variables[index].symbol)
        variables[index].isAlive = false
        freeVariables.append(variable.index)
        if tableau.isDoubtful, !rebuild() { restore() }
    }

    @inline(__always)
    func checked(_ variable: Variable) throws(SolverError) -> Int {
        let index = Int(variable.index)
        guard index >= 0, index < variables.count, variables[index].isAlive,
            variables[index].generation == variable.generation
        else { throw .unknownVariable(variable) }
        return index
    }

    @inline(__always)
    func checked(_ id: ConstraintID) throws(SolverError) -> Int {
        let index = Int(id.index)
        guard index >= 0, index < constraints.count, constraints[index].isDefined,
            constraints[index].generation == id.generation
        else { throw .unknownConstraint(id) }
        return index
    }

    @inline(__always)
    func id(_ index: Int) -> ConstraintID {
        ConstraintID(index: Int32(index), generation: constraints[index].generation)
    }

    static func checkConstant(_ value: Double, _ name: @autoclosure () -> ConstraintName) throws(SolverError) {
        guard value.isFinite else { throw .notFinite(value, in: name()) }
        guard abs(value) <= largestConstant else { throw .outOfRange(value, in: name()) }
    }
}
