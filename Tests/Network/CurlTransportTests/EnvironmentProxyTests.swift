import CurlTransport
import Foundation
import HTTPTransport
import LoopbackServer
import TestSupport
import Testing
import TransportConformance

/// Each in a separate process, because the environment is the whole process's.
@Suite("The environment's proxies", .timeLimit(.minutes(5)))
struct EnvironmentProxyTests {
    #if os(Linux) || os(macOS)
        @Test("A scheme's variable takes precedence over all_proxy, lower case over upper case; HTTP_PROXY is ignored")
        func variables() async {
            await #expect(processExitsWith: .success) {
                let setting = try EnvironmentProxySetting()
                let (proxy, dead) = (setting.proxy, "http://127.0.0.1:1")
                let name = "http://kennel.invalid:\(setting.server.port)/"
                for variables in [
                    ["http_proxy": proxy], ["all_proxy": proxy], ["ALL_PROXY": proxy],
                    ["http_proxy": proxy, "all_proxy": dead], ["all_proxy": proxy, "ALL_PROXY": dead],
                    ["http_proxy": "127.0.0.1:\(setting.tunnel.port)"],
                    ["http_proxy": proxy.replacingOccurrences(of: "http", with: "socks5h")],
                    ["http_proxy": proxy, "no_proxy": ""], ["http_proxy": "", "all_proxy": proxy],
                    ["http_proxy": proxy, "no_proxy": "example.com"],
                ] {
                    // Only the proxy can resolve this host.
                    #expect(await setting.ask(name, variables) == "200 kennel.invalid:\(setting.server.port)")
                }
                // A client of a CGI program can set this one, by a field named Proxy.
                #expect(await setting.ask(setting.server.baseURL, ["HTTP_PROXY": dead]) == "200 direct")
                #expect(await setting.ask(setting.server.baseURL, ["https_proxy": dead]) == "200 direct")
                for variable in ["https_proxy", "HTTPS_PROXY", "all_proxy"] {
                    let variables = [variable: proxy, "http_proxy": dead]
                    #expect(await setting.ask("https://127.0.0.1:1/", variables) == "proxy 127.0.0.1:1")
                }
            }
        }

        @Test("A loopback host uses the proxy, unless no_proxy lists it or its domain")
        func exceptions() async {
            await #expect(processExitsWith: .success) {
                let setting = try EnvironmentProxySetting()
                let port = setting.server.port
                let address = "http://127.0.0.1:\(port)/"
                func ask(_ url: String, _ list: String, _ variable: String = "no_proxy") async -> String {
                    await setting.ask(url, ["http_proxy": setting.proxy, variable: list])
                }
                for list in ["", "example.com", "127.0.0.2", "127.0.0.1:\(port)"] {
                    #expect(await ask(address, list) == "200 127.0.0.1:\(port)", "\(list)")
                }
                for list in ["127.0.0.1", "*", "example.com,127.0.0.1", "localhost, 127.0.0.1"] {
                    #expect(await ask(address, list) == "200 direct", "\(list)")
                    #expect(await ask(address, list, "NO_PROXY") == "200 direct", "\(list)")
                }
                #expect(await ask("http://localhost:\(port)/", "LocalHost") == "200 direct")
                #expect(await ask("http://localhost:\(port)/", ".localhost") == "200 direct")
                #expect(await ask("http://localhost:\(port)/", "host") == "200 localhost:\(port)")
                #expect(await ask("http://a.localhost:\(port)/", "localhost.invalid") == "200 a.localhost:\(port)")
            }
        }

        @Test("A transport's setting takes precedence over every variable")
        func ownChoice() async {
            await #expect(processExitsWith: .success) {
                let setting = try EnvironmentProxySetting()
                let (url, dead) = (setting.server.baseURL + "/", "http://127.0.0.1:1")
                let direct = await setting.ask(url, ["http_proxy": dead, "all_proxy": dead], .none)
                #expect(direct == "200 direct")
                let own = HTTPProxy.server(HTTPProxyServer(host: "127.0.0.1", port: setting.tunnel.port))
                let through = await setting.ask(url, ["http_proxy": dead, "no_proxy": "*"], own)
                #expect(through == "200 127.0.0.1:\(setting.server.port)")
            }
        }

        @Test("An invalid or unreachable proxy is reported as the proxy's failure, without its password")
        func unusable() async {
            await #expect(processExitsWith: .success) {
                let setting = try EnvironmentProxySetting(requiring: "dog:bo ne")
                let url = setting.server.baseURL + "/"
                let right = "http://dog:bo%20ne@127.0.0.1:\(setting.tunnel.port)"
                #expect(await setting.ask(url, ["http_proxy": right]) == "200 127.0.0.1:\(setting.server.port)")
                #expect(setting.tunnel.credentials == ["dog:bo ne"])
                for wrong in [
                    "gopher://dog:secret@127.0.0.1:1", "http://dog:sec'ret@127.0.0.1:port", "http://dog:secret@[::1:1",
                    "http://dog:secret@127.0.0.1:1", "socks5h://dog:secret@127.0.0.1:1",
                ] {
                    let error = await setting.failure(url, ["http_proxy": wrong])
                    #expect(error?.code == .proxy, "\(wrong): \(String(describing: error))")
                    let isValid = wrong.hasSuffix("@127.0.0.1:1") && !wrong.hasPrefix("gopher")
                    #expect(error?.isProxyUnreachable == isValid, "\(wrong): \(String(describing: error))")
                    #expect(error.map { !"\($0)".contains("ret") } == true, "\(String(describing: error))")
                }
                // Without a proxy, or past it, it is the server's, however that is written.
                let past = ["http_proxy": setting.proxy, "no_proxy": "*"]
                for server in ["127.0.0.1", "127.1", "LocalHost"] {
                    #expect(await setting.failure("http://\(server):1/", [:])?.code == .cannotConnect, "\(server)")
                }
                #expect(await setting.failure("http://127.0.0.1:1/", past)?.code == .cannotConnect)
                let proxy = HTTPProxy.server(HTTPProxyServer(host: "localhost", port: 1))
                #expect(await setting.ask(url, [:], proxy) == "proxy")
            }
        }

        @Test(
            "The certificate of the environment's https proxy must be signed by the trusted authority as well",
            .enabled(if: TestAuthority.openssl != nil && Nginx.program != nil, "needs openssl and nginx")
        )
        func secureProxy() async {
            await #expect(processExitsWith: .success) {
                let authority = try TestAuthority()
                // Accepts absolute targets and responds itself, which suffices for a proxy of "http".
                let nginx = try Nginx([
                    Nginx.Site(try authority.issue("localhost"), locations: "location / { return 200 \"$scheme\"; }")
                ])
                setenv("http_proxy", "https://localhost:\(nginx.ports[0])", 1)
                unsetenv("no_proxy")
                unsetenv("NO_PROXY")
                let settings = HTTPConnectionSettings(tls: HTTPTLSSettings(trust: authority.trust))
                let transport = CurlTransport(configuration: CurlConfiguration(connection: settings))
                let request = try HTTPRequest(.get, "http://kennel.invalid/")
                let body = try await transport.send(request).body.collect()
                #expect(String(decoding: body, as: UTF8.self) == "https")
                #expect(await CurlTransport().failure(request)?.code == .proxy)
            }
        }
    #endif
}
