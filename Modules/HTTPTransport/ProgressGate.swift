/// Decides which steps of a transfer's progress are told: about fifty a second, and always the last one.
///
/// A transfer on a fast network has thousands of steps a second; telling each costs more than the transfer.
package struct ProgressGate: Sendable {
    /// The time between two steps that are told, in nanoseconds.
    package static let interval: Int64 = 20_000_000

    private var last: Int64?
    private var told: Int64 = -1

    /// A gate that has told nothing.
    package init() {}

    /// Whether this step is told.
    /// - Parameters:
    ///   - count: the bytes so far.
    ///   - total: the bytes in all, where known; the step that reaches it is always told.
    ///   - now: nanoseconds of a clock that never goes back.
    /// - Returns: whether to tell it; then it counts as told.
    package mutating func tells(_ count: Int64, of total: Int64?, at now: Int64) -> Bool {
        if count == told { return false }
        if let last, now - last < ProgressGate.interval, count != total { return false }
        last = now
        told = count
        return true
    }

    /// Whether the last step has still to be told, at the end of a transfer whose total was not known.
    package func isBehind(_ count: Int64) -> Bool { count > 0 && count != told }
}
