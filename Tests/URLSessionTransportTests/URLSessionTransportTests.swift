import Foundation
import HTTPTransport
import LoopbackServer
import Testing
import URLSessionTransport

@Suite("URLSession's transport")
struct URLSessionTransportTests {
    @Test("The landing page's example gets an answer")
    func landingPage() async throws {
        let server = try LoopbackServer { _ in .text("멍멍") }
        defer { server.stop() }
        let transport = URLSessionTransport()
        let response = try await transport.send(HTTPRequest(.get, server.baseURL + "/dogs"))
        let body = try await response.body.collect()
        #expect(String(decoding: body, as: UTF8.self) == "멍멍")
    }

    #if os(Linux)
        @Test("A 401 with a challenge gives its head, and a typed error for its body, at once and without a hang")
        func refusesChallenge() async throws {
            let server = try LoopbackServer { _ in
                ServedResponse(status: 401, headers: [("WWW-Authenticate", "Basic realm=\"x\"")])
            }
            defer { server.stop() }
            let start = ContinuousClock.now
            let response = try await URLSessionTransport().send(HTTPRequest(.get, server.baseURL))
            #expect(response.status == 401)
            let error = await #expect(throws: HTTPTransportError.self) { try await response.body.collect() }
            #expect(error?.code == .unsupported(.basicChallenge))
            #expect(ContinuousClock.now - start < .seconds(5))
        }
    #endif
}
