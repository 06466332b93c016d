import CurlTransport
import Foundation
import HTTPTransport
import TestSupport
import Testing
import TransportConformance

@Suite("HTTP/2 connections and streams that a server closes", .timeLimit(.minutes(3)))
struct HTTP2Tests {
    private static let hasTools = TestAuthority.openssl != nil && Nginx.program != nil

    /// Starts a server that responds with the number of the connection, and creates a transport that trusts it.
    private func start(
        _ authority: TestAuthority,
        locations: String = "location / { return 200 \"$connection\"; }"
    ) throws -> (nginx: Nginx, transport: CurlTransport, base: String) {
        let site = Nginx.Site(try authority.issue("localhost"), http2: true, locations: locations)
        let nginx = try Nginx([site], hasWorker: true)
        let settings = HTTPConnectionSettings(tls: HTTPTLSSettings(trust: authority.trust))
        let transport = CurlTransport(configuration: CurlConfiguration(connection: settings))
        return (nginx, transport, "https://localhost:\(nginx.ports[0])/")
    }

    @Test(
        "A response to an upload that the server does not read is complete, and the next request succeeds",
        .enabled(if: hasTools, "needs openssl and nginx")
    )
    func unreadUpload() async throws {
        let authority = try TestAuthority()
        let (nginx, transport, base) = try start(authority)
        for size in [70_000, 4 << 20, 1] {
            var request = try HTTPRequest(.post, base, body: .data(Data(count: size)))
            request.timeouts.idle = .seconds(1)
            #expect(try await !transport.send(request).body.collect().isEmpty, "\(size)")
        }
        withExtendedLifetime((authority, nginx)) {}
    }

    @Test("A stream that the server resets, an invalid response and a closed connection are told apart")
    func endedStreams() async throws {
        // `:status: 200` of HPACK's table, without and with a Content-Length of 100.
        let (start, head) = (HTTP2Frame.head([0x88]), HTTP2Frame.head([0x88, 0x0f, 0x0d, 3, 0x31, 0x30, 0x30]))
        let piece = HTTP2Frame.data("abc")
        let (reset, closed) = ("the server reset the stream", "the server closed the HTTP/2 connection")
        let cases: [([[UInt8]], HTTPTransportError.Code, String)] = [
            ([HTTP2Frame.reset(.internalError)], .noResponse, reset),
            ([HTTP2Frame.reset(.enhanceYourCalm)], .noResponse, reset),
            ([start + piece, HTTP2Frame.reset(.cancel)], .connectionLost, reset),
            ([head + HTTP2Frame.data("abc", isLast: true)], .malformedResponse, "PROTOCOL_ERROR"),
            ([head, HTTP2Frame.data("abc", isLast: true)], .bodyTruncated, "PROTOCOL_ERROR"),
            ([start + piece, HTTP2Frame.reset(.protocolError)], .malformedResponse, "PROTOCOL_ERROR"),
            ([start + piece, HTTP2Frame.goAway], .connectionLost, closed),
        ]
        let connection = HTTPConnectionSettings(version: .http2PriorKnowledge)
        for (number, (steps, code, detail)) in cases.enumerated() {
            let server = try EarlyServer { $0.serveHTTP2(steps) }
            defer { server.stop() }
            // The server waits for the end of the connection, which may live on.
            let transport = CurlTransport(configuration: CurlConfiguration(connection: connection))
            defer { transport.shutdown() }
            let error = try #require(await failure(server.baseURL, transport), "\(number)")
            #expect(error.code == code && error.detail.contains(detail), "\(number): \(error)")
            #expect(detail == closed || !error.description.contains("closed the"), "\(number): \(error)")
        }
    }

    @Test(
        "A head of 18 or 64 KiB is received, alone and beside others; a longer one is too large for some versions of libcurl",
        .enabled(if: hasTools, "needs openssl and nginx")
    )
    func longHeads() async throws {
        let authority = try TestAuthority()
        let locations = [6, 22, 45].map { count in
            let fields = (0..<count).map { "add_header X-\($0) \(String(repeating: "a", count: 3_000));" }
            return "location /\(count) { \(fields.joined(separator: " ")) return 200 \"ok\"; }"
        }
        let (nginx, transport, base) = try start(authority, locations: locations.joined(separator: "\n"))
        for (fields, count) in [(6, 1), (22, 1), (22, 10)] {
            let responses = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<count { group.addTask { try await get(base + "\(fields)", transport) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(responses == Array(repeating: "200 ok", count: count), "\(fields)")
        }
        let error = await failure(base + "45", transport)
        #expect(error == nil || error?.code == .headersTooLarge, "\(String(describing: error))")
        withExtendedLifetime((authority, nginx)) {}
    }
}
