import Foundation
import HTTPCaching
import LoopbackServer
import NetworkProvider
import NetworkTestSupport
import NetworkTesting
import TestSupport
import Testing

@Suite("Documentation: caching")
struct CacheDocumentationTests {
    struct Breeds: RemoteTargetType {
        typealias Response = [String]
        let base = "https://dog.ceo", path = "/api/breeds"
        var cachePolicy: HTTPCachePolicy { .staleWhileRevalidating }
    }

    @Test("Every example of the documentation is compiled by a test")
    func examplesAreCompiled() throws {
        #expect(try DocumentedExamples(of: "HTTPCaching", count: 6).missing == [])
    }

    @Test("The landing page's provider has a cache")
    func landingPage() throws {
        let folder = try TemporaryDirectory().path
        let cache = HTTPCache(store: HTTPDiskCacheStore(path: folder))
        let provider = NetworkProvider(plugins: [RetryPlugin()], cache: cache)
        #expect(provider.cache as? HTTPCache === cache)
    }

    @Test("The examples of the article on caching work")
    func article() async throws {
        let temporary = try TemporaryDirectory()
        let folder = temporary.path + "/cache"
        let transport = StubTransport().on(
            .get,
            "/api/breeds",
            .data(Data(#"["corgi"]"#.utf8), headers: ["Cache-Control": "max-age=60"])
        )
        let authentication = AuthenticationPlugin(.bearer("token"), for: .everyServer)
        let cache = HTTPCache(store: HTTPDiskCacheStore(path: folder, byteLimit: 64 << 20))
        let provider = NetworkProvider(transport: transport, plugins: [RetryPlugin(), authentication], cache: cache)
        let shown = EventLog()
        func show(_ text: String) { shown.add(text) }
        for _ in 0..<2 {
            let response = try await provider.response(Breeds())
            if let status = response.cacheStatus, status.isFromCache { show("\(status)") }
            #expect(response.value == ["corgi"])
        }
        #expect(shown.lines.count == 1)
        #expect(shown.lines.first?.hasPrefix("hit, ") == true)
        #expect(transport.requests.count == 1)
        #expect(cache.statistics.hits == 1)

        try await cache.removeAll()
        let sharing = NetworkProvider(transport: transport, cache: cache, deduplicates: true)
        async let first = sharing.request(Breeds())
        async let second = sharing.request(Breeds())
        #expect(try await first == second)
    }
}
