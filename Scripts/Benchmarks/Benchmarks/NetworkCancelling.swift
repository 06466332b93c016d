import Foundation
import LoopbackServer
import NetworkProvider

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// From ending a request without a response to the server's seeing the closed socket.
enum NetworkCancelling {
    private struct Target: RemoteTargetType {
        let base: String
    }

    private static let rounds = 51

    /// The milliseconds of cancelling requests one after the other.
    struct Times {
        /// Each of those that were closed at all.
        var milliseconds: [Double]
        /// How many were not closed within a second.
        var left: Int

        /// Their median; infinite where that one was not closed.
        var middle: Double { median(milliseconds + Array(repeating: .infinity, count: left)) }
    }

    /// Through the whole provider.
    static func ours() async throws -> Times {
        let provider = NetworkProvider()
        return try await tasks { base in _ = try await provider.request(Target(base: base)) }
    }

    /// Through URLSession.
    static func session() async throws -> Times {
        let session = URLSession(configuration: .ephemeral)
        defer { session.invalidateAndCancel() }
        return try await tasks { base in
            guard let url = URL(string: base + "/") else { throw URLError(.badURL) }
            _ = try await session.data(from: url)
        }
    }

    /// By the client in C, which takes each transfer out of its multi handle; `nil` if it is not installed.
    static func plain(_ peer: NetworkCurlPeer) async throws -> Times? {
        let server = try LoopbackServer { _ in .failing(.noAnswer) }
        defer { server.stop() }
        // Both clocks count from the machine's start, with the time for which it sleeps.
        var start = timespec()
        #if canImport(Darwin)
            clock_gettime(CLOCK_MONOTONIC, &start)
        #else
            clock_gettime(CLOCK_BOOTTIME, &start)
        #endif
        let now = ContinuousClock.now
        let begun = Duration.seconds(start.tv_sec) + .nanoseconds(start.tv_nsec)
        guard let ends = try peer.cancel(server.baseURL, rounds: rounds) else { return nil }
        var times = Times(milliseconds: [], left: 0)
        for (round, end) in ends.enumerated() {
            times.add(try await closed(server, round), since: now + (.nanoseconds(end) - begun))
        }
        return times
    }

    /// Cancels tasks that send a request to a base each.
    private static func tasks(_ send: @escaping @Sendable (String) async throws -> Void) async throws -> Times {
        let server = try LoopbackServer { _ in .failing(.noAnswer) }
        defer { server.stop() }
        let base = server.baseURL
        var times = Times(milliseconds: [], left: 0)
        for round in 0..<rounds {
            let task = Task { try await send(base) }
            while server.requests.count <= round { try await Task.sleep(for: .milliseconds(1)) }
            let start = ContinuousClock.now
            task.cancel()
            _ = await task.result
            times.add(try await closed(server, round), since: start)
        }
        return times
    }

    /// When the server saw a connection closed; nil when it did not within a second.
    private static func closed(_ server: LoopbackServer, _ round: Int) async throws -> ContinuousClock.Instant? {
        for _ in 0..<5_000 {
            if let closed = server.connections[round].peerClosed { return closed }
            try await Task.sleep(for: .microseconds(200))
        }
        return nil
    }
}

extension NetworkCancelling.Times {
    mutating func add(_ closed: ContinuousClock.Instant?, since start: ContinuousClock.Instant) {
        if let closed { milliseconds.append((closed - start).seconds * 1_000) } else { left += 1 }
    }
}
