/// One column of the tableau.
struct Symbol: BitwiseCopyable {
    var kind: SymbolKind
    /// The row in which the symbol is basic; -1 while it is nonbasic and thus zero.
    var row: Int32 = -1
    /// Listed among the candidates to enter.
    var isCandidate = false
    /// Freed, its place waits for reuse.
    var isFree = false
    /// Its value may differ from what was last read.
    var isTouched = false
    /// One of the symbols from which the last reading set out.
    var isRoot = false
    /// Listed among the changed variables that nobody has drained yet.
    var isReported = false
    /// Used by walks over definitions; valid when it equals the tableau's present stamp.
    var stamp: Int32 = 0
    /// The place of a variable's definition in topological order: it refers to variables of lower places only.
    var order = 0
    /// The constraint (for a marker) or variable that it belongs to.
    var owner: Int32 = -1
    /// The other symbol of its preference, or -1.
    var partner: Int32 = -1
    /// Its coefficient in the preference's expression, 1 or -1, so that symbol = share * expression + partner.
    var share = 0.0
    /// The priority of its cost; 0 when it has none.
    var costRank: Int32 = 0
    /// Its cost inside that priority.
    var costWeight = 0.0
    /// The value last evaluated, of a variable.
    var value = 0.0
}
