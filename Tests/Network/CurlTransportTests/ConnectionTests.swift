import CurlTransport
import Foundation
import HTTPTransport
import LoopbackServer
import TestSupport
import Testing
import TransportConformance

@Suite("CurlTransport: proxies, sockets, protocols", .timeLimit(.minutes(5)))
struct ConnectionTests {
    private func transport(_ connection: HTTPConnectionSettings) -> CurlTransport {
        CurlTransport(configuration: CurlConfiguration(connection: connection))
    }

    @Test("HTTP and SOCKS 5 proxies forward requests, resolve names and receive their own credentials")
    func proxies() async throws {
        let server = try LoopbackServer { .text($0.header("Proxy-Authorization") ?? "clean") }
        defer { server.stop() }
        let proxy = try LoopbackProxy(requiring: "dog:bone & 뼈")
        defer { proxy.stop() }
        for kind in [HTTPProxyServer.Kind.http, .socks5] {
            let credentials = HTTPProxyServer.Credentials(user: "dog", password: "bone & 뼈")
            let named = HTTPProxyServer(kind, host: "127.0.0.1", port: proxy.port, credentials: credentials)
            let transport = transport(HTTPConnectionSettings(proxy: .server(named)))
            // Only the proxy can resolve this host.
            #expect(try await get("http://kennel.invalid:\(server.port)/", transport) == "200 clean")
            #expect(proxy.targets.last == "kennel.invalid:\(server.port)")
            #expect(proxy.credentials.last == "dog:bone & 뼈")
            var dumped = ""
            dump(transport.configuration, to: &dumped)
            #expect(!"\(transport.configuration)\(dumped)".contains("bone"))
        }
        // Without a tunnel, the refusal looks like the server's response.
        for (credentials, advice) in [
            (nil, "set its credentials"), (.init(user: "cat", password: "fish"), "it does not accept"),
        ] as [(HTTPProxyServer.Credentials?, String)] {
            let named = HTTPProxyServer(host: "127.0.0.1", port: proxy.port, credentials: credentials)
            let settings = HTTPConnectionSettings(proxy: .server(named))
            for scheme in ["http", "https"] {
                let error = try #require(await failure("\(scheme)://kennel.invalid/", transport(settings)))
                #expect(error.code == .proxy && !error.isProxyUnreachable && error.detail.contains("407"))
                #expect(error.detail.contains(advice) && !error.detail.contains("fish"), "\(error)")
            }
        }
    }

    @Test("A proxy that cannot be reached, cannot reach the server or breaks the tunnel is unreachable")
    func unreachableProxies() async throws {
        let proxy = try LoopbackProxy()
        defer { proxy.stop() }
        let broken = try LoopbackServer { request in
            switch request.target {
            case "closed:443": .failing(.closed)
            case "garbage:443": .failing(.raw(Data("hello\r\n\r\n".utf8)))
            case "cut:443": .failing(.raw(Data("HTTP/1.1 200 OK\r\nX".utf8)))
            default: ServedResponse(status: Int(request.target.dropFirst().prefix(3)) ?? 500)
            }
        }
        defer { broken.stop() }
        let cases: [(HTTPProxyServer.Kind, UInt16, String, Bool)] = [
            (.http, 1, "http://kennel.invalid/", true), (.http, 1, "https://kennel.invalid/", true),
            (.socks5, 1, "http://kennel.invalid/", true), (.socks5, proxy.port, "http://kennel.invalid:1/", true),
            (.http, proxy.port, "https://kennel.invalid:1/", true), (.http, broken.port, "https://closed/", true),
            (.http, broken.port, "https://garbage/", true), (.http, broken.port, "https://cut/", true),
            (.http, broken.port, "https://s503.invalid/", true), (.http, broken.port, "https://s504.invalid/", true),
            (.http, broken.port, "https://s403.invalid/", false),
        ]
        for (kind, port, url, isUnreachable) in cases {
            let named = HTTPProxyServer(kind, host: "127.0.0.1", port: port)
            let error = await failure(url, transport(HTTPConnectionSettings(proxy: .server(named))))
            #expect(error?.code == .proxy, "\(kind) \(url): \(String(describing: error))")
            #expect(error?.isProxyUnreachable == isUnreachable, "\(kind) \(url): \(String(describing: error))")
        }
    }

