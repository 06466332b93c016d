/// How the two sides of a layout constraint relate.
public enum LayoutRelation: Sendable, Hashable, CaseIterable {
    /// Both sides are the same.
    case equal
    /// The item's side is the other or less.
    case lessThanOrEqual
    /// The item's side is the other or more.
    case greaterThanOrEqual

    var symbol: String {
        switch self {
        case .equal: "=="
        case .lessThanOrEqual: "<="
        case .greaterThanOrEqual: ">="
        }
    }
}
