import Foundation
import LoopbackServer
import NetworkTestSupport
import NetworkTesting
import TestSupport
import Testing

@testable import NetworkProvider

@Suite("Circuit breaking")
struct CircuitTests {
    private let clock = InstantClock()

    private func origin(_ text: String) throws -> HTTPOrigin {
        try #require(URL(string: text).flatMap { HTTPOrigin($0) })
    }

    @Test("Circuits that are closed or were not used for long are removed above the limit")
    func forgets() async throws {
        let stub = StubTransport().on(.get, "/", .status(200)).on(.get, "/down", .status(503))
        let circuits = CircuitBreakerPlugin(CircuitPolicy(failures: 1), clock: clock)
        let provider = NetworkProvider(transport: stub, plugins: [circuits])
        func ask(_ range: Range<Int>, _ path: String = "/") async throws {
            for number in range {
                let target = Call<Data>(base: "http://h\(number)", path: path, validation: .any)
                _ = try await provider.request(target)
            }
        }
        try await ask(0..<500, "/down")
        try await ask(500..<3_500)
        #expect(circuits.states.count <= 1_000)
        // None that failed is forgotten while its failure may still count, however many they are.
        try await ask(3_500..<5_000, "/down")
        for number in [0, 499, 3_500, 4_999] {
            #expect(circuits.state(of: try origin("http://h\(number)/")) == .open)
        }
        #expect(circuits.states.values.count { $0 == .open } == 2_000)
        try await wait(.seconds(200))
        try await ask(5_000..<10_000)
        #expect(circuits.states.count < 4_000 && circuits.states.values.allSatisfy { $0 == .closed })
    }

    private func wait(_ duration: Duration) async throws { try await clock.sleep(for: duration) }

    @Test("A circuit opens after failures in a row, admits one request after its time, and closes after a success")
    func life() async throws {
        let stub = StubTransport().on(
            .get,
            "/",
            .status(503),
            .status(200),
            .status(500),
            .failure(.connectionLost),
            .failure(.cannotConnect),
            .status(502),
            .status(200),
            .status(503)
        )
        let policy = CircuitPolicy(failures: 2, openTime: .seconds(10), maximumOpenTime: .seconds(15))
        let circuits = CircuitBreakerPlugin(policy, clock: clock)
        let changes = circuits.changes
        let provider = NetworkProvider(transport: stub, plugins: [circuits])
        let here = try origin("http://h/")
        func send() async -> NetworkError? { await provider.failure(of: Call<Data>(base: "http://h")) }
        // A success between two failures begins the count anew.
        for _ in 0..<3 { _ = await send() }
        #expect(circuits.state(of: here) == .closed)
        _ = await send()
        #expect(circuits.state(of: here) == .open)
        let refused = try #require(await send())
        guard case .plugin(let cause) = refused.reason, let open = cause as? CircuitOpen else {
            throw UnexpectedResult()
        }
        #expect(open == CircuitOpen(origin: here, failures: 2, remaining: .seconds(10)))
        #expect(refused.description.contains("try again in 10.0 seconds"))
        #expect(stub.requests.count == 4)

        // The first trial fails: twice as long, up to the bound.
        try await wait(.seconds(10))
        #expect(circuits.state(of: here) == .halfOpen)
        #expect(await send()?.isOffline == true)
        #expect(circuits.state(of: here) == .open)
        try await wait(.seconds(14))
        #expect(circuits.states == [here: .open])
        try await wait(.seconds(1))
        _ = await send()
        try await wait(.seconds(15))
        #expect(await send() == nil)
        #expect(circuits.states == [here: .closed] && stub.requests.count == 7)
        // A closed circuit counts anew.
        _ = await send()
        #expect(circuits.states == [here: .closed] && stub.requests.count == 8)

        var seen: [String] = []
        for await change in changes {
            seen.append(change.description)
            if seen.count == 6 { break }
        }
        let (open1, half) = ("circuit http://h: closed -> open", "circuit http://h: open -> halfOpen")
        let again = "circuit http://h: halfOpen -> open"
        #expect(seen == [open1, half, again, half, again, half])
    }

    @Test("Each origin has a separate circuit; another port, scheme or host is another origin")
    func origins() async throws {
        let stub = StubTransport().on(.get, "/", .status(503))
        let circuits = CircuitBreakerPlugin(CircuitPolicy(failures: 1), clock: clock)
        let provider = NetworkProvider(transport: stub, plugins: [circuits])
        _ = try? await provider.request(Call<Data>(base: "http://H:80"))
        #expect(circuits.state(of: try origin("http://h/x?y")) == .open)
        for other in ["http://h:81", "https://h", "http://i"] {
            #expect(circuits.state(of: try origin(other)) == .closed)
            _ = try? await provider.request(Call<Data>(base: other))
            #expect(circuits.state(of: try origin(other)) == .open)
        }
        #expect(stub.requests.count == 4)
        circuits.reset(try origin("https://h"))
        #expect(circuits.state(of: try origin("https://h")) == .closed)
        #expect(try origin("https://h:8443").description == "https://h:8443")
    }

