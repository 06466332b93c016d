/// A variable that the constraints leave open, and how it moves.
package struct OpenVariable {
    /// The variable.
    package let variable: Variable
    /// How fast it moves along each direction in which the solution can move; directions go by number.
    package let direction: [Int32: Double]
    /// The least value among the optimal ones.
    package let lower: Double
    /// The greatest value among the optimal ones.
    package let upper: Double
}
