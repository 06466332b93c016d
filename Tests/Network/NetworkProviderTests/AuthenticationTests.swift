import Foundation
import LoopbackServer
import NetworkTestSupport
import NetworkTesting
import TestSupport
import Testing
import Threading

@testable import NetworkProvider

@Suite("Authentication")
struct AuthenticationTests {
    /// A server that accepts one token.
    private func server(_ good: Locked<String>) throws -> LoopbackServer {
        try LoopbackServer { request in
            request.header("Authorization") == "Bearer " + good.withLock({ $0 })
                ? .text("welcome") : .text("who?", status: 401)
        }
    }

    @Test("Each credential is sent in its field; a target's own field overrides it")
    func credentials() async throws {
        let stub = StubTransport().on(.get, "/", .status(200))
        func send(_ credential: Credential?, headers: HTTPHeaders = [:]) async throws -> HTTPRequest {
            let plugin = AuthenticationPlugin(credential, for: .everyServer)
            let provider = NetworkProvider(transport: stub, plugins: [plugin])
            _ = try await provider.request(Call<Data>(base: "http://h", parameters: ["a": "b"], headers: headers))
            return try #require(stub.requests.last)
        }
        #expect(try await send(.bearer("t0ken")).headers == ["Authorization": "Bearer t0ken"])
        // The example of RFC 7617, section 2.
        let basic = try await send(.basic(user: "Aladdin", password: "open sesame"))
        #expect(basic.headers["Authorization"] == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
        #expect(try await send(.apiKey("k")).headers["x-api-key"] == "k")
        #expect(try await send(.queryKey("k&y", parameter: "key")).url.absoluteString == "http://h/?a=b&key=k%26y")
        let marked = try #require(URL(string: "http://h/a#b"))
        let keyed = try Credential.queryKey("k", parameter: "key").applied(to: HTTPRequest(.get, url: marked))
        #expect(keyed.url.absoluteString == "http://h/a?key=k#b")
        let plugin = AuthenticationPlugin(.queryKey("k", parameter: "key"), for: .everyServer)
        let _: Data = try await NetworkProvider(transport: stub, plugins: [plugin]).get("http://h/?key")
        #expect(stub.requests.last?.url.query() == "key", "the parameter is there without a value")
        #expect(try await send(nil).headers.isEmpty)
        let own = try await send(.bearer("t0ken"), headers: ["authorization": "mine"])
        #expect(own.headers == ["authorization": "mine"])
        for credential in [Credential.bearer("s3cret\r\nX: y"), .basic(user: "a:b", password: "s3cret")] {
            let error = await #expect(throws: NetworkError.self) { _ = try await send(credential) }
            #expect(!(try #require(error).description.contains("s3cret")))
        }
        var dumped = ""
        dump(Credential.bearer("s3cret"), to: &dumped)
        #expect(!"\(dumped)\(Credential.basic(user: "a", password: "s3cret"))".contains("s3cret"))
    }

    @Test("A key in a custom field is removed from redirects to other origins, and left out of errors and logs")
    func origins() async throws {
        let other = try LoopbackServer { .text($0.header("X-Mine") ?? "none", status: 404) }
        defer { other.stop() }
        let there = other.baseURL
        let server = try LoopbackServer { _ in ServedResponse(status: 302, headers: [("Location", there + "/")]) }
        defer { server.stop() }
        let log = EventLog()
        let plugins: [any NetworkPlugin] = [
            AuthenticationPlugin(.apiKey("s3cret", header: "X-Mine"), for: .everyServer),
            LoggingPlugin(headers: true) { log.add($0) },
        ]
        let error = await NetworkProvider(plugins: plugins).failure(of: Call<Data>(base: server.baseURL))
        #expect(server.requests.first?.header("X-Mine") == "s3cret")
        #expect(error?.response?.text == "none")
        #expect(log.lines.contains { $0.hasSuffix("X-Mine: <redacted>") })
        #expect(!log.lines.joined().contains("s3cret"))
    }

    @Test("A 401 of another origin after a redirect starts no refresh, and that origin receives no credential")
    func foreignRefusal() async throws {
        let other = try LoopbackServer { .text($0.header("Authorization") ?? "nothing shown", status: 401) }
        defer { other.stop() }
        let there = other.baseURL
        let server = try LoopbackServer { _ in ServedResponse(status: 307, headers: [("Location", there + "/")]) }
        defer { server.stop() }
        let refreshes = Locked(0)
        let plugin = AuthenticationPlugin(.bearer("good"), counting: refreshes, fresh: .bearer("stolen"))
        let error = await NetworkProvider(plugins: [plugin]).failure(of: Call<Data>(base: server.baseURL))
        #expect(error?.status == 401 && error?.response?.text == "nothing shown")
        #expect(refreshes.withLock { $0 } == 0 && plugin.credential == .bearer("good"))
    }

