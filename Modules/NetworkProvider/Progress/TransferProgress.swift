/// How far a transfer has come, both ways.
public struct TransferProgress: Sendable, Hashable {
    /// The bytes that have gone one way.
    public struct Count: Sendable, Hashable {
        /// How many have gone; a retry or a redirect begins with 0 again.
        public var bytes: Int64
        /// How many there will be; nil where nobody knows.
        public var expected: Int64?

        /// Creates a count.
        public init(bytes: Int64 = 0, expected: Int64? = nil) {
            self.bytes = bytes
            self.expected = expected
        }

        /// From 0 to 1; nil where nobody knows how many bytes there will be, or there will be none.
        public var fraction: Double? {
            guard let expected, expected > 0 else { return nil }
            return min(max(Double(bytes) / Double(expected), 0), 1)
        }
    }

    /// The request's body, as far as it has been handed to the network.
    public var sent: Count
    /// The answer's body, unpacked, as far as it has arrived.
    public var received: Count

    /// Creates a progress; nothing has gone, unless told otherwise.
    public init(sent: Count = Count(), received: Count = Count()) {
        self.sent = sent
        self.received = received
    }

    /// From 0 to 1, of the way under way: the request's body until the answer's begins to arrive. Nil where nobody
    /// knows how many bytes there will be.
    public var fraction: Double? { received.bytes > 0 ? received.fraction : sent.fraction }

    /// Takes what a transport tells; false when that changes nothing.
    mutating func take(_ event: HTTPTransferEvent) -> Bool {
        let before = self
        switch event {
        case .uploaded(let bytes, let expected):
            // A body that is being sent has no answer yet: what came before was another try's.
            self = TransferProgress(sent: Count(bytes: bytes, expected: expected))
        case .downloaded(let bytes, let expected): received = Count(bytes: bytes, expected: expected)
        case .finished: break
        }
        return self != before
    }
}
