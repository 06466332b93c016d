/// Limits on a response; exceeding one fails the exchange.
public struct HTTPLimits: Hashable, Sendable {
    /// The maximum size of a response's head in bytes, including interim responses and trailers. A transport may allow less:
    /// libcurl's own limits are 100 KiB for a line and, in newer versions, 300 KiB for a head.
    public var headerBytes: Int
    /// The maximum number of a response's fields, including interim responses and trailers.
    public var headerFields: Int
    /// The maximum size of the body in bytes as it is received, streamed or not; nil for no limit besides the reader's.
    public var bodyBytes: Int64?
    /// The maximum size in bytes that a compressed body may expand to, streamed or not.
    public var decompressedBytes: Int
    /// The maximum ratio of a body's size to its compressed size, checked when it has expanded to 4 MiB. Real data has a
    /// ratio below 100, a decompression bomb one of 1,000. At least 1.
    public var decompressionRatio: Int { didSet { decompressionRatio = max(1, decompressionRatio) } }

    /// Creates limits; by default a head of 256 KiB and 1,000 fields, and a decompressed body of 256 MiB and 250 times
    /// its compressed size.
    public init(
        headerBytes: Int = 256 << 10,
        headerFields: Int = 1_000,
        bodyBytes: Int64? = nil,
        decompressedBytes: Int = 256 << 20,
        decompressionRatio: Int = 250
    ) {
        self.headerBytes = headerBytes
        self.headerFields = headerFields
        self.bodyBytes = bodyBytes
        self.decompressedBytes = decompressedBytes
        self.decompressionRatio = max(1, decompressionRatio)
    }
}

/// Timeouts of an exchange.
public struct HTTPTimeouts: Hashable, Sendable {
    /// The time to make a connection: name lookup, TCP and TLS together. It includes the wait for a connection that another
    /// request is making and that both may share.
    public var connect: Duration
    /// The time without progress in which the transport waits for the server. While it waits for the client, which does
    /// not read the response's body or produces the request's body slowly, the time does not count.
    public var idle: Duration
    /// The time from the start to the last byte of the body, including the wait for a connection; nil for no limit.
    public var total: Duration?
    /// The time to wait for a connection while no other request gets one either; nil for no limit.
    ///
    /// A transport runs a limited number of exchanges with a server at a time. While others end and start, a request waits
    /// as long as its `total` allows. If none of them ends (event streams, bodies that are not read), the request fails
    /// after this time with ``HTTPTransportError/Phase/queue``; the error names the exchanges that run and the setting
    /// that allows more. URLSession counts the time in its own queue as `idle` time.
    public var queue: Duration?

    /// Creates timeouts. A `total` or `idle` of zero or less fails at once; a `connect` of less than a millisecond counts
    /// as one, in which a server on the same machine may be reached.
    public init(
        connect: Duration = .seconds(15),
        idle: Duration = .seconds(60),
        total: Duration? = nil,
        queue: Duration? = .seconds(60)
    ) {
        self.connect = connect
        self.idle = idle
        self.total = total
        self.queue = queue
    }
}
