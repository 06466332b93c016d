/// The counts of random programs.
struct FuzzTally: CustomStringConvertible {
    /// Steps that were applied or refused.
    var steps = 0
    /// Comparisons that failed because a fraction became too large.
    var overflows = 0
    /// Comparisons with the reference.
    var comparisons = 0
    /// Proofs by duality that the values are optimal.
    var proofs = 0
    /// Comparisons with a system built at once.
    var fresh = 0
    /// Conflicts that were proved to be irreducible.
    var conflicts = 0
    /// The largest residual of any constraint after any step.
    var worstResidual = 0.0
    /// The largest violation of a required constraint after any step.
    var worstViolation = 0.0
    /// Rebuilds of the tableau.
    var rebuilds = 0
    /// Preferences that shared another's symbols, summed over the steps.
    var merged = 0
    var pivots = 0
    /// The bits of all values after all steps, hashed.
    var bits = FuzzTally.startingBits

    /// FNV-1a, the same on every run.
    static let startingBits: UInt64 = 0xCBF2_9CE4_8422_2325

    static func hash(_ bits: UInt64, into hash: inout UInt64) { hash = (hash ^ bits) &* 0x100_0000_01B3 }

    /// Adds the counts of other programs. Only the bits depend on the order.
    mutating func add(_ other: FuzzTally) {
        steps += other.steps
        overflows += other.overflows
        comparisons += other.comparisons
        proofs += other.proofs
        fresh += other.fresh
        conflicts += other.conflicts
        worstResidual = max(worstResidual, other.worstResidual)
        worstViolation = max(worstViolation, other.worstViolation)
        rebuilds += other.rebuilds
        merged += other.merged
        pivots += other.pivots
        FuzzTally.hash(other.bits, into: &bits)
    }

    var description: String {
        "\(steps) steps, \(comparisons) comparisons, \(proofs) proofs, \(fresh) built at once, \(conflicts) conflicts, \(overflows) overflows, "
            + "residual \(worstResidual), violation \(worstViolation), \(pivots) pivots, \(rebuilds) rebuilds, "
            + "bits \(String(bits, radix: 16))"
    }
}
