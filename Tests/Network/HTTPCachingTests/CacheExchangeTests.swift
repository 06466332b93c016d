import Foundation
import HTTPCaching
import LoopbackServer
import NetworkProvider
import NetworkTesting
import TestSupport
import Testing
import Threading

@Suite("Cache: exchanges")
struct CacheExchangeTests {
    @Test("A fresh response is returned without a request, with its age")
    func hits() async throws {
        let bench = try CacheBench { request, _ in .cached("a \(request.path)", ("Cache-Control", "max-age=60")) }
        #expect(try await bench.get("/x").source == .miss)
        bench.clock.move(12)
        let again = try await bench.get("/x")
        #expect(again.text == "a /x")
        #expect(again.source == .hit)
        #expect(again.head.cacheStatus?.age == 12)
        #expect(again.head.cacheStatus?.timeToLive == 48)
        #expect(again.head.headers["Age"] == "12")
        #expect(again.head.headers["Cache-Status"] == "PawKit; hit; ttl=48")
        #expect(bench.count == 1)
        bench.clock.move(60)
        #expect(try await bench.get("/x").source == .miss)
        #expect(bench.count == 2)
        #expect(bench.cache.statistics.hits == 1)
        #expect(bench.cache.statistics.misses == 2)
        #expect(bench.cache.statistics.stores == 2)
        bench.clock.move(59.5)
        let last = try await bench.get("/x")
        #expect(last.source == .hit && last.head.cacheStatus?.timeToLive == 1)
    }

    @Test("4.3 A stale response is validated by its ETag, and its head is renewed by the 304 (3.2)")
    func revalidates() async throws {
        let attempts = Locked(0)
        let retries = RetryPlugin(RetryPolicy(baseDelay: .zero))
        let bench = try CacheBench(plugins: [retries]) { request, _ in
            if request.header("If-None-Match") == "\"v1\"" {
                attempts.withLock { $0 += 1 }
                // The attempt before the last one is no part of the exchange.
                if attempts.withLock({ $0 == 1 }) { return .cached("busy", status: 503) }
                return .cached(
                    "",
                    ("ETag", "\"v1\""),
                    ("Vary", "X-Kind"),
                    ("Cache-Control", "max-age=100"),
                    ("X-New", "2"),
                    ("Content-Type", "text/html"),
                    status: 304
                )
            }
            return .cached(
                "body",
                ("ETag", "\"v1\""),
                ("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT"),
                ("Cache-Control", "max-age=10"),
                ("X-New", "1"),
                ("X-Old", "1"),
                ("Content-Type", "text/plain")
            )
        }
        try await bench.get()
        bench.clock.move(11)
        let confirmed = try await bench.get()
        #expect(confirmed.source == .revalidated)
        #expect(confirmed.text == "body")
        #expect(confirmed.status == 200)
        #expect(confirmed.head.headers.values("X-New") == ["2"])
        #expect(confirmed.head.headers["X-Old"] == "1")
        #expect(confirmed.head.mediaType == "text/plain")
        #expect(bench.server.requests[1].header("If-Modified-Since") == "Sun, 06 Nov 1994 08:49:37 GMT")
        bench.clock.move(99)
        #expect(try await bench.get().source == .hit)
        #expect(bench.count == 3)
        #expect(try await bench.get("/", ["X-Kind": "other"]).source == .miss)
    }

    @Test(
        "4.3.4 A 304 with another ETag renews nothing: the whole response is requested; a weak one is the same version"
    )
    func refusesForeign304() async throws {
        let tag = Locked("\"other\"")
        let bench = try CacheBench { request, _ in
            request.header("If-None-Match") != nil
                ? .cached("", ("ETag", tag.withLock { $0 }), status: 304)
                : .cached("body", ("ETag", "\"v1\""), ("Cache-Control", "max-age=0"))
        }
        try await bench.get()
        bench.clock.move(1)
        let got = try await bench.get()
        #expect(got.source == .miss)
        #expect(got.text == "body")
        #expect(bench.count == 3)
        bench.clock.move(1)
        tag.withLock { $0 = "W/\"v1\"" }
        let weak = try await bench.get()
        #expect(weak.source == .revalidated && weak.text == "body" && bench.count == 4)
        #expect(bench.server.requests[2].header("If-None-Match") == nil)
    }

    @Test("A 304 to a request without conditions is returned as it is, and renews nothing")
    func refuses304WithoutConditions() async throws {
        let isOdd = Locked(false)
        let bench = try CacheBench { _, _ in
            isOdd.withLock { $0 } ? .cached("", status: 304) : .cached("one", ("Cache-Control", "max-age=1"))
        }
        try await bench.get()
        bench.clock.move(2)
        isOdd.withLock { $0 = true }
        let got = try await bench.get()
        #expect(got.status == 304 && got.source == .miss && bench.count == 2)
    }

