import HTTPTransport
import Testing
import TransportConformance
import URLSessionTransport

@Suite("URLSession holds to what every transport promises, but for what it says it cannot", .serialized)
struct URLSessionConformanceTests {
    /// What was seen to end the whole process inside FoundationNetworking, by a race: not run here at all, since a check
    /// that fails now and then would say nothing.
    private static let fatal: Set<HTTPTransportFeature> = [.malformedResponses, .trailers]
    private static let unsupported = URLSessionTransport().unsupportedFeatures

    @Test("Case", arguments: ConformanceCase.all.filter { $0.needs.isDisjoint(with: unsupported) })
    func holds(_ conformance: ConformanceCase) async throws {
        try await conformance.run(URLSessionTransport())
    }

    @Test(
        "What it says it cannot fails in time: once it works, it is taken off the list",
        arguments: ConformanceCase.all.filter {
            !$0.needs.isDisjoint(with: unsupported) && $0.needs.isDisjoint(with: fatal)
        }
    )
    func cannot(_ conformance: ConformanceCase) async {
        do {
            try await conformance.run(URLSessionTransport())
            Issue.record("it works: take \(conformance.needs) off unsupportedFeatures")
        } catch let failure as ConformanceFailure {
            #expect(!failure.isHang, "\(failure)")
        } catch {
            #expect(error is HTTPTransportError, "\(error)")
        }
    }
}
