/// How a target uses the cache of its provider.
public enum HTTPCachePolicy: Sendable, Hashable, CaseIterable {
    /// The rules of RFC 9111: a fresh response is used, a stale one is validated, and Cache-Control applies.
    case useProtocol
    /// The cache is not used. Unsafe methods still remove invalid responses.
    case ignore
    /// A stored response is used only after the server has validated it; a fresh one that is marked `immutable` needs
    /// no validation (RFC 8246).
    case revalidate
    /// The whole response is requested again and stored.
    case reload
    /// A stored response is used however old it is, unless its `must-revalidate` or `no-cache` forbids that; a request
    /// is sent only if there is none.
    case preferCached
    /// As ``preferCached``, and a stale response is requested again in the background.
    case staleWhileRevalidating
    /// As ``preferCached``, and no request is sent: without a stored response the request fails with
    /// ``NetworkError/Reason/notCached``.
    case onlyCached
}

/// A cache between a provider's requests and their plugins. `HTTPCache` of the module HTTPCaching conforms to it, so
/// that a program without a cache does not link one.
package protocol ResponseCache: Sendable {
    /// The policy for targets without one.
    var defaultPolicy: HTTPCachePolicy { get }

    /// Returns a stored response, or sends the request through ``CacheableExchange/network``.
    func send(_ request: HTTPRequest, _ exchange: CacheableExchange) async throws -> HTTPResponse
}

/// What a cache needs from the provider for one request.
package struct CacheableExchange: Sendable {
    /// How the cache is used.
    package var policy: HTTPCachePolicy
    /// The request's context.
    package var context: RequestContext
    /// Which redirects are followed.
    package var redirects: RedirectPolicy
    /// Names of header fields that carry credentials, in lower case.
    package var credentials: Set<String>
    /// Returns the request as it would be sent now, with the fields that plugins add.
    package var anticipate: @Sendable (HTTPRequest) -> HTTPRequest
    /// Called with the progress of a response that causes no exchange.
    package var events: HTTPEventHandler?
    /// Sends a request through the plugins; the observer sees what is sent over the network.
    package var network: @Sendable (HTTPRequest, any ExchangeObserver) async throws -> HTTPResponse
}

/// Observes the exchanges of one request as they go over the network, below plugins and redirects.
package protocol ExchangeObserver: Sendable {
    /// An attempt begins: the first one, or a retry.
    func attemptDidBegin()

    /// An attempt has ended.
    func attemptDidEnd()

    /// Sends one request of an attempt over the transport.
    func send(
        _ request: HTTPRequest,
        over transport: (HTTPRequest) async throws(HTTPTransportError) -> HTTPResponse
    ) async throws(HTTPTransportError) -> HTTPResponse

    /// A redirect is followed: reads or cancels the response's body.
    /// - Returns: the next request, without the fields that belong to the first URL alone.
    func follow(_ response: HTTPResponse, to next: HTTPRequest) async -> HTTPRequest
}
