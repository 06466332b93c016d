import EssentialFoundation
public import HTTPTransport
public import NetworkProvider
import Threading

/// Sends requests through another transport and records the traffic for a ``ReplayTransport``.
///
/// ```swift
/// let recorder = RecordingTransport()
/// let provider = NetworkProvider(transport: recorder)
/// _ = try await provider.request(Breeds())
/// try recorder.recording.write(to: path)
/// ```
///
/// Secrets are replaced before anything is recorded: those of the recorder's redaction, and those of the provider and
/// its plugins. In the JSON of a response, a value of the same kind is left, so that it can be decoded. Bodies are recorded
/// while they are read or sent; streams remain streams.
public final class RecordingTransport: HTTPTransport {
    private struct Slot {
        var request: HTTPRequest
        var redaction: Redaction
        var sent = RecordedBody()
        var head: HTTPResponseHead?
        var received = RecordedBody(Data(), isWhole: false)
        var isOverLimit = false
        var failure: HTTPTransportError?
    }

    private struct State {
        var redaction: Redaction
        var slots: [Slot] = []
    }

    private let transport: any HTTPTransport
    private let limit: Int
    private let state: Locked<State>

    /// Creates a recorder.
    /// - Parameters:
    ///   - transport: sends the requests.
    ///   - redaction: what is replaced, besides the provider's redaction.
    ///   - maximumBodyBytes: the maximum size of a recorded body; the rest is not recorded. 1 MiB by default.
    public init(
        _ transport: (any HTTPTransport)? = nil,
        redaction: Redaction = Redaction(),
        maximumBodyBytes: Int = 1 << 20
    ) {
        self.transport = transport ?? NetworkProvider.defaultTransport()
        limit = max(maximumBodyBytes, 0)
        state = Locked(State(redaction: redaction))
    }

    /// The features that the other transport does not support.
    public var unsupportedFeatures: Set<HTTPTransportFeature> { transport.unsupportedFeatures }

    /// The traffic so far; a response whose body is being read has the bytes so far.
    public var recording: Recording {
        let (slots, redaction) = state.withLock { ($0.slots, $0.redaction) }
        return Recording(
            exchanges: slots.compactMap { slot in RecordingTransport.exchange(slot) },
            redaction: redaction
        )
    }

    /// Sends the request and records the exchange.
    public func send(
        _ request: HTTPRequest,
        events: HTTPEventHandler?
    ) async throws(HTTPTransportError) -> HTTPResponse {
        let number = begin(request)
        let tapped = try await tapped(request, number)
        let response: HTTPResponse
        do throws(HTTPTransportError) {
            response = try await transport.send(tapped, events: events)
        } catch {
            change(number) { $0.failure = error }
            throw error
        }
        change(number) { $0.head = response.head }
        let body = TappedBody(response.body) { piece in
            self.change(number) { slot in
                let room = self.limit - slot.received.bytes.count
                slot.isOverLimit = slot.isOverLimit || piece.count > room
                slot.received.bytes += piece.prefix(room)
            }
        } onEnd: { error in
            self.change(number) { $0.received.isWhole = error == nil && !$0.isOverLimit }
        }
        return HTTPResponse(head: response.head, body: HTTPResponseBody(body))
    }

    private func begin(_ request: HTTPRequest) -> Int {
        let known = RequestContext.current?.redaction
        return state.withLock { state in
            if let known { state.redaction = state.redaction.union(known) }
            state.slots.append(Slot(request: request, redaction: state.redaction))
            return state.slots.count - 1
        }
    }

    /// Returns the request with a body that is recorded while it is sent.
    private func tapped(_ request: HTTPRequest, _ number: Int) async throws(HTTPTransportError) -> HTTPRequest {
        guard case .stream(let stream) = request.body else {
            // The transport reports a file that cannot be read.
            let body = (try? await request.body.collected(upTo: limit)) ?? RecordedBody(Data(), isWhole: false)
            change(number) { $0.sent = body }
            return request
        }
        var request = request
        request.body = .stream(
            HTTPBodyStream(length: stream.length) {
                self.change(number) { $0.sent = RecordedBody() }
                return RecordingTransport.tap(stream.makePieces()) { piece in
                    self.change(number) { slot in
                        let room = self.limit - slot.sent.bytes.count
                        if piece.count > room { slot.sent.isWhole = false }
                        slot.sent.bytes += piece.prefix(room)
                    }
                }
            }
        )
        return request
    }

    private static func tap(
        _ pieces: some AsyncSequence<Data, any Error> & Sendable,
        _ take: @escaping @Sendable (Data) -> Void
    ) -> any AsyncSequence<Data, any Error> & Sendable {
        pieces.map { piece in
            take(piece)
            return piece
        }
    }

    private func change(_ number: Int, _ work: (inout Slot) -> Void) {
        state.withLock { work(&$0.slots[number]) }
    }

    private static func exchange(_ slot: Slot) -> Recording.Exchange? {
        let request = RecordedRequest(slot.request, slot.sent, slot.redaction)
        if let failure = slot.failure {
            let detail = slot.redaction.redacted(text: failure.detail)
            // A replay is retried as the request was.
            let code = failure.isConnectionFailure && failure.code == .proxy ? .cannotConnect : failure.code
            return Recording.Exchange(request: request, outcome: .failure(code, detail: detail))
        }
        guard let head = slot.head else { return nil }
        let type = head.headers[.contentType]
        let bytes = slot.redaction.redacted(body: slot.received.bytes, contentType: type, keepsKinds: true)
        // The body is recorded whole, and decompressed if the caller receives it so: fields about its transfer are not valid
        // any more. The response to a HEAD request has no body, and its fields are what was asked for.
        var headers = slot.redaction.redacted(head.headers)
        for name in ["Transfer-Encoding", "Connection", "Keep-Alive"] { headers.remove(name) }
        if slot.request.method != .head {
            headers.remove("Content-Length")
            if slot.request.decompresses { headers.remove("Content-Encoding") }
        }
        let body = RecordedBody(bytes, isWhole: slot.received.isWhole)
        return Recording.Exchange(
            request: request,
            outcome: .response(status: head.status, headers: headers, body: body)
        )
    }
}
