/// A request as it may be shown: no credentials, no body.
public struct RedactedRequest: Sendable, Equatable {
    /// The method.
    public var method: HTTPMethod
    /// The URL's text, secrets replaced.
    public var url: String
    /// The header fields, secrets replaced.
    public var headers: HTTPHeaders
    /// The bytes of the body where that is known.
    public var bodyLength: Int64?
}
