/// A row as it was before a change that may be taken back; its entries stand in the journal.
struct SavedRow: BitwiseCopyable {
    var row: Int32
    var basic: Int32
    /// How many entries were saved; -1 when the constant alone was.
    var count: Int32
    var constant: Double
}
