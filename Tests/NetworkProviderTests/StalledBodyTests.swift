import Foundation
import HTTPCaching
import LoopbackServer
import NetworkProvider
import NetworkTestSupport
import TestSupport
import Testing
import Threading

/// Nobody waits for the body of an answer that is let go of: the idle timeout, a minute here, is not for those.
@Suite("Unused bodies")
struct StalledBodyTests {
    /// How long what ends after a second may take on a loaded machine: far less than a minute.
    private static let patience = Duration.seconds(20)

    /// A body that stops, and one that goes on too slowly for any idle timeout.
    private static let faults: [ServedResponse.Fault] = [
        .stalled(after: 2), .slow(bytes: 1, pause: .milliseconds(100)),
    ]

    /// Answers the first request with a body, short enough to be worth reading, that does not come.
    private func server(_ status: Int, _ fault: Int) throws -> LoopbackServer {
        let count = Locked(0)
        return try LoopbackServer { _ in
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            guard isFirst else { return .text("end") }
            return ServedResponse(
                status: status,
                headers: [("Location", "/end")],
                body: .repeated(UInt8(ascii: "a"), count: 4_000),
                fault: StalledBodyTests.faults[fault]
            )
        }
    }

    @Test(
        "A stalled or slow body of a redirect, a 401 or a 503 delays the next step by about a second",
        arguments: [(302, false), (302, true), (401, false), (503, false)],
        [0, 1]
    )
    func goesOn(_ kind: (status: Int, isCached: Bool), _ fault: Int) async throws {
        let server = try server(kind.status, fault)
        defer { server.stop() }
        let provider = NetworkProvider(
            plugins: [
                RetryPlugin(RetryPolicy(baseDelay: .zero)),
                AuthenticationPlugin(.bearer("old"), for: .everyServer) { _ in .bearer("new") },
            ],
            cache: kind.isCached ? HTTPCache(store: HTTPMemoryCacheStore()) : nil
        )
        let start = ContinuousClock.now
        #expect(try await provider.request(Call<String>(base: server.baseURL, path: "/first")) == "end")
        #expect(ContinuousClock.now - start < StalledBodyTests.patience)
        // The connection of the body that did not come is closed, not kept.
        try await eventually(within: .seconds(5)) { server.connections.first?.peerClosed != nil }
    }

    @Test("The excerpt of an error contains what arrived within a second", arguments: [0, 1])
    func excerpt(_ fault: Int) async throws {
        let server = try server(404, fault)
        defer { server.stop() }
        let start = ContinuousClock.now
        let error = await #expect(throws: NetworkError.self) {
            try await NetworkProvider().request(Call<String>(base: server.baseURL))
        }
        #expect(error?.status == 404 && error?.response?.text.hasPrefix("aa") == true)
        #expect(ContinuousClock.now - start < StalledBodyTests.patience)
        try await eventually(within: .seconds(5)) { server.connections.first?.peerClosed != nil }
    }

    @Test("A cancelled task does not wait for an unused body")
    func cancelled() async throws {
        let server = try server(404, 0)
        defer { server.stop() }
        let base = server.baseURL
        let task = Task { try await NetworkProvider().request(Call<String>(base: base)) }
        try await eventually { server.requests.count == 1 }
        task.cancel()
        _ = await task.result
        try await eventually(within: .seconds(5)) { server.connections.first?.peerClosed != nil }
    }
}
