/// Why a workflow could not go on by itself.
public enum WorkflowError: Error, Equatable, CustomStringConvertible {
    /// The item that a step was to work on went away before it became active.
    case itemGone(type: String)

    /// What happened and what to do.
    public var description: String {
        switch self {
        case .itemGone(let type):
            "\(type) went away before it became active: attach it, and keep it attached, until the step has run"
        }
    }
}
