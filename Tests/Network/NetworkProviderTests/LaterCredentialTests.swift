import Foundation
import HTTPCaching
import LoopbackServer
import NetworkProvider
import NetworkTestSupport
import NetworkTesting
import TestSupport
import Testing
import Threading

/// A credential that comes later, by signing in or by a refresh, may go in another field or parameter than the first.
@Suite("Credentials that are set later")
struct LaterCredentialTests {
    private static let keys: [Credential] = [
        .apiKey("s3cret", header: "X-Kennel"), .queryKey("s3cret", parameter: "kennel"),
    ]

    /// Why a request is stopped by the plugin, and what is shown of it.
    private func refusal(of send: () async throws -> String) async throws -> String {
        let error = await #expect(throws: NetworkError.self) { try await send() }
        guard case .plugin(let cause) = error?.reason, cause is AuthenticationError else {
            throw try #require(error)
        }
        return try #require(error).description
    }

    @Test("A credential in a field that was not declared is refused", arguments: LaterCredentialTests.keys)
    func undeclared(_ key: Credential) async throws {
        let server = try LoopbackServer { _ in .text("who?", status: 401) }
        defer { server.stop() }
        let log = EventLog()
        let later = AuthenticationPlugin(nil, for: .everyServer)
        later.setCredential(key)
        let refreshed = AuthenticationPlugin(.bearer("old"), for: .everyServer) { _ in key }
        for plugin in [later, refreshed] {
            let logging = LoggingPlugin(headers: true) { log.add($0) }
            let provider = NetworkProvider(plugins: [plugin, logging], cache: HTTPCache())
            let text = try await refusal { try await provider.request(Call<String>(base: server.baseURL)) }
            #expect(text.contains("ennel") && text.contains("names:") && !text.contains("s3cret"), "\(text)")
        }
        #expect(server.requests.map { $0.header("Authorization") } == ["Bearer old"])
        #expect(!log.lines.joined().contains("s3cret"))
    }

    @Test("An invalid credential is refused before a cached response can be returned")
    func refusedBeforeTheCache() async throws {
        let server = try LoopbackServer { _ in
            ServedResponse(headers: [("Cache-Control", "max-age=100")], body: .data(Data("for no user".utf8)))
        }
        defer { server.stop() }
        let plugin = AuthenticationPlugin(nil, for: .everyServer)
        let provider = NetworkProvider(plugins: [plugin], cache: HTTPCache())
        let target = Call<String>(base: server.baseURL)
        #expect(try await provider.request(target) == "for no user")
        for credential in LaterCredentialTests.keys + [.basic(user: "a:b", password: "s3cret")] {
            plugin.setCredential(credential)
            let text = try await refusal { try await provider.request(target) }
            #expect(!text.contains("s3cret"))
        }
        plugin.setCredential(nil)
        #expect(try await provider.request(target) == "for no user" && server.requests.count == 1)
    }

    @Test("A declared credential is removed from redirects, left out of logs, and separates cached responses")
    func declared() async throws {
        let other = try LoopbackServer { .text($0.header("X-Kennel") ?? "none") }
        defer { other.stop() }
        let there = other.baseURL
        let server = try LoopbackServer { request in
            request.path == "/away"
                ? ServedResponse(status: 302, headers: [("Location", there + "/?a=1&Kenn%65l=s3cret&b#x")])
                : ServedResponse(
                    headers: [("Cache-Control", "max-age=100")],
                    body: .data(Data((request.header("X-Kennel") ?? "nobody").utf8))
                )
        }
        defer { server.stop() }
        let log = EventLog()
        let plugin = AuthenticationPlugin(nil, for: .everyServer, names: ["X-Kennel", "kennel"])
        let provider = NetworkProvider(
            plugins: [plugin, LoggingPlugin(headers: true) { log.add($0) }],
            cache: HTTPCache()
        )
        for user in ["s3cret-a", "s3cret-b"] {
            plugin.setCredential(.apiKey(user, header: "x-kennel"))
            #expect(try await provider.request(Call<String>(base: server.baseURL)) == user)
            #expect(try await provider.request(Call<String>(base: server.baseURL, path: "/away")) == "none")
        }
        #expect(other.requests.map(\.target) == ["/?a=1&b", "/?a=1&b"])
        plugin.setCredential(.bearer("s3cret-c"))
        #expect(try await provider.request(Call<String>(base: server.baseURL)) == "nobody")
        plugin.setCredential(.queryKey("s3cret-d", parameter: "kennel"))
        _ = try await provider.request(Call<String>(base: server.baseURL, path: "/q"))
        #expect(server.requests.last?.target == "/q?kennel=s3cret-d")
        #expect(!log.lines.isEmpty && !log.lines.joined().contains("s3cret"))
    }

    @Test("A credential is sent to the servers of its audience only, by scheme, host and port")
    func audience() async throws {
        let stub = StubTransport().on(.get, "/", .status(200))
        let plugin = AuthenticationPlugin(.bearer("t"), for: .only(["https://Dog.ceo/api", "http://localhost:8080"]))
        let provider = NetworkProvider(transport: stub, plugins: [plugin], cache: HTTPCache())
        for (base, isShown) in [
            ("https://dog.ceo", true), ("https://dog.ceo:443", true), ("HTTPS://DOG.CEO", true),
            ("http://localhost:8080", true), ("http://dog.ceo", false), ("https://dog.ceo:444", false),
            ("https://cat.ceo", false), ("https://dog.ceo.cat.ceo", false), ("http://localhost", false),
        ] {
            _ = try await provider.request(Call<Data>(base: base))
            #expect(stub.requests.last?.headers["Authorization"] == (isShown ? "Bearer t" : nil), "\(base)")
        }
        let some = AuthenticationPlugin(.bearer("t"), for: .only(["https://dog.ceo"]), applies: { $0.method != .get })
        _ = try await NetworkProvider(transport: stub, plugins: [some]).request(Call<Data>(base: "https://dog.ceo"))
        #expect(stub.requests.last?.headers["Authorization"] == nil)
        let nobody = NetworkProvider(transport: stub, plugins: [AuthenticationPlugin(.bearer("t"), for: .only([]))])
        _ = try await nobody.request(Call<Data>(base: "https://dog.ceo"))
        #expect(stub.requests.last?.headers["Authorization"] == nil)
    }

    @Test(
        "An audience with an invalid base is reported before a request is sent",
        arguments: ["dog.ceo", "", "https://", "/api"]
    )
    func noServer(_ base: String) async throws {
        let stub = StubTransport()
        let plugin = AuthenticationPlugin(.bearer("s3cret"), for: .only(["https://dog.ceo", base]))
        let provider = NetworkProvider(transport: stub, plugins: [plugin])
        let text = try await refusal { try await provider.request(Call<String>(base: "https://dog.ceo")) }
        #expect(text.contains("write scheme://host") && stub.requests.isEmpty)
    }

    @Test(
        "The usual fields of keys are secret without being named",
        arguments: [
            "X-Access-Token", "X-Amz-Security-Token", "X-Goog-Api-Key", "X-Session-Token", "apikey",
        ]
    )
    func usual(_ name: String) {
        #expect(Redaction().redacted([name: "s3cret"] as HTTPHeaders) == [name: Redaction.mark])
        #expect(RedirectPolicy().credentials.contains(name.lowercased()))
    }
}
