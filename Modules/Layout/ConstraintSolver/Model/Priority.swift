/// The priority of a constraint: 1 to 1000, strict from one level to the next.
///
/// A constraint of ``required`` (1000) always holds or is refused. Below that, no number of constraints of a lower
/// priority outweighs one of a higher priority: levels are compared lexicographically, never summed.
public struct Priority: Hashable, Sendable, Comparable {
    /// The rank among levels: the public number, with two ranks between 999 and 1000 for ``structural`` and
    /// ``structuralHigh``.
    let rank: Int
    /// The highest rank, that of ``required``.
    static let requiredRank = 1002

    /// Creates a priority from its number, from 1 to 1000; numbers outside this range are clamped to it.
    public init(_ value: Int) { rank = value >= 1000 ? Priority.requiredRank : max(1, value) }

    private init(rank: Int) { self.rank = rank }

    /// The number, 1 to 1000.
    public var value: Int { min(rank, 1000) }

    /// 1000: the constraint holds, or is refused.
    public static let required = Priority(1000)

    /// A priority between 999 and 1000, for what a layout system prefers over all preferences of its users, such as sizes
    /// that are not negative.
    package static let structural = Priority(rank: 1000)

    /// A priority between ``structural`` and 1000, for what a layout system prefers even over that.
    package static let structuralHigh = Priority(rank: 1001)

    /// Whether the constraint must hold.
    public var isRequired: Bool { self == .required }

    /// Returns whether the left priority is lower.
    public static func < (left: Priority, right: Priority) -> Bool { left.rank < right.rank }
}
