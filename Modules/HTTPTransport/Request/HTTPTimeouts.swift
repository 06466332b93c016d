/// How long each part of an exchange may take.
public struct HTTPTimeouts: Hashable, Sendable {
    /// Until the connection stands: name lookup, TCP and TLS together.
    public var connect: Duration
    /// Between two signs of life from the server. Time the client itself is slow does not count.
    public var idle: Duration
    /// From sending to the last byte of the body, waiting for a free connection included; nil for no bound.
    public var total: Duration?
    /// Waiting for a free connection while no other request gets one either; nil for no bound.
    ///
    /// A transport runs only so many exchanges at one time with a server. As long as some of them end and others get their
    /// turn, a request waits as long as its `total` allows. When all of them stay (event streams, bodies that nobody
    /// reads), it ends after this time with ``HTTPTransportError/Phase/queue``, and the error says what holds the places
    /// and which setting adds more. URLSession counts its own queue as `idle` time.
    public var queue: Duration?

    /// Creates timeouts. A `total` or `idle` of zero or less fails at once; a `connect` of less counts as a millisecond, in
    /// which a server on the same machine may well be reached.
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
