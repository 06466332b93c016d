import EssentialFoundation
public import HTTPTransport
import NetworkProvider
import TextEscaping
import Threading

/// Returns the responses of a ``Recording`` instead of using a network.
///
/// ```swift
/// let provider = NetworkProvider(transport: ReplayTransport(try Recording(contentsOf: path)))
/// ```
///
/// Each exchange is replayed once, equal requests in the order of the recording. A request that was not recorded fails
/// with `unexpectedRequest`; the error names the closest recorded request and the differences.
public final class ReplayTransport: HTTPTransport {
    private struct State {
        var used: Set<Int> = []
        var mismatches: [ReplayMismatch] = []
    }

    /// The recording.
    public let recording: Recording
    /// The rules for equal requests.
    public let matching: RequestMatching
    private let repeats: Bool
    private let state = Locked(State())

    /// Creates a replay.
    /// - Parameters:
    ///   - recording: the recording.
    ///   - matching: the rules for equal requests.
    ///   - repeats: whether the last response is repeated for a request that is sent more often than it was recorded.
    public init(_ recording: Recording, matching: RequestMatching = RequestMatching(), repeats: Bool = false) {
        self.recording = recording
        self.matching = matching
        self.repeats = repeats
    }

    /// The exchanges that were not replayed.
    public var unused: [Recording.Exchange] {
        let used = state.withLock { $0.used }
        return recording.exchanges.indices.filter { !used.contains($0) }.map { recording.exchanges[$0] }
    }

    /// All requests so far that were not recorded.
    public var mismatches: [ReplayMismatch] { state.withLock { $0.mismatches } }

    /// Returns the recorded response.
    /// - Throws: the recorded failure; `HTTPTransportError/Code/unexpectedRequest` with a ``ReplayMismatch`` as its
    ///   detail for a request that was not recorded.
    public func send(
        _ request: HTTPRequest,
        events: HTTPEventHandler?
    ) async throws(HTTPTransportError) -> HTTPResponse {
        try request.validate()
        let redaction = RequestContext.current.map { recording.redaction.union($0.redaction) } ?? recording.redaction
        let body = try await request.body.collected(upTo: 64 << 20)
        if Task.isCancelled { throw HTTPTransportError.cancelled.reported(by: events, of: request) }
        let record = RecordedRequest(request, body, redaction)
        guard let exchange = take(record) else {
            let mismatch = mismatch(record)
            state.withLock { $0.mismatches.append(mismatch) }
            throw HTTPTransportError(.unexpectedRequest, detail: mismatch.description).reported(by: events, of: request)
        }
        switch exchange.outcome {
        case .failure(let code, let detail):
            throw HTTPTransportError(code, detail: detail).reported(by: events, of: request)
        case .response(let status, let headers, let received):
            let length = Int64(received.bytes.count)
            if !body.bytes.isEmpty { events?(.uploaded(Int64(body.bytes.count), of: Int64(body.bytes.count))) }
            if length > 0 { events?(.downloaded(length, of: received.isWhole ? length : nil)) }
            let head = HTTPResponseHead(status: status, headers: headers, url: request.url)
            guard received.isWhole else {
                let truncated = HTTPResponseBody(TruncatedBody(received.bytes, request.url))
                let reporting = TappedBody(truncated) { error in
                    _ = error?.reported(by: events, of: request, bytesReceived: received.bytes.count)
                }
                return HTTPResponse(head: head, body: HTTPResponseBody(reporting))
            }
            events?(.finished(HTTPMetrics(total: .zero, bytesSent: Int64(body.bytes.count), bytesReceived: length)))
            return HTTPResponse(head: head, body: HTTPResponseBody(received.bytes))
        }
    }

    private func take(_ request: RecordedRequest) -> Recording.Exchange? {
        let equal = recording.exchanges.indices.filter {
            recording.exchanges[$0].request.differences(to: request, matching).isEmpty
        }
        return state.withLock { state in
            if let next = equal.first(where: { !state.used.contains($0) }) {
                state.used.insert(next)
                return recording.exchanges[next]
            }
            return repeats ? equal.last.map { recording.exchanges[$0] } : nil
        }
    }

    private func mismatch(_ request: RecordedRequest) -> ReplayMismatch {
        let used = state.withLock { $0.used }
        let closest = recording.exchanges.indices.map { index in
            (index: index, differences: recording.exchanges[index].request.differences(to: request, matching))
        }.min { left, right in
            let (first, second) = (left.differences.weight, right.differences.weight)
            return first != second ? first < second : !used.contains(left.index) && used.contains(right.index)
        }
        return ReplayMismatch(
            request: request,
            closest: closest.map { recording.exchanges[$0.index].request },
            number: closest.map { $0.index + 1 },
            differences: closest?.differences ?? []
        )
    }
}

/// A request that was not recorded, the closest recorded one, and the differences.
public struct ReplayMismatch: Error, Sendable, CustomStringConvertible {
    /// The request, with secrets replaced.
    public let request: RecordedRequest
    /// The closest recorded request; nil if the recording is empty.
    public let closest: RecordedRequest?
    /// The number of that request in the recording, from 1.
    public let number: Int?
    /// The differences; empty if they are equal, and all equal ones were already replayed.
    public let differences: [RequestDifference]

    /// One line: the request, the closest one, and up to five differences.
    public var description: String {
        let text = "\(request.method) \(request.url) was not recorded"
        guard let closest, let number else { return "\(text): the recording is empty" }
        if differences.isEmpty { return "\(request.method) \(request.url) was sent more often than it was recorded" }
        let shown = differences.prefix(5).map(\.description).joined(separator: "; ")
        let more = differences.count > 5 ? "; and \(differences.count - 5) more" : ""
        return "\(text); closest is number \(number), \(closest.method) \(closest.url): \(shown)\(more)"
            .escapingControls()
    }
}

/// A body that fails after the recorded bytes.
private final class TruncatedBody: HTTPBodySource {
    private let rest: Locked<Data?>
    private let error: HTTPTransportError

    init(_ bytes: Data, _ url: URL) {
        rest = Locked(bytes.isEmpty ? nil : bytes)
        error = HTTPTransportError(.bodyTruncated, url: url, detail: "no more of the body was recorded")
    }

    func next() async throws(HTTPTransportError) -> Data? {
        let piece = rest.withLock { rest in
            defer { rest = nil }
            return rest
        }
        guard let piece else { throw error }
        return piece
    }

    func cancel() { rest.withLock { $0 = nil } }
}
