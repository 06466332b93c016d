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
