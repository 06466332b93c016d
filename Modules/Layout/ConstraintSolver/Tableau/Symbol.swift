/// The role of a tableau column.
enum SymbolKind: UInt8, BitwiseCopyable {
    /// A free unknown of the caller.
    case variable
    /// The slack of an inequality: zero or more, without cost.
    case slack
    /// The violation of a preference to one side: zero or more, with a cost.
    case error
    /// The marker of a required equality: always zero, never enters the basis to lower the objective.
    case dummy
}

/// A column of the tableau.
///
/// One record holds what the row store, the objective and the evaluation know of a symbol, so that a walk over a row
/// loads one cache line for each entry: a record takes 64 bytes.
struct Symbol: BitwiseCopyable {
    var kind: SymbolKind
    /// Whether the objective lists the symbol as a candidate to enter the basis.
    var isCandidate = false
    /// Whether the record is unused and available for a new symbol.
    var isFree = false
    /// Whether the symbol's value may have changed since the last evaluation.
    var isTouched = false
    /// Whether the variable is in the list of changes not yet drained.
    var isReported = false
    /// The row in which the symbol is basic; -1 while it is nonbasic and thus zero.
    var row: Int32 = -1
    /// Marks the symbol as visited in a walk; valid while it equals the store's current stamp.
    var stamp: Int32 = 0
    /// The place of a variable's definition in topological order: it refers to variables of lower places only.
    var order = 0
    /// A variable's value at the last evaluation.
    var value = 0.0
    /// The index of the constraint (for a marker) or of the variable.
    var owner: Int32 = -1
    /// The other symbol of the same preference, or -1.
    var partner: Int32 = -1
    /// The symbol's coefficient in the preference's expression, 1 or -1: symbol = share * expression + partner.
    var share = 0.0
    /// The cost at the priority of `costRank`.
    var costWeight = 0.0
    /// The rank of the priority at which the symbol has a cost; 0 for none.
    var costRank: Int32 = 0
}

/// The symbols of a constraint in the tableau.
struct Markers: BitwiseCopyable {
    /// The dummy, slack or positive error; -1 while the constraint is not active.
    var marker: Int32 = -1
    /// The error of the other side, or -1 for a required constraint.
    var other: Int32 = -1
    /// The marker's coefficient in `terms - constant + sign * marker - sign * other = 0`.
    var sign: Double = 1
}
