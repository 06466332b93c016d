/// A row that holds a symbol.
struct Holder: BitwiseCopyable {
    var row: Int32
    /// The symbol's coefficient in it.
    var value: Double
}
