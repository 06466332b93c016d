import Foundation
import HTTPCaching
import LoopbackServer
import NetworkProvider
import NetworkTestSupport
import NetworkTesting
import TestSupport
import Testing
import Threading

@Suite("Cache: policies, errors and exclusions")
struct CachePolicyTests {
    /// A server that counts, with a version that can be confirmed.
    private static func counting(
        _ control: String = "max-age=60",
        options: HTTPCache.Options = .init()
    ) throws -> CacheBench {
        let count = Locked(0)
        return try CacheBench(options: options) { request, _ in
            let number = count.increment()
            if request.path == "/confirmed", request.header("If-None-Match") == "\"a\"" {
                return .cached("", ("ETag", "\"a\""), ("Cache-Control", control), status: 304)
            }
            return .cached("\(number)", ("Cache-Control", control), ("ETag", "\"a\""))
        }
    }

    @Test("Each policy with no stored response, a fresh one and a stale one")
    func policies() async throws {
        typealias Expected = (
            nothing: HTTPCacheStatus.Source?, fresh: HTTPCacheStatus.Source, stale: HTTPCacheStatus.Source
        )
        let table: [(HTTPCachePolicy, Expected)] = [
            (.inherited, (.miss, .hit, .revalidated)), (.useProtocol, (.miss, .hit, .revalidated)),
            (.ignore, (.bypass, .bypass, .bypass)), (.revalidate, (.miss, .revalidated, .revalidated)),
            (.reload, (.miss, .miss, .miss)), (.preferCached, (.miss, .hit, .stale)),
            (.staleWhileRevalidating, (.miss, .hit, .stale)), (.onlyCached, (nil, .hit, .stale)),
        ]
        #expect(table.count == HTTPCachePolicy.allCases.count)
        for (policy, expected) in table {
            let bench = try Self.counting()
            if let source = expected.nothing {
                #expect(try await bench.get("/confirmed", policy: policy).source == source, "\(policy)")
            } else {
                let error = await #expect(throws: NetworkError.self) {
                    try await bench.get("/confirmed", policy: policy)
                }
                guard case .notCached = error?.reason else { throw UnexpectedResult() }
                #expect(bench.count == 0)
                #expect(error?.description.contains("onlyCached") == true)
            }
            try await bench.get("/confirmed")
            bench.clock.move(1)
            #expect(try await bench.get("/confirmed", policy: policy).source == expected.fresh, "\(policy)")
            bench.clock.move(61)
            // A wish for freshness does not count against a policy that takes a stale one.
            let stale = try await bench.get("/confirmed", ["Cache-Control": "min-fresh=5"], policy: policy)
            #expect(stale.source == expected.stale, "\(policy)")
        }
    }

    @Test("A policy applies to other caches, too, and the default is the cache's policy")
    func asksOthers() async throws {
        var options = HTTPCache.Options()
        options.policy = .reload
        let bench = try Self.counting(options: options)
        try await bench.get()
        #expect(bench.server.requests[0].header("Cache-Control") == "no-cache")
        #expect(try await bench.get(policy: .useProtocol).source == .hit)
        try await bench.get(policy: .revalidate)
        #expect(bench.server.requests[1].header("Cache-Control") == "max-age=0")
        try await bench.get("/", ["Cache-Control": "no-transform"])
        #expect(bench.server.requests[2].header("Cache-Control") == "no-transform")
    }

    @Test("must-revalidate and no-cache forbid a stale response to every policy")
    func strict() async throws {
        for control in ["max-age=10, must-revalidate", "no-cache"] {
            let bench = try Self.counting(control)
            try await bench.get("/confirmed")
            bench.clock.move(11)
            for policy in HTTPCachePolicy.allCases where policy != .onlyCached {
                let source = try await bench.get("/confirmed", policy: policy).source
                #expect(source != .stale && source != .hit)
                bench.clock.move(11)
            }
            await #expect(throws: NetworkError.self) { try await bench.get("/confirmed", policy: .onlyCached) }
        }
    }

    @Test("RFC 8246 A fresh immutable response is not validated, unless the policy is reload")
    func immutable() async throws {
        let bench = try Self.counting("max-age=60, immutable")
        try await bench.get("/confirmed")
        #expect(try await bench.get("/confirmed", policy: .revalidate).source == .hit)
        // The caller's own field does not mean the policy.
        #expect(try await bench.get("/confirmed", ["Cache-Control": "no-cache"]).source == .revalidated)
        #expect(try await bench.get("/confirmed", policy: .reload).source == .miss)
        bench.clock.move(61)
        #expect(try await bench.get("/confirmed", policy: .revalidate).source == .revalidated)
    }

    @Test("stale-while-revalidate: a stale response is returned, and requested again once in the background")
    func renewsInBackground() async throws {
        let bench = try Self.counting("max-age=10, stale-while-revalidate=60")
        try await bench.get()
        bench.clock.move(20)
        let events = EventLog()
        let stale = try await bench.provider.response(CachedCall(base: bench.server.baseURL)) { events.add($0) }
        #expect(stale.cacheStatus?.source == .stale && stale.value == Data("1".utf8))
        #expect(stale.cacheStatus?.timeToLive == -10)
        try await eventually { bench.cache.statistics.stores == 2 }
        #expect(events.all.count == 2, "only those of the stale response, which has one piece")
        let renewed = try await bench.get()
        #expect(renewed.source == .hit && renewed.text == "2")
        #expect(bench.count == 2)
        bench.clock.move(20)
        #expect(try await bench.get("/", ["Cache-Control": "only-if-cached"]).source == .stale)
        for number in 0..<5 { try await bench.get("/\(number)") }
        #expect(bench.count == 7)
    }

    @Test("Each variant and each user of a URL is requested again in the background, each once at a time")
    func renewsVariants() async throws {
        let isOpen = Locked(true)
        let bench = try CacheBench { _, _ in
            while !isOpen.withLock({ $0 }) { try? await Task.sleep(for: .milliseconds(2)) }
            return .cached("x", ("Vary", "Accept"), ("Cache-Control", "max-age=10, stale-while-revalidate=60"))
        }
        let callers: [HTTPHeaders] = [["Accept": "a/a"], ["Accept": "b/b"], ["Authorization": "Bearer a"]]
        for caller in callers { try await bench.get("/", caller) }
        bench.clock.move(20)
        isOpen.withLock { $0 = false }
        for caller in callers + callers { #expect(try await bench.get("/", caller).source == .stale) }
        try await eventually { bench.count == 6 }
        isOpen.withLock { $0 = true }
        try await eventually { bench.cache.statistics.stores == 6 }
        #expect(bench.count == 6)
    }

    @Test("A stale redirect is requested again in the background, and is followed no more if it is not stored again")
    func renewsRedirects() async throws {
        let latest = Locked(("/v1", "max-age=1, stale-while-revalidate=100"))
        let bench = try CacheBench { request, _ in
            guard request.path == "/latest" else { return .cached(request.path, ("Cache-Control", "max-age=1000")) }
            let (target, control) = latest.withLock { $0 }
            return .cached("", ("Location", target), ("Cache-Control", control), status: 302)
        }
        #expect(try await bench.get("/latest").text == "/v1")
        for (number, policy) in [HTTPCachePolicy.inherited, .staleWhileRevalidating].enumerated() {
            bench.clock.move(2)
            latest.withLock { $0.0 = "/v\(number + 2)" }
            let stale = try await bench.get("/latest", policy: policy)
            #expect(stale.source == .stale && stale.text == "/v\(number + 1)")
            try await eventually { bench.cache.statistics.stores == 2 * number + 4 }
            let renewed = try await bench.get("/latest")
            #expect(renewed.source == .hit && renewed.text == "/v\(number + 2)")
        }
        bench.clock.move(2)
        latest.withLock { $0 = ("/v4", "no-store") }
        #expect(try await bench.get("/latest").text == "/v3")
        try await eventually { bench.cache.statistics.stores == 7 }
        let next = try await bench.get("/latest")
        #expect(next.source == .miss && next.text == "/v4")
    }

    @Test("5.2.1.7 only-if-cached without a stored response returns 504, and sends no request")
    func onlyIfCached() async throws {
        let bench = try Self.counting()
        let got = try await bench.get("/", ["Cache-Control": "only-if-cached"])
        #expect(got.status == 504 && got.source == .miss)
        #expect(bench.count == 0)
        try await bench.get()
        #expect(try await bench.get("/", ["Cache-Control": "only-if-cached"]).source == .hit)
        bench.clock.move(61)
        #expect(try await bench.get("/", ["Cache-Control": "only-if-cached"]).status == 504)
        #expect(bench.count == 1)
    }

    @Test("stale-if-error: a stale response replaces 5xx and network failures, after the retries, for its time")
    func staleIfError() async throws {
        let (failing, late) = (Locked(false), Locked(0))
        let bench = try CacheBench(
            plugins: [RetryPlugin(RetryPolicy(maximumAttempts: 3, baseDelay: .milliseconds(1)))]
        ) { request, clock in
            if request.path == "/late", failing.withLock({ $0 }), late.increment() == 1 { clock.move(100) }
            let control = request.path == "/strict" ? "max-age=10, must-revalidate" : "max-age=10"
            guard failing.withLock({ $0 }) else {
                let fields = [("Cache-Control", control + ", stale-if-error=100"), ("ETag", "\"a\"")]
                guard request.path == "/moved" else {
                    return ServedResponse(headers: fields, body: .data(Data("good".utf8)))
                }
                return ServedResponse(status: 302, headers: fields + [("Location", "/lost")])
            }
            return request.path == "/lost" || request.path == "/moved"
                ? .failing(.closed) : .cached("bad", status: request.path == "/500" ? 501 : 503)
        }
        for path in ["/moved", "/503", "/500", "/strict", "/late"] { try await bench.get(path) }
        failing.withLock { $0 = true }
        bench.clock.move(50)
        for path in ["/lost", "/503", "/moved"] {
            let before = bench.count
            let got = try await bench.get(path)
            #expect(got.source == .staleOnError && got.text == "good" && got.status == 200)
            #expect(bench.count >= before + 3)
        }
        #expect(try await bench.get("/500").status == 501)
        #expect(try await bench.get("/strict").status == 503)
        #expect(try await bench.get("/503", ["Cache-Control": "no-cache"]).status == 503)
        bench.clock.move(61)
        #expect(try await bench.get("/503").status == 503)
        for path in ["/lost", "/moved"] {
            await #expect(throws: NetworkError.self) { try await bench.get(path) }
        }
        // The time is over when the error occurs.
        bench.clock.move(-61)
        #expect(try await bench.get("/late").status == 503)
        bench.clock.move(-100)
        // The server is gone altogether.
        bench.server.stop()
        #expect(try await bench.get("/lost").source == .staleOnError)
    }

    @Test("The cache's option for errors applies to responses without one; a cancellation is not an error")
    func staleIfErrorByOption() async throws {
        var options = HTTPCache.Options()
        options.staleIfError = .seconds(60)
        let failing = Locked(false)
        let circuits = CircuitBreakerPlugin(CircuitPolicy(failures: 1))
        let bench = try CacheBench(options: options, plugins: [circuits]) { request, _ in
            failing.withLock { $0 } ? .failing(request.path == "/slow" ? .noAnswer : .closed) : .cached("good")
        }
        for path in ["/", "/slow"] { try await bench.get(path) }
        failing.withLock { $0 = true }
        bench.clock.move(60)
        let before = bench.count
        let task = Task { try await bench.get("/slow") }
        try await eventually { bench.count == before + 1 }
        task.cancel()
        let error = await #expect(throws: NetworkError.self) { try await task.value }
        #expect(error?.isCancellation == true)
        // The second request is refused by the open circuit.
        for _ in 0..<2 { #expect(try await bench.get("/").source == .staleOnError) }
        #expect(bench.count == before + 2)
        bench.clock.move(1)
        await #expect(throws: NetworkError.self) { try await bench.get("/") }
    }

    @Test("stale-if-error: a stale response is used if there is no network for the refresh of the token")
    func staleWithoutToken() async throws {
        let offline = HTTPTransportError(.cannotConnect)
        var proxy = HTTPTransportError(.proxy)
        proxy.isProxyUnreachable = true
        let causes: [(any Error, isNetwork: Bool)] = [
            (offline, true), (proxy, true), (HTTPTransportError(.proxy), false),
            (NetworkError(.transport(offline), target: "Token"), true),
            (NetworkError(.plugin(AuthenticationError.refreshFailed(offline)), target: "Token"), true),
            (NetworkError(.unacceptableStatus(400), target: "Token"), false),
        ]
        for (cause, isNetwork) in causes {
            let isExpired = Locked(false)
            let plugin = AuthenticationPlugin(.bearer("a"), for: .everyServer) { _ in throw cause }
            let bench = try CacheBench(plugins: [plugin]) { _, _ in
                isExpired.withLock { $0 }
                    ? .cached("who?", status: 401)
                    : .cached("good", ("Cache-Control", "max-age=10, stale-if-error=100"))
            }
            try await bench.get()
            isExpired.withLock { $0 = true }
            bench.clock.move(50)
            if isNetwork {
                #expect(try await bench.get().source == .staleOnError, "\(cause)")
            } else {
                let error = await #expect(throws: NetworkError.self) { try await bench.get() }
                #expect(error?.isOffline == false)
            }
            let uncached = NetworkProvider(plugins: [plugin])
            let error = await #expect(throws: NetworkError.self) {
                try await uncached.request(Call<Data>(base: bench.server.baseURL))
            }
            #expect(error?.isOffline == isNetwork, "\(cause)")
        }
    }

    @Test("No policy uses a stale error in place of a request, whose response may be another one by now")
    func staleErrors() async throws {
        for policy in [HTTPCachePolicy.preferCached, .staleWhileRevalidating] {
            let isThere = Locked(false)
            let bench = try CacheBench { request, _ in
                let status = isThere.withLock { $0 } ? 200 : 404
                return switch request.path {
                case "/plain": .cached("", status: status)
                case "/tagged": .cached("", ("ETag", "\"1\""), status: status)
                default: .cached("", ("Cache-Control", "max-age=10"), status: status)
                }
            }
            for path in ["/plain", "/tagged", "/lasting"] {
                try await bench.get(path, policy: policy)
                let isKept = path == "/lasting"
                #expect(try await bench.get(path, policy: policy).source == (isKept ? .hit : .miss), "\(path)")
            }
            isThere.withLock { $0 = true }
            bench.clock.move(11)
            for path in ["/plain", "/tagged", "/lasting"] {
                #expect(try await bench.get(path, policy: policy).status == 200, "\(path)")
            }
        }
    }

    @Test("no-store of either side, parts, HEAD, conditions and ranges of the caller are not stored")
    func keepsNot() async throws {
        let bench = try CacheBench { request, _ in
            switch request.path {
            case "/part":
                .cached("part", ("Content-Range", "bytes 0-3/9"), ("Cache-Control", "max-age=60"), status: 206)
            case "/no-store": .cached("x", ("Cache-Control", "no-store, max-age=60"))
            case "/302": .cached("x", ("ETag", "\"a\""), status: 302)
            case "/nothing": .cached("x")
            default: .cached("x", ("Cache-Control", "max-age=60"))
            }
        }
        for path in ["/part", "/no-store", "/302", "/nothing"] {
            for _ in 0..<2 { #expect(try await bench.get(path).source == .miss, "\(path)") }
        }
        #expect(bench.cache.statistics.stores == 0)
        try await bench.get("/asked", ["Cache-Control": "no-store"])
        try await bench.get("/head", method: .head)
        for name in ["Range", "If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range"] {
            #expect(try await bench.get("/passed", [name: "x"]).source == .bypass)
        }
        #expect(bench.cache.statistics.stores == 0)
        try await bench.get("/passed")
        #expect(try await bench.get("/passed", ["Range": "bytes=0-1"]).source == .bypass)
    }

    @Test("Set-Cookie reaches the first caller only")
    func cookies() async throws {
        let bench = try CacheBench { _, _ in
            .cached("x", ("Set-Cookie", "session=secret"), ("Cache-Control", "max-age=60"), ("X", "1"))
        }
        #expect(try await bench.get().head.headers["Set-Cookie"] == "session=secret")
        let hit = try await bench.get()
        #expect(hit.source == .hit)
        #expect(hit.head.headers["Set-Cookie"] == nil)
        #expect(hit.head.headers["X"] == "1")
    }

    @Test("A newer response that is not stored removes the older one; a server error does not")
    func replaces() async throws {
        let control = Locked(("max-age=60", 200))
        let bench = try CacheBench { _, _ in
            let (text, status) = control.withLock { $0 }
            return .cached("x", ("Cache-Control", text), status: status)
        }
        try await bench.get()
        control.withLock { $0 = ("no-store", 503) }
        try await bench.get(policy: .reload)
        #expect(try await bench.get().source == .hit)
        control.withLock { $0 = ("no-store", 200) }
        try await bench.get(policy: .reload)
        #expect(try await bench.get().source == .miss)
    }

    @Test("HEAD uses a stored GET, and renews it (4.3.5) or removes it if they differ")
    func head() async throws {
        let version = Locked("\"1\"")
        let text = Locked("four")
        let bench = try CacheBench { request, _ in
            .cached(text.withLock { $0 }, ("ETag", version.withLock { $0 }), ("Cache-Control", "max-age=60"))
        }
        try await bench.get()
        let head = try await bench.get(method: .head)
        #expect(head.source == .hit && head.text.isEmpty)
        bench.clock.move(30)
        try await bench.get(method: .head, policy: .reload)
        bench.clock.move(59)
        #expect(try await bench.get().source == .hit)
        version.withLock { $0 = "\"2\"" }
        try await bench.get(method: .head, policy: .reload)
        #expect(try await bench.get().source == .miss)
        // A response without a validator says nothing about the stored one, which remains as old as it is.
        let plain = try CacheBench { request, _ in
            var response = ServedResponse.cached("any", ("Cache-Control", "max-age=60"))
            if request.method == "HEAD" { response.framing = .chunked(size: 9) }
            return response
        }
        try await plain.get()
        plain.clock.move(30)
        try await plain.get(method: .head, policy: .reload)
        plain.clock.move(29)
        #expect(try await plain.get().source == .hit)
        plain.clock.move(2)
        #expect(try await plain.get().source == .miss)
        // The same version, of another length.
        text.withLock { $0 = "fives" }
        try await bench.get(method: .head, policy: .reload)
        #expect(try await bench.get().source == .miss)
    }

    @Test("A fresh redirect and its target come from the cache, each by its own rules and credentials")
    func redirects() async throws {
        let other = try LoopbackServer { request in
            .cached(request.header("Authorization") ?? "nobody", ("Cache-Control", "max-age=60"))
        }
        defer { other.stop() }
        let foreign = other.baseURL
        let bench = try CacheBench { request, _ in
            switch request.path {
            case "/moved": .cached("gone", ("Location", "/here"), ("Cache-Control", "max-age=100"), status: 301)
            case "/away": .cached("", ("Location", foreign + "/"), ("Cache-Control", "max-age=100"), status: 307)
            case "/temporary": .cached("", ("Location", "/here"), ("Cache-Control", "max-age=0"), status: 302)
            case "/turned":
                request.header("If-None-Match") == nil
                    ? .cached("turned", ("ETag", "\"a\""), ("Cache-Control", "max-age=1"))
                    : .cached("", ("Location", "/there"), status: 302)
            default:
                request.header("If-None-Match") == nil
                    ? .cached("here", ("ETag", "\"a\""), ("Cache-Control", "max-age=10"))
                    : .cached("", ("ETag", "\"a\""), ("Cache-Control", "max-age=10"), status: 304)
            }
        }
        #expect(try await bench.get("/moved").text == "here")
        let hit = try await bench.get("/moved")
        #expect(hit.source == .hit && hit.text == "here" && hit.head.url.path() == "/here")
        #expect(try await bench.get("/here").source == .hit)
        #expect(bench.count == 2)
        // Only where it leads to is confirmed.
        bench.clock.move(11)
        #expect(try await bench.get("/moved").source == .revalidated)
        #expect(bench.count == 3)
        for _ in 0..<2 { #expect(try await bench.get("/temporary", policy: .preferCached).source == .miss) }
        // The version of the first URL says nothing about the second one.
        #expect(try await bench.get("/turned").text == "turned")
        bench.clock.move(2)
        #expect(try await bench.get("/turned").text == "here")
        // Credentials stay behind at the other origin, from the cache as from the network.
        for expected in [HTTPCacheStatus.Source.miss, .hit] {
            let got = try await bench.get("/away", ["Authorization": "Bearer a"])
            #expect(got.text == "nobody" && got.source == expected)
        }
        #expect(other.requests.count == 1)
        // A provider that follows no redirects receives the stored one as a response.
        let still = NetworkProvider(redirects: .none, cache: bench.cache)
        let raw = try await still.response(CachedCall(base: bench.server.baseURL, path: "/moved"))
        #expect(raw.status == 301 && raw.cacheStatus?.source == .hit && raw.value == Data("gone".utf8))
    }

    @Test("A cached redirect is followed with the cookies of its target")
    func redirectCookies() async throws {
        let fresh: HTTPHeaders = ["Cache-Control": "max-age=60"]
        let stub = StubTransport()
            .on(.get, "/from", .status(301, headers: fresh.merging(["Location": "http://b.example/to"])))
            .on(.get, "/to", .status(200, headers: fresh))
        let jar = CookieJar(suffixes: nil)
        let provider = NetworkProvider(transport: stub, cookies: jar, cache: HTTPCache())
        for cookie in ["", "b=1", "b=2"] {
            let target = try #require(URL(string: "http://b.example/"))
            jar.store(HTTPResponseHead(status: 200, headers: ["Set-Cookie": cookie], url: target))
            for source in [HTTPCacheStatus.Source.miss, .hit] {
                let got = try await provider.response(CachedCall(base: "http://a.example", path: "/from"))
                #expect(got.cacheStatus?.source == source, "\(cookie)")
            }
        }
    }

    @Test("Logs and measurements report responses from the cache")
    func logs() async throws {
        let log = EventLog()
        let measured = Locked<[ExchangeMeasurement]>([])
        let metrics = MetricsPlugin { measurement in measured.withLock { $0.append(measurement) } }
        let bench = try CacheBench(plugins: [LoggingPlugin { log.add($0) }, metrics]) { _, _ in
            .cached("x", ("Cache-Control", "max-age=60"))
        }
        try await bench.get("/a")
        bench.clock.move(5)
        try await bench.get("/a")
        let last = try #require(log.lines.last)
        #expect(last.hasPrefix("#2 <- 200 cache hit, 5 s old: GET "))
        try await eventually { measured.withLock { $0.count } == 2 }
        let hit = try #require(measured.withLock { $0.first { $0.cache != nil } })
        #expect(measured.withLock { $0.map(\.id) } == [1, 2], "each exchange once")
        #expect(hit.id == 2 && hit.cache?.source == .hit && hit.cache?.age == 5 && hit.metrics.bytesReceived == 0)
        #expect(hit.description.contains("cache hit, 5 s old"))
    }
}
