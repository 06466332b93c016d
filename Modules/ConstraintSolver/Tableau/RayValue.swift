/// A variable on a ray.
struct RayValue: BitwiseCopyable {
    var symbol: Int32
    /// How much the value changes for each unit.
    var gain: Double
    /// The value where the ray begins.
    var base: Double
}
