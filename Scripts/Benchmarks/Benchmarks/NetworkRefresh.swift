import Foundation
import LoopbackServer
import NetworkProvider

/// A thousand requests that are all refused at one time: how many refreshes, and how many that never should have failed.
enum NetworkRefresh {
    private struct Answer: RemoteTargetType {
        let base: String
    }

    /// What came of it.
    struct Outcome: Sendable {
        /// How often a fresh credential was asked for.
        var refreshes: Int
        /// Requests that did not end well.
        var failures: Int
        /// Requests sent with the old credential after the first response to one with the new one, beyond those that
        /// were on their way.
        var staleReplays: Int
    }

    static func run(requests: Int) async throws -> Outcome {
        let server = try LoopbackServer { request in
            // Every request of the crowd is refused before the first refresh is done.
            request.header("Authorization") == "Bearer fresh" ? .text("ok") : ServedResponse(status: 401)
        }
        defer { server.stop() }
        let authority = try LoopbackServer { _ in
            ServedResponse(body: .data(Data("fresh".utf8)), delay: .milliseconds(50))
        }
        defer { authority.stop() }
        let (sessions, authorityURL) = (NetworkProvider(), authority.baseURL)
        let authentication = AuthenticationPlugin(.bearer("stale"), for: .everyServer) { _ in
            .bearer(String(decoding: try await sessions.request(Answer(base: authorityURL)), as: UTF8.self))
        }
        let provider = NetworkProvider(plugins: [authentication])
        let base = server.baseURL
        let failures = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<requests {
                group.addTask { (try? await provider.request(Answer(base: base))) == Data("ok".utf8) }
            }
            return await group.reduce(0) { $1 ? $0 : $0 + 1 }
        }
        let stale = server.requests.count { $0.header("Authorization") == "Bearer stale" }
        let fresh = server.requests.count { $0.header("Authorization") == "Bearer fresh" }
        // Each request is sent at the most once with each credential; one more of either is a replay of no use.
        return Outcome(
            refreshes: authority.requests.count,
            failures: failures,
            staleReplays: max(0, stale - requests) + max(0, fresh - requests)
        )
    }
}
