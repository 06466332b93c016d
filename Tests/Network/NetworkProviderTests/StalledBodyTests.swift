import Foundation
import HTTPCaching
import LoopbackServer
import NetworkProvider
import NetworkTestSupport
import TestSupport
import Testing
import Threading

/// The body of a response that is discarded is read for a second only; its idle timeout is a minute here.
@Suite("Unused bodies")
struct StalledBodyTests {
    /// A body that stops, and one that continues slowly enough never to end, but within any idle timeout.
    private static let faults: [ServedResponse.Fault] = [
        .stalled(after: 2), .slow(bytes: 1, pause: .milliseconds(100)),
    ]

    /// Responds to the first request with a body that is short enough to be read, but does not arrive.
    private func server(_ status: Int, _ fault: Int) throws -> LoopbackServer {
        let count = Locked(0)
        return try LoopbackServer { _ in
            guard count.increment() == 1 else { return .text("end") }
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
        let call = Call<String>(base: server.baseURL, path: "/first")
        #expect(try await within(.seconds(6)) { try await provider.request(call) } == "end")
        // The connection of the body that did not arrive is closed, not reused.
        try await eventually(within: .seconds(5)) { server.connections.first?.peerClosed != nil }
    }

    @Test("The excerpt of an error contains what arrived within a second", arguments: [0, 1])
    func excerpt(_ fault: Int) async throws {
        let server = try server(404, fault)
        defer { server.stop() }
        let call = Call<String>(base: server.baseURL)
        let error = await #expect(throws: NetworkError.self) {
            try await within(.seconds(6)) { try await NetworkProvider().request(call) }
        }
        #expect(error?.status == 404 && error?.response?.text.hasPrefix("aa") == true)
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
