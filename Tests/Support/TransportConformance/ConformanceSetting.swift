import Foundation
import HTTPTransport
import LoopbackServer

/// A transport under test and the server it talks to.
struct ConformanceSetting: Sendable {
    let transport: any HTTPTransport
    /// Makes another one of its kind, with settings of its own.
    let make: @Sendable (HTTPConnectionSettings) -> any HTTPTransport
    let server: LoopbackServer

    /// A request to a path of the server.
    func request(
        _ method: HTTPMethod = .get,
        _ path: String = "/",
        headers: HTTPHeaders = [:],
        body: HTTPBody = .none
    ) throws -> HTTPRequest {
        var request = try HTTPRequest(method, server.baseURL + path, headers: headers, body: body)
        request.timeouts = HTTPTimeouts(connect: .seconds(5), idle: .seconds(5), total: .seconds(9))
        return request
    }

    /// Sends a request and gathers the answer.
    func exchange(_ request: HTTPRequest) async throws -> (head: HTTPResponseHead, body: Data) {
        let response = try await transport.send(request)
        return (response.head, try await response.body.collect())
    }

    /// Sends and gathers, and must fail with one of these codes and a detail that names the offending part.
    func mustFail(
        _ request: HTTPRequest,
        _ codes: HTTPTransportError.Code...,
        naming part: String = ""
    ) async throws {
        do {
            let (head, body) = try await exchange(request)
            throw ConformanceFailure(
                description: "expected a failure \(codes), got status \(head.status) and \(body.count) bytes"
            )
        } catch let error as HTTPTransportError {
            guard codes.contains(error.code) else {
                throw ConformanceFailure(
                    description: "expected one of \(codes), got \(error.code): \(error)",
                    error: error
                )
            }
            try expect(part.isEmpty || error.detail.contains(part), "\(error) does not name \(part)")
        }
    }

    /// The time until a condition holds, looked at every millisecond.
    func time(until condition: () -> Bool, _ what: String) async throws {
        let end = ContinuousClock.now + .seconds(8)
        while !condition() {
            try expect(ContinuousClock.now < end, "never happened: \(what)")
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    /// Waits until the server has seen the client close some connection.
    func untilPeerClosed() async throws {
        try await time(until: { server.connections.contains { $0.peerClosed != nil } }, "the socket was closed")
    }
}
