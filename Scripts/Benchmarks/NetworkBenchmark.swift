import Foundation
import HTTPTransport
import LoopbackServer
import NetworkProvider

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The whole provider over its default transport beside URLSession, on a loopback server in this process.
///
/// The server's threads add up their own processor time, which is taken off the process's: what is left is the client.
struct NetworkBenchmark: Benchmark {
    let area = "network"
    let summary = "requests/s and CPU per request through NetworkProvider against URLSession; cancel to closed socket"

    private static let answer = #"{"message":""# + String(repeating: "d", count: 170) + #"","status":"success"}"#

    private struct Target: RemoteTargetType {
        let base: String
        let path = "/api/breeds/image/random"
    }

    private struct Sample {
        var perSecond: Double
        var cpu: Double
    }

    private typealias Send = @Sendable () async throws -> Void

    func run() async throws -> [BenchmarkRow] {
        let server = try LoopbackServer(immediateHandler: { _ in .json(NetworkBenchmark.answer) })
        defer { server.stop() }
        let provider = NetworkProvider()
        let target = Target(base: server.baseURL)
        guard let url = URL(string: server.baseURL + target.path) else { return [] }
        let session = URLSession(configuration: .ephemeral)
        defer { session.invalidateAndCancel() }
        let ours: Send = { _ = try await provider.request(target) }
        let theirs: Send = { _ = try await session.data(from: url) }

        var rows: [BenchmarkRow] = []
        for (name, tasks, rate, cpu) in [("sequential", 1, 3.0, 0.30), ("64 tasks", 64, 5.0, 0.15)] {
            let (mine, other) = try await compare(server, ours, theirs, tasks: tasks)
            rows.append(
                .atLeast(
                    rate,
                    area: area,
                    name: "requests/s, \(name)",
                    value: mine.perSecond / other.perSecond,
                    unit: "x",
                    against: "URLSession: \(other.perSecond.brief)/s"
                )
            )
            rows.append(
                .atMost(
                    cpu,
                    area: area,
                    name: "CPU per request, \(name)",
                    value: mine.cpu / other.cpu,
                    unit: "x",
                    against: "URLSession: \((other.cpu * 1e6).brief) µs"
                )
            )
        }
        rows.append(try await cancelLatency())
        return rows
    }

    /// Medians of both sides, measured in turn.
    private func compare(
        _ server: LoopbackServer,
        _ ours: @escaping Send,
        _ theirs: @escaping Send,
        tasks: Int
    ) async throws -> (Sample, Sample) {
        let requests = tasks == 1 ? 300 : 1_280
        var samples: [[Sample]] = [[], []]
        for round in 0...7 {
            for (index, send) in [ours, theirs].enumerated() {
                let start = ContinuousClock.now
                let cpu = cpuSeconds() - Double(server.processorTime) / 1e9
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<tasks {
                        group.addTask { for _ in 0..<requests / tasks { try await send() } }
                    }
                    try await group.waitForAll()
                }
                let spent = cpuSeconds() - Double(server.processorTime) / 1e9 - cpu
                let wall = (ContinuousClock.now - start).seconds
                // The first round warms connections and caches.
                guard round > 0 else { continue }
                samples[index].append(Sample(perSecond: Double(requests) / wall, cpu: spent / Double(requests)))
            }
        }
        func middle(_ side: [Sample]) -> Sample {
            Sample(perSecond: median(side.map(\.perSecond)), cpu: median(side.map(\.cpu)))
        }
        return (middle(samples[0]), middle(samples[1]))
    }

    /// From cancelling a task to the server's seeing the closed socket.
    private func cancelLatency() async throws -> BenchmarkRow {
        let server = try LoopbackServer { _ in .failing(.noAnswer) }
        defer { server.stop() }
        let provider = NetworkProvider()
        let target = Target(base: server.baseURL)
        var times: [Double] = []
        for round in 0..<51 {
            let task = Task { try await provider.request(target) }
            while server.requests.count <= round { try await Task.sleep(for: .milliseconds(1)) }
            let start = ContinuousClock.now
            task.cancel()
            _ = await task.result
            while server.connections[round].peerClosed == nil { try await Task.sleep(for: .microseconds(200)) }
            if let closed = server.connections[round].peerClosed { times.append((closed - start).seconds * 1_000) }
        }
        return .atMost(
            10,
            area: area,
            name: "cancel to closed socket",
            value: median(times),
            unit: "ms",
            against: "median of \(times.count)"
        )
    }
}
