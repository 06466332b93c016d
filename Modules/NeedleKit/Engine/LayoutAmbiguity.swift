/// A part of an item's frame that has no single solution: others meet the constraints just as well, and which one comes
/// about is an accident.
public struct LayoutAmbiguity: Hashable, Sendable, CustomStringConvertible {
    /// The item's name.
    public let item: String
    /// The part: left, top, width or height.
    public let attribute: LayoutAttribute
    /// The least of its values among the solutions that are as good, in the root's coordinates; `-infinity` without
    /// bound.
    public let lower: Double
    /// The greatest of them; `infinity` without bound.
    public let upper: Double
    /// The parts, as `item.attribute`, of which any one would settle this when it is stated or related to something that
    /// is settled. Empty when the part follows from others that are open.
    public let remedies: [String]
    /// The open parts from which this one follows, as `item.attribute`; empty when it has remedies of its own.
    public let follows: [String]
    /// What is in force on the item along the axis and leaves the part open, with labels, files and lines: what code
    /// states, then what its content asks for.
    public let constraints: [ConstraintSource]

    /// What is open, how far, which constraint would settle it, and on further lines what is in force so far.
    public var description: String {
        constraints.isEmpty
            ? summary : "\(summary); in force so far:\n" + constraints.map { "  \($0)" }.joined(separator: "\n")
    }

    /// What is open, how far, and which constraint would settle it.
    public var summary: String {
        let subject = "\(attribute) of \(item) is not settled"
        guard let first = remedies.first else {
            return "\(subject): it follows from \(follows.joined(separator: " and "))"
        }
        let others = remedies.dropFirst().joined(separator: " or ")
        let remedy =
            attribute.isExtent
            ? "add \(first)" + (others.isEmpty ? "" : " or relate \(others)")
            : "relate \(remedies.joined(separator: " or "))"
        return "\(subject), \(range): \(remedy)"
    }

    private var range: String {
        switch (lower.isFinite, upper.isFinite) {
        case (true, true): "anything from \(LayoutEngine.text(lower)) to \(LayoutEngine.text(upper)) will do"
        case (true, false): "anything from \(LayoutEngine.text(lower)) on will do"
        case (false, true): "anything up to \(LayoutEngine.text(upper)) will do"
        case (false, false): "anything will do"
        }
    }
}
