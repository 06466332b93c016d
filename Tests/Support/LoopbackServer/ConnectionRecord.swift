/// What is known of one accepted connection.
public struct ConnectionRecord: Sendable {
    /// The number of the connection, counted from 0 in the order of acceptance.
    public let number: Int
    /// When it was accepted.
    public let opened: ContinuousClock.Instant
    /// When the server noticed that the client had closed or reset its end; nil while it has not.
    public internal(set) var peerClosed: ContinuousClock.Instant?
    /// Whether the server has given up its end.
    public internal(set) var isClosed = false
    /// The bytes the socket has accepted so far, heads included.
    public internal(set) var bytesSent = 0
    /// The requests that were read whole.
    public internal(set) var requests = 0
}
