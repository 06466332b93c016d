/// A row on a ray.
struct RayRow: BitwiseCopyable {
    enum Bound: UInt8, BitwiseCopyable {
        /// A definition, whose constant is free.
        case none
        /// A slack or an error, zero or more.
        case below
        /// A dummy, zero.
        case both
    }

    var row: Int32
    var bound: Bound
    /// How much the constant changes for each unit.
    var gain: Double
    /// The constant where the ray begins.
    var base: Double
}
