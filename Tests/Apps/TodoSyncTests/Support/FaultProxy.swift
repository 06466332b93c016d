import Checksums
import Foundation
import HTTPTransport
import LoopbackServer
import TestSupport
import Threading

/// A proxy in front of a server, with faults: replies that the server did not send, replies that are lost after it has done
/// what was requested, and bodies that are cut.
final class FaultProxy: Sendable {
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
        func concerns(_ request: ServedRequest) -> Bool {
            self != .refusedToken || String(decoding: request.body, as: UTF8.self).contains("sync-token>")
        }
    }

    private struct State {
        var rate = 0.0
        var random = SplitMix64(seed: 0)
        var planned: [Fault?] = []
        var methods: Set<String> = []
        var seen: Set<Fault> = []
    }

    private let state: Locked<State>
    private let listener: LoopbackServer

    /// Starts a proxy in front of a server.
    init(_ server: CalDAVServer) throws {
        let state = Locked(State())
        let (base, transport) = (server.url, server.transport())
        self.state = state
        listener = try LoopbackServer { request in
            await Self.reply(to: request, Self.next(request, state), base, transport)
        }
    }

    /// Its address.
    var url: URL { URL(string: listener.baseURL) ?? URL(filePath: "/") }

    /// The faults that have happened.
    var seen: Set<Fault> { state.withLock { $0.seen } }

    func setFaults(rate: Double, seed: UInt64) {
        state.withLock { ($0.rate, $0.random) = (rate, SplitMix64(seed: seed)) }
    }

    /// Makes the next requests of some methods fail, one after the other; `nil` lets one pass.
    func plan(_ faults: [Fault?], of methods: Set<String> = ["PUT", "DELETE"]) {
        state.withLock { ($0.planned, $0.methods) = (faults, methods) }
    }

    private static func next(_ request: ServedRequest, _ state: Locked<State>) -> Fault? {
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

    /// The fields that belong to a connection, and not to what it transports.
    private static let hopFields: Set<String> = [
        "host", "connection", "content-length", "transfer-encoding", "accept-encoding", "content-encoding", "expect",
    ]

    private static func reply(
        to request: ServedRequest,
        _ fault: Fault?,
        _ base: URL,
        _ transport: any HTTPTransport
    ) async -> ServedResponse {
        if fault == .offline { return .failing(.closed) }
        if let status = fault?.status {
            let rule = #"<D:error xmlns:D="DAV:"><D:valid-sync-token/></D:error>"#
            return ServedResponse(
                status: status,
                headers: status == 429 ? [("Retry-After", "90")] : [],
                body: .data(fault == .refusedToken ? Data(rule.utf8) : Data())
            )
        }
        guard let url = URL(string: base.absoluteString + request.target),
            let response = try? await transport.send(
                HTTPRequest(
                    HTTPMethod(rawValue: request.method),
                    url: url,
                    headers: HTTPHeaders(request.headers.filter { !hopFields.contains($0.name.lowercased()) }),
                    body: request.body.isEmpty ? .none : .data(request.body)
                ),
                events: nil
            ), var body = try? await response.body.collect()
        else { return .failing(.resetUnanswered) }
        var headers = response.head.headers
        var failure: ServedResponse.Fault?
        switch fault {
        case .lostReply: failure = .resetUnanswered
        case .cutBody: failure = body.isEmpty ? .declaredLength(100) : .truncated(after: body.count / 2)
        case .noETag: headers["ETag"] = nil
        case .changedETag:
            headers["ETag"] = headers["ETag"].map { $0.replacing("\"", with: "\"changed-") }
            body = body.replacing(#/(getetag>(?:"|&quot;))/#) { "\($0.output.1)changed-" }
        case .cutText: body = body.replacing(#/(?s)SUMMARY.*?END:VCALENDAR\s*/#) { _ in "SUMM" }
        default: break
        }
        return ServedResponse(
            status: response.head.status,
            headers: headers.filter { !hopFields.contains($0.name.lowercased()) }.map { ($0.name, $0.value) },
            body: .data(body),
            fault: failure
        )
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
