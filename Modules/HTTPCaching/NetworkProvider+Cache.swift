public import HTTPTransport
public import NetworkProvider

extension NetworkProvider {
    /// Creates a provider whose responses are stored in `cache`; nil for no cache.
    ///
    /// The other parameters are those of the initializer without a cache. Providers that share a cache must send their
    /// requests for the same user, as far as their transports decide who that is (by a client certificate, for example).
    public init(
        transport: (any HTTPTransport)? = nil,
        plugins: [any NetworkPlugin] = [],
        redirects: RedirectPolicy = RedirectPolicy(),
        redaction: Redaction = Redaction(),
        cookies: CookieJar? = nil,
        cache: HTTPCache?,
        deduplicates: Bool = false,
        maximumBodyBytes: Int = 64 << 20
    ) {
        self.init(
            transport: transport,
            plugins: plugins,
            redirects: redirects,
            redaction: redaction,
            cookies: cookies,
            responseCache: cache,
            deduplicates: deduplicates,
            maximumBodyBytes: maximumBodyBytes
        )
    }

    /// The provider's cache; nil for none.
    public var cache: HTTPCache? { responseCache as? HTTPCache }
}
