/// How a target uses the cache of its provider.
public enum HTTPCachePolicy: Sendable, Hashable, CaseIterable {
    /// The policy of the cache, for a target that declares none; of the cache itself, the same as ``useProtocol``.
    case inherited
    /// The rules of RFC 9111: a fresh response is used, a stale one is validated, and Cache-Control applies.
    case useProtocol
    /// The cache is not used. Unsafe methods still remove invalid responses.
    case ignore
    /// A stored response is used only after the server has validated it; a fresh one that is marked `immutable` needs
    /// no validation (RFC 8246).
    case revalidate
    /// The whole response is requested again and stored.
    case reload
    /// A stored response is used however old it is, unless its `must-revalidate` or `no-cache` forbids that or it is an
    /// error; a request is sent only without one.
    case preferCached
    /// As ``preferCached``, and a stale response is requested again in the background.
    case staleWhileRevalidating
    /// As ``preferCached``, also with an error, and no request is sent: without a stored response the request fails with
    /// ``NetworkError/Reason/notCached``.
    case onlyCached
}

/// A cache between a provider's requests and its plugins, such as `HTTPCache` of the module HTTPCaching.
///
/// It is above retries and authentication: a stored response causes no retry and waits for no refresh.
public protocol ResponseCache: Sendable {
    /// The policy for targets without one.
    var defaultPolicy: HTTPCachePolicy { get }

    /// Returns a stored response, or sends the request through ``ResponseCacheNetwork/send(_:_:)``.
    func send(_ request: HTTPRequest, _ network: ResponseCacheNetwork) async throws -> HTTPResponse
}

/// What a cache needs from the provider for one request.
public struct ResponseCacheNetwork: Sendable {
    /// How the cache is used.
    public var policy: HTTPCachePolicy
    /// The request's context.
    public var context: RequestContext
    /// Which redirects are followed.
    public var redirects: RedirectPolicy
    /// Names of header fields that carry credentials, in lower case.
    public var credentials: Set<String>
    /// Returns the request as it would be sent now, with the fields that plugins add, and with cookies.
    public var anticipate: @Sendable (HTTPRequest) -> HTTPRequest
    /// Returns the request with the fields that plugins add; they are sent along a redirect.
    package var withPluginFields: @Sendable (HTTPRequest) -> HTTPRequest
    /// Returns the request with the cookies of its own URL; each redirect has other ones.
    package var withCookies: @Sendable (HTTPRequest) -> HTTPRequest
    /// Called with the progress of an exchange, and of a response that causes none; nil for one that the caller does not wait
    /// for.
    public var events: HTTPEventHandler?
    var transfer: @Sendable (HTTPRequest, any NetworkObserver, HTTPEventHandler?) async throws -> HTTPResponse

    /// Sends a request through the plugins; the observer sees what is sent over the network.
    public func send(_ request: HTTPRequest, _ observer: any NetworkObserver) async throws -> HTTPResponse {
        try await transfer(request, observer, events)
    }
}

/// Observes the requests of one request as they go over the network, below plugins and redirects.
public protocol NetworkObserver: Sendable {
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
