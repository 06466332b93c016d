internal import ConstraintSolver

extension LayoutEngine {
    /// The wishes that the present layout does not meet, those that matter most first; required constraints are never
    /// among them. What content asks for counts as a wish, too.
    ///
    /// A violated wish is no error: it is how priorities settle what cannot all be had.
    public var violations: [LayoutViolation] {
        let wishes = contentWishes()
        return solver.violatedPreferences().map { tell($0, wishes) }
    }

    func tell(_ violation: Violation, _ wishes: [ConstraintID: ContentWish]) -> LayoutViolation {
        let source = recordsByID[violation.id]?.source
        let wish = wishes[violation.id].map { wish in
            "the \(wish.extent) of \(wish.record.node?.displayName ?? "released item")'s content"
        }
        return LayoutViolation(
            constraint: source,
            statement: source?.statement ?? wish ?? systemNames[violation.id] ?? "a wish of the layout's own",
            priority: LayoutPriority(violation.priority.value),
            residual: violation.residual
        )
    }

    /// What an item's content asks for along an axis.
    struct ContentWish {
        let record: ItemRecord
        let extent: LayoutAttribute
    }

    /// The wishes of all contents by their solver ids.
    func contentWishes() -> [ConstraintID: ContentWish] {
        var wishes: [ConstraintID: ContentWish] = [:]
        for case let record? in records {
            for list in [record.hugging, record.compression] {
                for case (let axis, let id?) in list.values {
                    wishes[id] = ContentWish(record: record, extent: axis == .horizontal ? .width : .height)
                }
            }
        }
        return wishes
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
