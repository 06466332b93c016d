/// How the program ends, as scripts see it.
public struct ExitCode: RawRepresentable, Hashable, Sendable {
    /// The number that the process ends with.
    public let rawValue: Int32

    /// Creates an exit code; beside the named ones, 128 and the number of the signal that ended the full screen.
    public init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// All done.
    public static let done = ExitCode(rawValue: 0)
    /// Nothing matched a filter or a name.
    public static let nothingMatched = ExitCode(rawValue: 1)
    /// The words on the command line make no sense.
    public static let usage = ExitCode(rawValue: 2)
    /// Data could not be read or written: corrupt, locked, full, not permitted.
    public static let data = ExitCode(rawValue: 3)
    /// A server could not be reached, or answered what it should not.
    public static let network = ExitCode(rawValue: 4)
    /// The user pressed Ctrl-C.
    public static let interrupted = ExitCode(rawValue: 130)
}
