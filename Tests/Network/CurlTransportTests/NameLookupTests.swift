import Foundation
import TestSupport
import Testing

@testable import CurlTransport

@Suite("CurlTransport and a name server that does not respond", .timeLimit(.minutes(5)))
struct NameLookupTests {
    /// Runs the probe, which ends with an error if nothing happens. It takes less than a second.
    private func run(_ arguments: [String]) async throws -> [String] {
        let program = ChildProcess.productsDirectory.appendingPathComponent("lookup-probe")
        let start = ContinuousClock.now
        let result = try await ChildProcess.run(program, arguments)
        #expect(result.status == 0 && !result.wasSignalled, "\(result.status) \(result.output) \(result.errors)")
        #expect(ContinuousClock.now - start < .seconds(30), "\(result.output)")
        return result.output.split(separator: "\n").map { line in
            // Without the milliseconds in the middle, which are for the eye.
            let parts = line.split(separator: " ", maxSplits: 2)
            return parts.count == 3 ? "\(parts[0]) \(parts[2])" : String(line)
        }
    }

    @Test(
        "Requests expire, are cancelled and shut down at once, and do not block others; nothing fails when the lookup ends",
        .enabled(if: CurlLibrary.canAbandonLookups, "needs libcurl 7.87")
    )
    func silentServer() async throws {
        let steps = [
            "connect timedOut(HTTPTransport.HTTPTransportError.Phase.connect) others true",
            "cancel cancelled others true", "deinit gone", "shutdown shutDown",
            "bound 16 lookups of 200 requests",
        ]
        #expect(try await run([]) == steps + ["end all ended"])
        #expect(try await run(["hang"]) == steps)
    }
}