    /// A server that redirects the requests for which `answer` returns nil to another one, which redirects them to `/end`.
    private func thereAndBack(
        answer: @escaping @Sendable (ServedRequest) -> ServedResponse?
    ) throws -> (server: LoopbackServer, other: LoopbackServer) {
        let home = Locked("")
        let other = try LoopbackServer { _ in
            ServedResponse(status: 302, headers: [("Location", home.withLock { $0 } + "/end")])
        }
        let there = other.baseURL
        let server = try LoopbackServer { answer($0) ?? ServedResponse(status: 302, headers: [("Location", there)]) }
        home.withLock { $0 = server.baseURL }
        return (server, other)
    }

    @Test("A credential that a redirect removed is not restored by a redirect back")
    func thereAndBack() async throws {
        let (server, other) = try thereAndBack { request in
            request.path == "/end" ? .text(request.header("Authorization") ?? "none") : nil
        }
        defer { for server in [server, other] { server.stop() } }
        let plugin = AuthenticationPlugin(.basic(user: "a", password: "b"), for: .everyServer)
        let provider = NetworkProvider(plugins: [plugin])
        #expect(try await provider.request(Call<String>(base: server.baseURL)) == "none")
        #expect(other.requests.allSatisfy { $0.header("Authorization") == nil })
    }

    @Test("A 401 after redirects that removed the credential starts no refresh")
    func refusalAfterThereAndBack() async throws {
        let (server, other) = try thereAndBack { request in
            switch (request.path, request.header("Authorization")) {
            case ("/direct", "Bearer new"): .text("welcome")
            case ("/end", _), ("/direct", _): .text(request.header("Authorization") ?? "none", status: 401)
            default: nil
            }
        }
        defer { for server in [server, other] { server.stop() } }
        let refreshes = Locked(0)
        let plugin = AuthenticationPlugin(.bearer("good"), counting: refreshes, fresh: .bearer("new"))
        let outer = AuthenticationPlugin(.apiKey("key"), counting: refreshes, fresh: .apiKey("new"))
        for plugins in [[plugin], [outer, plugin], [plugin, RetryPlugin()]] as [[any NetworkPlugin]] {
            let provider = NetworkProvider(plugins: plugins)
            let error = await provider.failure(of: Call<String>(base: server.baseURL))
            #expect(error?.status == 401 && error?.response?.text == "none")
            #expect(refreshes.withLock { $0 } == 0 && plugin.credential == .bearer("good"))
        }
        // A refusal of what was really shown still refreshes.
        let provider = NetworkProvider(plugins: [plugin])
        #expect(try await provider.request(Call<String>(base: server.baseURL, path: "/direct")) == "welcome")
        #expect(refreshes.withLock { $0 } == 1)
    }

