/// A request method: one of the standard ones, or any other token.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The token as it goes over the wire; methods are case-sensitive.
    public let rawValue: String

    /// Takes a token as it is. A request with a token that is none is refused when it is sent.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Takes a token as it is.
    public init(stringLiteral value: String) { rawValue = value }

    /// The token.
    public var description: String { rawValue }

    /// Reads a resource.
    public static let get = HTTPMethod(rawValue: "GET")
    /// Reads a resource's head.
    public static let head = HTTPMethod(rawValue: "HEAD")
    /// Hands a body over to be processed.
    public static let post = HTTPMethod(rawValue: "POST")
    /// Replaces a resource.
    public static let put = HTTPMethod(rawValue: "PUT")
    /// Changes parts of a resource.
    public static let patch = HTTPMethod(rawValue: "PATCH")
    /// Removes a resource.
    public static let delete = HTTPMethod(rawValue: "DELETE")
    /// Asks what may be done.
    public static let options = HTTPMethod(rawValue: "OPTIONS")
    /// Asks for the request to be echoed.
    public static let trace = HTTPMethod(rawValue: "TRACE")

    /// Whether the method only reads (RFC 9110, section 9.2.1).
    public var isSafe: Bool {
        self == .get || self == .head || self == .options || self == .trace
    }

    /// Whether sending it twice does what sending it once does (RFC 9110, section 9.2.2).
    public var isIdempotent: Bool { isSafe || self == .put || self == .delete }
}
