/// A variable times a coefficient.
public struct Term: Hashable, Sendable {
    /// The unknown.
    public var variable: Variable
    /// Its factor.
    public var coefficient: Double

    /// Makes a term.
    ///
    /// - Parameters:
    ///   - variable: the unknown.
    ///   - coefficient: its factor, 1 by default; finite, at most ``Solver/largestCoefficient`` in magnitude.
    public init(_ variable: Variable, _ coefficient: Double = 1) {
        self.variable = variable
        self.coefficient = coefficient
    }
}
