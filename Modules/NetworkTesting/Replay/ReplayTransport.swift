public import HTTPTransport
import Locking
import NetworkProvider

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Answers from a ``Recording`` instead of a network, and says what differs when it has no answer.
///
/// ```swift
/// let provider = NetworkProvider(transport: ReplayTransport(try Recording(contentsOf: path)))
/// ```
///
/// Each exchange is given once, equal requests getting theirs in the order of recording. A request that was not recorded
/// fails with `unexpectedRequest`, and names the recorded request that is closest and where the two differ.
public final class ReplayTransport: HTTPTransport {
    private struct State {
        var used: Set<Int> = []
        var mismatches: [ReplayMismatch] = []
    }

    /// What is replayed.
    public let recording: Recording
    /// What must be equal.
    public let matching: RequestMatching
    private let repeats: Bool
    private let state = Locked(State())

    /// Creates a replay.
    /// - Parameters:
    ///   - recording: what is replayed.
    ///   - matching: what must be equal for a request to be taken for a recorded one.
    ///   - repeats: whether a request that comes more often than it was recorded gets the last answer again.
    public init(_ recording: Recording, matching: RequestMatching = RequestMatching(), repeats: Bool = false) {
        self.recording = recording
        self.matching = matching
        self.repeats = repeats
    }

    /// The exchanges that nobody has asked for yet.
    public var unused: [Recording.Exchange] {
        let used = state.withLock { $0.used }
        return recording.exchanges.indices.filter { !used.contains($0) }.map { recording.exchanges[$0] }
    }

    /// Every request so far that had no answer.
    public var mismatches: [ReplayMismatch] { state.withLock { $0.mismatches } }

    /// Answers as it was answered.
    /// - Throws: the recorded failure; `HTTPTransportError/Code/unexpectedRequest` with a ``ReplayMismatch`` as its
    ///   detail for a request that was not recorded.
    public func send(
        _ request: HTTPRequest,
        events: HTTPEventHandler?
    ) async throws(HTTPTransportError) -> HTTPResponse {
        try request.validate()
        let redaction = RequestContext.current.map { recording.redaction.union($0.redaction) } ?? recording.redaction
        let body = try await request.body.gathered(upTo: 64 << 20)
        if Task.isCancelled { throw HTTPTransportError.cancelled.at(request.url) }
        let asked = RecordedRequest(request, body, redaction)
        guard let exchange = take(asked) else {
            let mismatch = mismatch(asked)
            state.withLock { $0.mismatches.append(mismatch) }
            throw HTTPTransportError(.unexpectedRequest, url: request.url, detail: mismatch.description)
        }
        switch exchange.outcome {
        case .failure(let code, let detail): throw HTTPTransportError(code, url: request.url, detail: detail)
        case .response(let status, let headers, let received):
            let length = Int64(received.bytes.count)
            if !body.bytes.isEmpty { events?(.uploaded(Int64(body.bytes.count), of: Int64(body.bytes.count))) }
            if length > 0 { events?(.downloaded(length, of: received.isWhole ? length : nil)) }
            if received.isWhole {
                events?(
                    .finished(HTTPMetrics(total: .zero, bytesSent: Int64(body.bytes.count), bytesReceived: length))
                )
            }
            return HTTPResponse(
                head: HTTPResponseHead(status: status, headers: headers, url: request.url),
                body: received.isWhole
                    ? HTTPResponseBody(received.bytes) : HTTPResponseBody(CutOffBody(received.bytes, request.url))
            )
        }
    }

    private func take(_ asked: RecordedRequest) -> Recording.Exchange? {
        let equal = recording.exchanges.indices.filter {
            recording.exchanges[$0].request.differences(to: asked, matching).isEmpty
        }
        return state.withLock { state in
            if let next = equal.first(where: { !state.used.contains($0) }) {
                state.used.insert(next)
                return recording.exchanges[next]
            }
            return repeats ? equal.last.map { recording.exchanges[$0] } : nil
        }
    }

    private func mismatch(_ asked: RecordedRequest) -> ReplayMismatch {
        let used = state.withLock { $0.used }
        let closest = recording.exchanges.indices.map { index in
            (index: index, differences: recording.exchanges[index].request.differences(to: asked, matching))
        }.min { left, right in
            let (first, second) = (
                left.differences.reduce(0) { $0 + $1.weight }, right.differences.reduce(0) { $0 + $1.weight }
            )
            return first != second ? first < second : !used.contains(left.index) && used.contains(right.index)
        }
        return ReplayMismatch(
            asked: asked,
            closest: closest.map { recording.exchanges[$0.index].request },
            number: closest.map { $0.index + 1 },
            differences: closest?.differences ?? []
        )
    }
}

/// A request that was not recorded, the recorded one that is closest to it, and what differs.
public struct ReplayMismatch: Error, Sendable, CustomStringConvertible {
    /// What was asked, secrets replaced.
    public let asked: RecordedRequest
    /// The closest recorded request; nil when nothing was recorded.
    public let closest: RecordedRequest?
    /// Which one of the recording it is, from 1.
    public let number: Int?
    /// Where the two differ; empty when they are equal, and all equal ones were replayed already.
    public let differences: [RequestDifference]

    /// One line: the request, the closest one, and up to five differences.
    public var description: String {
        let text = "\(asked.method) \(asked.url) was not recorded"
        guard let closest, let number else { return "\(text): nothing was" }
        if differences.isEmpty { return "\(asked.method) \(asked.url) was recorded less often than it is asked for" }
        let shown = differences.prefix(5).map(\.description).joined(separator: "; ")
        let more = differences.count > 5 ? "; and \(differences.count - 5) more" : ""
        return "\(text); closest is number \(number), \(closest.method) \(closest.url): \(shown)\(more)"
            .withVisibleControls
    }
}

/// A body that breaks behind what was recorded of it.
final class CutOffBody: HTTPBodySource {
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
