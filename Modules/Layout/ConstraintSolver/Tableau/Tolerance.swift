/// The thresholds of the floating-point calculations.
enum Tolerance {
    /// A term that remains of a cancellation is dropped if it is less than this fraction of what was cancelled.
    static let relativeDrop = 1e-13
    /// The same for a variable without a definition, which such a term would otherwise determine.
    static let freeDrop = 1e-8
    /// A term smaller than this is dropped.
    static let absoluteDrop = 1e-13
    /// The smallest coefficient that may be a pivot.
    static let pivot = 1e-8
    /// A reduced cost closer to zero than this is zero.
    static let cost = 1e-8
    /// A reduced cost closer to zero than this may be rounding where coefficients have lost many digits.
    static let certainCost = 1e-7
    /// A basic symbol below zero by less than this is feasible, if constants are around one.
    static let feasibility = 1e-9
    /// The same for each unit of the largest constant.
    static let relativeFeasibility = 1e-14
    /// A row that no pivot can repair is a conflict only if it fails by this many times the feasibility tolerance.
    static let conflictFactor = 100.0
    /// An entry of a failed row smaller than this fraction of the largest is rounding, not part of the conflict.
    static let certificateDrop = 1e-9
    /// The largest remainder of the variables' coefficients in a conflict's sum, as a fraction of what was summed.
    static let certificate = 1e-7
    /// The largest relative difference between the coefficients of preferences that state the same.
    static let parallel = 1e-12
    /// The ratio of a row's largest coefficient to the pivot above which the residuals are checked.
    static let growth = 64.0
    /// The residual of a constraint at which the solver rebuilds its tableau, if constants are around one.
    static let drift = 1e-8
    /// A step shorter than this is degenerate.
    static let degenerateStep = 1e-9
    /// After this many degenerate steps in sequence the lowest id enters, which ends cycles.
    static let degenerateSteps = 24
}
