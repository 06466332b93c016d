/// A marker that was shifted, and the state it was shifted in.
struct ShiftNote: BitwiseCopyable {
    var marker: Int32
    var epoch: Int
}
