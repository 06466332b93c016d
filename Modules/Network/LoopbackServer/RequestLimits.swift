/// The limits of the requests that a server reads. By default there are none: a test may send anything.
public struct RequestLimits: Sendable {
    /// The most bytes of the request line and the header fields; a longer head is refused with status 431.
    public var head: Int
    /// The most bytes of a body; a longer one is refused with status 413.
    public var body: Int
    /// How long a client may take to send a request, or to accept a part of a response; then the connection is closed.
    public var time: Duration?

    /// Creates limits.
    public init(head: Int = .max, body: Int = .max, time: Duration? = nil) {
        (self.head, self.body, self.time) = (head, body, time)
    }
}
