import Foundation
import LoopbackServer
import NetworkProvider
import NetworkTestSupport
import NetworkTesting
import TestSupport
import Testing
import Threading

@Suite("Limits of a credential's refresh")
struct RefreshLimitsTests {
    /// A transport that accepts one token and counts its requests.
    private final class Gate: HTTPTransport {
        let accepted = Locked("new")
        let count = Locked(0)

        func send(_ request: HTTPRequest, events: HTTPEventHandler?) async throws(HTTPTransportError) -> HTTPResponse {
            count.withLock { $0 += 1 }
            let isAccepted = request.headers["Authorization"] == "Bearer " + accepted.withLock { $0 }
            return HTTPResponse(
                head: HTTPResponseHead(status: isAccepted ? 200 : 401, url: request.url),
                body: HTTPResponseBody(Data("ok".utf8))
            )
        }
    }

    private func call(total: Duration? = nil) -> Call<String> {
        Call<String>(base: "http://h", timeout: HTTPTimeouts(total: total))
    }

    /// A plugin with the token `old` whose refresh does not return.
    private func hanging() -> AuthenticationPlugin {
        AuthenticationPlugin(.bearer("old"), for: .everyServer, refreshing: .init(timeLimit: .seconds(3_600))) { _ in
            try await Task.sleep(for: .seconds(3_600))
            return .bearer("new")
        }
    }

    /// The error that stopped a request whose refresh failed.
    private func refreshFailure(_ error: NetworkError?) throws -> any Error {
        guard case .plugin(let cause) = error?.reason, case .refreshFailed(let reason) = cause as? AuthenticationError
        else { throw UnexpectedResult() }
        return reason
    }

