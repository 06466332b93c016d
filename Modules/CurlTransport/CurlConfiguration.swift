/// How a ``CurlTransport`` makes and shares connections.
public struct CurlConfiguration: Sendable, Hashable {
    /// Which proxy requests go through.
    public enum Proxy: Sendable, Hashable {
        /// The one that the variables `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` name, if any.
        case environment
        /// None, whatever the environment says.
        case none
        /// The one at this URL, such as `http://proxy:3128`.
        case url(String)
    }

    /// Exchanges that run at one time; others wait for their turn. At least 1.
    public var maximumExchanges: Int
    /// Exchanges that run at one time with one scheme, host and port. At least 1.
    public var maximumExchangesPerOrigin: Int
    /// The bytes of a body held in memory for a slow reader before the server is held back.
    public var bufferedBytes: Int
    /// Sent as User-Agent where a request has none; nil sends none.
    public var userAgent: String?
    /// Which proxy requests go through.
    public var proxy: Proxy

    /// Creates a configuration.
    public init(
        maximumExchanges: Int = 256,
        maximumExchangesPerOrigin: Int = 16,
        bufferedBytes: Int = 512 << 10,
        userAgent: String? = "PawKit",
        proxy: Proxy = .environment
    ) {
        self.maximumExchanges = max(1, maximumExchanges)
        self.maximumExchangesPerOrigin = max(1, maximumExchangesPerOrigin)
        self.bufferedBytes = max(1, bufferedBytes)
        self.userAgent = userAgent
        self.proxy = proxy
    }
}
