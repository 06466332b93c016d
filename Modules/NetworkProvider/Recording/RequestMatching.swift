/// What must be equal for a request to be taken for a recorded one. Method, path and query always are; the order of a
/// query's names does not count, nor that of JSON's members.
public struct RequestMatching: Sendable, Hashable {
    /// Whether scheme, host and port must be equal; not, for a recording of a server on another port.
    public var origin: Bool
    /// The names of header fields that must be equal.
    public var headers: Set<String>
    /// Whether bodies must be equal.
    public var body: Bool

    /// Creates a rule.
    public init(origin: Bool = true, headers: Set<String> = [], body: Bool = true) {
        self.origin = origin
        self.headers = headers
        self.body = body
    }
}

/// One part in which a request differs from a recorded or an expected one.
public struct RequestDifference: Sendable, Hashable, CustomStringConvertible {
    /// Which part: `method`, `origin`, `path`, `query page`, `header accept`, `body`, `body dog.name`.
    public let part: String
    /// What was recorded or expected there; nil for nothing.
    public let expected: String?
    /// What was asked; nil for nothing.
    public let asked: String?
    /// How much it tells that this is another request altogether.
    let weight: Int

    /// One line.
    public var description: String { "\(part) is \(asked ?? "missing"), expected \(expected ?? "none")" }
}
