/// Where a line of text begins, which decides what leading and trailing mean.
public enum LayoutDirection: Sendable, Hashable {
    /// Leading is left.
    case leftToRight
    /// Leading is right; offsets from leading and trailing anchors count leftwards.
    case rightToLeft
}
