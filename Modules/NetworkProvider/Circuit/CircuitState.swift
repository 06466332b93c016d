/// What a circuit does with requests.
public enum CircuitState: String, Sendable, Hashable, CaseIterable {
    /// It lets them through.
    case closed
    /// It refuses them without asking the server.
    case open
    /// It lets a few through, to see whether the server is back.
    case halfOpen
}

/// A circuit has changed.
public struct CircuitChange: Sendable, Hashable, CustomStringConvertible {
    /// Whose circuit it is.
    public let origin: HTTPOrigin
    /// What it was before.
    public let from: CircuitState
    /// What it is now.
    public let to: CircuitState

    /// One line for a log.
    public var description: String { "circuit \(origin): \(from.rawValue) -> \(to.rawValue)" }
}

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
