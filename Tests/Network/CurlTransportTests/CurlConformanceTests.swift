import CurlTransport
import HTTPTransport
import Testing
import TransportConformance

@Suite("CurlTransport meets the requirements of every transport", .serialized)
struct CurlConformanceTests {
    @Test("All features are supported")
    func supportsAll() {
        #expect(CurlTransport().unsupportedFeatures.isEmpty)
    }

    @Test("Case", arguments: ConformanceCase.all)
    func holds(_ conformance: ConformanceCase) async throws {
        try await conformance.run { CurlTransport(configuration: CurlConfiguration(connection: $0)) }
    }
}
