/// A coefficient in a row.
struct Entry: BitwiseCopyable {
    var symbol: Int32
    var value: Double
}