    @Test("During a trial other requests are refused; a cancelled trial is replaced by the next request")
    func trials() {
        let policy = CircuitPolicy(failures: 1, openTime: .seconds(1))
        var circuit = Circuit()
        guard case .go(let early) = circuit.admit(at: .zero, policy),
            case .go(let first) = circuit.admit(at: .zero, policy)
        else { return #expect(Bool(false), "a closed circuit refused") }
        #expect(!circuit.isAtRest(at: .seconds(1_000), policy), "two requests are under way")
        circuit.take(.failure, of: first, at: .zero, policy)
        #expect(circuit.admit(at: .milliseconds(400), policy) == .refuse(remaining: .milliseconds(600)))
        guard case .go(let trial) = circuit.admit(at: .seconds(1), policy) else {
            return #expect(Bool(false), "no trial was let through")
        }
        #expect(circuit.admit(at: .seconds(1), policy) == .refuse(remaining: .zero))
        // What was sent before the circuit opened says nothing about now.
        circuit.take(.success, of: early, at: .seconds(1), policy)
        #expect(circuit.state == .halfOpen)
        circuit.take(.unknown, of: trial, at: .seconds(1), policy)
        #expect(circuit.admit(at: .seconds(1), policy) == .go(generation: trial))
        circuit.take(.success, of: trial, at: .seconds(1), policy)
        #expect(circuit.state == .closed && circuit.isAtRest(at: .seconds(1), policy))
        // The time since a failure counts from its end.
        let pause = policy.maximumOpenTime
        guard case .go(let slow) = circuit.admit(at: .seconds(2), policy) else {
            return #expect(Bool(false), "a closed circuit refused")
        }
        circuit.take(.failure, of: slow, at: .seconds(60), policy)
        #expect(!circuit.isAtRest(at: .seconds(59) + pause, policy))
        #expect(circuit.isAtRest(at: .seconds(60) + pause, policy))
    }

    @Test("Cancellations, invalid requests and responses about the request do not count as failures")
    func neutral() async throws {
        let stub = StubTransport()
        let circuits = CircuitBreakerPlugin(CircuitPolicy(failures: 1), clock: clock)
        let provider = NetworkProvider(transport: stub, plugins: [circuits])
        for sample in [
            StubbedResponse.failure(.cancelled), .failure(.shutDown), .failure(.bodyTooLarge), .status(404),
            .status(429), .failure(.timedOut(.queue)),
        ] {
            stub.on(.get, "/", sample)
            _ = try? await provider.request(Call<Data>(base: "http://h"))
            #expect(circuits.state(of: try origin("http://h")) == .closed)
        }
        _ = try? await provider.request(Call<Data>(base: "http://h", headers: ["X": "a\nb"]))
        #expect(circuits.state(of: try origin("http://h")) == .closed)
        // The response of another origin, after a redirect.
        let redirected = NetworkProvider(transport: Elsewhere(), plugins: [circuits])
        _ = try? await redirected.request(Call<Data>(base: "http://h"))
        #expect(circuits.state(of: try origin("http://h")) == .closed)
        // Another origin cannot be reached, after a redirect.
        stub.on(.get, "/", .status(302, headers: ["Location": "http://elsewhere/x"]))
            .on(.get, "/x", .failure(.cannotConnect))
        #expect(await provider.failure(of: Call<Data>(base: "http://h"))?.isOffline == true)
        #expect(circuits.state(of: try origin("http://h")) == .closed)
        // A cancelled trial does not close the circuit either.
        for sample in [StubbedResponse.status(503), .failure(.cancelled)] {
            stub.on(.get, "/", sample)
            _ = try? await provider.request(Call<Data>(base: "http://h"))
            try await clock.sleep(for: .seconds(10))
        }
        #expect(circuits.state(of: try origin("http://h")) == .halfOpen)
    }

    /// Every response is that of another origin.
    private struct Elsewhere: HTTPTransport {
        func send(_ request: HTTPRequest, events: HTTPEventHandler?) async throws(HTTPTransportError) -> HTTPResponse {
            let url = URL(string: "http://elsewhere/") ?? request.url
            return HTTPResponse(head: HTTPResponseHead(status: 503, url: url), body: HTTPResponseBody())
        }
    }

    @Test("Over a real socket, with retries: a dead server receives no more requests once the circuit is open")
    func dead() async throws {
        let server = try LoopbackServer { _ in .failing(.closed) }
        defer { server.stop() }
        let circuits = CircuitBreakerPlugin(CircuitPolicy(failures: 3), clock: clock)
        let retry = RetryPlugin(RetryPolicy(maximumAttempts: 10), clock: clock)
        let provider = NetworkProvider(plugins: [retry, circuits])
        for _ in 0..<5 {
            let error = await provider.failure(of: Call<Data>(base: server.baseURL))
            guard case .plugin(let cause) = error?.reason else { throw UnexpectedResult() }
            #expect(cause is CircuitOpen)
        }
        #expect(server.requests.count == 3)
        #expect(circuits.state(of: try origin(server.baseURL)) == .open)
    }
}
