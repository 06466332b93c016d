import CurlTransport
import Foundation
import NetworkProvider
import NetworkTestSupport
import TestSupport
import Testing
import Threading
import TransportConformance

/// A server that closes its HTTP/2 connections gracefully, such as nginx during a reload, loses no request by a safe method.
@Suite("Graceful closing of HTTP/2 connections", .timeLimit(.minutes(3)))
struct GracefulCloseTests {
    /// Counts the failures that the provider's plugins see.
    private final class CountingTransport: HTTPTransport {
        let failures = Locked<[HTTPTransportError]>([])
        private let transport: CurlTransport

        init(_ connection: HTTPConnectionSettings) {
            let configuration = CurlConfiguration(maximumExchangesPerOrigin: 64, connection: connection)
            transport = CurlTransport(configuration: configuration)
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

    private static let hasTools = TestAuthority.openssl != nil && Nginx.program != nil

    /// Sends GET requests by 64 tasks to nginx over HTTP/2, until the time is over or there were enough failures.
    private func exchange(
        _ settings: String,
        reloadingEvery pause: Duration?,
        failures enough: Int
    ) async throws -> (lost: [NetworkError], failures: [HTTPTransportError], connections: Int) {
        let authority = try TestAuthority()
        let locations = settings + " location / { return 200 \"$connection\"; }"
        let site = Nginx.Site(try authority.issue("localhost"), http2: true, locations: locations)
        let nginx = try Nginx([site], hasWorker: true)
        let transport = CountingTransport(HTTPConnectionSettings(tls: HTTPTLSSettings(trust: authority.trust)))
        let provider = NetworkProvider(transport: transport, plugins: [retries])
        let base = "https://localhost:\(nginx.ports[0])"
        let reloads = Task {
            while let pause, !Task.isCancelled {
                try await Task.sleep(for: pause)
                nginx.reload()
            }
        }
        defer { reloads.cancel() }
        let end = ContinuousClock.now + .seconds(15)
        let (lost, connections) = (Locked<[NetworkError]>([]), Locked<Set<String>>([]))
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<64 {
                group.addTask {
                    while ContinuousClock.now < end, transport.failures.withLock({ $0.count }) < enough {
                        do throws(NetworkError) {
                            let call = Call<String>(base: base, path: "/\(number)")
                            let connection = try await provider.request(call)
                            connections.withLock { _ = $0.insert(connection) }
                        } catch {
                            lost.withLock { $0.append(error) }
                        }
                    }
                }
            }
        }
        return (lost.withLock { $0 }, transport.failures.withLock { $0 }, connections.withLock { $0.count })
    }

    @Test(
        "A server that closes each HTTP/2 connection after a few requests loses no request by a safe method",
        .enabled(if: hasTools, "needs openssl and nginx")
    )
    func fewRequestsPerConnection() async throws {
        let settings = "keepalive_requests 5;"
        let (lost, failures, connections) = try await exchange(settings, reloadingEvery: nil, failures: 20)
        print("GOAWAY: \(failures.count) failures, all sent again, \(connections) connections")
        #expect(lost.isEmpty)
        #expect(failures.allSatisfy { $0.code == .noResponse || $0.code == .connectionLost }, "\(failures)")
        #expect(connections > 1)
    }

    @Test("A request is sent again if the server leaves its connection by GOAWAY without a response")
    func goAway() async throws {
        let server = try GoAwayServer()
        let transport = CountingTransport(HTTPConnectionSettings(version: .http2PriorKnowledge))
        let provider = NetworkProvider(transport: transport, plugins: [retries])
        #expect(try await provider.request(Call<Data>(base: server.baseURL)).isEmpty)
        #expect(transport.failures.withLock { $0.map(\.code) } == [.connectionLost])
    }

    @Test("The error for a POST whose stream a new connection refuses does not name a reused connection")
    func refusedStream() async throws {
        let server = try GoAwayServer(refusing: true)
        let transport = CountingTransport(HTTPConnectionSettings(version: .http2PriorKnowledge))
        let error = await #expect(throws: HTTPTransportError.self) {
            try await transport.send(HTTPRequest(.post, server.baseURL), events: nil)
        }
        #expect(error?.code == .noResponse)
        #expect(error?.detail.contains("is not sent again") == true && error?.detail.contains("reused") == false)
    }

    @Test(
        "A graceful reload of nginx over HTTP/2 loses no request by a safe method",
        .enabled(if: hasTools, "needs openssl and nginx")
    )
    func reload() async throws {
        let (lost, failures, connections) = try await exchange("", reloadingEvery: .milliseconds(20), failures: 3)
        print("graceful reload: \(failures.count) failures, all sent again, \(connections) connections")
        #expect(lost.isEmpty)
        #expect(failures.allSatisfy { $0.code == .noResponse || $0.code == .connectionLost }, "\(failures)")
        // Several connections, so that the server did close some.
        #expect(connections > 1)
    }
}
