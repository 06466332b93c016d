/// An event that a transport reports while an exchange runs.
public enum HTTPTransferEvent: Sendable, Equatable {
    /// Bytes of the request's body sent so far, and the total if known.
    case uploaded(Int64, of: Int64?)
    /// Bytes of the response's body received so far (after decompression), and the total if known.
    case downloaded(Int64, of: Int64?)
    /// The exchange succeeded, with these metrics.
    case finished(HTTPMetrics)
    /// The exchange failed or was cancelled, with the metrics so far. The error is also thrown; a cancelled caller may receive
    /// it before this event.
    case failed(HTTPTransportError, HTTPMetrics)
}

/// Receives the events of one exchange in order, on a thread that the transport needs: return quickly and never block.
public typealias HTTPEventHandler = @Sendable (HTTPTransferEvent) -> Void

/// Durations, byte counts and connection details of one exchange.
public struct HTTPMetrics: Sendable, Equatable {
    /// The time from the start until the host name was resolved; nil on a reused connection or if unknown.
    public var nameLookup: Duration?
    /// The time from the start until the TCP connection was made; nil on a reused connection or if unknown.
    public var connect: Duration?
    /// The time from the start until the TLS handshake was done; nil without TLS, on a reused connection or if unknown.
    public var secured: Duration?
    /// The time from the start until the first byte of the response.
    public var firstByte: Duration?
    /// The time from the start to the last byte, or to the failure.
    public var total: Duration
    /// The number of body bytes sent.
    public var bytesSent: Int64
    /// The number of body bytes received, before decompression.
    public var bytesReceived: Int64
    /// Whether an existing connection was used; nil if unknown.
    public var isConnectionReused: Bool?
    /// The protocol, such as "HTTP/1.1" or "HTTP/2"; nil if unknown.
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

/// Limits progress events to about fifty a second, and never drops the last one.
///
/// A transfer over a fast network has thousands of steps a second; reporting each would cost more than the transfer.
package struct ProgressGate: Sendable {
    /// The shortest time between two reports, in nanoseconds.
    package static let interval: Int64 = 20_000_000

    private var lastTime: Int64?
    private var lastCount: Int64 = -1

    /// Creates a gate that has reported nothing.
    package init() {}

    /// Decides whether to report a step; if so, the step counts as reported.
    /// - Parameters:
    ///   - count: the bytes so far.
    ///   - total: the total if known; the step that reaches it is always reported.
    ///   - now: nanoseconds of a monotonic clock.
    /// - Returns: whether to report the step.
    package mutating func reports(_ count: Int64, of total: Int64?, at now: Int64) -> Bool {
        if count == lastCount { return false }
        if let lastTime, now - lastTime < ProgressGate.interval, count != total { return false }
        lastTime = now
        lastCount = count
        return true
    }

    /// Whether the last step has not been reported yet, at the end of a transfer whose total was unknown.
    package func isBehind(_ count: Int64) -> Bool { count > 0 && count != lastCount }
}