    @Test("TLS works through a proxy's tunnel", .enabled(if: tlsTools, "needs openssl and nginx"))
    func tunnels() async throws {
        let authority = try TestAuthority()
        let identity = try authority.issue("localhost")
        let nginx = try Nginx([
            Nginx.Site(identity, http2: true, locations: "location / { return 200 \"$server_protocol\"; }")
        ])
        let proxy = try LoopbackProxy(requiring: "dog:bone")
        defer { proxy.stop() }
        var named = HTTPProxyServer(host: "127.0.0.1", port: proxy.port)
        named.credentials = .init(user: "dog", password: "bone")
        var settings = HTTPConnectionSettings(tls: HTTPTLSSettings(trust: authority.trust), proxy: .server(named))
        let url = "https://localhost:\(nginx.ports[0])/"
        #expect(try await get(url, transport(settings)) == "200 HTTP/2.0")
        #expect(proxy.targets == ["localhost:\(nginx.ports[0])"])
        named.credentials = .init(user: "dog", password: "secret stick")
        settings.proxy = .server(named)
        let error = try #require(await failure(url, transport(settings)))
        #expect(error.code == .proxy)
        #expect(error.description.contains("407") && !error.description.contains("stick"))
    }

    @Test("A proxy can be connected to over TLS", .enabled(if: tlsTools, "needs openssl and nginx"))
    func secureProxy() async throws {
        let authority = try TestAuthority()
        // nginx accepts absolute targets and responds itself, which suffices for a proxy of "http".
        let nginx = try Nginx([
            Nginx.Site(try authority.issue("localhost"), locations: "location / { return 200 \"$scheme $host\"; }"),
            Nginx.Site(try authority.issue("other", for: "DNS:other.example"), locations: "location / { return 204; }"),
        ])
        let settings = HTTPConnectionSettings(
            tls: HTTPTLSSettings(trust: authority.trust),
            proxy: .server(HTTPProxyServer(.https, host: "localhost", port: nginx.ports[0]))
        )
        #expect(try await get("http://kennel.invalid/", transport(settings)) == "200 https kennel.invalid")
        // A certificate that is not accepted is the proxy's, whatever the request's own scheme is.
        for url in ["http://kennel.invalid/", "https://kennel.invalid/"] {
            for (tls, port, problem) in [
                (HTTPTLSSettings(), nginx.ports[0], .unknownAuthority), (settings.tls, nginx.ports[1], .wrongHost),
            ] as [(HTTPTLSSettings, UInt16, HTTPTransportError.CertificateProblem)] {
                let named = HTTPProxyServer(.https, host: "localhost", port: port)
                let refused = transport(HTTPConnectionSettings(tls: tls, proxy: .server(named)))
                let error = try #require(await failure(url, refused))
                #expect(error.code == .proxy && !error.isProxyUnreachable, "\(error)")
                #expect(error.detail.hasPrefix("its certificate") && error.detail.hasSuffix(problem.advice), "\(error)")
            }
        }
    }

    @Test(
        "Listed hosts, and all hosts without a proxy, are connected to directly; a refusal is reported as the proxy's"
    )
    func goesPast() async throws {
        let server = try LoopbackServer { _ in .text("direct") }
        defer { server.stop() }
        let proxy = try LoopbackProxy()
        defer { proxy.stop() }
        for exception in ["127.0.0.1", "*", "*.localhost"] {
            let named = HTTPProxyServer(host: "127.0.0.1", port: proxy.port, exceptions: ["example.com", exception])
            let url = exception == "*.localhost" ? "http://localhost:\(server.port)" : server.baseURL
            #expect(try await get(url, transport(HTTPConnectionSettings(proxy: .server(named)))) == "200 direct")
        }
        #expect(try await get(server.baseURL, transport(HTTPConnectionSettings(proxy: .none))) == "200 direct")
        #expect(proxy.targets == [])
        let guarded = try LoopbackProxy(requiring: "dog:bone")
        defer { guarded.stop() }
        var stranger = HTTPProxyServer(.socks5, host: "127.0.0.1", port: guarded.port)
        stranger.credentials = .init(user: "cat", password: "fish")
        let error = await failure(server.baseURL, transport(HTTPConnectionSettings(proxy: .server(stranger))))
        #expect(error?.code == .proxy)
        #expect(error?.description.contains("fish") == false)
        for wrong in [HTTPProxyServer(host: "a b", port: 1), HTTPProxyServer(host: "a", port: 0)] {
            let error = await failure(server.baseURL, transport(HTTPConnectionSettings(proxy: .server(wrong))))
            #expect(error?.code == .invalidSettings)
        }
    }

