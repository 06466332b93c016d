/// A request was refused because its server's circuit is open; found in ``NetworkError/Reason/plugin(_:)``.
public struct CircuitOpen: Error, Sendable, Hashable, CustomStringConvertible {
    /// Whose circuit it is.
    public let origin: HTTPOrigin
    /// How many failures in a row there were.
    public let failures: Int
    /// After how long the next request may try; zero while others are trying.
    public let remaining: Duration

    /// What happened, and what to do.
    public var description: String {
        let wait = remaining > .zero ? "try again in \(remaining)" : "another request is trying; try again soon"
        return "\(origin) has failed \(failures) times in a row and is left alone; \(wait)"
    }
}
