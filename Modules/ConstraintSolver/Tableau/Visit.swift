/// A symbol whose dependents are being walked, and the place of the next.
struct Visit: BitwiseCopyable {
    var symbol: Int32
    var next: Int32
}
