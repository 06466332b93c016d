/// What the tableau was before the present operation changed it, to the bit.
struct Journal: ~Copyable {
    var rows = Buffer<SavedRow>()
    var entries = Buffer<Entry>()
    /// The symbols whose reduced costs were saved.
    var symbols = Buffer<Int32>()
    var costs = Buffer<Double>()
    /// How many symbols were touched before: what was touched since is again as it was when it was evaluated last.
    var touchedCount = 0

    mutating func removeAll() {
        rows.removeAll()
        entries.removeAll()
        symbols.removeAll()
        costs.removeAll()
    }
}
