import Foundation
import NetworkProvider
import NetworkTestSupport
import NetworkTesting
import Testing

@Suite("Stubs")
struct StubTransportTests {
    @Test("Samples are returned one after the other, then the last one")
    func sequence() async throws {
        let stub = StubTransport().on(.get, "/", .failure(.connectionLost), .status(503), .json("[1]"))
        let provider = NetworkProvider(transport: stub)
        let target = Call<[Int]>(base: "http://h")
        let first = await #expect(throws: NetworkError.self) { try await provider.request(target) }
        #expect(first?.transportCode == .connectionLost)
        #expect(await provider.failure(of: target)?.status == 503)
        for _ in 0..<2 { #expect(try await provider.request(target) == [1]) }
        #expect(stub.requests.count == 4)
    }

    @Test("A route for the same method and path replaces the former one")
    func replacedRoute() async throws {
        let stub = StubTransport().on(.get, "/", .json("[1]")).on(.post, "/", .json("[2]")).on(.get, "", .json("[3]"))
        let provider = NetworkProvider(transport: stub)
        #expect(try await provider.request(Call<[Int]>(base: "http://h")) == [3])
        #expect(try await provider.request(Call<[Int]>(base: "http://h", httpMethod: .post)) == [2])
        for url in ["http://h", "http://h/?a=1"] { #expect(try await stub.send(HTTPRequest(.get, url)).status == 200) }
    }

    @Test("The target's sample is used if there is no route")
    func targetStub() async throws {
        let provider = NetworkProvider(transport: StubTransport())
        #expect(try await provider.request(Call<[Int]>(base: "http://h", stub: .json("[2]"))) == [2])
    }

    @Test("A request without a sample fails and is named")
    func unexpected() async throws {
        let provider = NetworkProvider(transport: StubTransport().on(.post, "/cats", .status(200)))
        let error = await provider.failure(of: Call<Data>(base: "http://h", path: "/cats"))
        #expect(try #require(error).description.contains("GET http://h/cats"))
    }

    /// A clock that never waits, and records the delays.
    private struct Instant: Clock {
        let log: EventLog
        var now: ContinuousClock.Instant { .now }
        var minimumResolution: Duration { .zero }
        func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
            log.add(deadline - .now > .seconds(3_000) ? "an hour" : "less")
            try Task.checkCancellation()
        }
    }

    @Test("Delays use the injected clock")
    func delays() async throws {
        let log = EventLog()
        let stub = StubTransport(clock: Instant(log: log)).on(.get, "/", .json("[3]", delay: .seconds(3_600)))
        #expect(try await NetworkProvider(transport: stub).request(Call<[Int]>(base: "http://h")) == [3])
        #expect(log.lines == ["an hour"])
        let limited = Call<[Int]>(base: "http://h", timeout: HTTPTimeouts(total: .seconds(60)))
        let late = await NetworkProvider(transport: stub).failure(of: limited)
        #expect(late?.transportCode == .timedOut(.total) && log.lines == ["an hour", "less"])
    }

    @Test("Every failure is reported as an event, as by a real transport")
    func reportsFailures() async throws {
        let events = EventLog()
        let cut = RecordedBody(Data("cut".utf8), isWhole: false)
        let recording = Recording(exchanges: [
            .init(request: .init(.get, "http://h/lost"), outcome: .failure(.noResponse, detail: "")),
            .init(request: .init(.get, "http://h/cut"), outcome: .response(status: 200, headers: [:], body: cut)),
        ])
        let stub = StubTransport().on(.get, "/lost", .failure(.connectionLost))
        for (transport, path) in [
            (stub, "/lost"), (stub, "/unknown"), (ReplayTransport(recording), "/lost"),
            (ReplayTransport(recording), "/cut"), (ReplayTransport(recording), "/unknown"),
        ] as [(any HTTPTransport, String)] {
            let error = await #expect(throws: HTTPTransportError.self) {
                try await transport.send(HTTPRequest(.get, "http://h" + path)) { events.add($0) }.body.collect()
            }
            guard case .failed(let reported, _) = events.all.last else { throw UnexpectedResult() }
            #expect(reported.code == error?.code && reported.location == "http://h" + path)
        }
        #expect(events.all.filter { if case .failed = $0 { true } else { false } }.count == 5)
    }

    @Test("A stub validates requests as a real transport does")
    func validates() async throws {
        let stub = StubTransport().on(.get, "/", .status(200))
        let error = await NetworkProvider(transport: stub).failure(of: Call<Data>(base: "ftp://h"))
        guard case .invalidRequest = error?.reason else { throw UnexpectedResult() }
        #expect(stub.requests.isEmpty)
    }
}
