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
