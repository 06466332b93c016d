/// How the two sides of a constraint relate.
public enum Relation: Sendable, Hashable, CaseIterable {
    /// Both sides are the same.
    case equal
    /// The left side is the right side or less.
    case lessThanOrEqual
    /// The left side is the right side or more.
    case greaterThanOrEqual
}