    @Test("4.1 Variants of a URL are stored separately, and Vary: * is never used again")
    func varies() async throws {
        let bench = try CacheBench { request, _ in
            .cached(
                request.header("Accept-Language") ?? "none",
                ("Vary", request.path == "/star" ? "*" : "Accept-Language"),
                ("Cache-Control", "max-age=60")
            )
        }
        for _ in 0..<2 {
            #expect(try await bench.get("/", ["Accept-Language": "ko, en"]).text == "ko, en")
            #expect(try await bench.get("/", ["Accept-Language": "de"]).text == "de")
            #expect(try await bench.get("/").text == "none")
            #expect(try await bench.get("/", ["Accept-Language": ""]).text.isEmpty)
        }
        #expect(try await bench.get("/", ["Accept-Language": "ko,en"]).source == .hit)
        #expect(try await bench.get("/", ["Accept-Language": "ko", "X": "1", "accept-language": "en"]).source == .hit)
        #expect(bench.count == 4)
        // A URL has at most 32 of them.
        for number in 0..<29 { try await bench.get("/", ["Accept-Language": "\(number)"]) }
        #expect(try await bench.get("/", ["Accept-Language": "de"]).source == .hit)
        #expect(try await bench.get("/", ["Accept-Language": "ko,en"]).source == .miss)
        try await bench.get("/star")
        #expect(try await bench.get("/star").source == .miss)
    }

    @Test("4.4 An unsafe method invalidates its URL, its Location and its Content-Location, within one origin")
    func invalidates() async throws {
        let other = try LoopbackServer { _ in .cached("other", ("Cache-Control", "max-age=60")) }
        defer { other.stop() }
        let foreign = other.baseURL
        let bench = try CacheBench { request, _ in
            request.method == "GET"
                ? .cached("x", ("Cache-Control", "max-age=60"))
                : .cached(
                    "",
                    ("Location", "/location"),
                    ("Content-Location", request.path == "/foreign" ? foreign + "/" : "content"),
                    status: request.path == "/fails" ? 500 : request.path == "/moved" ? 303 : 201
                )
        }
        let paths = ["/list", "/location", "/content", "/untouched", "/fails"]
        for path in paths { try await bench.get(path) }
        try await bench.get("/fails", method: .post)
        #expect(try await bench.get("/fails").source == .hit)
        for method in [HTTPMethod.get, .post] { try await bench.get("/moved", method: method) }
        #expect(try await bench.get("/moved").source == .miss)
        for method in [HTTPMethod.post, .put, .delete, .patch, "FROB"] {
            try await bench.get("/list", method: method)
            for path in paths {
                let source = try await bench.get(path).source
                #expect(source == (["/untouched", "/fails"].contains(path) ? .hit : .miss), "\(method) \(path)")
            }
        }
        for method in [HTTPMethod.head, .options] {
            try await bench.get("/list", method: method)
            #expect(try await bench.get("/list").source == .hit)
        }
        let elsewhere = CachedCall(base: foreign)
        _ = try await bench.provider.response(elsewhere)
        try await bench.get("/foreign", method: .post)
        #expect(try await bench.provider.response(elsewhere).cacheStatus?.source == .hit)
    }

    @Test(
        "A response that arrives after its URL was invalidated, or after a newer response, is not stored",
        arguments: [(HTTPMethod.post, 0.0), (.get, 1.0), (.get, 0.5)]
    )
    func keepsOutOvertaken(method: HTTPMethod, seconds: Double) async throws {
        let (gate, count) = (Locked(false), Locked(0))
        let bench = try CacheBench { _, clock in
            let date = clock.http()
            let number = count.increment()
            while number == 1, !gate.withLock({ $0 }) { try? await Task.sleep(for: .milliseconds(2)) }
            return .cached("\(number)", ("Cache-Control", "max-age=60"), ("Date", date))
        }
        async let early = bench.get("/todos")
        try await eventually { count.withLock { $0 } == 1 }
        bench.clock.move(seconds)
        try await bench.get("/todos", method: method, policy: .reload)
        gate.withLock { $0 = true }
        let first = try await early
        #expect(first.text == "1")
        let next = try await bench.get("/todos")
        #expect(next.source == (method == .get ? .hit : .miss) && next.text == (method == .get ? "2" : "3"))
        #expect(try await bench.get("/todos").source == .hit)
    }

