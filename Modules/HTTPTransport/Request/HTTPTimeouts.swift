/// How long each part of an exchange may take.
public struct HTTPTimeouts: Hashable, Sendable {
    /// Until the connection stands: name lookup, TCP and TLS together.
    public var connect: Duration
    /// Between two signs of life from the server. Time the client itself is slow does not count.
    public var idle: Duration
    /// From sending to the last byte of the body, waiting for a free connection included; nil for no bound.
    public var total: Duration?

    /// Creates timeouts. A `total` or `idle` of zero or less fails at once; a `connect` of less counts as a millisecond, in
    /// which a server on the same machine may well be reached.
    public init(connect: Duration = .seconds(15), idle: Duration = .seconds(60), total: Duration? = nil) {
        self.connect = connect
        self.idle = idle
        self.total = total
    }
}
