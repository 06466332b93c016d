/// A line of a replay that did not hold.
public struct ReplayFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line, counted from one; 0 for a step that was never in a file.
    public let line: Int
    /// What did not hold, in terms of the file's names.
    public let message: String

    /// Line and message.
    public var description: String { "line \(line): \(message)" }
}