    @Test("A response that was stored while the clock was ahead is replaced once the clock is right")
    func clockWasAhead() async throws {
        let (count, date) = (Locked(0), CacheClock().http())
        let bench = try CacheBench { _, _ in
            let number = count.increment()
            return .cached("\(number)", ("Cache-Control", "max-age=60"), ("Date", date))
        }
        bench.clock.move(31_536_000)
        #expect(try await bench.get("/todos").text == "1")
        bench.clock.move(-31_536_000)
        #expect(try await bench.get("/todos").text == "2")
        let next = try await bench.get("/todos")
        #expect(next.source == .hit && next.text == "2")
    }

    @Test("A redirect under way while its URL is invalidated is not stored")
    func redirectOvertaken() async throws {
        let gate = Locked(false)
        let bench = try CacheBench { request, _ in
            if request.path == "/new" {
                while !gate.withLock({ $0 }) { try? await Task.sleep(for: .milliseconds(2)) }
                return .cached("new", ("Cache-Control", "max-age=60"))
            }
            // The response to the POST has no Location: it leaves the redirect's target valid.
            if request.method == "POST" { return .cached("") }
            return .cached("", ("Cache-Control", "max-age=60"), ("Location", "/new"), status: 301)
        }
        async let early = bench.get("/old")
        try await eventually { bench.server.requests.contains { $0.path == "/new" } }
        try await bench.get("/old", method: .post)
        gate.withLock { $0 = true }
        _ = try await early
        _ = try await bench.get("/old")
        #expect(bench.server.requests.count { $0.path == "/old" && $0.method == "GET" } == 2)
        _ = try await bench.get("/old")
        #expect(bench.server.requests.count { $0.path == "/old" && $0.method == "GET" } == 2)
    }

    @Test("A body that is shorter than its Content-Length is not stored")
    func shortBody() async throws {
        let stub = StubTransport()
            .on(.get, "/", .data(Data("half".utf8), headers: ["Cache-Control": "max-age=60", "Content-Length": "8"]))
        let provider = NetworkProvider(transport: stub, cache: HTTPCache())
        for _ in 0..<2 { _ = try await provider.request(CachedCall(base: "http://h")) }
        #expect(stub.requests.count == 2)
    }

    @Test("A response that set a cookie is validated each time, also after a 304 without the cookie")
    func cookieBefore304() async throws {
        let bench = try CacheBench { request, clock in
            let fields = [("ETag", "\"1\""), ("Last-Modified", clock.http(-86_400 * 365))]
            return request.header("If-None-Match") == nil
                ? ServedResponse(headers: fields + [("Set-Cookie", "a=1")], body: .data(Data("x".utf8)))
                : ServedResponse(status: 304, headers: fields)
        }
        for source in [HTTPCacheStatus.Source.miss, .revalidated, .revalidated] {
            #expect(try await bench.get().source == source)
        }
    }

    @Test("A request by an unsafe method that fails without a response invalidates; one that is refused does not")
    func invalidatesAfterFailure() async throws {
        let deletions = Locked(0)
        let retries = RetryPlugin(RetryPolicy(baseDelay: .zero))
        let bench = try CacheBench(plugins: [retries]) { request, _ in
            switch (request.method, request.path) {
            case ("POST", "/moved"): return .cached("", ("Location", "/"), status: 307)
            case ("POST", _): return .failing(.closed)
            case ("PUT", _): return .text("no", status: 403)
            case ("DELETE", _):
                let count = deletions.increment()
                return count < 3 ? .failing(.closed) : .text("gone", status: 404)
            default: return .cached("x", ("Cache-Control", "max-age=60"))
            }
        }
        try await bench.get()
        try await bench.get(method: .put)
        #expect(try await bench.get().source == .hit)
        for path in ["/", "/moved"] {
            await #expect(throws: NetworkError.self) { try await bench.get(path, method: .post) }
            #expect(try await bench.get().source == .miss, "\(path)")
        }
        // The response of the last attempt says nothing about the attempts that were lost.
        #expect(try await bench.get(method: .delete).status == 404)
        #expect(try await bench.get().source == .miss)
    }

    @Test("A refused revalidation leaves the stored response for later errors; a response that is gone does not")
    func errorsDuringRevalidation() async throws {
        let status = Locked(200)
        let bench = try CacheBench { _, _ in
            let fields = [("Cache-Control", "max-age=10, stale-if-error=1000"), ("ETag", "\"1\"")]
            let status = status.withLock { $0 }
            return ServedResponse(status: status, headers: status == 200 ? fields : [], body: .data(Data("x".utf8)))
        }
        try await bench.get()
        bench.clock.move(20)
        for (next, source) in [(429, HTTPCacheStatus.Source.miss), (503, .staleOnError), (410, .miss), (503, .miss)] {
            status.withLock { $0 = next }
            #expect(try await bench.get().source == source, "\(next)")
        }
    }

