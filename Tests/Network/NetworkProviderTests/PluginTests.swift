import Foundation
import NetworkProvider
import NetworkTestSupport
import NetworkTesting
import Testing

@Suite("Plugins")
struct PluginTests {
    /// Records its calls, with its name.
    private struct Witness: NetworkPlugin {
        let name: String
        let log: EventLog
        var repeats = 1

        func prepare(_ request: HTTPRequest, _ context: RequestContext) async throws -> HTTPRequest {
            log.add("\(name) prepare")
            var request = request
            request.headers.append("X-Seen", name)
            return request
        }

        func send(_ request: HTTPRequest, _ context: RequestContext, next: NetworkSend) async throws -> HTTPResponse {
            log.add("\(name) in")
            defer { log.add("\(name) out") }
            for _ in 1..<repeats { _ = try await next(request) }
            return try await next(request)
        }

        func didReceive(_ head: HTTPResponseHead, to request: HTTPRequest, _ context: RequestContext) async {
            log.add("\(name) received \(head.status)")
        }

        func didFail(_ error: NetworkError, _ context: RequestContext) async { log.add("\(name) failed") }
    }

    @Test("Plugins prepare in order, are nested in order, and see the result")
    func order() async throws {
        let log = EventLog()
        let stub = StubTransport().on(.get, "/", .status(200), .status(500))
        let plugins = [Witness(name: "a", log: log), Witness(name: "b", log: log)]
        let provider = NetworkProvider(transport: stub, plugins: plugins)
        _ = try await provider.request(Call<Data>(base: "http://h"))
        #expect(
            log.lines == [
                "a prepare", "b prepare", "a in", "b in", "b out", "a out", "a received 200", "b received 200",
            ]
        )
        #expect(stub.requests[0].headers.values("x-seen") == ["a", "b"])
        await #expect(throws: NetworkError.self) { try await provider.request(Call<Data>(base: "http://h")) }
        #expect(log.lines.suffix(2) == ["a failed", "b failed"])
    }

    @Test("A plugin may send a request several times, and its error stops the request")
    func wraps() async throws {
        struct Refusal: Error {}
        struct Guard: NetworkPlugin {
            func prepare(_ request: HTTPRequest, _ context: RequestContext) async throws -> HTTPRequest {
                throw Refusal()
            }
        }
        let stub = StubTransport().on(.get, "/", .status(200))
        let twice = NetworkProvider(transport: stub, plugins: [Witness(name: "a", log: EventLog(), repeats: 3)])
        _ = try await twice.request(Call<Data>(base: "http://h"))
        #expect(stub.requests.count == 3)
        let error = await NetworkProvider(transport: stub, plugins: [Guard()]).failure(of: Call<Data>(base: "http://h"))
        guard case .plugin(let cause) = error?.reason, cause is Refusal else { throw UnexpectedResult() }
        #expect(stub.requests.count == 3)
    }

    @Test("The log contains request and response, no secret, and no control character")
    func logs() async throws {
        let log = EventLog()
        let headers: HTTPHeaders = ["Set-Cookie": "sid=s3cret", "X-Odd": "a\u{1b}[2Jb"]
        let stub = StubTransport().on(.get, "/dogs", .data(Data("멍".utf8), headers: headers))
        let plugin = LoggingPlugin(headers: true) { log.add($0) }
        let target = Call<Data>(
            base: "http://h",
            path: "/dogs",
            parameters: ["page": 1, "access_token": "s3cret", "Password": "s3cret"],
            headers: ["Authorization": "Bearer s3cret", "Accept": "text/plain"]
        )
        _ = try await NetworkProvider(transport: stub, plugins: [plugin]).request(target)
        let text = log.lines.joined(separator: "\n")
        #expect(text.contains("-> GET http://h/dogs?page=1&access_token=<redacted>&Password=<redacted> Call<Data>"))
        #expect(text.contains("Accept: text/plain"))
        #expect(text.contains("Authorization: <redacted>") && text.contains("Set-Cookie: <redacted>"))
        #expect(text.contains("<- 200") && text.contains("a\\u{1B}[2Jb"))
        #expect(!text.contains("s3cret") && !text.contains("\u{1b}"))
        _ = try? await NetworkProvider(transport: stub, plugins: [plugin]).request(Call<Data>(base: "http://h"))
        #expect(log.lines.last?.contains("failed") == true)
        // The plugin's own redaction applies to failures, too.
        let own = LoggingPlugin(redaction: Redaction(parameters: ["dog"], fields: ["bone"])) { log.add($0) }
        stub.on(.get, "/", .json(#"{"bone":"s3cret","id":1}"#, status: 404))
        let failing = Call<Data>(base: "http://h", parameters: ["dog": "s3cret"])
        _ = await NetworkProvider(transport: stub, plugins: [own]).failure(of: failing)
        #expect(log.lines.last?.contains(#"dog=<redacted>] response: {"bone":"<redacted>","id":1}"#) == true)
    }

    @Test("The secrets of a redaction can be configured")
    func redacts() throws {
        let redaction = Redaction(headers: ["X-Mine"], parameters: ["Mine"])
        let request = try HTTPRequest(.get, "http://h/?mine=1&token=2&mine#f", headers: ["x-mine": "1", "Cookie": "2"])
        let shown = redaction.redacted(request)
        #expect(shown.url == "http://h/?mine=<redacted>&token=2&mine#f")
        #expect(shown.headers == ["x-mine": "<redacted>", "Cookie": "2"])
        let url = try #require(URL(string: "http://user:pass@h/?a=@"))
        #expect(redaction.redacted(url) == "http://<redacted>@h/?a=@")
    }
}
