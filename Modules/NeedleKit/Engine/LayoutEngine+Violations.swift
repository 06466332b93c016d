internal import ConstraintSolver

extension LayoutEngine {
    /// The wishes that the present layout does not meet, those that matter most first; required constraints are never
    /// among them. What content asks for counts as a wish, too.
    ///
    /// A violated wish is no error: it is how priorities settle what cannot all be had.
    public var violations: [LayoutViolation] {
        solver.violatedPreferences().compactMap(tell)
    }

    func tell(_ violation: Violation) -> LayoutViolation? {
        (recordsByID[violation.id]?.source ?? ownByID[violation.id]?.source).map {
            LayoutViolation(constraint: $0, residual: violation.residual)
        }
    }

    /// The summed violation of each priority that has one, in the unit of the layout.
    public var violationsByPriority: [LayoutPriority: Double] {
        var sums: [LayoutPriority: Double] = [:]
        for violation in violations { sums[violation.priority, default: 0] += violation.amount }
        return sums
    }

    /// A length in as few digits as tell it to a thousandth.
    nonisolated static func text(_ value: Double) -> String {
        guard abs(value) < 1e12 else { return "\(value)" }
        let thousandths = Int(abs(value) * 1000 + 0.5)
        let digits = String(thousandths % 1000 + 1000).dropFirst()
        let fraction = digits.reversed().drop { $0 == "0" }.reversed().map(String.init).joined()
        let sign = value < 0 && thousandths > 0 ? "-" : ""
        return "\(sign)\(thousandths / 1000)\(fraction.isEmpty ? "" : ".\(fraction)")"
    }
}