    @Test("Responses are separated by credentials, and an invalidation applies to all of them")
    func separatesCredentials() async throws {
        let bench = try CacheBench { request, _ in
            .cached(
                "for \(request.header("Authorization") ?? request.header("Cookie") ?? "nobody")",
                ("Cache-Control", "max-age=60")
            )
        }
        let people: [HTTPHeaders] = [
            [:], ["Authorization": "Bearer a"], ["Authorization": "Bearer b"], ["Cookie": "a=1"],
            ["X-Api-Key": "Bearer a"],
        ]
        for round in 0..<2 {
            for person in people {
                let got = try await bench.get("/me", person)
                #expect(got.source == (round == 0 ? .miss : .hit))
                #expect(got.text == "for \(person["Authorization"] ?? person["Cookie"] ?? "nobody")")
            }
        }
        try await bench.get("/me", ["Authorization": "Bearer a"], method: .put)
        for person in people { #expect(try await bench.get("/me", person).source == .miss) }
    }

    @Test("A plugin's credentials separate responses, too, and a refreshed credential finds none of the old ones")
    func separatesPluginCredentials() async throws {
        let valid = Locked("Bearer 1")
        let authentication = AuthenticationPlugin(.bearer("1"), for: .everyServer) { _ in .bearer("2") }
        let bench = try CacheBench(plugins: [RetryPlugin(), authentication]) { request, _ in
            guard let shown = request.header("Authorization"), shown == valid.withLock({ $0 }) else {
                return .cached("no", status: 401)
            }
            if request.header("If-None-Match") != nil { return .cached("", ("ETag", "\"x\""), status: 304) }
            return .cached(shown, ("Cache-Control", "max-age=60"), ("ETag", "\"x\""))
        }
        #expect(try await bench.get().text == "Bearer 1")
        #expect(try await bench.get().source == .hit)
        // Another user signs in: no response of the first one is returned.
        valid.withLock { $0 = "Bearer other" }
        authentication.setCredential(.bearer("other"))
        let other = try await bench.get()
        #expect(other.text == "Bearer other")
        #expect(other.source == .miss)
        #expect(try await bench.get().source == .hit)
        // A stale response that was validated with a refreshed credential may belong to another user.
        authentication.setCredential(.bearer("1"))
        valid.withLock { $0 = "Bearer 2" }
        bench.clock.move(61)
        let refreshed = try await bench.get()
        #expect(refreshed.text == "Bearer 2")
        #expect(refreshed.source == .miss)
        #expect(try await bench.get().source == .hit)
    }

    @Test("A query key of a plugin separates responses")
    func separatesQueryKeys() async throws {
        let authentication = AuthenticationPlugin(.queryKey("a", parameter: "key"), for: .everyServer)
        let bench = try CacheBench(plugins: [authentication]) { request, _ in
            .cached(request.target, ("Cache-Control", "max-age=60"))
        }
        #expect(try await bench.get("/x").text == "/x?key=a")
        #expect(try await bench.get("/x").source == .hit)
        authentication.setCredential(.queryKey("b", parameter: "key"))
        #expect(try await bench.get("/x").text == "/x?key=b")
    }

    @Test("A stale response behind a cached redirect to another origin receives no credentials of a plugin")
    func validatesOtherOriginFromTheStart() async throws {
        let clock = CacheClock()
        let other = try LoopbackServer { _ in
            .cached("other", ("Cache-Control", "max-age=1"), ("ETag", "\"x\""), ("Date", clock.http()))
        }
        defer { other.stop() }
        let place = other.baseURL + "/end"
        let authentication = AuthenticationPlugin(.bearer("secret"), for: .everyServer)
        let bench = try CacheBench(plugins: [authentication]) { _, _ in
            .cached("", ("Cache-Control", "max-age=3600"), ("Location", place), status: 301)
        }
        #expect(try await bench.get().text == "other")
        clock.move(10)
        bench.clock.move(10)
        #expect(try await bench.get().text == "other")
        // The redirect is fresh, and yet its server is called again, with the plugin's credentials.
        #expect(bench.server.requests.map { $0.header("Authorization") } == ["Bearer secret", "Bearer secret"])
        #expect(other.requests.map { $0.header("Authorization") } == [nil, nil])
    }
}
