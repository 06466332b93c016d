import Foundation
import LocalProvider
import TestSupport

/// Two processes that use one store, and many threads.
struct LocalProcessesBenchmark: Benchmark {
    let area = "local"
    let summary = "changes seen from process to process, lost updates, and durable sets of many threads"

    /// The path of the store for a workload in a separate process.
    private static let folderVariable = "PAWKIT_BENCHMARK_FOLDER"

    private static func store(_ folder: String? = nil) -> JSONDefaults? {
        (folder ?? ProcessInfo.processInfo.environment[folderVariable]).map {
            JSONDefaults(location: FileStoreLocation(directory: $0))
        }
    }

    private static func now() -> Int { Int(MemoryCache<Int, Int>.monotonicNanoseconds()) }

    let workloads = [
        // Sets the time, again and again, with pauses; the one clock counts for all processes.
        Workload(name: "local.tell") { iterations in
            guard let store = LocalProcessesBenchmark.store(), let time = try? LocalIdentifier("time") else { return }
            for _ in 0..<iterations {
                usleep(2_000)
                try? store.set(LocalProcessesBenchmark.now(), for: time, rule: .set, durability: .written)
            }
        },
        Workload(name: "local.count") { iterations in
            guard let store = LocalProcessesBenchmark.store(), let count = try? LocalIdentifier("count") else { return }
            for _ in 0..<iterations {
                try? store.update(count, as: Int.self, durability: .written) { $0 = ($0 ?? 0) + 1 }
            }
        },
    ]

    func run() async throws -> [BenchmarkRow] {
        let folder = try TemporaryDirectory("local")
        var rows: [BenchmarkRow] = []
        for name in ["tell", "count", "threads"] {
            let path = folder.file(name).path
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            switch name {
            case "tell": rows += try await latency(path)
            case "count": rows.append(try lostUpdates(path))
            default: rows.append(try groupCommit(path))
            }
        }
        return rows
    }

    /// Starts this program anew with a workload.
    private func process(_ workload: String, _ iterations: Int, in folder: String) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["--workload", workload, "--iterations", "\(iterations)"]
        var variables = ProcessInfo.processInfo.environment
        variables[Self.folderVariable] = folder
        process.environment = variables
        try process.run()
        return process
    }

    /// The time from just before the other process sets a value until this one, which awaits its stream of changes, has
    /// read the value.
    private func latency(_ folder: String) async throws -> [BenchmarkRow] {
        guard let store = Self.store(folder) else { return [] }
        let time = try LocalIdentifier("time")
        let (wanted, changes) = (1_000, store.changes())
        let writer = try process("local.tell", wanted, in: folder)
        var latencies: [Double] = []
        for await _ in changes {
            let then = try store.value(for: time, as: Int.self)
            let now = Self.now()
            latencies.append(Double(now - (then ?? now)) / 1e3)
            if latencies.count == wanted { break }
        }
        writer.waitUntilExit()
        latencies.sort()
        let (middle, last) = (latencies[wanted / 2], latencies[wanted * 99 / 100])
        let against = "\(wanted) changes, set to read"
        return [
            row("another process's change is seen (p50)", middle, "us", against: against),
            row("another process's change is seen (p99)", last, "us", atMost: 1_000, against: against),
        ]
    }

    private func lostUpdates(_ folder: String) throws -> BenchmarkRow {
        let each = 50_000
        let start = ContinuousClock.now
        let writers = try (0..<2).map { _ in try process("local.count", each, in: folder) }
        for writer in writers { writer.waitUntilExit() }
        let seconds = (ContinuousClock.now - start).seconds
        let count = try Self.store(folder)?.value(for: LocalIdentifier("count"), as: Int.self) ?? 0
        let name = "updates lost by two processes of 100,000"
        let against = "\((Double(2 * each) / seconds).brief) updates/s"
        return row(name, Double(2 * each - count), "updates", atMost: 0, against: against)
    }

    private func groupCommit(_ folder: String) throws -> BenchmarkRow {
        guard let store = Self.store(folder) else { throw CocoaError(.fileReadUnknown) }
        func rate(_ threads: Int, _ each: Int) throws -> Double {
            let start = ContinuousClock.now
            let group = DispatchGroup()
            for thread in 0..<threads {
                let worker = Thread {
                    for number in 0..<each {
                        guard let name = try? LocalIdentifier("\(thread)/\(number % 50)") else { continue }
                        try? store.set("\(number)", for: name, rule: .set, durability: .synced)
                    }
                    group.leave()
                }
                group.enter()
                worker.start()
            }
            group.wait()
            return Double(threads * each) / (ContinuousClock.now - start).seconds
        }
        let rounds = try (0..<5).map { _ in try (rate(1, 200), rate(16, 200)) }
        let (one, many) = (median(rounds.map(\.0)), median(rounds.map(\.1)))
        return row("durable sets of 16 threads", many, "sets/s", against: "one thread: \(one.brief) sets/s")
    }
}
