/// Something in a layout that its author should know of.
public enum LayoutDiagnostic: Hashable, Sendable, CustomStringConvertible {
    /// Constraints that cannot hold together, and the one that was left out so that the layout goes on.
    case conflict(LayoutConflict)
    /// A constraint that was not entered.
    case refused(LayoutError)

    /// What is wrong, and what to do.
    public var description: String {
        switch self {
        case .conflict(let conflict): conflict.description
        case .refused(let error): error.description
        }
    }
}

/// The smallest set of constraints that cannot hold together, and what was done about it.
public struct LayoutConflict: Hashable, Sendable, CustomStringConvertible {
    /// The members stated in code: without any one of them the others hold together.
    public let members: [ConstraintSource]
    /// Members of the layout's own, such as the size of the root.
    public let systemMembers: [String]
    /// The member that was left out: the one of the least priority, the latest among equals.
    public let dropped: ConstraintSource

    /// The members, one a line, and the one left out.
    public var description: String {
        let lines = members.map { "  \($0)" } + systemMembers.map { "  \($0)" }
        return "these constraints exclude each other; left out: \(dropped); remove or weaken one of:\n"
            + lines.joined(separator: "\n")
    }
}
