/// What random programs did.
struct FuzzTally: CustomStringConvertible {
    /// How many steps were applied or refused.
    var steps = 0
    /// How often the reference could not be asked because a fraction grew too large.
    var overflows = 0
    /// How often the reference agreed.
    var comparisons = 0
    /// How many conflicts were refused and shown irreducible.
    var conflicts = 0
    /// The largest residual of any constraint after any step.
    var worstResidual = 0.0
    /// The largest violation of a required constraint after any step.
    var worstViolation = 0.0
    /// How often the solver built its tableau anew.
    var rebuilds = 0
    /// How many preferences shared another's symbols, summed over the steps.
    var merged = 0
    /// How many pivots it made.
    var pivots = 0
    /// The bits of all values after all steps, hashed.
    var bits: UInt64 = 0xCBF2_9CE4_8422_2325

    var description: String {
        "\(steps) steps, \(comparisons) comparisons, \(conflicts) conflicts, \(overflows) overflows, "
            + "residual \(worstResidual), violation \(worstViolation), \(pivots) pivots, \(rebuilds) rebuilds, "
            + "bits \(String(bits, radix: 16))"
    }
}
