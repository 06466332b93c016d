import CurlTransport
import Foundation
import NetworkProvider
import NetworkTestSupport
import TestSupport
import Testing
import Threading

/// A server that closes its HTTP/2 connections gracefully, such as nginx during a reload, loses no request by a safe method.
@Suite("Graceful closing of HTTP/2 connections", .timeLimit(.minutes(3)))
struct GracefulCloseTests {
    /// Counts the failures that the provider's plugins see.
    private final class CountingTransport: HTTPTransport {
        let failures = Locked<[HTTPTransportError]>([])
        private let transport: CurlTransport

        init(_ connection: HTTPConnectionSettings) {
            transport = CurlTransport(
                configuration: CurlConfiguration(maximumExchangesPerOrigin: 64, connection: connection)
            )
        }

        func send(_ request: HTTPRequest, events: HTTPEventHandler?) async throws(HTTPTransportError) -> HTTPResponse {
            do throws(HTTPTransportError) {
                return try await transport.send(request, events: events)
            } catch {
                failures.withLock { $0.append(error) }
                throw error
            }
        }
    }

    private let retries = RetryPlugin(
        RetryPolicy(maximumAttempts: 5, baseDelay: .milliseconds(1)),
        budget: RetryBudget(share: 1, capacity: 1_000)
    )

    @Test(
        "15.13 A graceful reload of nginx over HTTP/2 loses no request by a safe method",
        .enabled(if: TestAuthority.openssl != nil && Nginx.program != nil, "needs openssl and nginx")
    )
    func reload() async throws {
        let authority = try TestAuthority()
        let locations = "location / { return 200 \"$connection\"; }"
        let site = Nginx.Site(try authority.issue("localhost"), http2: true, locations: locations)
        let nginx = try Nginx([site], hasWorker: true)
        let trust = HTTPTLSSettings.Trust.authorities(.file(path: authority.root.certificate.path))
        let transport = CountingTransport(HTTPConnectionSettings(tls: HTTPTLSSettings(trust: trust)))
        let provider = NetworkProvider(transport: transport, plugins: [retries])
        let base = "https://localhost:\(nginx.ports[0])"
        let reloads = Task {
            while !Task.isCancelled {
                try await Task.sleep(for: .milliseconds(15))
                nginx.reload()
            }
        }
        defer { reloads.cancel() }
        let end = ContinuousClock.now + .seconds(15)
        let (lost, responses) = (Locked<[NetworkError]>([]), Locked<Set<String>>([]))
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<64 {
                group.addTask {
                    // About one request in several thousand fails on its connection: the test ends when some have.
                    while ContinuousClock.now < end, transport.failures.withLock({ $0.count }) < 3 {
                        do throws(NetworkError) {
                            let call = Call<String>(base: base, path: "/\(number)")
                            let connection = try await provider.request(call)
                            responses.withLock { _ = $0.insert(connection) }
                        } catch {
                            lost.withLock { $0.append(error) }
                        }
                    }
                }
            }
        }
        #expect(lost.withLock { $0 }.isEmpty)
        let failures = transport.failures.withLock { $0 }
        print("graceful reload: \(failures.count) failures, all sent again")
        #expect(failures.allSatisfy { $0.code == .noResponse || $0.code == .connectionLost }, "\(failures)")
        // Several connections, so that the server did close some.
        #expect(responses.withLock { $0.count } > 1)
    }
}
