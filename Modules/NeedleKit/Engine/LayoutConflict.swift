/// The smallest set of constraints that cannot hold together, and what was done about it.
public struct LayoutConflict: Hashable, Sendable, CustomStringConvertible {
    /// The members stated in code: without any one of them the others hold together.
    public let members: [ConstraintSource]
    /// Members of the layout's own, such as the size of the root, or what an item's content requires.
    public let systemMembers: [ConstraintSource]
    /// The member that was left out: of those stated in code the one of the least priority, the latest among equals; where
    /// none is, what the root's content requires.
    public let dropped: ConstraintSource

    /// The members, one a line, and the one left out.
    public var description: String {
        let lines = (members + systemMembers).map { "  \($0)" }
        return "these constraints exclude each other; left out: \(dropped); remove or weaken one of:\n"
            + lines.joined(separator: "\n")
    }
}