    @Test("A Unix socket is used for requests to any host")
    func unixSocket() async throws {
        let folder = try TemporaryDirectory("s")
        let path = folder.file("server").path
        let server = try LoopbackServer(on: .unix(path: path)) { .text($0.header("Host") ?? "") }
        #expect {
            _ = try LoopbackServer(on: .unix(path: path)) { _ in .text("") }
        } throws: {
            "\($0)".contains("a free path in an existing folder")
        }
        let transport = transport(HTTPConnectionSettings(unixSocket: path))
        #expect(try await get("http://docker/version", transport) == "200 docker")
        server.stop()
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(await failure("http://docker/version", transport)?.code == .cannotConnect)
        let long = self.transport(HTTPConnectionSettings(unixSocket: String(repeating: "x", count: 200)))
        #expect(await failure("http://docker/", long)?.code == .invalidSettings)
    }

    @Test(
        "A URL with an IPv6 address in brackets is connected to",
        .enabled(if: hasIPv6, "needs IPv6 on the loopback device")
    )
    func ipv6() async throws {
        let server = try LoopbackServer(on: .ipv6(port: 0)) { .text($0.header("Host") ?? "") }
        let transport = transport(HTTPConnectionSettings())
        #expect(try await get(server.baseURL + "/", transport) == "200 [::1]:\(server.port)")
        server.stop()
        let error = await failure("http://[::1]:\(server.port)/gone", transport)
        #expect(error?.code == .cannotConnect)
        #expect(error?.location == "http://[::1]:\(server.port)/gone")
    }

    @Test("HTTP/2 without TLS is used with prior knowledge", .enabled(if: Nginx.program != nil, "needs nginx"))
    func priorKnowledge() async throws {
        let nginx = try Nginx([Nginx.Site(http2: true, locations: "location / { return 200 \"$server_protocol\"; }")])
        let transport = transport(HTTPConnectionSettings(version: .http2PriorKnowledge))
        for _ in 0..<3 {
            #expect(try await get("http://127.0.0.1:\(nginx.ports[0])/", transport) == "200 HTTP/2.0")
        }
        let plain = try LoopbackServer { _ in .text("HTTP/1.1 only") }
        defer { plain.stop() }
        #expect(await failure(plain.baseURL, transport) != nil)
    }

    @Test(
        "Over HTTP/2 a hundred requests share one connection; a slow or cancelled reader does not affect the others",
        .enabled(if: tlsTools, "needs openssl and nginx")
    )
    func multiplexes() async throws {
        let authority = try TestAuthority()
        let locations = "root FOLDER; location /c { return 200 \"$connection\"; }"
        let nginx = try Nginx([Nginx.Site(try authority.issue("localhost"), http2: true, locations: locations)])
        let file = nginx.files.appendingPathComponent("big")
        try Data().write(to: file)
        let handle = try FileHandle(forWritingTo: file)
        try handle.truncate(atOffset: 64 << 20)
        try handle.close()
        let transport = transport(HTTPConnectionSettings(tls: HTTPTLSSettings(trust: authority.trust)))
        let base = "https://localhost:\(nginx.ports[0])"

        let slow = try await transport.send(HTTPRequest(.get, base + "/big"))
        var reader = slow.body.makeAsyncIterator()
        var count = try await reader.next()?.count ?? 0
        let abandoned = try await transport.send(HTTPRequest(.get, base + "/big"))
        let connections = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<100 { group.addTask { try await get(base + "/c?\(number)", transport) } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(connections.count == 1)
        abandoned.body.cancel()
        while let piece = try await reader.next() { count += piece.count }
        #expect(count == 64 << 20)
        #expect(try await get(base + "/c", transport) == connections.first)
    }
}

private let tlsTools = TestAuthority.openssl != nil && Nginx.program != nil

private let hasIPv6: Bool = {
    guard let server = try? LoopbackServer(on: .ipv6(port: 0), handler: { _ in ServedResponse() }) else { return false }
    server.stop()
    return true
}()
