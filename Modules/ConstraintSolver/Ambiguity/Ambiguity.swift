/// A variable that has no single solution: others of its values meet the constraints just as well.
public struct Ambiguity: Hashable, Sendable {
    /// The variable.
    public let variable: Variable
    /// The least value among the solutions that are as good as the present one; `-infinity` without bound.
    public let lower: Double
    /// The greatest value among them; `infinity` without bound.
    public let upper: Double
    /// The variables whose values, were they stated, would settle this one: itself alone, or those made earlier from
    /// which its own value would follow.
    public let settledBy: [Variable]
}
