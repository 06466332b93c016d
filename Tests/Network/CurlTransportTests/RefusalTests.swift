import CurlTransport
import Foundation
import HTTPTransport
import LoopbackServer
import TestSupport
import Testing
import TransportConformance

@Suite("CurlTransport rejects invalid settings", .timeLimit(.minutes(5)))
struct RefusalTests {
    @Test("A User-Agent with a line break is rejected, and nothing is sent", arguments: ["a\r\nX: b", "a\u{0}b", "\n"])
    func refusesUserAgent(agent: String) async throws {
        let server = try LoopbackServer { _ in .text("sent") }
        defer { server.stop() }
        let transport = CurlTransport(configuration: CurlConfiguration(userAgent: agent))
        let error = try #require(await transport.failure(HTTPRequest(.get, server.baseURL)))
        #expect(error.code == .invalidSettings)
        #expect(error.detail.contains("userAgent"))
        #expect(server.connections.isEmpty)
    }

    @Test("A transport with pins sends nothing to a URL without TLS")
    func refusesUnpinned() async throws {
        let server = try LoopbackServer { _ in .text("sent") }
        defer { server.stop() }
        let pin = try #require(HTTPTLSSettings.PublicKeyPin(sha256: Data(count: 32)))
        let settings = HTTPConnectionSettings(tls: HTTPTLSSettings(pins: [pin]))
        let transport = CurlTransport(configuration: CurlConfiguration(connection: settings))
        for url in [server.baseURL, server.baseURL.replacingOccurrences(of: "http", with: "HTTP")] {
            let error = try #require(await transport.failure(HTTPRequest(.get, url)))
            #expect(error.code == .invalidURL)
            #expect(error.detail.contains("pin"))
        }
        #expect(server.connections.isEmpty)
    }

    @Test("Numbers below the minimum count as the minimum, whenever they are set")
    func clampsNumbers() async throws {
        let bomb = (0..<24).reduce(into: Data()) { data, _ in data.append(Gzip.zeros) }
        let server = try LoopbackServer { request in
            request.path == "/"
                ? .text("right") : ServedResponse(headers: [("Content-Encoding", "gzip")], body: .data(bomb))
        }
        defer { server.stop() }
        var configuration = CurlConfiguration()
        configuration.maximumExchanges = 0
        configuration.maximumExchangesPerOrigin = -1
        configuration.bufferedBytes = 0
        #expect(configuration == CurlConfiguration(maximumExchanges: 1, maximumExchangesPerOrigin: 1, bufferedBytes: 1))
        let transport = CurlTransport(configuration: configuration)
        var request = try HTTPRequest(.get, server.baseURL)
        request.timeouts.total = .seconds(20)
        #expect(await transport.failure(request) == nil)
        for ratio in [0, -1] {
            var bombed = try HTTPRequest(.get, server.baseURL + "/bomb")
            bombed.limits.decompressionRatio = ratio
            #expect(bombed.limits.decompressionRatio == 1 && HTTPLimits(decompressionRatio: ratio) == bombed.limits)
            #expect(await transport.failure(bombed)?.code == .bodyTooLarge)
        }
    }

    @Test("Bytes beyond a limit that were held back for a slow reader fail the exchange at once")
    func refusesHeldBack() async throws {
        // One packet: the first chunk is taken, the second one held back until the first is read; then nothing comes.
        let chunk = "3E8\r\n" + String(repeating: "x", count: 1_000) + "\r\n"
        let answer = Data(("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk + chunk).utf8)
        let server = try LoopbackServer { _ in .failing(.script([.send(answer), .stall])) }
        defer { server.stop() }
        let transport = CurlTransport(configuration: CurlConfiguration(bufferedBytes: 1))
        var request = try HTTPRequest(.get, server.baseURL)
        request.limits.bodyBytes = 1_500
        request.timeouts.idle = .seconds(8)
        var body = try await transport.send(request).body.makeAsyncIterator()
        #expect(try await body.next()?.count == 1_000)
        let error = await #expect(throws: HTTPTransportError.self) { try await body.next() }
        #expect(error?.code == .bodyTooLarge)
    }
}
