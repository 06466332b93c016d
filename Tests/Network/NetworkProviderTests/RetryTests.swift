import Foundation
import LoopbackServer
import NetworkTestSupport
import NetworkTesting
import TestSupport
import Testing
import TransportConformance

@testable import NetworkProvider

@Suite("Retrying")
struct RetryTests {
    private let clock = InstantClock()

    private func provider(
        _ stub: StubTransport,
        _ policy: RetryPolicy = RetryPolicy(maximumAttempts: 4, baseDelay: .seconds(1), maximumDelay: .seconds(3)),
        budget: RetryBudget = RetryBudget(),
        random: Double = 1
    ) -> NetworkProvider {
        let now = Date(timeIntervalSince1970: 784_111_777)
        let plugin = RetryPlugin(policy, budget: budget, clock: clock, now: { now }, random: { random })
        return NetworkProvider(transport: stub, plugins: [plugin])
    }

    @Test("Delays double up to the maximum, and the jitter selects any part of them")
    func backoff() async throws {
        let stub = StubTransport().on(.get, "/", .status(503), .status(500), .failure(.timedOut(.idle)), .json("[1]"))
        #expect(try await provider(stub).request(Call<[Int]>(base: "http://h")) == [1])
        #expect(clock.sleeps == [.seconds(1), .seconds(2), .seconds(3)])
        // After a connection that broke, the first retry is sent at once, and the second one is not.
        let broken = StubTransport().on(.get, "/", .failure(.connectionLost), .failure(.noResponse), .json("[2]"))
        #expect(try await provider(broken).request(Call<[Int]>(base: "http://h")) == [2])
        #expect(clock.sleeps.dropFirst(3) == [.seconds(2)])
        let policy = RetryPolicy(baseDelay: .seconds(8), maximumDelay: .seconds(60))
        #expect(policy.delay(beforeRetry: 1, random: 0) == .zero)
        #expect(policy.delay(beforeRetry: 2, random: 0.25) == .seconds(4))
        #expect(policy.delay(beforeRetry: 1_000_000, random: 1) == .seconds(60))
    }

