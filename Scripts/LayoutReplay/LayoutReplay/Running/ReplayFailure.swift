/// A line of a replay that is invalid or did not hold.
public struct ReplayFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line, counted from 1; 0 for a step that is not from a file.
    public let line: Int
    /// The fault, with the names of the file, and for an invalid line what is expected.
    public let message: String

    /// The line and the message.
    public var description: String { "line \(line): \(message)" }
}
