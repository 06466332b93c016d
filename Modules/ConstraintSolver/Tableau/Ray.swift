/// The way that a tableau moves when one marker is shifted and nothing pivots: which constants change, and how much each
/// variable does for each unit of the shift.
struct Ray: BitwiseCopyable {
    var marker: Int32
    /// The right side of the marker's constraint where the ray begins.
    var origin: Double
    /// How far the marker was shifted from there.
    var travelled = 0.0
    /// The last of the ray's rows and values in the tableau's lists, which each ray continues.
    var rowEnd = 0
    var valueEnd = 0
}
