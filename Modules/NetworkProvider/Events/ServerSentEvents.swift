/// The events of a target, over as many connections as it takes; read by one reader.
///
/// After a break the next connection asks, by `Last-Event-ID`, for what came after the last event. An answer of 204
/// ends the stream. Broken connections, orderly ends, and the statuses 408, 425, 429, 500, 502, 503 and 504 lead to the
/// next connection; any other status, or an answer that is no `text/event-stream`, fails the stream.
public struct ServerSentEvents: AsyncSequence, Sendable {
    /// One event.
    public typealias Element = ServerSentEvent
    /// Why the stream ended before its time.
    public typealias Failure = NetworkError

    private let policy: EventPolicy
    private let connect: @Sendable (_ lastID: String) async throws(NetworkError) -> PendingExchange

    init(
        policy: EventPolicy,
        connect: @escaping @Sendable (_ lastID: String) async throws(NetworkError) -> PendingExchange
    ) {
        self.policy = policy
        self.connect = connect
    }

    /// Connects at the first event that is asked for.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(policy: policy, connect: connect) }

    /// Gives the events in their order.
    public struct AsyncIterator: AsyncIteratorProtocol {
        /// Why the stream ended before its time.
        public typealias Failure = NetworkError

        private struct Connection {
            let exchange: PendingExchange
            var pieces: HTTPResponseBody.AsyncIterator
        }

        private let policy: EventPolicy
        private let connect: @Sendable (_ lastID: String) async throws(NetworkError) -> PendingExchange
        private var parser: EventParser
        private var connection: Connection?
        /// Last first.
        private var ready: [ServerSentEvent] = []
        private var failures = 0
        private var isOver = false

        init(
            policy: EventPolicy,
            connect: @escaping @Sendable (_ lastID: String) async throws(NetworkError) -> PendingExchange
        ) {
            self.policy = policy
            self.connect = connect
            parser = EventParser(limit: policy.maximumEventBytes)
        }

        /// The next event; nil when the server has ended the stream for good, and after a failure.
        public mutating func next() async throws(NetworkError) -> ServerSentEvent? {
            while ready.isEmpty, !isOver {
                do throws(NetworkError) {
                    try await advance()
                } catch {
                    isOver = true
                    throw error
                }
            }
            return ready.popLast()
        }

        /// Reads a piece, or connects.
        private mutating func advance() async throws(NetworkError) {
            guard var open = connection else { return try await reconnect() }
            connection = nil
            let piece: HTTPResponseBody.Element?
            do throws(HTTPTransportError) {
                piece = try await open.pieces.next()
            } catch {
                let failure = open.exchange.wrap(error)
                guard failure.isInterruption else { throw failure }
                return try await pause(after: failure)
            }
            guard let piece else { return try await pause(after: nil) }
            do throws(EventParser.Overflow) {
                ready = try parser.events(in: piece).reversed()
            } catch {
                open.exchange.response.body.cancel()
                throw open.exchange.error(.bodyTooLarge(limit: policy.maximumEventBytes))
            }
            if !ready.isEmpty { failures = 0 }
            connection = open
        }

        private mutating func reconnect() async throws(NetworkError) {
            let exchange: PendingExchange
            do throws(NetworkError) {
                exchange = try await connect(parser.lastID)
            } catch {
                guard error.isInterruption else { throw error }
                return try await pause(after: error)
            }
            parser = EventParser(limit: policy.maximumEventBytes, lastID: parser.lastID, retry: parser.retry)
            switch exchange.head.status {
            case 200 where exchange.head.mediaType == "text/event-stream":
                connection = Connection(exchange: exchange, pieces: exchange.response.body.makeAsyncIterator())
            case 204:
                isOver = true
            case 408, 425, 429, 500, 502, 503, 504:
                await exchange.response.discard()
                try await pause(after: exchange.error(.unacceptableStatus(exchange.head.status)))
            case 200:
                exchange.response.body.cancel()
                throw exchange.error(.decoding(NoEventStream(mediaType: exchange.head.mediaType)))
            case let status:
                exchange.response.body.cancel()
                throw exchange.error(.unacceptableStatus(status))
            }
        }

        /// Waits before the next connection; throws the failure when there have been too many in a row.
        private mutating func pause(after failure: NetworkError?) async throws(NetworkError) {
            failures += 1
            guard failures <= policy.maximumFailures else {
                guard let failure else { return isOver = true }
                throw failure
            }
            do {
                try await policy.clock.sleep(for: policy.delay(asked: parser.retry, failures: failures))
            } catch {
                throw NetworkError.wrapping(error, target: failure?.target ?? "events", request: failure?.request)
            }
        }
    }
}

/// One event of a `text/event-stream` (WHATWG HTML, section 9.2).
public struct ServerSentEvent: Sendable, Hashable {
    /// The event's type; `message` where the server names none.
    public var type: String
    /// The data, its lines joined by a line feed.
    public var data: String
    /// The last id that the server gave, with this event or an earlier one; empty when it gave none.
    public var id: String

    /// Creates an event.
    public init(type: String = "message", data: String, id: String = "") {
        self.type = type
        self.data = data
        self.id = id
    }
}

/// An answer that was to be an event stream is something else.
public struct NoEventStream: Error, Sendable, CustomStringConvertible {
    /// What it is.
    public let mediaType: String?

    /// What came, and what was wanted.
    public var description: String { "the answer is \(mediaType ?? "of no media type"), not text/event-stream" }
}