    @Test("After the last attempt its response or failure is returned")
    func exhausts() async throws {
        let stub = StubTransport().on(
            .get,
            "/",
            .failure(.cannotConnect),
            .status(502),
            .data(Data("down".utf8), status: 503)
        )
        let error = await #expect(throws: NetworkError.self) {
            try await provider(stub).request(Call<Data>(base: "http://h"))
        }
        #expect(error?.status == 503 && error?.response?.text == "down")
        #expect(stub.requests.count == 4)
        let broken = StubTransport().on(.get, "/", .failure(.cannotConnect))
        let offline = await #expect(throws: NetworkError.self) {
            try await provider(broken).request(Call<Data>(base: "http://h"))
        }
        #expect(offline?.isOffline == true && broken.requests.count == 4)
    }

    @Test("Only requests that were not sent, or are idempotent, are retried", arguments: [true, false])
    func idempotency(_ isKeyed: Bool) async throws {
        for code in [HTTPTransportError.Code.connectionLost, .noResponse, .timedOut(.idle)] {
            let stub = StubTransport().on(.post, "/", .failure(code), .status(200))
            let headers: HTTPHeaders = isKeyed ? ["idempotency-key": "7"] : [:]
            let target = Call<Data>(base: "http://h", httpMethod: .post, headers: headers)
            if isKeyed {
                _ = try await provider(stub).request(target)
            } else {
                await #expect(throws: NetworkError.self) { try await provider(stub).request(target) }
            }
            #expect(stub.requests.count == (isKeyed ? 2 : 1))
        }
        for code in [HTTPTransportError.Code.cannotConnect, .cannotResolveHost, .timedOut(.connect), .proxy] {
            var error = HTTPTransportError(code)
            error.isProxyUnreachable = code == .proxy
            let failure = StubbedResponse(.failure(error))
            let stub = StubTransport().on(.post, "/", failure, .status(200))
            _ = try await provider(stub).request(Call<Data>(base: "http://h", httpMethod: .post))
            #expect(stub.requests.count == 2)
            // A GET in place of the POST says that the POST was processed; 307 says that it was not.
            for (status, method) in [(303, HTTPMethod.get), (307, .post)] {
                let moved = StubTransport().on(.post, "/", .status(status, headers: ["Location": "/7"]))
                    .on(method, "/7", failure, .status(200))
                let headers: HTTPHeaders = isKeyed ? ["idempotency-key": "7"] : [:]
                let target = Call<Data>(base: "http://h", httpMethod: .post, headers: headers)
                let isRepeated = isKeyed || status == 307
                #expect((await provider(moved).failure(of: target) == nil) == isRepeated)
                #expect(moved.requests.count == (isRepeated ? 4 : 2), "\(code), \(status)")
            }
        }
        for code in [
            .tls, .proxy, .malformedResponse, .headersTooLarge, .shutDown, .unexpectedRequest,
        ] as [HTTPTransportError.Code] {
            let stub = StubTransport().on(.get, "/", .failure(code), .status(200))
            await #expect(throws: NetworkError.self) { try await provider(stub).request(Call<Data>(base: "http://h")) }
            #expect(stub.requests.count == 1)
        }
    }

    @Test("Retry-After is used in seconds and as a date; a response with a longer one is returned")
    func retryAfter() async throws {
        func answer(_ value: String, date: String? = nil) -> StubbedResponse {
            var headers: HTTPHeaders = ["Retry-After": value]
            headers["Date"] = date
            return .status(429, headers: headers)
        }
        let stub = StubTransport().on(
            .get,
            "/",
            answer("7"),
            answer("Sun, 06 Nov 1994 08:49:57 GMT"),
            answer("Sun, 06 Nov 1994 12:00:05 GMT", date: "Sun, 06 Nov 1994 12:00:00 GMT"),
            .json("[]")
        )
        _ = try await provider(stub, random: 0).request(Call<[Int]>(base: "http://h"))
        #expect(clock.sleeps == [.seconds(7), .seconds(20), .seconds(5)])
        for value in ["61", "99999999999999999999999", "Mon, 07 Nov 1994 08:49:57 GMT"] {
            let late = StubTransport().on(.get, "/", answer(value), .status(200))
            await #expect(throws: NetworkError.self) { try await provider(late).request(Call<Data>(base: "http://h")) }
            #expect(late.requests.count == 1)
        }
        for value in ["", "soon", "-1", "1.5", "Sun, 99 Nov 1994 08:49:37 GMT"] {
            let odd = StubTransport().on(.get, "/", answer(value), .status(200))
            _ = try await provider(odd).request(Call<Data>(base: "http://h"))
            #expect(clock.sleeps.last == .seconds(1))
        }
    }

    @Test("The three date formats are parsed, and nothing else")
    func dates() {
        let now = Date(timeIntervalSince1970: 1_700_000_000)
        let wanted = Date(timeIntervalSince1970: 784_111_777)
        let forms: [String] = [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        ]
        for form in forms { #expect(HTTPDate.date(form, now: now) == wanted) }
        #expect(HTTPDate.date("Thu, 29 Feb 2024 00:00:00 GMT", now: now)?.timeIntervalSince1970 == 1_709_164_800)
        let bad: [String] = [
            "", "tomorrow", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 06 Foo 1994 08:49:37 GMT", "a b c d e f",
            "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 99999 08:49:37 GMT",
        ]
        for text in bad { #expect(HTTPDate.date(text, now: now) == nil) }
    }

    @Test("A budget bounds the retries of all requests together")
    func budget() async throws {
        let budget = RetryBudget(share: 0.5, capacity: 2)
        let stub = StubTransport().on(.get, "/", .status(503))
        let provider = provider(stub, RetryPolicy(maximumAttempts: 2, baseDelay: .zero), budget: budget)
        for _ in 0..<10 { _ = try? await provider.request(Call<Data>(base: "http://h")) }
        // Ten first attempts, two retries saved up, and a half earned by each of the nine requests that find the bucket not full.
        #expect(stub.requests.count == 16)
        #expect(budget.available == 0)
    }

    @Test("A target's policy overrides the plugin's, and cancelling the delay ends the request")
    func targetPolicy() async throws {
        struct Careful: RemoteTargetType {
            let base: String
            var retry: RetryPolicy { .never }
        }
        let stub = StubTransport().on(.get, "/", .status(503))
        await #expect(throws: NetworkError.self) { try await provider(stub).request(Careful(base: "http://h/")) }
        #expect(stub.requests.count == 1)

        let slow = RetryPlugin(RetryPolicy(baseDelay: .seconds(3_600), maximumDelay: .seconds(3_600)), random: { 1 })
        let real = NetworkProvider(transport: stub, plugins: [slow])
        let task = Task { try await real.request(Call<Data>(base: "http://h")) }
        try await eventually { stub.requests.count == 2 }
        task.cancel()
        let error = await #expect(throws: NetworkError.self) { try await task.value }
        #expect(error?.isCancellation == true && stub.requests.count == 2)
    }

    @Test("Over real sockets: a connection that was closed without a response or reset is retried at once")
    func sockets() async throws {
        let served = EventLog()
        let server = try LoopbackServer { request in
            served.add(request.path)
            return switch served.lines.count {
            case 1: .text("kept")
            case 2, 3: .failing(.closed)
            default: .text(String(decoding: request.body, as: UTF8.self))
            }
        }
        defer { server.stop() }
        #expect(RetryPlugin(maximumAttempts: 6).policy == RetryPolicy(maximumAttempts: 6))
        let plugin = RetryPlugin(RetryPolicy(maximumAttempts: 6), clock: clock, random: { 1 })
        let provider = NetworkProvider(plugins: [plugin])
        #expect(try await provider.request(Call<String>(base: server.baseURL)) == "kept")
        let pieces = HTTPBodyStream([Data("멍멍".utf8)], length: 6)
        let upload = Call<String>(base: server.baseURL, httpMethod: .put, task: .uploadStream(pieces))
        #expect(try await provider.request(upload) == "멍멍")
    }

    @Test("The maximum time bounds all attempts and delays together")
    func overall() async throws {
        let stub = StubTransport().on(.get, "/", .status(503))
        let policy = RetryPolicy(maximumAttempts: 99, baseDelay: .seconds(4), maximumTime: .seconds(13))
        let target = Call<Data>(base: "http://h", timeout: HTTPTimeouts(total: .seconds(11)))
        let error = await #expect(throws: NetworkError.self) { try await provider(stub, policy).request(target) }
        #expect(
            policy.hasTime(for: .seconds(8), after: .seconds(4))
                && !policy.hasTime(for: .seconds(9), after: .seconds(4))
        )
        // 4 s and 8 s of waiting leave 1 s: the 16 s that would follow are not begun.
        #expect(error?.status == 503 && clock.sleeps == [.seconds(4), .seconds(8)])
        #expect(stub.requests.map(\.timeouts.total) == [.seconds(11), .seconds(9), .seconds(1)])

        // By the real clock: the attempts with a server that never responds end in time, whatever the idle timeout is.
        let server = try LoopbackServer { _ in .failing(.noAnswer) }
        defer { server.stop() }
        let plugin = RetryPlugin(RetryPolicy(maximumAttempts: 99, baseDelay: .zero, maximumTime: .milliseconds(900)))
        let call = Call<Data>(base: server.baseURL, timeout: HTTPTimeouts(idle: .milliseconds(60)))
        let silent = await #expect(throws: NetworkError.self) {
            try await within(.seconds(6)) { try await NetworkProvider(plugins: [plugin]).request(call) }
        }
        let code = silent?.transportCode
        #expect(code == .timedOut(.total) || code == .timedOut(.idle))
        #expect(server.requests.count >= 1)
    }

    @Test("Requests are numbered for a provider and its copies")
    func numbers() async throws {
        struct Numbers: NetworkPlugin {
            let log: EventLog
            func didReceive(_ head: HTTPResponseHead, to request: HTTPRequest, _ context: RequestContext) async {
                log.add("\(context.id)")
            }
        }
        let log = EventLog()
        let stub = StubTransport().on(.get, "/", .status(200))
        let first = NetworkProvider(transport: stub, plugins: [Numbers(log: log)])
        let copy = first
        let other = NetworkProvider(transport: stub, plugins: [Numbers(log: log)])
        for provider in [first, copy, other, first] { _ = try await provider.request(Call<Data>(base: "http://h")) }
        #expect(log.lines == ["1", "2", "1", "3"])
    }
}
