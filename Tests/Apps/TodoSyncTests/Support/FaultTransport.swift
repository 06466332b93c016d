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
        /// The reply has other ETags than the server.
        case changedETag
        /// The server does not know the token any more.
        case refusedToken
        /// The texts of todos end early, in a reply that is whole.
        case cutText

        /// The reply without a request to the server.
        var status: Int? {
            switch self {
            case .preconditionFailed: 412
            case .conflict: 409
            case .full: 507
            case .failure: 500
            case .tooManyRequests: 429
            case .refusedToken: 403
            case .offline, .lostReply, .cutBody, .noETag, .changedETag, .cutText: nil
            }
        }

        /// The faults of any request.
        static let general = allCases.filter { $0 != .refusedToken && $0 != .cutText }

        /// Whether the fault can happen to a request.
        func concerns(_ request: HTTPRequest) -> Bool {
            guard self == .refusedToken, case .data(let body) = request.body else { return self != .refusedToken }
            return String(decoding: body, as: UTF8.self).contains("sync-token>")
        }
    }

    private struct State {
        var rate = 0.0
        var random = SplitMix64(seed: 0)
        var planned: [Fault?] = []
        var methods: Set<HTTPMethod> = []
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

    /// Makes the next requests of some methods fail, one after the other; `nil` lets one pass.
    func plan(_ faults: [Fault?], of methods: Set<HTTPMethod> = [.put, .delete]) {
        state.withLock { ($0.planned, $0.methods) = (faults, methods) }
    }

    private func next(_ request: HTTPRequest) -> Fault? {
        state.withLock { state in
            var fault: Fault?
            if !state.planned.isEmpty {
                if state.methods.contains(request.method) { fault = state.planned.removeFirst() }
            } else if Double.random(in: 0..<1, using: &state.random) < state.rate {
                fault = Fault.allCases.randomElement(using: &state.random)
            }
            guard let fault, fault.concerns(request) else { return nil }
            state.seen.insert(fault)
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
            let rule = #"<D:error xmlns:D="DAV:"><D:valid-sync-token/></D:error>"#
            return HTTPResponse(
                head: HTTPResponseHead(status: status, headers: headers, url: request.url),
                body: HTTPResponseBody(fault == .refusedToken ? Data(rule.utf8) : Data())
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
        case .changedETag:
            response.head.headers["ETag"] = response.head.headers["ETag"].map { $0.replacing("\"", with: "\"changed-") }
            response.body = HTTPResponseBody(body.replacing(#/(getetag>(?:"|&quot;))/#) { "\($0.output.1)changed-" })
        case .cutText:
            response.body = HTTPResponseBody(body.replacing(#/(?s)SUMMARY.*?END:VCALENDAR\s*/#) { _ in "SUMM" })
        default: break
        }
        return response
    }
}

extension Data {
    /// Returns a text in UTF-8 with other texts in place of what matches.
    fileprivate func replacing<Output>(
        _ pattern: some RegexComponent<Output>,
        with replacement: (Regex<Output>.Match) -> String
    ) -> Data {
        Data(String(decoding: self, as: UTF8.self).replacing(pattern, with: replacement).utf8)
    }
}
