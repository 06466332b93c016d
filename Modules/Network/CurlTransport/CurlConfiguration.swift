public import HTTPTransport

/// The limits and settings of a ``CurlTransport``'s connections.
public struct CurlConfiguration: Sendable, Hashable {
    /// The maximum number of exchanges that run at a time; others wait. At least 1.
    public var maximumExchanges: Int { didSet { maximumExchanges = max(1, maximumExchanges) } }
    /// The maximum number of exchanges that run at a time with one scheme, host and port. At least 1.
    ///
    /// Over HTTP/2 they usually share one connection, up to the number of streams that the server allows (often 100 or 128);
    /// for more, and during a burst, libcurl makes others. An event stream counts, and so does a body that is not read to its end:
    /// raise the number for a program with many of them.
    public var maximumExchangesPerOrigin: Int {
        didSet { maximumExchangesPerOrigin = max(1, maximumExchangesPerOrigin) }
    }
    /// The number of bytes of a body that are buffered for a slow reader before the transfer pauses. At least 1. Over HTTP/2,
    /// libcurl itself buffers up to 32 MiB for each such reader.
    public var bufferedBytes: Int { didSet { bufferedBytes = max(1, bufferedBytes) } }
    /// The User-Agent of requests without one; nil sends none.
    ///
    /// A value with a control character fails every request with `HTTPTransportError/Code/invalidSettings`.
    public var userAgent: String?
    /// The protocol version, TLS, proxy and socket.
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

    /// Checks what can be checked before a connection is made.
    func validate() async throws(HTTPTransportError) {
        try await connection.validate()
        guard HTTPSyntax.isFieldValue(userAgent ?? "") else {
            throw HTTPTransportError(
                .invalidSettings,
                detail: "CurlConfiguration.userAgent contains a line break, a NUL or another control character"
            )
        }
    }
}
