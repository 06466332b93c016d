import EssentialFoundation

/// The events of a target, over any number of connections; read by one reader.
///
/// After a connection breaks, the next one requests the events after the last one by `Last-Event-ID`. A response with
/// status 204 ends the stream. Broken connections, complete responses, and the statuses 408, 425, 429, 500, 502, 503
/// and 504 lead to the next connection, not before their `Retry-After`; any other status, and a response that is not
/// `text/event-stream`, fails the stream.
public struct ServerSentEvents: AsyncSequence, Sendable {
    /// One event.
    public typealias Element = ServerSentEvent
    /// The failure of the stream.
    public typealias Failure = NetworkError

    private let policy: EventPolicy
    private let connect: @Sendable (_ lastID: String) async throws(NetworkError) -> PendingResponse

    init(
        policy: EventPolicy,
        connect: @escaping @Sendable (_ lastID: String) async throws(NetworkError) -> PendingResponse
    ) {
        self.policy = policy
        self.connect = connect
    }

    /// Connects when the first event is requested.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(policy: policy, connect: connect) }

    /// Returns the events in their order.
    public struct AsyncIterator: AsyncIteratorProtocol {
        /// The failure of the stream.
        public typealias Failure = NetworkError

        private struct Connection {
            let exchange: PendingResponse
            var pieces: HTTPResponseBody.AsyncIterator
        }

        private let policy: EventPolicy
        private let connect: @Sendable (_ lastID: String) async throws(NetworkError) -> PendingResponse
        private var parser: EventParser
        private var connection: Connection?
        /// In reverse order.
        private var ready: [ServerSentEvent] = []
        private var failures = 0
        private var isFinished = false
        /// The failure that follows the events that are ready.
        private var pending: NetworkError?

        init(
            policy: EventPolicy,
            connect: @escaping @Sendable (_ lastID: String) async throws(NetworkError) -> PendingResponse
        ) {
            self.policy = policy
            self.connect = connect
            parser = EventParser(limit: policy.maximumEventBytes)
        }

        /// Returns the next event; nil when the server has ended the stream, and after a failure.
        public mutating func next() async throws(NetworkError) -> ServerSentEvent? {
            while ready.isEmpty, !isFinished {
                do throws(NetworkError) {
                    try await advance()
                } catch {
                    isFinished = true
                    throw error
                }
            }
            return ready.popLast()
        }

        /// Reads a piece, or connects.
        private mutating func advance() async throws(NetworkError) {
            if let pending { throw pending }
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
            guard let piece else {
                // One connection was all that the caller wants.
                if policy.maximumFailures == 0 { return isFinished = true }
                let detail =
                    "the server ended the event stream \(failures + 1) times in a row without an event or a comment"
                return try await pause(after: open.exchange.wrap(HTTPTransportError(.connectionLost, detail: detail)))
            }
            do throws(EventParser.Overflow) {
                ready = try parser.events(in: piece).reversed()
            } catch {
                open.exchange.response.body.cancel()
                ready = error.events.reversed()
                pending = open.exchange.error(.bodyTooLarge(limit: policy.maximumEventBytes))
                pending?.advice = "that is the limit of an event or a line; raise EventPolicy.maximumEventBytes"
                return
            }
            if parser.hasReadLine { failures = 0 }
            connection = open
        }

        private mutating func reconnect() async throws(NetworkError) {
            let exchange: PendingResponse
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
                isFinished = true
            case let status:
                // The server may explain its refusal.
                let excerpt = await exchange.response.body.excerpt()
                exchange.response.body.cancel()
                let failure = exchange.error(.unacceptableStatus(status), excerpt)
                switch status {
                case 408, 425, 429, 500, 502, 503, 504:
                    let required = RetryPolicy.retryAfter(exchange.head, now: Date())
                    try await pause(after: failure, atLeast: required ?? .zero)
                case 200: throw exchange.error(.decoding(NotAnEventStream(mediaType: exchange.head.mediaType)), excerpt)
                default: throw failure
                }
            }
        }

        /// Waits before the next connection; throws the failure if there have been too many in a row.
        private mutating func pause(
            after failure: NetworkError,
            atLeast required: Duration = .zero
        ) async throws(NetworkError) {
            failures += 1
            guard failures <= policy.maximumFailures else { throw failure }
            let delay = policy.delay(required: parser.retry, failures: failures, atLeast: required)
            do {
                try await policy.clock.sleep(for: delay)
            } catch {
                throw NetworkError.wrapping(error, target: failure.target, request: failure.request)
            }
        }
    }
}

/// An event of a `text/event-stream` (WHATWG HTML, section 9.2).
public struct ServerSentEvent: Sendable, Hashable {
    /// The event's type; `message` by default.
    public var type: String
    /// The data; its lines are joined by a line feed.
    public var data: String
    /// The last ID that the server has sent, with this event or an earlier one; empty before the first.
    public var id: String

    /// Creates an event.
    public init(type: String = "message", data: String, id: String = "") {
        self.type = type
        self.data = data
        self.id = id
    }
}

/// The response is not an event stream.
struct NotAnEventStream: Error, Sendable, CustomStringConvertible {
    /// The media type of the response.
    let mediaType: String?

    /// The actual and the expected media type.
    var description: String {
        "the response has \(mediaType.map { "the media type \($0)" } ?? "no media type"), not text/event-stream"
    }
}
