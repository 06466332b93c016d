/// A part of an item's frame without a unique solution: other values satisfy the constraints equally well, and the one in the
/// layout is arbitrary.
public struct LayoutAmbiguity: Hashable, Sendable, CustomStringConvertible {
    /// The item's name.
    public let item: String
    /// The ambiguous part: left, top, width or height.
    public let attribute: LayoutAttribute
    /// The least of its values among the equally good solutions, in the root's coordinates; `-infinity` without a bound.
    public let lower: Double
    /// The greatest of them; `infinity` without a bound.
    public let upper: Double
    /// The parts, as `item.attribute`, any one of which resolves the ambiguity if it is constrained. Empty if the part follows
    /// from other ambiguous parts.
    public let remedies: [String]
    /// The ambiguous parts from which this one follows, as `item.attribute`; empty if it has ``remedies``.
    public let follows: [String]
    /// The active constraints on the item along the axis, with labels, files and lines: the statements, then its content.
    public let constraints: [ConstraintSource]

    /// The summary, and on further lines the active constraints.
    public var description: String {
        constraints.isEmpty
            ? summary : "\(summary); active constraints:\n" + constraints.map { "  \($0)" }.joined(separator: "\n")
    }

    /// The part, the range of its values, and the constraint that resolves the ambiguity.
    public var summary: String {
        let subject = "\(attribute) of \(item) is ambiguous"
        guard let first = remedies.first else {
            return "\(subject): it follows from \(follows.joined(separator: " and "))"
        }
        let others = remedies.dropFirst().joined(separator: " or ")
        let remedy =
            attribute.isExtent
            ? "constrain \(first)" + (others.isEmpty ? "" : " or \(others)")
            : "constrain \(remedies.joined(separator: " or "))"
        return "\(subject), \(range): \(remedy)"
    }

    private var range: String {
        switch (lower.isFinite, upper.isFinite) {
        case (true, true): "any value from \(LayoutEngine.text(lower)) to \(LayoutEngine.text(upper)) is possible"
        case (true, false): "any value from \(LayoutEngine.text(lower)) is possible"
        case (false, true): "any value up to \(LayoutEngine.text(upper)) is possible"
        case (false, false): "any value is possible"
        }
    }
}
