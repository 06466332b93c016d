public import HTTPTransport

/// How a ``CurlTransport`` makes and shares connections.
public struct CurlConfiguration: Sendable, Hashable {
    /// Exchanges that run at one time; others wait for their turn. At least 1.
    public var maximumExchanges: Int {
        didSet { maximumExchanges = max(1, maximumExchanges) }
    }
    /// Exchanges that run at one time with one scheme, host and port. At least 1. Over HTTP/2 they share a connection.
    ///
    /// An event stream, and a body that nobody reads to its end, keeps its place: raise this for a program that keeps many.
    public var maximumExchangesPerOrigin: Int {
        didSet { maximumExchangesPerOrigin = max(1, maximumExchangesPerOrigin) }
    }
    /// The bytes of a body held in memory for a slow reader before the server is held back. At least 1.
    public var bufferedBytes: Int {
        didSet { bufferedBytes = max(1, bufferedBytes) }
    }
    /// Sent as User-Agent where a request has none; nil sends none.
    /// One that holds a control character fails every request with `HTTPTransportError/Code/invalidSettings`.
    public var userAgent: String?
    /// Protocol, TLS, proxy and socket.
    public var connection: HTTPConnectionSettings

    /// Creates a configuration.
    public init(
        maximumExchanges: Int = 256,
        maximumExchangesPerOrigin: Int = 16,
        bufferedBytes: Int = 512 << 10,
        userAgent: String? = "PawKit",
        connection: HTTPConnectionSettings = HTTPConnectionSettings()
    ) {
        self.maximumExchanges = max(1, maximumExchanges)
        self.maximumExchangesPerOrigin = max(1, maximumExchangesPerOrigin)
        self.bufferedBytes = max(1, bufferedBytes)
        self.userAgent = userAgent
        self.connection = connection
    }

    /// Checks what can be checked before anything is sent.
    func validate() async throws(HTTPTransportError) {
        try await connection.validate()
        guard HTTPSyntax.isFieldValue(userAgent ?? "") else {
            throw HTTPTransportError(
                .invalidSettings,
                detail: "CurlConfiguration.userAgent holds a line break, a NUL or another control character"
            )
        }
    }
}
