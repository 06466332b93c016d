/// How much room there is in a direction.
public enum SizeClass: Hashable, Sendable {
    /// Little: one thing at a time.
    case compact
    /// Enough to show things beside each other.
    case regular
}

/// The room of a window in both directions.
public struct Traits: Hashable, Sendable {
    /// Regular from 72 columns on.
    public let horizontal: SizeClass
    /// Regular from 18 rows on.
    public let vertical: SizeClass

    /// The traits of a window of this size.
    public init(size: Size) {
        horizontal = size.width >= 72 ? .regular : .compact
        vertical = size.height >= 18 ? .regular : .compact
    }
}
