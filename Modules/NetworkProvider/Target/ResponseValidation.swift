/// Which answers are good ones; all others are thrown as ``NetworkError/Reason/unacceptableStatus(_:)``.
public enum ResponseValidation: Sendable {
    /// Statuses 200 to 299.
    case success
    /// Statuses in a range.
    case statuses(ClosedRange<Int>)
    /// Every answer, whatever its status.
    case any
    /// Answers whose head passes a test of one's own.
    case custom(@Sendable (HTTPResponseHead) -> Bool)

    /// Whether an answer with this head is a good one.
    public func accepts(_ head: HTTPResponseHead) -> Bool {
        switch self {
        case .success: head.isSuccess
        case .statuses(let range): range.contains(head.status)
        case .any: true
        case .custom(let test): test(head)
        }
    }
}
