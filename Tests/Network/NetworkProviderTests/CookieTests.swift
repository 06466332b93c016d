import Foundation
import LoopbackServer
import NetworkTestSupport
import NetworkTesting
import Testing
import Threading

@testable import NetworkProvider

@Suite("Cookies")
struct CookieTests {
    private let time = Locked(Date(timeIntervalSince1970: 1_790_000_000))

    private func jar(_ fields: [(url: String, cookie: String)]) throws -> CookieJar {
        let suffixes = PublicSuffixes(
            "// a comment\nuk\nco.uk\n\n*.ck\n!www.ck\ngithub.io\n公司.cn\n*.강\n!멍.강\n"
        )
        let jar = CookieJar(suffixes: suffixes, now: { [time] in time.withLock { $0 } })
        for (url, cookie) in fields { jar.store(try head(url, cookie)) }
        return jar
    }

    private func head(_ url: String, _ cookies: String...) throws -> HTTPResponseHead {
        HTTPResponseHead(
            status: 200,
            headers: HTTPHeaders(cookies.map { HTTPHeaders.Field(name: "Set-Cookie", value: $0) }),
            url: try #require(URL(string: url))
        )
    }

    private func sent(_ jar: CookieJar, _ url: String) throws -> String? {
        jar.header(for: try #require(URL(string: url)))
    }

    @Test("Without a jar no cookie is stored; with one, cookies are sent back, also those of redirects")
    func overSockets() async throws {
        let server = try LoopbackServer { request in
            request.path == "/login"
                ? ServedResponse(status: 302, headers: [("Location", "/me"), ("Set-Cookie", "sid=s3cret; Path=/")])
                : .text(request.header("Cookie") ?? "none")
        }
        defer { server.stop() }
        let base = server.baseURL
        #expect(try await NetworkProvider().request(Call<String>(base: base, path: "/login")) == "none")
        let jar = CookieJar()
        let provider = NetworkProvider(cookies: jar)
        #expect(try await provider.request(Call<String>(base: base, path: "/login")) == "sid=s3cret")
        #expect(try await provider.request(Call<String>(base: base, path: "/again")) == "sid=s3cret")
        let own = Call<String>(base: base, path: "/own", headers: ["Cookie": "mine=1"])
        #expect(try await provider.request(own) == "mine=1")
        jar.removeAll()
        #expect(try await provider.request(Call<String>(base: base, path: "/again")) == "none")
        #expect(!"\(jar)".contains("s3cret"))
    }

    @Test("A redirect to another host receives the cookies of that host only")
    func redirects() async throws {
        let stub = StubTransport()
            .on(.get, "/from", .status(302, headers: ["Location": "http://b.example/to", "Set-Cookie": "a=1"]))
            .on(.get, "/to", .status(200))
        let jar = try jar([("http://a.example/", "old=1"), ("http://b.example/", "b=2")])
        let provider = NetworkProvider(transport: stub, cookies: jar)
        _ = try await provider.request(Call<Data>(base: "http://a.example", path: "/from"))
        #expect(stub.requests.map { $0.headers["Cookie"] } == ["old=1", "b=2"])
    }

    @Test("RFC 6265 5.1.3 A cookie goes to its host, or to its domain and the hosts within")
    func domains() throws {
        let jar = try jar([
            ("http://a.example.com/", "host=1"), ("http://a.example.com/", "domain=2; Domain=.Example.com"),
            ("http://a.example.com/", "foreign=3; Domain=other.com"), ("http://a.example.com/", "suffix=4; Domain=com"),
            ("http://127.0.0.1/", "address=5; Domain=127.0.0.1"), ("http://a.example.com/", "part=6; Domain=ple.com"),
        ])
        #expect(try sent(jar, "http://a.example.com/") == "host=1; domain=2")
        #expect(try sent(jar, "http://b.example.com/") == "domain=2")
        #expect(try sent(jar, "http://example.com/") == "domain=2")
        #expect(try sent(jar, "http://x.a.example.com/") == "domain=2")
        #expect(try sent(jar, "http://badexample.com/") == nil)
        #expect(try sent(jar, "http://127.0.0.1/") == "address=5")
        #expect(try sent(jar, "http://1.127.0.0.1/") == nil)
    }

    @Test("The sites below a public suffix share no cookies; without a list of suffixes no hosts do")
    func publicSuffixes() throws {
        let fields = [
            ("https://a.co.uk/", "a=1; Domain=co.uk"), ("https://me.github.io/", "b=2; Domain=github.io"),
            ("https://b.x.ck/", "c=3; Domain=x.ck"), ("https://a.www.ck/", "d=4; Domain=www.ck"),
            ("https://github.io/", "e=5; Domain=github.io"), ("https://a.b.co.uk/", "f=6; Domain=b.co.uk"),
            ("https://a.xn--55qx5d.cn/", "g=7; Domain=xn--55qx5d.cn"),
            ("https://a.b.xn--939a/", "h=8; Domain=b.xn--939a"),
            ("https://a.xn--922b.xn--939a/", "i=9; Domain=멍.강"),
        ]
        let jar = try jar(fields)
        for (url, expected) in [
            ("https://a.co.uk/", nil), ("https://b.co.uk/", "f=6"), ("https://you.github.io/", nil),
            ("https://b.x.ck/", nil), ("https://b.www.ck/", "d=4"), ("https://github.io/", "e=5"),
            ("https://me.github.io/", nil), ("https://b.xn--55qx5d.cn/", nil), ("https://c.b.xn--939a/", nil),
            ("https://b.xn--922b.xn--939a/", "i=9"),
        ] { #expect(try sent(jar, url) == expected, "\(url)") }
        let without = CookieJar(suffixes: nil)
        for (url, cookie) in fields { without.store(try head(url, cookie)) }
        #expect(try sent(without, "https://a.b.co.uk/") == "f=6" && sent(without, "https://b.co.uk/") == nil)
        #expect(PublicSuffixes(contentsOf: "/no/such/list") == nil)
    }

    @Test("A cookie of plain HTTP does not shadow a secure one, whatever its path or domain is")
    func shadowing() throws {
        let jar = try jar([
            ("https://www.example.com/", "sid=good; Secure; Domain=example.com"),
            ("http://www.example.com/", "sid=evil; Path=/login"),
            ("http://example.com/", "sid=evil"), ("http://www.example.com/", "other=fine"),
            ("https://www.example.com/", "deep=good; Secure; Path=/a"),
            ("http://www.example.com/", "deep=fine; Path=/b"),
        ])
        #expect(try sent(jar, "https://www.example.com/login") == "sid=good; other=fine")
        #expect(try sent(jar, "https://www.example.com/a") == "deep=good; sid=good; other=fine")
        #expect(try sent(jar, "http://www.example.com/b") == "deep=fine; other=fine")
    }

    @Test("A replaced cookie remains at its place in the order")
    func order() throws {
        let jar = try jar([("http://h/", "a=1"), ("http://h/", "b=2"), ("http://h/", "a=3")])
        #expect(try sent(jar, "http://h/") == "a=3; b=2")
    }

    @Test("The closure for changes may use the jar, and receives the last state last")
    func reentrantChange() throws {
        let (box, saved) = (Locked<CookieJar?>(nil), Locked<[Data]>([]))
        let jar = CookieJar(onChange: { data in
            guard let jar = box.withLock({ $0 }) else { return }
            saved.withLock { $0.append(data) }
            if jar.count == 1, let head = try? head("http://h/", "b=2; Max-Age=9") { jar.store(head) }
        })
        box.withLock { $0 = jar }
        jar.store(try head("http://h/", "a=1; Max-Age=9"))
        #expect(saved.withLock { $0.count } == 2 && saved.withLock { $0.last } == jar.data && jar.count == 2)
        box.withLock { $0 = nil }
    }

    @Test("RFC 6265 5.1.4 A cookie goes to its path and below; longer paths come first")
    func paths() throws {
        let jar = try jar([
            ("http://h/docs/page", "default=1"), ("http://h/", "root=2"), ("http://h/", "docs=3; Path=/docs"),
            ("http://h/", "slash=4; Path=/docs/"),
        ])
        #expect(try sent(jar, "http://h/docs/x") == "slash=4; default=1; docs=3; root=2")
        #expect(try sent(jar, "http://h/docs") == "default=1; docs=3; root=2")
        #expect(try sent(jar, "http://h/docsx") == "root=2")
        #expect(try sent(jar, "http://h") == "root=2")
    }

    @Test("Secure cookies go over https only, are set over https only, and are not replaced over http")
    func secure() throws {
        let jar = try jar([
            ("https://h/", "s=1; Secure"), ("http://h/", "t=2; Secure"), ("http://h/", "s=3"),
            ("https://h/", "__Host-x=4; Secure; Path=/"), ("https://h/", "__Host-y=5; Secure; Path=/p"),
            ("https://h/", "__Secure-z=6"),
        ])
        #expect(try sent(jar, "https://h/") == "s=1; __Host-x=4")
        #expect(try sent(jar, "http://h/") == nil)
        #expect(try sent(jar, "https://h/p") == "s=1; __Host-x=4")
    }

    @Test("Cookies expire by Max-Age or by Expires, Max-Age first; a date in the past removes one")
    func expiry() throws {
        let jar = try jar([
            ("http://h/", "age=1; Max-Age=100; Expires=Thu, 01 Jan 1970 00:00:00 GMT"),
            ("http://h/", "date=2; Expires=\(HTTPDate.text(of: 1_790_000_050))"), ("http://h/", "session=3"),
            ("http://h/", "gone=4"), ("http://h/", "gone=; Max-Age=0"),
            ("http://h/", "out=5"), ("http://h/", "out=; Expires=Thu, 01-Jan-70 00:00:00 GMT"),
            ("http://h/", "utc=6"), ("http://h/", "utc=; Expires=Thu, 01 Jan 1970 00:00:00 UTC"),
        ])
        #expect(try sent(jar, "http://h/") == "age=1; date=2; session=3")
        // At the very time, a cookie has expired.
        time.withLock { $0 += 50 }
        #expect(try sent(jar, "http://h/") == "age=1; session=3")
        time.withLock { $0 += 50 }
        #expect(try sent(jar, "http://h/") == "session=3" && jar.count == 1)
        // No cookie is stored for more than 400 days.
        for far in ["far=8; Max-Age=99999999", "far=9; Expires=\(HTTPDate.text(of: 1_990_000_000))"] {
            jar.store(try head("http://h/", far))
            time.withLock { $0 += 400 * 86_400 - 1 }
            #expect(jar.count == 2)
            time.withLock { $0 += 1 }
            #expect(try sent(jar, "http://h/") == "session=3")
        }
    }

    @Test("Expires counts from the server's Date, so that a wrong clock loses no cookie", arguments: [-7_200.0, 7_200])
    func wrongClock(seconds: Double) throws {
        let jar = try jar([("http://h/", "gone=1")])
        let server = 1_790_000_000 + seconds
        func expiring(_ cookie: String, after seconds: Double) throws -> HTTPResponseHead {
            var head = try head("http://h/", "\(cookie); Expires=\(HTTPDate.text(of: server + seconds))")
            head.headers.append("Date", HTTPDate.text(of: server))
            return head
        }
        jar.store(try expiring("sid=2", after: 3_600))
        jar.store(try expiring("gone=", after: -60))
        #expect(try sent(jar, "http://h/") == "sid=2")
        time.withLock { $0 += 3_600 }
        #expect(try sent(jar, "http://h/") == nil)
    }

    @Test("RFC 6265 5.1.1 The date of a cookie is parsed in almost any form")
    func dates() {
        for text in [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 CET", "Sun Nov  6 08:49:37 1994",
            "sun nov 6 1994 8:49:37GMT+0000 (Coordinated)", "1994/November/06 08:49:37", "08:49:37 6 NOV 94",
        ] { #expect(HTTPDate.cookieDate(text)?.timeIntervalSince1970 == 784_111_777, "\(text)") }
        #expect(HTTPDate.cookieDate("1 Jan 70 0:0:0") == Date(timeIntervalSince1970: 0))
        #expect(HTTPDate.cookieDate("31 Dec 69 23:59:59") == Date(timeIntervalSince1970: 3_155_759_999))
        for text in [
            "", "tomorrow", "6 Nov 1994", "6 Nov 1994 08:49", "6 Nov 1994 24:00:00", "6 Nov 1994 00:60:00",
            "6 Nov 1994 00:00:60", "30 Feb 1994 00:00:00", "6 Nov 1600 00:00:00", "6 Foo 1994 00:00:00",
            "6 Nov 1994 x8:49:37", "006 Nov 1994 08:49:37", "6 Nov 94 008:49:37",
        ] { #expect(HTTPDate.cookieDate(text) == nil, "\(text)") }
    }

    @Test("Malformed and oversized cookies and those of a proxy are ignored, and numbers are limited")
    func limits() throws {
        let jar = try jar([
            ("http://h/", "noequals"), ("http://h/", "=empty"),
            ("http://h/", "long=" + String(repeating: "x", count: 4_096)),
        ])
        #expect(jar.count == 0)
        for number in 0..<60 { jar.store(try head("http://h/", "c\(number)=1")) }
        #expect(jar.count == 50)
        let value = try sent(jar, "http://h/")
        #expect(value?.contains("c9=") == false && value?.contains("c10=1") == true)
        // Expired cookies are removed before older ones.
        let mixed = try self.jar([("http://h/", "live=1")])
        for number in 0..<49 { mixed.store(try head("http://h/", "c\(number)=1; Max-Age=9")) }
        time.withLock { $0 += 9 }
        mixed.store(try head("http://h/", "new=2"))
        #expect(try sent(mixed, "http://h/") == "live=1; new=2")
        var refusal = try head("http://h/", "proxy=3")
        refusal.status = 407
        mixed.store(refusal)
        #expect(mixed.count == 2)
    }

    @Test("Stored cookies survive the jar, session cookies do not; damaged data is an empty jar")
    func storage() throws {
        let saved = Locked(Data())
        let jar = CookieJar(now: { [time] in time.withLock { $0 } }) { data in saved.withLock { $0 = data } }
        jar.store(try head("http://h/", "session=2", "lasting=1; Max-Age=100"))
        let data = saved.withLock { $0 }
        #expect(data == jar.data && !data.isEmpty)
        let restored = CookieJar(restoring: data, now: { [time] in time.withLock { $0 } })
        #expect(try sent(restored, "http://h/") == "lasting=1")
        restored.store(try head("http://h/", "later=3"))
        #expect(try sent(restored, "http://h/") == "lasting=1; later=3")
        #expect(CookieJar(restoring: Data("{".utf8)).count == 0)
        time.withLock { $0 += 200 }
        let late = CookieJar(restoring: data, now: { [time] in time.withLock { $0 } })
        #expect(late.count == 0)
    }
}