    @Test("A refresh that never returns does not hold a request beyond its total timeout", .timeLimit(.minutes(1)))
    func totalTimeout() async throws {
        let plugin = hanging()
        let provider = NetworkProvider(transport: Gate(), plugins: [plugin])
        // A later request waits for the same refresh, within its own limit.
        for total in [Duration.milliseconds(200), .milliseconds(100)] {
            let call = call(total: total)
            let error = await #expect(throws: NetworkError.self) {
                try await within(.seconds(5)) { try await provider.request(call) }
            }
            #expect(error?.transportCode == .timedOut(.total))
        }
        plugin.setCredential(.bearer("new"))
        #expect(try await provider.request(call()) == "ok")
    }

    @Test("The retry policy's maximum time bounds the waiting for a refresh, too", .timeLimit(.minutes(1)))
    func maximumTime() async throws {
        let plugin = hanging()
        let retries = RetryPlugin(RetryPolicy(maximumTime: .milliseconds(300)))
        let provider = NetworkProvider(transport: Gate(), plugins: [retries, plugin])
        let call = call()
        let error = await #expect(throws: NetworkError.self) {
            try await within(.seconds(5)) { try await provider.request(call) }
        }
        #expect(error?.transportCode == .timedOut(.total))
    }

    @Test("A refresh that ignores its cancellation ends at its time limit, for all requests", .timeLimit(.minutes(1)))
    func timeLimit() async throws {
        let isFinished = Locked(false)
        defer { isFinished.withLock { $0 = true } }
        let plugin = AuthenticationPlugin(
            .bearer("old"),
            for: .everyServer,
            refreshing: .init(timeLimit: .milliseconds(100))
        ) { _ in
            while !isFinished.withLock({ $0 }) { try? await Task.sleep(for: .milliseconds(5)) }
            return .bearer("new")
        }
        let provider = NetworkProvider(transport: Gate(), plugins: [plugin])
        let error = await #expect(throws: NetworkError.self) { try await provider.request(call()) }
        _ = try refreshFailure(error)
        #expect(try #require(error).description.contains("did not end within"))
    }

    @Test("A server that refuses every token is not flooded with refreshes, and each request returns its 401")
    func storm() async throws {
        let refreshes = Locked(0)
        let plugin = AuthenticationPlugin(counting: refreshes, pause: .seconds(3_600), fresh: .bearer("refused"))
        let provider = NetworkProvider(transport: Gate(), plugins: [plugin])
        for _ in 0..<20 { #expect(await provider.failure(of: call())?.status == 401) }
        #expect(refreshes.withLock { $0 } == 2)
        // Signing in ends the pause, and the count begins anew.
        plugin.setCredential(.bearer("old"))
        for _ in 0..<3 { await #expect(throws: NetworkError.self) { try await provider.request(call()) } }
        #expect(refreshes.withLock { $0 } == 4)
    }

    @Test("Refreshes that fail are repeated after pauses, in which requests fail with the last error")
    func failingStorm() async throws {
        let refreshes = Locked(0)
        let plugin = AuthenticationPlugin(counting: refreshes, pause: .seconds(3_600), fresh: nil)
        let provider = NetworkProvider(transport: Gate(), plugins: [plugin])
        for _ in 0..<10 {
            let error = await #expect(throws: NetworkError.self) { try await provider.request(call()) }
            #expect(try refreshFailure(error) is Denied)
        }
        #expect(refreshes.withLock { $0 } == 2)
    }

    @Test("A token that was accepted before is refreshed at once, however often it expires")
    func expiriesAreNoStorm() async throws {
        let gate = Gate()
        let number = Locked(0)
        let plugin = AuthenticationPlugin(
            .bearer("old"),
            for: .everyServer,
            refreshing: .init(pause: .seconds(3_600))
        ) { _ in
            .bearer("t\(number.increment())")
        }
        let provider = NetworkProvider(transport: gate, plugins: [plugin])
        for round in 1...5 {
            gate.accepted.withLock { $0 = "t\(round)" }
            #expect(try await provider.request(call()) == "ok")
        }
        #expect(number.withLock { $0 } == 5)
    }

    @Test("A 401 that arrives after a failed refresh fails with its error and starts no second refresh")
    func lateRefusal() async throws {
        let refreshes = Locked(0)
        let hasFailed = Locked(false)
        let server = try LoopbackServer { request in
            if request.path == "/slow" { try? await eventually { hasFailed.withLock { $0 } } }
            return .text("who?", status: 401)
        }
        defer { server.stop() }
        let base = server.baseURL
        let provider = NetworkProvider(plugins: [AuthenticationPlugin(counting: refreshes, fresh: nil)])
        let slow = Task { try await provider.request(Call<String>(base: base, path: "/slow")) }
        try await eventually { server.requests.count == 1 }
        await #expect(throws: NetworkError.self) {
            try await provider.request(Call<String>(base: base, path: "/quick"))
        }
        hasFailed.withLock { $0 = true }
        let error = await #expect(throws: NetworkError.self) { try await slow.value }
        guard case .plugin(let cause) = error?.reason, cause is AuthenticationError else { throw UnexpectedResult() }
        #expect(refreshes.withLock { $0 } == 1)
    }

    @Test("A late success of a token that was replaced does not end the pause")
    func lateSuccess() async throws {
        let refreshes = Locked(0)
        let server = try LoopbackServer { request in
            guard request.path == "/slow" else { return .text("who?", status: 401) }
            try? await eventually { refreshes.withLock { $0 } == 2 }
            return .text("ok")
        }
        defer { server.stop() }
        let base = server.baseURL
        let plugin = AuthenticationPlugin(counting: refreshes, pause: .seconds(3_600), fresh: .bearer("refused"))
        let provider = NetworkProvider(plugins: [plugin])
        let slow = Task { try await provider.request(Call<String>(base: base, path: "/slow")) }
        try await eventually { server.requests.count == 1 }
        for _ in 0..<2 { _ = try? await provider.request(Call<String>(base: base, path: "/quick")) }
        #expect(try await slow.value == "ok")
        _ = try? await provider.request(Call<String>(base: base, path: "/quick"))
        #expect(refreshes.withLock { $0 } == 2)
    }

    @Test("A token is refreshed shortly before it expires; if that fails, it is used until it expires")
    func beforeExpiry() async throws {
        let time = Locked(Date(timeIntervalSince1970: 1_000_000))
        let gate = Gate()
        gate.accepted.withLock { $0 = "old" }
        let fails = Locked(true)
        let start = time.withLock { $0 }
        let plugin = AuthenticationPlugin(
            .bearer("old", expires: start.addingTimeInterval(3_600)),
            for: .everyServer,
            refreshing: .init(leeway: .seconds(60), pause: .zero),
            now: { time.withLock { $0 } }
        ) { _ in
            if fails.withLock({ $0 }) { throw Denied() }
            return .bearer("new", expires: start.addingTimeInterval(7_200))
        }
        let provider = NetworkProvider(transport: gate, plugins: [plugin])
        #expect(try await provider.request(call()) == "ok")
        time.withLock { $0 = start.addingTimeInterval(3_539) }
        #expect(
            try await provider.request(call()) == "ok" && plugin.credential == .bearer("old", expires: start + 3_600)
        )
        // Within the leeway: the refresh fails, and the old token is still valid.
        time.withLock { $0 = start.addingTimeInterval(3_541) }
        #expect(try await provider.request(call()) == "ok")
        fails.withLock { $0 = false }
        gate.accepted.withLock { $0 = "new" }
        let before = gate.count.withLock { $0 }
        #expect(try await provider.request(call()) == "ok")
        #expect(gate.count.withLock { $0 } == before + 1, "the token was refused instead of refreshed before")
        // After the expiry a failed refresh fails the request, unsent.
        fails.withLock { $0 = true }
        time.withLock { $0 = start.addingTimeInterval(7_201) }
        await #expect(throws: NetworkError.self) { try await provider.request(call()) }
        #expect(gate.count.withLock { $0 } == before + 1)
        var own = call()
        own.headers = ["authorization": "Bearer new"]
        #expect(try await provider.request(own) == "ok", "a request with its own credential needs no refresh")
    }

    @Test("If a refresh ahead of time fails, no request that waits for it fails while the token is valid")
    func sharedRefreshAheadOfTime() async throws {
        let (gate, refreshes, isOpen) = (Gate(), Locked(0), Locked(false))
        gate.accepted.withLock { $0 = "old" }
        let time = Locked(Date(timeIntervalSince1970: 1_000_000))
        let start = time.withLock { $0 }
        let plugin = AuthenticationPlugin(
            .bearer("old", expires: start + 3_600),
            for: .everyServer,
            refreshing: .init(leeway: .seconds(60)),
            now: { time.withLock { $0 } }
        ) { _ in
            refreshes.withLock { $0 += 1 }
            try await eventually { isOpen.withLock { $0 } }
            throw Denied()
        }
        let provider = NetworkProvider(transport: gate, plugins: [plugin])
        time.withLock { $0 = start + 3_541 }
        let call = call()
        let first = Task { try await provider.request(call) }
        try await eventually { refreshes.withLock { $0 } == 1 }
        let others = (0..<5).map { _ in Task { try await provider.request(call) } }
        for _ in 0..<200 { await Task.yield() }
        isOpen.withLock { $0 = true }
        for task in [first] + others { #expect(try await task.value == "ok") }
        // Once a server has refused the token, it is not valid any more.
        gate.accepted.withLock { $0 = "none" }
        let error = await #expect(throws: NetworkError.self) { try await provider.request(call) }
        #expect(try refreshFailure(error) is Denied)
    }

    @Test("A request that waits for the refresh of a refused token is not sent with it, although it has not expired")
    func refusedWhileWaiting() async throws {
        let (gate, refreshes, asked, isOpen) = (Gate(), Locked(0), Locked(0), Locked(false))
        let plugin = AuthenticationPlugin(
            .bearer("old", expires: Date() + 3_600),
            for: .everyServer,
            applies: { _ in
                asked.withLock { $0 += 1 }
                return true
            }
        ) { _ in
            refreshes.withLock { $0 += 1 }
            try await eventually { isOpen.withLock { $0 } }
            throw Denied()
        }
        let provider = NetworkProvider(transport: gate, plugins: [plugin])
        let call = call()
        let first = Task { try await provider.request(call) }
        try await eventually { refreshes.withLock { $0 } == 1 }
        let before = asked.withLock { $0 }
        let second = Task { try await provider.request(call) }
        // Asked before its preparation, and before it is sent.
        try await eventually { asked.withLock { $0 } == 2 * before }
        for _ in 0..<200 { await Task.yield() }
        isOpen.withLock { $0 = true }
        for task in [first, second] {
            let error = await #expect(throws: NetworkError.self) { try await task.value }
            #expect(try refreshFailure(error) is Denied)
        }
        #expect(gate.count.withLock { $0 } == 1)
    }

    @Test("A token that is valid for less than the leeway is not refreshed by every request")
    func shortLifetime() async throws {
        let refreshes = Locked(0)
        let gate = Gate()
        let plugin = AuthenticationPlugin(.bearer("new", expires: Date() + 20), for: .everyServer) { _ in
            refreshes.withLock { $0 += 1 }
            return .bearer("new", expires: Date() + 20)
        }
        let provider = NetworkProvider(transport: gate, plugins: [plugin])
        for _ in 0..<10 { #expect(try await provider.request(call()) == "ok") }
        #expect(refreshes.withLock { $0 } == 0)
    }
}

/// Thrown by a refresh that fails.
struct Denied: Error {}

extension AuthenticationPlugin {
    /// Creates a plugin for every server that counts its refreshes, which return `fresh` or, without one, fail.
    convenience init(
        _ credential: Credential = .bearer("old"),
        counting refreshes: Locked<Int>,
        pause: Duration = .seconds(1),
        fresh: Credential?
    ) {
        self.init(credential, for: .everyServer, refreshing: Refreshing(pause: pause)) { _ in
            refreshes.withLock { $0 += 1 }
            guard let fresh else { throw Denied() }
            return fresh
        }
    }
}
