import CurlTransport
import HTTPTransport
import Testing
import TransportConformance

@Suite("libcurl holds to what every transport promises", .serialized)
struct CurlConformanceTests {
    @Test("Everything is supported")
    func supportsAll() {
        #expect(CurlTransport().unsupportedFeatures.isEmpty)
    }

    @Test("Case", arguments: ConformanceCase.all)
    func holds(_ conformance: ConformanceCase) async throws {
        try await conformance.run { CurlTransport(configuration: CurlConfiguration(connection: $0)) }
    }
}
