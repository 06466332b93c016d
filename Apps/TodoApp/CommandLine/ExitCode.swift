/// How the program ends, as scripts see it.
public enum ExitCode: Int32, Sendable {
    /// All done.
    case done = 0
    /// Nothing matched a filter or a name.
    case nothingMatched = 1
    /// The words on the command line make no sense.
    case usage = 2
    /// Data could not be read or written: corrupt, locked, full, not permitted.
    case data = 3
    /// A server could not be reached, or answered what it should not.
    case network = 4
    /// The user pressed Ctrl-C.
    case interrupted = 130
}
