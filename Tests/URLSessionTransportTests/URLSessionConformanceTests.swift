import HTTPTransport
import TestSupport
import Testing
import TransportConformance
import URLSessionTransport

@Suite("URLSession holds to what every transport promises, but for what it says it cannot", .serialized)
struct URLSessionConformanceTests {
    /// What ends the whole process inside FoundationNetworking: what is no HTTP always, which is tried in a process of
    /// its own below, and trailers by a race that shows too seldom to be waited for.
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

    #if os(Linux)
        @Test("What is no HTTP still ends the process inside FoundationNetworking: once not, it leaves the list")
        func isFatal() async {
            // Slow, since each crash is written out at length.
            guard isLongRun else { return }
            await #expect(processExitsWith: .failure) { try await run(whereNeeded: .malformedResponses) }
        }
    #endif
}

/// Runs the cases that need a feature, and gives a session's own threads time to fail.
private func run(whereNeeded feature: HTTPTransportFeature) async throws {
    for conformance in ConformanceCase.all where conformance.needs.contains(feature) {
        try? await conformance.run(URLSessionTransport())
    }
    try await Task.sleep(for: .seconds(2))
}
