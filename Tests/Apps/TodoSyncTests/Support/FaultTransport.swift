import Checksums
import Foundation
import HTTPTransport
import Threading

/// The first part of a body, after which the connection breaks.
private final class CutBody: HTTPBodySource {
    private let part: Locked<Data>

    init(_ part: Data) { self.part = Locked(part) }

    func next() async throws(HTTPTransportError) -> Data? {
        let part = part.withLock { part in
            defer { part = Data() }
            return part
        }
        guard !part.isEmpty else { throw HTTPTransportError(.bodyTruncated) }
        return part
    }

    func cancel() {}
}

/// A connection to a server with faults: replies that the server did not send, replies that are lost after it has done what was
/// requested, and bodies that are cut.
final class FaultTransport: HTTPTransport {
    /// A fault of one exchange.
    enum Fault: CaseIterable {
        /// A status, without a request to the server.
        case preconditionFailed, conflict, full, failure, tooManyRequests
        /// The server is not reached.
        case offline
        /// The server has done what was requested, and the reply is lost.
        case lostReply
        /// The first half of the body arrives.
        case cutBody
        /// The reply has no ETag.
        case noETag

        /// The reply without a request to the server.
        var status: Int? {
            switch self {
            case .preconditionFailed: 412
            case .conflict: 409
            case .full: 507
            case .failure: 500
            case .tooManyRequests: 429
            case .offline, .lostReply, .cutBody, .noETag: nil
            }
        }
    }

    private struct State {
        var rate = 0.0
        var random = SplitMix64(seed: 0)
        var planned: [Fault] = []
        var seen: Set<Fault> = []
    }

    private let inner: any HTTPTransport
    private let state = Locked(State())

    init(_ inner: any HTTPTransport) { self.inner = inner }

    /// The faults that have happened.
    var seen: Set<Fault> { state.withLock { $0.seen } }

    func setFaults(rate: Double, seed: UInt64) {
        state.withLock { ($0.rate, $0.random) = (rate, SplitMix64(seed: seed)) }
    }

    /// Makes the next writes fail, one after the other.
    func plan(_ faults: [Fault]) { state.withLock { $0.planned = faults } }

    private func next(_ request: HTTPRequest) -> Fault? {
        state.withLock { state in
            var fault: Fault?
            if !state.planned.isEmpty {
                if request.method == .put || request.method == .delete { fault = state.planned.removeFirst() }
            } else if Double.random(in: 0..<1, using: &state.random) < state.rate {
                fault = Fault.allCases.randomElement(using: &state.random)
            }
            if let fault { state.seen.insert(fault) }
            return fault
        }
    }

    func send(
        _ request: HTTPRequest,
        events: HTTPEventHandler?
    ) async throws(HTTPTransportError) -> HTTPResponse {
        let fault = next(request)
        if fault == .offline { throw HTTPTransportError(.cannotConnect, url: request.url) }
        if let status = fault?.status {
            let headers: HTTPHeaders = status == 429 ? ["Retry-After": "90"] : [:]
            return HTTPResponse(
                head: HTTPResponseHead(status: status, headers: headers, url: request.url),
                body: HTTPResponseBody()
            )
        }
        var response = try await inner.send(request, events: events)
        guard let fault else { return response }
        let body = try await response.body.collect()
        response.body = HTTPResponseBody(body)
        switch fault {
        case .lostReply: throw HTTPTransportError(.connectionLost, url: request.url)
        case .cutBody: response.body = HTTPResponseBody(CutBody(body.prefix(body.count / 2)))
        case .noETag: response.head.headers["ETag"] = nil
        default: break
        }
        return response
    }
}
