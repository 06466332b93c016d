import CurlTransport
import Foundation
import HTTPTransport
import TestSupport
import Testing
import Threading

@Suite("HTTP/2 connections that a server closes", .timeLimit(.minutes(3)))
struct HTTP2Tests {
    private static let hasTools = TestAuthority.openssl != nil && Nginx.program != nil

    /// Sends requests until the time is over or `condition` holds for the failures, while the server is reloaded.
    private func exchange(
        method: HTTPMethod,
        for time: Duration,
        until condition: @escaping @Sendable (Int) -> Bool
    ) async throws -> (failures: [HTTPTransportError], responses: Int) {
        let authority = try TestAuthority()
        let locations = "location / { return 200 \"$connection\"; }"
        let site = Nginx.Site(try authority.issue("localhost"), http2: true, locations: locations)
        let nginx = try Nginx([site], hasWorker: true)
        let trust = HTTPTLSSettings.Trust.authorities(.file(path: authority.root.certificate.path))
        let settings = HTTPConnectionSettings(tls: HTTPTLSSettings(trust: trust))
        let transport = CurlTransport(
            configuration: CurlConfiguration(maximumExchangesPerOrigin: 64, connection: settings)
        )
        let base = "https://localhost:\(nginx.ports[0])/"
        let reloads = Task {
            while !Task.isCancelled {
                try await Task.sleep(for: .milliseconds(50))
                nginx.reload()
            }
        }
        defer { reloads.cancel() }
        let end = ContinuousClock.now + time
        let (failures, responses) = (Locked<[HTTPTransportError]>([]), Locked(0))
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<64 {
                group.addTask {
                    while ContinuousClock.now < end, !condition(failures.withLock { $0.count }) {
                        do throws(HTTPTransportError) {
                            let response = try await transport.send(HTTPRequest(method, base + "\(number)"))
                            _ = try await response.body.collect()
                            responses.withLock { $0 += 1 }
                        } catch {
                            failures.withLock { $0.append(error) }
                        }
                    }
                }
            }
        }
        return (failures.withLock { $0 }, responses.withLock { $0 })
    }

    @Test(
        "A request that a gracefully closing server did not process fails with noResponse or connectionLost",
        .enabled(if: hasTools, "needs openssl and nginx")
    )
    func gracefulReload() async throws {
        // About one in five thousand requests fails: the test ends when some have.
        let (failures, responses) = try await exchange(method: .get, for: .seconds(20)) { $0 >= 3 }
        print("graceful reload: \(failures.count) failures, \(responses) responses")
        #expect(failures.allSatisfy { $0.code == .noResponse || $0.code == .connectionLost }, "\(failures)")
        #expect(responses > 0)
    }
}
