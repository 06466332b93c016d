/// An exit status of the program.
public struct ExitCode: RawRepresentable, Hashable, Sendable {
    /// The status.
    public let rawValue: Int32

    /// Creates an exit status. A signal that ends the full screen has 128 plus its number.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// Success.
    public static let done = ExitCode(rawValue: 0)
    /// Nothing matched a filter or a name.
    public static let nothingMatched = ExitCode(rawValue: 1)
    /// The command line is invalid.
    public static let usage = ExitCode(rawValue: 2)
    /// Data could not be read or written: corrupt, locked, full, not permitted.
    public static let data = ExitCode(rawValue: 3)
    /// A server could not be reached, or its response was not usable.
    public static let network = ExitCode(rawValue: 4)
    /// The terminal could not be used.
    public static let terminal = ExitCode(rawValue: 5)
    /// The user pressed Ctrl-C.
    public static let interrupted = ExitCode(rawValue: 130)
}
