import Foundation
import LoopbackServer
import NetworkProvider
import NetworkTestSupport
import NetworkTesting
import TestSupport
import Testing
import Threading

@Suite("Request scopes")
struct RequestScopeTests {
    private struct Wrong: Error {}

    @Test(
        "Labels reach plugins, logs and measurements; fields reach the server; the target and the inner scope override them"
    )
    func reaches() async throws {
        let log = EventLog()
        let server = try LoopbackServer { _ in .text("ok") }
        defer { server.stop() }
        let plugins: [any NetworkPlugin] = [LoggingPlugin { log.add($0) }, MetricsPlugin { log.add($0.description) }]
        let provider = NetworkProvider(plugins: plugins)
        let base = server.baseURL
        try await RequestScope.with(
            labels: ["screen": "list", "try": "1"],
            headers: ["X-Trace": "outer", "X-App": "dog"]
        ) {
            try await RequestScope.with(labels: ["try": "2\u{1b}"], headers: ["x-trace": "inner"]) {
                async let first = provider.request(Call<Data>(base: base, headers: ["X-App": "own"]))
                _ = try await first
            }
            _ = try await provider.request(Call<Data>(base: base))
        }
        _ = try await provider.request(Call<Data>(base: base))
        #expect(server.requests.map { $0.header("X-Trace") } == ["inner", "outer", nil])
        #expect(server.requests.map { $0.header("X-App") } == ["own", "dog", nil])
        try await eventually { log.lines.count == 9 }
        let sent = log.lines.filter { $0.contains("->") }
        #expect(sent[0].hasSuffix("[screen=list try=2\\u{1B}]") && sent[1].hasSuffix("[screen=list try=1]"))
        #expect(!sent[2].contains("["))
        #expect(log.lines.contains { $0.hasSuffix(", screen=list, try=1") })
        #expect(RequestScope.current == RequestScope())
    }

    @Test("Errors have their type, and the scope ends with them")
    func fails() async {
        do throws(Wrong) {
            try await RequestScope.with(labels: ["a": "b"]) { () async throws(Wrong) in
                #expect(RequestScope.current.labels == ["a": "b"])
                throw Wrong()
            }
        } catch {
            #expect(RequestScope.current.labels.isEmpty)
        }
    }

    /// Requests a signature from another server while a request is prepared.
    private struct Signer: NetworkPlugin {
        let provider: NetworkProvider
        let base: String
        let seen: Locked<[UInt64?]>

        func send(_ request: HTTPRequest, _ context: RequestContext, next: NetworkSend) async throws -> HTTPResponse {
            seen.withLock { $0.append(RequestContext.current?.id) }
            var request = request
            request.headers["X-Signature"] = try await provider.request(Call<String>(base: base, path: "/sign"))
            return try await next(request)
        }
    }

    @Test("A request that is sent during another one knows its parent")
    func parents() async throws {
        let log = EventLog()
        let seen = Locked<[UInt64?]>([])
        let stub = StubTransport().on(.get, "/sign", .data(Data("sig".utf8))).on(.get, "/", .status(200))
        let signing = NetworkProvider(transport: stub, plugins: [LoggingPlugin { log.add($0) }])
        let plugin = Signer(provider: signing, base: "http://h", seen: seen)
        let provider = NetworkProvider(transport: stub, plugins: [plugin])
        for _ in 0..<2 { _ = try await provider.request(Call<Data>(base: "http://h")) }
        #expect(seen.withLock { $0 } == [1, 2])
        let lines = log.lines.filter { $0.contains("->") }
        #expect(lines[0].hasPrefix("#1 -> GET http://h/sign") && lines[0].hasSuffix(" for #1"))
        #expect(lines[1].hasSuffix(" for #2"))
        #expect(stub.requests.last?.headers["X-Signature"] == "sig")
        #expect(RequestContext.current == nil)
    }

    @Test("The times of a new connection are measured in their order")
    func measured() async throws {
        let log = Locked<[ExchangeMeasurement]>([])
        let server = try LoopbackServer { _ in .text("ok") }
        defer { server.stop() }
        let provider = NetworkProvider(plugins: [MetricsPlugin { one in log.withLock { $0.append(one) } }])
        _ = try await provider.request(
            Call<Data>(base: "http://localhost:\(server.port)", httpMethod: .post, task: .raw(Data("멍".utf8)))
        )
        try await eventually { log.withLock { $0.count } == 1 }
        let one = try #require(log.withLock { $0.first })
        let metrics = one.metrics
        let steps = [metrics.nameLookup, metrics.connect, metrics.firstByte, metrics.total]
        let times = steps.compactMap(\.self)
        #expect(times.count == 4 && times == times.sorted() && metrics.secured == nil)
        #expect(metrics.bytesSent == 3 && metrics.bytesReceived == 2)
        #expect(metrics.isConnectionReused == false && metrics.protocolVersion == "HTTP/1.1")
        for word in ["name ", "connected ", "first byte ", "new connection", "HTTP/1.1"] {
            #expect(one.description.contains(word))
        }
    }
}
