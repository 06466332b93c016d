/// A request as it was recorded.
public struct RecordedRequest: Sendable, Equatable {
    /// The method.
    public var method: HTTPMethod
    /// The URL's text, secrets replaced.
    public var url: String
    /// The header fields, secrets replaced.
    public var headers: HTTPHeaders
    /// The body, secrets replaced; empty without one.
    public var body: RecordedBody

    /// Creates a request.
    public init(_ method: HTTPMethod, _ url: String, headers: HTTPHeaders = [:], body: RecordedBody = RecordedBody()) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}
