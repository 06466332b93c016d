import Foundation
import HTTPTransport
import LoopbackServer
import TestSupport
import Threading

/// A transport under test and its server.
struct ConformanceSetting: Sendable {
    let transport: any HTTPTransport
    /// Makes another transport of this kind with other settings.
    let make: @Sendable (HTTPConnectionSettings) -> any HTTPTransport
    let server: LoopbackServer

    /// A request to a path of the server, with changes.
    func request(
        _ method: HTTPMethod = .get,
        _ path: String = "/",
        headers: HTTPHeaders = [:],
        body: HTTPBody = .none,
        _ change: (inout HTTPRequest) -> Void = { _ in }
    ) throws -> HTTPRequest {
        var request = try HTTPRequest(method, server.baseURL + path, headers: headers, body: body)
        request.timeouts = HTTPTimeouts(connect: .seconds(20), idle: .seconds(20), total: .seconds(20))
        change(&request)
        return request
    }

    /// Sends a request and collects the response; returns the events, the last of which is the end.
    func events(of request: HTTPRequest) async throws -> [HTTPTransferEvent] {
        let events = Locked<[HTTPTransferEvent]>([])
        let response = try await transport.send(request) { event in events.withLock { $0.append(event) } }
        _ = try await response.body.collect()
        let isFinished = { events.withLock { if case .finished = $0.last { true } else { false } } }
        try await time(until: isFinished, "the end was reported")
        return events.withLock { $0 }
    }

    /// Sends a request and collects the response.
    func exchange(_ request: HTTPRequest) async throws -> (head: HTTPResponseHead, body: Data) {
        let response = try await transport.send(request)
        return (response.head, try await response.body.collect())
    }

    /// Checks that an exchange fails with one of these codes and a detail that names the invalid part.
    func mustFail(_ request: HTTPRequest, _ codes: HTTPTransportError.Code..., naming part: String = "") async throws {
        do {
            let (head, body) = try await exchange(request)
            throw ConformanceFailure(
                description: "expected a failure \(codes), got status \(head.status) and \(body.count) bytes"
            )
        } catch let error as HTTPTransportError {
            guard codes.contains(error.code) else {
                let description = "expected one of \(codes), got \(error.code): \(error)"
                throw ConformanceFailure(description: description, error: error)
            }
            try expect(part.isEmpty || error.detail.contains(part), "\(error) does not name \(part)")
        }
    }

    /// Waits until a condition holds; time counts as in `eventually`.
    func time(until condition: () -> Bool, _ what: String, within limit: Duration = .seconds(8)) async throws {
        do {
            try await eventually(within: limit, condition)
        } catch is NeverHappened {
            throw ConformanceFailure(description: "never happened: \(what)")
        }
    }

    /// Waits until the server has detected that the client closed a connection, for less than the timeouts of
    /// ``request(_:_:headers:body:_:)``, which close it as well.
    func untilPeerClosed() async throws {
        let isClosed = { server.connections.contains { $0.peerClosed != nil } }
        try await time(until: isClosed, "the socket was closed", within: .seconds(5))
    }
}