    @Test("1,000 concurrent 401s lead to exactly one refresh, and every request is replayed")
    func singleFlight() async throws {
        let good = Locked("new")
        let server = try server(good)
        defer { server.stop() }
        let refreshes = Locked(0)
        let plugin = AuthenticationPlugin(.bearer("old"), for: .everyServer) { refused in
            #expect(refused == .bearer("old"))
            refreshes.withLock { $0 += 1 }
            // Long enough for others to be refused at the same time, and for some to come after it.
            try await Task.sleep(for: .milliseconds(20))
            return .bearer("new")
        }
        let provider = NetworkProvider(plugins: [plugin])
        let base = server.baseURL
        let welcomed = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<1_000 { group.addTask { try await provider.request(Call<String>(base: base)) } }
            return try await group.reduce(0) { $0 + ($1 == "welcome" ? 1 : 0) }
        }
        #expect(welcomed == 1_000)
        #expect(refreshes.withLock { $0 } == 1)
        #expect(plugin.credential == .bearer("new"))
        let stale = server.requests.filter { $0.header("Authorization") == "Bearer old" }.count
        #expect(server.requests.count == 1_000 + stale)
    }

    @Test("A request refused after the refresh, but sent before it, is replayed without a second refresh")
    func stale() async throws {
        let refreshes = Locked(0)
        let isRefreshed = Locked(false)
        let server = try LoopbackServer { request in
            if request.header("Authorization") == "Bearer new" { return .text("welcome") }
            if request.path == "/slow" { try? await eventually { isRefreshed.withLock { $0 } } }
            return .text("who?", status: 401)
        }
        defer { server.stop() }
        let plugin = AuthenticationPlugin(counting: refreshes, fresh: .bearer("new"))
        let provider = NetworkProvider(plugins: [plugin])
        let base = server.baseURL
        let slow = Task { try await provider.request(Call<String>(base: base, path: "/slow")) }
        try await eventually { server.requests.count == 1 }
        #expect(try await provider.request(Call<String>(base: base, path: "/quick")) == "welcome")
        isRefreshed.withLock { $0 = true }
        #expect(try await slow.value == "welcome")
        #expect(refreshes.withLock { $0 } == 1)
    }

    @Test("A failed refresh fails all waiting requests with its error; later requests start another one")
    func failure() async throws {
        let (refreshes, arrived) = (Locked(0), Locked(0))
        let server = try LoopbackServer { _ in
            // The first ten are refused together: none of them waits for the refresh before it is sent.
            arrived.withLock { $0 += 1 }
            try? await eventually { arrived.withLock { $0 } >= 10 }
            return .text("who?", status: 401)
        }
        defer { server.stop() }
        let base = server.baseURL
        let provider = NetworkProvider(plugins: [AuthenticationPlugin(counting: refreshes, fresh: nil)])
        let failures = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<10 {
                group.addTask {
                    let error = await provider.failure(of: Call<String>(base: base))
                    guard case .plugin(let cause) = error?.reason,
                        case .refreshFailed(let reason) = cause as? AuthenticationError
                    else { return false }
                    return reason is Denied
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(failures == 10)
        #expect(refreshes.withLock { $0 } == 1)
        let later = await #expect(throws: NetworkError.self) { try await provider.request(Call<String>(base: base)) }
        #expect(try #require(later).description.contains("sign in again"))
        #expect(refreshes.withLock { $0 } == 2)
    }

    @Test("Cancelling the request that started a refresh ends it at once, and the others receive the credential")
    func cancellation() async throws {
        let good = Locked("new")
        let server = try server(good)
        defer { server.stop() }
        let base = server.baseURL
        let (began, isOpen) = (Locked(false), Locked(false))
        let provider = NetworkProvider(plugins: [
            AuthenticationPlugin(.bearer("old"), for: .everyServer) { _ in
                began.withLock { $0 = true }
                try await eventually { isOpen.withLock { $0 } }
                return .bearer("new")
            }
        ])
        let first = Task { try await provider.request(Call<String>(base: base)) }
        try await eventually { began.withLock { $0 } }
        let second = Task { try await provider.request(Call<String>(base: base)) }
        first.cancel()
        let error = await #expect(throws: NetworkError.self) { try await first.value }
        #expect(error?.isCancellation == true)
        isOpen.withLock { $0 = true }
        #expect(try await second.value == "welcome")
    }

    @Test("The refresh may use the same provider; a second refusal is returned, and so is a 401 without a credential")
    func sameProvider() async throws {
        let server = try LoopbackServer { request in
            request.path == "/token"
                ? .text(request.header("Authorization") ?? "none") : .text("never", status: 401)
        }
        defer { server.stop() }
        let base = server.baseURL
        let box = Locked<NetworkProvider?>(nil)
        let plugin = AuthenticationPlugin(.bearer("old"), for: .everyServer) { _ in
            let provider = try #require(box.withLock { $0 })
            return .bearer(try await provider.request(Call<String>(base: base, path: "/token")))
        }
        let provider = NetworkProvider(plugins: [plugin])
        box.withLock { $0 = provider }
        #expect(await provider.failure(of: Call<String>(base: base))?.status == 401)
        #expect(plugin.credential == .bearer("none"))
        #expect(server.requests.map { $0.header("Authorization") } == ["Bearer old", nil, "Bearer none"])
        plugin.setCredential(nil)
        #expect(await provider.failure(of: Call<String>(base: base))?.status == 401 && server.requests.count == 4)
        box.withLock { $0 = nil }
    }

    @Test("A refresh may need another credential, whose refresh uses the first provider", .timeLimit(.minutes(2)))
    func refreshInsideRefresh() async throws {
        let server = try LoopbackServer { request in
            switch (request.path, request.header("X-Key"), request.header("Authorization")) {
            case ("/key", _, "Bearer new"), ("/token", nil, _): .text("new")
            case ("/", "new", _): .text("done")
            default: .text("never", status: 401)
            }
        }
        defer { server.stop() }
        let base = server.baseURL
        let outer = Locked<NetworkProvider?>(nil)
        // The limit of the test alone ends two refreshes that wait for each other, whatever the machine's load is.
        let endless = AuthenticationPlugin.Refreshing(timeLimit: .seconds(3_600))
        let bearer = AuthenticationPlugin(.bearer("old"), for: .everyServer, refreshing: endless) { _ in
            let provider = try #require(outer.withLock { $0 })
            return .bearer(try await provider.request(Call<String>(base: base, path: "/token")))
        }
        let inner = NetworkProvider(plugins: [bearer])
        let key = AuthenticationPlugin(.apiKey("old", header: "X-Key"), for: .everyServer, refreshing: endless) { _ in
            .apiKey(try await inner.request(Call<String>(base: base, path: "/key")), header: "X-Key")
        }
        let provider = NetworkProvider(plugins: [key])
        outer.withLock { $0 = provider }
        #expect(try await provider.request(Call<String>(base: base)) == "done")
        outer.withLock { $0 = nil }
    }

    @Test("A request that is refused after another user has signed in is not sent again as that user")
    func otherAccount() async throws {
        let isReplaced = Locked(false)
        let server = try LoopbackServer { request in
            try? await eventually { isReplaced.withLock { $0 } }
            return request.header("Authorization") == "Bearer b" ? .text("welcome") : .text("who?", status: 401)
        }
        defer { server.stop() }
        let plugin = AuthenticationPlugin(.bearer("a"), for: .everyServer) { _ in throw Denied() }
        let provider = NetworkProvider(plugins: [plugin])
        let target = Call<String>(base: server.baseURL, httpMethod: .post, task: .raw(Data("1 bone".utf8)))
        let post = Task { try await provider.request(target) }
        try await eventually { server.requests.count == 1 }
        plugin.setCredential(.bearer("b"))
        isReplaced.withLock { $0 = true }
        let error = await #expect(throws: NetworkError.self) { try await post.value }
        guard case .plugin(AuthenticationError.credentialReplaced) = error?.reason else { throw UnexpectedResult() }
        #expect(server.requests.map { $0.header("Authorization") } == ["Bearer a"])
        #expect(try await provider.request(target) == "welcome")
    }

    @Test("A refusal by the first origin starts a refresh, also after an attempt that left the origin")
    func refusalAfterLeaving() async throws {
        let other = try LoopbackServer { _ in .text("down", status: 503) }
        defer { other.stop() }
        let (there, count) = (other.baseURL, Locked(0))
        let server = try LoopbackServer { request in
            count.withLock { $0 += 1 }
            if count.withLock({ $0 }) == 1 { return ServedResponse(status: 307, headers: [("Location", there)]) }
            return request.header("Authorization") == "Bearer new" ? .text("welcome") : .text("who?", status: 401)
        }
        defer { server.stop() }
        let plugin = AuthenticationPlugin(.bearer("old"), for: .everyServer) { _ in .bearer("new") }
        let provider = NetworkProvider(plugins: [plugin, RetryPlugin(RetryPolicy(baseDelay: .zero))])
        #expect(try await provider.request(Call<String>(base: server.baseURL)) == "welcome")
        #expect(other.requests.count == 1 && plugin.credential == .bearer("new"))
    }

    @Test("A POST that was processed and redirected to a GET is not sent again if the GET is refused")
    func refusalAfterProcessing() async throws {
        let (key, plain): (HTTPHeaders, HTTPHeaders) = (["Idempotency-Key": "7"], [:])
        for (status, headers, isRepeated) in [(303, plain, false), (303, key, true), (307, plain, true)] {
            let next = status == 303 ? HTTPMethod.get : .post
            let stub = StubTransport().on(.post, "/orders", .status(status, headers: ["Location": "/orders/7"]))
                .on(next, "/orders/7", .status(401), .status(200))
            let plugin = AuthenticationPlugin(.bearer("old"), for: .everyServer) { _ in .bearer("new") }
            let target = Call<Data>(base: "http://h", path: "/orders", httpMethod: .post, headers: headers)
            let error = await NetworkProvider(transport: stub, plugins: [plugin]).failure(of: target)
            #expect(error?.status == (isRepeated ? nil : 401) && stub.requests.count == (isRepeated ? 4 : 2))
        }
    }

    @Test(
        "Signing in during a refresh overrides its result; the requests that wait for it are not sent for the other user"
    )
    func replaced() async throws {
        let good = Locked("signed in")
        let server = try server(good)
        defer { server.stop() }
        let base = server.baseURL
        let (began, isOpen, ended) = (Locked(false), Locked(false), Locked(false))
        let plugin = AuthenticationPlugin(.bearer("old"), for: .everyServer) { _ in
            began.withLock { $0 = true }
            try await eventually { isOpen.withLock { $0 } }
            defer { ended.withLock { $0 = true } }
            return .bearer("late")
        }
        let provider = NetworkProvider(plugins: [plugin])
        let waiting = Task { try await provider.request(Call<String>(base: base)) }
        try await eventually { began.withLock { $0 } }
        plugin.setCredential(.bearer("signed in"))
        let error = await #expect(throws: NetworkError.self) { try await waiting.value }
        guard case .plugin(AuthenticationError.credentialReplaced) = error?.reason else { throw UnexpectedResult() }
        isOpen.withLock { $0 = true }
        try await eventually { ended.withLock { $0 } }
        #expect(try await provider.request(Call<String>(base: base)) == "welcome")
        #expect(plugin.credential == .bearer("signed in"))
    }
}
