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
