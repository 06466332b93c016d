import CurlTransport
import Foundation
import HTTPTransport
import LoopbackServer
import NetworkProvider
import TestSupport
import Testing
import Threading

@testable import CalDAV

@Suite("Redirects and credentials of CalDAV")
struct ConnectionTests {
    private static let secret = "Basic " + Data("dog:s3cret".utf8).base64EncodedString()
    private static let principal = "<d:current-user-principal><d:href>/me/</d:href></d:current-user-principal>"

    /// A client of `account` whose requests all reach the server, whatever their host and scheme.
    private func client(_ account: String, _ server: ScriptedServer, _ credential: CalDAVAccount.Credential? = nil)
        throws -> CalDAVClient
    {
        let port = Int(server.server.port)
        let transport = CountingTransport(CurlTransport()) { request in
            request.headers["X-Host"] = "\(request.url.scheme ?? "")://\(request.url.host() ?? "")"
            var parts = URLComponents(url: request.url, resolvingAgainstBaseURL: true)
            parts?.scheme = "http"
            parts?.host = "127.0.0.1"
            parts?.port = port
            request.url = parts?.url ?? request.url
        }
        let credential = credential ?? .basic(user: "dog", password: "s3cret")
        return CalDAVClient(try #require(CalDAVAccount(address: account, credential: credential)), transport: transport)
    }

    @Test(
        "A redirect keeps method, body, Depth and, on the same host, the credential",
        arguments: [301, 302, 307, 308]
    )
    func redirects(_ status: Int) async throws {
        let server = try ScriptedServer { request in
            switch request.path {
            case "/.well-known/caldav": .redirect(status, "/dav")
            case "/dav":
                .redirect(status, "http://127.0.0.1:\(request.header("Host")?.split(separator: ":").last ?? "")/dav/")
            case "/dav/": .multistatus(resource("/dav/", ConnectionTests.principal))
            case "/me/":
                .multistatus(
                    resource(
                        "/me/",
                        "<calendar-home-set><d:href>/h%31/</d:href><d:href>/h2/</d:href><d:href>/h2/</d:href></calendar-home-set>"
                    )
                )
            default: .text("", status: 404)
            }
        }
        let url = try #require(URL(string: server.server.baseURL))
        let home = try await CalDAVClient(CalDAVAccount(url: url, credential: .basic(user: "dog", password: "s3cret")))
            .home()
        #expect(
            home.collections.map(\.absoluteString) == ["\(url)/h%31/", "\(url)/h2/"] && home.principal?.path() == "/me/"
        )
        let requests = server.server.requests
        #expect(requests.map(\.path) == ["/.well-known/caldav", "/dav", "/dav/", "/me/"])
        #expect(
            requests.allSatisfy {
                $0.method == "PROPFIND" && $0.header("Depth") == "0"
                    && $0.header("Authorization") == ConnectionTests.secret
            }
        )
        #expect(Set(requests.prefix(3).map(\.body)).count == 1 && requests.allSatisfy { !$0.body.isEmpty })
    }

    @Test("Redirects to http, to another method, without end and to no URL are refused")
    func refusedRedirects() async throws {
        for (status, location, count) in [
            (301, "http://dav.example.com/", 1), (303, "/else", 1), (302, "https://dav.example.com/again", 6),
            (301, "ftp://x/", 1), (308, "https://a:b@dav.example.com/", 1),
        ] {
            let server = try ScriptedServer { _ in .redirect(status, location) }
            let client = try client("https://dav.example.com/x", server)
            let url = try #require(URL(string: "https://dav.example.com/x"))
            let error = try await failure { try await client.calendar(at: url) }
            guard case .refusedRedirect = error.reason, server.methods.count == count else { throw error }
        }
        let server = try ScriptedServer { _ in
            .multistatus(
                resource(
                    "/",
                    "<d:current-user-principal><d:href>http://dav.example.com/me/</d:href></d:current-user-principal>"
                )
            )
        }
        let client = try client("https://dav.example.com/", server)
        // The scheme of an href on the same host does not matter; the home stays on https.
        _ = try await failure { try await client.home() }
        #expect(server.server.requests.allSatisfy { $0.header("X-Host") == "https://dav.example.com" })
    }

    @Test(
        "The credential goes to the host, to hosts below it and below its parent domain, not to others",
        arguments: [
            ("caldav.icloud.com", "p42-caldav.icloud.com", true), ("caldav.icloud.com", "icloud.com", true),
            ("example.com", "dav.example.com", true),
            ("caldav.icloud.com", "caldav.icloud.com.evil.net", false), ("caldav.icloud.com", "evilicloud.com", false),
            ("example.com", "example.org", false), ("example.co.uk", "evil.co.uk", false),
            ("dav.example.co.uk", "p1.example.co.uk", true),
            ("dog.github.io", "cat.github.io", false), ("10.0.0.1", "1.10.0.0.1", false),
            ("10.0.0.1", "11.0.0.1", false), ("localhost", "x.localhost", false),
        ]
    )
    func audience(_ own: String, _ other: String, _ isTrusted: Bool) async throws {
        if own == "dog.github.io", PublicSuffixes.system == nil { return }
        let server = try ScriptedServer { request in
            if request.header("X-Host") == "https://\(own)" { return .redirect(307, "https://\(other)/") }
            let isKnown = request.header("Authorization") != nil
            return isKnown
                ? .multistatus(
                    resource("/", "<d:current-user-principal><d:href>/me/</d:href></d:current-user-principal>")
                ) : ServedResponse(status: 401)
        }
        let client = try client("https://\(own)/", server)
        let error = try await failure { try await client.home() }
        let elsewhere = server.server.requests.filter { $0.header("X-Host") == "https://\(other)" }
        #expect(!elsewhere.isEmpty && elsewhere.allSatisfy { ($0.header("Authorization") != nil) == isTrusted })
        if !isTrusted { guard case .refusedRedirect = error.reason else { throw error } }
    }

    @Test("A home on another host of the domain is used, one elsewhere is an error")
    func partition() async throws {
        for (host, isTrusted) in [("p1.example.com", true), ("evil.net", false)] {
            let server = try ScriptedServer { request in
                request.header("Depth") == "1"
                    ? .multistatus(resource("/h/l/", "<d:resourcetype><calendar/></d:resourcetype>"))
                    : .multistatus(
                        resource(
                            "/",
                            ConnectionTests.principal
                                + "<calendar-home-set><d:href>https://\(host):443/h/</d:href></calendar-home-set>"
                        )
                    )
            }
            let client = try client("https://dav.example.com/", server)
            if isTrusted {
                let calendars = try await client.calendars()
                #expect(
                    calendars.map { "\($0.url)" } == ["https://\(host):443/h/l/"] && calendars[0].href.path == "/h/l/"
                )
            } else {
                guard case .notCalDAV = try await failure({ try await client.calendars() }).reason else {
                    throw Unexpected(host)
                }
            }
        }
    }

    @Test("Without TLS a password is sent to this machine only, and a token neither")
    func insecure() async throws {
        let server = try ScriptedServer { _ in
            ServedResponse(status: 401, headers: [("WWW-Authenticate", "Basic realm=\"x\"")])
        }
        for credential in [CalDAVAccount.Credential.basic(user: "dog", password: "s3cret"), .bearer("s3cret")] {
            let client = try client("http://dav.example.com", server, credential)
            guard case .insecureConnection = try await failure({ try await client.home() }).reason else {
                throw Unexpected("\(credential)")
            }
        }
        #expect(server.server.requests.allSatisfy { $0.header("Authorization") == nil })
        let local = try ScriptedServer { _ in ServedResponse(status: 401) }
        _ = try await failure { try await local.client(.bearer("s3cret")).home() }
        #expect(local.server.requests.map { $0.header("Authorization") } == ["Bearer s3cret"])
    }

    @Test("A plugin refreshes the token of an account without a credential")
    func refreshed() async throws {
        let server = try ScriptedServer { request in
            request.header("Authorization") == "Bearer new" ? .multistatus(token("t")) : ServedResponse(status: 401)
        }
        let plugin = AuthenticationPlugin(.bearer("old"), for: .only([server.server.baseURL])) { _ in .bearer("new") }
        let client = CalDAVClient(CalDAVAccount(url: server.calendar.url, credential: .none), plugins: [plugin])
        #expect(try await client.changes(in: server.calendar, since: .sync("t"), known: [:]).token == .sync("t"))
        #expect(server.methods.count == 2)
    }

    @Test("Digest: the examples of RFC 7616, and of RFC 2069 without a quality of protection")
    func digest() throws {
        let common =
            #"realm="http-auth@example.org", nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS""#
        let url = try #require(URL(string: "http://www.example.org/dir/index.html"))
        func response(_ values: [String], _ nonce: String) -> String? {
            let head = HTTPResponseHead(
                status: 401,
                headers: HTTPHeaders(values.map { ("WWW-Authenticate", $0) }),
                url: url
            )
            return DigestChallenge(head)?.authorization(
                user: "Mufasa",
                password: "Circle of Life",
                method: "GET",
                target: "/dir/index.html",
                count: 1,
                clientNonce: nonce
            )
        }
        let nonce = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"
        let digest = #"Digest \#(common), qop="auth, auth-int", algorithm=MD5"#
        let md5 = #"Basic realm="a, b", \#(digest), Negotiate, Bearer realm="c""#
        let sha = #"Digest \#(common), qop="auth", algorithm=SHA-256"#
        #expect(response([md5], nonce)?.contains(#"response="8ca523f5e9506fed4657c9700eebdbec""#) == true)
        #expect(
            response([md5, sha], nonce)?.contains(
                #"response="753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1""#
            ) == true
        )
        #expect(response([md5], nonce)?.contains("nc=00000001") == true)
        let none = #"Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093""#
        #expect(response([none], "")?.contains("qop") == false)
        let escaped = #"realm="a\\b\"c""#
        #expect(response([#"Digest \#(escaped), nonce="n""#], "")?.contains(escaped) == true)
        for value in [
            "Digest realm=\"x\"", "Digest nonce=\"x\"", #"Digest \#(common), algorithm=SHA-512-256"#,
            #"Digest \#(common), qop="auth-int""#, "Digest", "Basic x",
        ] { #expect(response([value], "") == nil, "\(value)") }
    }

    @Test("Digest: a challenge is met once, used for later requests, and met again when its nonce has expired")
    func digestFlow() async throws {
        let uses = Locked(0)
        let server = try ScriptedServer { request in
            let field = request.header("Authorization") ?? ""
            let number = uses.withLock { uses in
                if field.hasPrefix("Digest ") { uses += 1 }
                return uses
            }
            // The third use comes too late.
            let isStale = number == 3 && !field.contains("nonce=\"n2\"")
            guard field.hasPrefix("Digest "), !isStale else {
                let challenge = "Digest realm=\"r\", qop=\"auth\", nonce=\"\(isStale ? "n2" : "n1")\", stale=\(isStale)"
                return ServedResponse(status: 401, headers: [("WWW-Authenticate", challenge)])
            }
            return .multistatus(token("t"))
        }
        for (client, isSecure) in [(server.client(), true), (try client("http://dav.example.com", server), false)] {
            uses.withLock { $0 = 0 }
            let before = server.methods.count
            var calendar = server.calendar
            if !isSecure { calendar.url = try #require(URL(string: "http://dav.example.com/dog@home/list/?a=b")) }
            for _ in 0..<4 { _ = try await client.changes(in: calendar, since: .sync("t"), known: [:]) }
            let requests = server.server.requests.dropFirst(before)
            let fields = requests.map { $0.header("Authorization") }
            for request in requests.suffix(4) {
                let field = try #require(request.header("Authorization"))
                #expect(field.contains("uri=\"\(request.target)\"") && request.target.hasSuffix("?a=b") != isSecure)
            }
            let counts = fields.map { field in
                field.map { $0.hasPrefix("Basic") ? "basic" : String($0.split(separator: "nc=")[1].prefix(8)) }
            }
            #expect(counts == [isSecure ? "basic" : nil, "00000001", "00000002", "00000003", "00000001", "00000002"])
        }
        // A server that has forgotten its nonce and does not say so.
        let forgetful = try ScriptedServer { request in
            let isKnown = request.header("Authorization")?.contains("nc=00000001") == true
            let challenge = "Digest realm=\"r\", qop=\"auth\", nonce=\"\(UUID())\""
            return isKnown
                ? .multistatus(token("t")) : ServedResponse(status: 401, headers: [("WWW-Authenticate", challenge)])
        }
        let second = forgetful.client()
        for _ in 0..<2 { _ = try await second.changes(in: forgetful.calendar, since: .sync("t"), known: [:]) }
        #expect(forgetful.methods.count == 4)
        let refusing = try ScriptedServer { _ in
            ServedResponse(
                status: 401,
                headers: [("WWW-Authenticate", "Digest realm=\"r\", nonce=\"n\", qop=\"auth\"")]
            )
        }
        // Without TLS, too, a wrong password is the reason, since Digest does not show it.
        for client in [refusing.client(), try client("http://dav.example.com", refusing)] {
            for _ in 0..<2 {
                guard case .unauthorized = try await failure({ try await client.home() }).reason else {
                    throw Unexpected("")
                }
            }
        }
        #expect(refusing.methods.count == 6, "the same nonce is not tried again")
        // A nonce that expires at once.
        let hasty = try ScriptedServer { request in
            let field = request.header("Authorization") ?? ""
            if field.contains("nonce=\"n2\"") { return .multistatus(token("t")) }
            let (nonce, isStale) = field.contains("nonce=\"n1\"") ? ("n2", true) : ("n1", false)
            let challenge = "Digest realm=\"r\", qop=\"auth\", nonce=\"\(nonce)\", stale=\(isStale)"
            return ServedResponse(status: 401, headers: [("WWW-Authenticate", challenge)])
        }
        _ = try await hasty.client().changes(in: hasty.calendar, since: .sync("t"), known: [:])
        #expect(hasty.methods.count == 3)
    }
}
