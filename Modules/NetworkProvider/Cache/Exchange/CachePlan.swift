/// What a cache needs of the provider for one request.
struct CachePlan: Sendable {
    /// How the cache is used.
    var policy: HTTPCachePolicy
    /// Which redirects are followed.
    var redirects: RedirectPolicy
    /// Names of fields that carry credentials, in lower case.
    var credentials: Set<String>
    /// The request as it would be sent now, with what plugins add on the way.
    var anticipate: @Sendable (HTTPRequest) -> HTTPRequest
    /// Told of an answer that causes no exchange.
    var events: HTTPEventHandler?
    /// Sends a request through the plugins, with a trace of what really goes out.
    var network: @Sendable (HTTPRequest, ExchangeTrace) async throws -> HTTPResponse
}
