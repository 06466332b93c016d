import Foundation
import HTTPTransport
import TestSupport
import Testing
import TransportConformance
import URLSessionTransport

@Suite("URLSession holds to what every transport promises, but for what it says it cannot", .serialized)
struct URLSessionConformanceTests {
    /// What fails now and then only, by a race inside FoundationNetworking, the whole process with it at times: run in a
    /// process of its own.
    private static let racing: Set<HTTPTransportFeature> = [.malformedResponses, .trailers, .excessBytes]
    private static let unsupported = URLSessionTransport().unsupportedFeatures

    @Test("Case", arguments: ConformanceCase.all.filter { $0.needs.isDisjoint(with: unsupported) })
    func holds(_ conformance: ConformanceCase) async throws {
        try await conformance.run(URLSessionTransport())
    }

    @Test(
        "What it says it cannot fails in time: once it works, it is taken off the list",
        arguments: ConformanceCase.all.filter {
            !$0.needs.isDisjoint(with: unsupported) && $0.needs.isDisjoint(with: racing)
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
        @Test(
            "What fails by a race, perhaps the whole process with it, is seen in a process of its own, and never hangs",
            arguments: ConformanceCase.all.filter { !$0.needs.isDisjoint(with: racing) }
        )
        func races(_ conformance: ConformanceCase) async throws {
            let program = ChildProcess.productsDirectory.appendingPathComponent("transport-probe")
            let rounds = isLongRun ? 200 : 10
            let result = try await ChildProcess.run(program, [conformance.name, "\(rounds)"])
            let last = result.output.split(separator: "\n").last ?? ""
            print("\(conformance.name): \(result.wasSignalled ? "ended by signal \(result.status)" : String(last))")
            // Held, failed with an error, or ended with the process: whatever the race gives, but in time and in the open.
            #expect(result.wasSignalled || result.status == 0, "\(result.status): \(result.output)")
            #expect(result.wasSignalled || last.hasPrefix("held "), "\(result.output)\(result.errors)")
        }
    #endif
}
