import Foundation
import LoopbackServer
import NetworkProvider

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The whole provider over its default transport, beside URLSession in the same process and a client in C over libcurl.
struct NetworkBenchmark: Benchmark {
    let area = "network"
    let summary =
        "requests/s and CPU through NetworkProvider beside URLSession and C over libcurl; memory, cancelling, 401s"

    let peers = [Peer.curl]

    private struct Target: RemoteTargetType {
        let base: String
        let path = "/api/breeds/image/random"
    }

    /// What one request takes, in seconds.
    private struct Sample {
        var wall: Double
        var cpu: Double
    }

    private typealias Send = @Sendable () async throws -> Void

    func run() async throws -> [BenchmarkRow] {
        let server = try NetworkBenchServer()
        defer { server.stop() }
        var rows: [BenchmarkRow] = []
        // AsyncHTTPClient does not build with this toolchain's settings: its row has the published CPU per request, as a part
        // of URLSession's on another machine, and no target.
        for (name, tasks, rate, cpu, published) in [
            ("sequential", 1, 3.0, 0.30, 0.45), ("64 tasks", 64, 5.0, 0.15, 0.21),
        ] {
            rows += try await speed(server, name, tasks: tasks, rate: rate, cpu: cpu, published: published)
        }
        rows += try memory(server)
        rows.append(try await cancelLatency())
        rows += try await refreshes()
        return rows
    }

    // MARK: - Speed

    private func speed(
        _ server: NetworkBenchServer,
        _ name: String,
        tasks: Int,
        rate: Double,
        cpu: Double,
        published: Double
    ) async throws -> [BenchmarkRow] {
        let peer = NetworkCurlPeer()
        let (ours, theirs, plain) = try await compare(server, peer, tasks: tasks)
        let session = "URLSession, \(server.name): \((1 / theirs.wall).brief)/s, \((theirs.cpu * 1e6).brief) µs of CPU"
        let ratio = ours.cpu / theirs.cpu
        let inC =
            plain.map { "C over libcurl: \((1 / $0.wall).brief)/s, \(($0.cpu * 1e6).brief) µs of CPU" }
            ?? peer.program.reason
        let other = "not compared: AsyncHTTPClient's published \(published.brief) of URLSession's"
        return [
            row("requests/s, \(name)", theirs.wall / ours.wall, "x", atLeast: rate, against: session),
            row("CPU per request, \(name)", ratio, "x", atMost: cpu, against: session),
            row("CPU per request, \(name)", ratio / published, "x", against: other),
            row("requests/s, \(name)", plain.map { $0.wall / ours.wall }, "x", atLeast: 0.8, against: inC),
            row("CPU per request, \(name)", plain.map { ours.cpu / $0.cpu }, "x", atMost: 1.5, against: inC),
        ]
    }

    /// Medians of the three sides, measured in turn.
    private func compare(
        _ server: NetworkBenchServer,
        _ peer: NetworkCurlPeer,
        tasks: Int
    ) async throws -> (ours: Sample, theirs: Sample, plain: Sample?) {
        let provider = NetworkProvider()
        let target = Target(base: server.baseURL)
        guard let url = URL(string: server.baseURL + target.path) else { throw URLError(.badURL) }
        let session = URLSession(configuration: .ephemeral)
        defer { session.invalidateAndCancel() }
        let ours: Send = { _ = try await provider.request(target) }
        let theirs: Send = { _ = try await session.data(from: url) }
        let requests = tasks == 1 ? 400 : 1_920
        var samples: [[Sample]] = [[], [], []]
        for round in 0...9 {
            for (index, send) in [ours, theirs].enumerated() {
                let sample = try await measure(server, send, tasks: tasks, requests: requests)
                // The first round warms connections and caches.
                if round > 0 { samples[index].append(sample) }
            }
            if let plain = try peer.run(url.absoluteString, requests: requests, tasks: tasks), round > 0 {
                samples[2].append(Sample(wall: plain.wall, cpu: plain.cpu))
            }
        }
        func middle(_ side: [Sample]) -> Sample {
            Sample(wall: median(side.map(\.wall)), cpu: median(side.map(\.cpu)))
        }
        return (middle(samples[0]), middle(samples[1]), samples[2].isEmpty ? nil : middle(samples[2]))
    }

    private func measure(
        _ server: NetworkBenchServer,
        _ send: @escaping Send,
        tasks: Int,
        requests: Int
    ) async throws -> Sample {
        let start = ContinuousClock.now
        let cpu = cpuSeconds() - server.cpuSeconds
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<tasks {
                group.addTask { for _ in 0..<requests / tasks { try await send() } }
            }
            try await group.waitForAll()
        }
        let spent = cpuSeconds() - server.cpuSeconds - cpu
        let wall = (ContinuousClock.now - start).seconds
        return Sample(wall: wall / Double(requests), cpu: spent / Double(requests))
    }

    // MARK: - Memory, cancelling, refreshing

    private func memory(_ server: NetworkBenchServer) throws -> [BenchmarkRow] {
        let body = NetworkBenchServer.longBody >> 20
        let url = server.baseURL + "/long"
        let own = NetworkMemory("network-probe", name: "a separate process")
        let peers = [NetworkMemory("session-probe", name: "URLSession"), NetworkMemory(NetworkCurlPeer())]
        return try [
            ("gather", "peak memory, \(body) MB in memory", Double(body + 30)),
            ("stream", "peak memory, \(body) MB to a slow reader", 40),
            ("download", "peak memory, \(body) MB to a file", 40),
        ].map { way, name, bound in
            let against = peers.map { $0.description(way, url) } + [own.name, server.name]
            let peak = try own.peak(way, url)
            return row(name, peak, "MB", atMost: bound, against: against.joined(separator: "; "))
        }
    }

    /// From cancelling a task to the server's seeing the closed socket.
    private func cancelLatency() async throws -> BenchmarkRow {
        func description(_ times: NetworkCancelling.Times) -> String {
            let left = times.left > 0 ? ", \(times.left) of \(times.left + times.milliseconds.count) not closed" : ""
            return "\(times.middle.brief) ms" + left
        }
        let peer = NetworkCurlPeer()
        let ours = try await NetworkCancelling.ours()
        let session = try await NetworkCancelling.session()
        let plain =
            try await NetworkCancelling.plain(peer).map { "C over libcurl: \(description($0))" } ?? peer.program.reason
        let against = "URLSession: \(description(session)); \(plain); medians of \(ours.milliseconds.count)"
        return row("cancel to closed socket", ours.middle, "ms", atMost: 10, against: against)
    }

    private func refreshes() async throws -> [BenchmarkRow] {
        let outcome = try await NetworkRefresh.run(requests: 1_000)
        let hasRefreshed = outcome.failures == 0 && outcome.refreshes > 0
        let refreshes = hasRefreshed ? Double(outcome.refreshes) : .infinity
        let failed = "\(outcome.failures) requests failed"
        let once = "each request once with the old credential, once with the fresh one"
        return [
            row("refreshes for 1000 concurrent 401s", refreshes, "", atMost: 1, against: failed),
            row("replays of no use among them", Double(outcome.staleReplays), "", atMost: 0, against: once),
        ]
    }
}
