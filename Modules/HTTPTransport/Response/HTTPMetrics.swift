/// What one exchange cost.
public struct HTTPMetrics: Sendable, Equatable {
    /// From the start until the name was looked up; nil on a reused connection or where it is not told.
    public var nameLookup: Duration?
    /// From the start until TCP was connected; nil on a reused connection or where it is not told.
    public var connect: Duration?
    /// From the start until TLS stood; nil without TLS, on a reused connection or where it is not told.
    public var secured: Duration?
    /// From the start until the first byte of the answer.
    public var firstByte: Duration?
    /// From the start to the last byte.
    public var total: Duration
    /// The body bytes sent.
    public var bytesSent: Int64
    /// The body bytes received, before they were unpacked.
    public var bytesReceived: Int64
    /// Whether a connection was used again; nil where it is not told.
    public var isConnectionReused: Bool?
    /// The protocol, such as "HTTP/1.1" or "HTTP/2"; nil where it is not told.
    public var protocolVersion: String?

    /// Creates metrics.
    public init(
        nameLookup: Duration? = nil,
        connect: Duration? = nil,
        secured: Duration? = nil,
        firstByte: Duration? = nil,
        total: Duration,
        bytesSent: Int64,
        bytesReceived: Int64,
        isConnectionReused: Bool? = nil,
        protocolVersion: String? = nil
    ) {
        self.nameLookup = nameLookup
        self.connect = connect
        self.secured = secured
        self.firstByte = firstByte
        self.total = total
        self.bytesSent = bytesSent
        self.bytesReceived = bytesReceived
        self.isConnectionReused = isConnectionReused
        self.protocolVersion = protocolVersion
    }
}
