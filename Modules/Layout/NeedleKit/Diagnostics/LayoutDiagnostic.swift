/// A problem in a layout that its author should know of.
public enum LayoutDiagnostic: Hashable, Sendable, CustomStringConvertible {
    /// Constraints that conflict, one of which was dropped.
    case conflict(LayoutConflict)
    /// A constraint that was rejected.
    case rejected(LayoutError)
    /// An item that is the root of another engine, so that this engine does not lay it out.
    case rootInUse(item: String)

    /// The problem, and what to do.
    public var description: String {
        switch self {
        case .conflict(let conflict): conflict.description
        case .rejected(let error): error.description
        case .rootInUse(let item):
            "\(item) is the root of another layout engine, so this engine does not lay it out; "
                + "use that engine, or release it first"
        }
    }
}

/// The smallest set of constraints that conflict, and the member that was dropped.
public struct LayoutConflict: Hashable, Sendable, CustomStringConvertible {
    /// The members stated in code. Without any one of them the other members can be satisfied.
    public let members: [ConstraintSource]
    /// The members that no statement makes, such as the size of the root or the required content of an item.
    public let systemMembers: [ConstraintSource]
    /// The member that was dropped: the statement of the lowest priority, the latest of several; without a statement, the
    /// required content of the root.
    public let dropped: ConstraintSource

    /// The dropped member, then all members, one a line.
    public var description: String {
        let lines = (members + systemMembers).map { "  \($0)" }
        return "conflicting constraints; dropped: \(dropped); remove one of these or lower its priority:\n"
            + lines.joined(separator: "\n")
    }
}

/// An optional constraint that the present layout violates, because constraints of the same or a higher priority conflict
/// with it.
public struct LayoutViolation: Hashable, Sendable, CustomStringConvertible {
    /// The constraint: a statement, or the content of an item.
    public let constraint: ConstraintSource
    /// The left side minus the right, in the unit of the layout: positive if it is too large.
    public let residual: Double

    /// The constraint's priority.
    public var priority: LayoutPriority { constraint.priority }

    /// The absolute residual.
    public var amount: Double { abs(residual) }

    /// The constraint and its residual.
    public var description: String {
        let side = residual > 0 ? "too large" : "too small"
        return "\(constraint) is violated: \(LayoutEngine.text(amount)) \(side)"
    }
}
