/// Why a text is no replay.
public struct ReplayFormatError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line, counted from one.
    public let line: Int
    /// What is wrong, and what should stand there.
    public let message: String

    /// The message; the line is told where the file is.
    public var description: String { "line \(line): \(message)" }
}
