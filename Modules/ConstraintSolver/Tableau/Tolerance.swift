/// The thresholds of the floating-point work, in one place.
enum Tolerance {
    /// A term that is left of a cancellation by less than this share of what was cancelled is dropped.
    static let relativeDrop = 1e-13
    /// The same for a variable that nothing determines: taken for real, what rounding left would determine it.
    static let freeDrop = 1e-8
    /// A term smaller than this is dropped.
    static let absoluteDrop = 1e-13
    /// The smallest coefficient that may be a pivot.
    static let pivot = 1e-8
    /// A reduced cost nearer to zero than this is zero.
    static let cost = 1e-8
    /// A basic symbol below zero by less than this is feasible, at constants around one.
    static let feasibility = 1e-9
    /// The same for each unit of the largest constant.
    static let relativeFeasibility = 1e-14
    /// A row that no pivot can repair is a conflict only when it fails by this many times the feasibility tolerance.
    static let conflictFactor = 100.0
    /// An entry of a failed row smaller than this share of the largest is what rounding left, no part of the conflict.
    static let certificateDrop = 1e-9
    /// How much of the variables' coefficients may be left of a conflict's sum, as a share of what was summed.
    static let certificate = 1e-7
    /// How much, as a share, coefficients of preferences that say the same may differ.
    static let parallel = 1e-12
    /// How much larger than the pivot the rest of its row may be before the residuals are looked at.
    static let growth = 64.0
    /// The residual of a constraint that makes the solver build its tableau anew, at constants around one.
    static let drift = 1e-8
    /// A step shorter than this counts as degenerate.
    static let degenerateStep = 1e-9
    /// After so many degenerate steps in a row the lowest id enters, which ends cycles.
    static let degenerateSteps = 24
}
