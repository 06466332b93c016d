import Foundation
import LocalProvider
import TestSupport

/// Durable sets of the journal beside the least that the disk asks for, SQLite, a rewrite of the whole, and UserDefaults.
struct LocalBenchmark: Benchmark {
    let area = "local"
    let summary = "durable sets against append + fdatasync, SQLite, a whole-file rewrite and UserDefaults"

    /// What a set costs beside the disk.
    let workloads = [
        Workload(name: "local.set") { iterations in
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("local-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: folder) }
            let store = JSONDefaults(location: FileStoreLocation(directory: folder))
            let values = (0..<100).map { LocalBenchmark.value($0) }
            guard let names = try? (0..<100).map({ try LocalIdentifier("key\($0)") }) else { return }
            for number in 0..<iterations {
                let value = values[number * 7 % 101 % 100]
                try? store.set(value, for: names[number % 100], rule: .set, durability: .written)
            }
        }
    ]

    func run() async throws -> [BenchmarkRow] {
        let folder = try TemporaryDirectory("local")
        var rows: [BenchmarkRow] = []
        for count in [10, 1_000, 10_000] { rows += try durableSet(in: folder.url, count: count) }
        rows.append(try userDefaults(in: folder.url))
        return rows
    }

    /// A text whose JSON has 976 bytes.
    static func value(_ number: Int) -> String {
        let head = "\(number) "
        return head + String(repeating: "x", count: 974 - head.utf8.count)
    }

    private static func filled(_ store: JSONDefaults, _ count: Int) throws {
        try store.transaction { transaction in
            for number in 0..<count { try transaction.set(value(number), for: "key\(number)") }
        }
    }

    private func durableSet(in folder: URL, count: Int) throws -> [BenchmarkRow] {
        let store = JSONDefaults(location: FileStoreLocation(directory: folder), name: "store\(count)")
        try Self.filled(store, count)
        // With an observer, as in an app: the thread of the watcher is part of the cost.
        let changes = store.changes()
        defer { withExtendedLifetime(changes) {} }
        // The other side does without lock, checksum and encoding: the same bytes behind the last ones, and the disk.
        let raw = open(folder.appendingPathComponent("raw\(count)").path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        defer { close(raw) }
        let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: 1_011)
        for _ in 0..<count { _ = write(raw, bytes, bytes.count) }
        fdatasync(raw)
        let sqlite = try LocalSQLite(folder.appendingPathComponent("sqlite\(count)").path)
        try sqlite?.fill((0..<count).map { ("key\($0)", Self.value($0)) })
        // Made beforehand, as the other side's bytes are; one round more warms the caches.
        let rounds = 400
        let values = (0...rounds).map { Self.value($0 + 1) }
        let names = (0...rounds).map { "key\(($0 + 1) &* 7_919 % count)" }
        let identifiers = try names.map { try LocalIdentifier($0) }
        var numbers = (0, 0)
        var sides: [() throws -> Void] = [
            {
                try store.set(values[numbers.0], for: identifiers[numbers.0], rule: .set, durability: .synced)
                numbers.0 += 1
            },
            {
                guard write(raw, bytes, bytes.count) == bytes.count, fdatasync(raw) == 0 else {
                    throw CocoaError(.fileWriteUnknown)
                }
            },
        ]
        if let sqlite {
            sides.append {
                try sqlite.set(values[numbers.1], for: names[numbers.1])
                numbers.1 += 1
            }
        }
        let timings = try interleaved(rounds: rounds, sides)
        let (ours, theirs) = (timings[0].wall, timings[1].wall)
        let what = "durable set of 976 B at \(count) keys"
        let rewrite = try wholeFile(in: folder, count: count)
        // A row without a target.
        func figure(_ peer: String, _ seconds: Double?) -> BenchmarkRow {
            let time = seconds.map { "\(($0 * 1e6).brief) us" } ?? "not installed (libsqlite3)"
            return row(what, seconds.map { $0 / ours }, "x faster", against: "\(peer): \(time)")
        }
        let against = "append + fdatasync: \((theirs * 1e6).brief) us; here \((ours * 1e6).brief) us"
        return [
            row(what, ours / theirs, "x time", atMost: 1.15, against: against),
            figure("SQLite WAL FULL", sqlite.map { _ in timings[2].wall }),
            figure("whole-file rewrite", rewrite),
        ]
    }

    /// The steps of a program that stores everything in one file: a new file, the disk, the name, the disk.
    private func wholeFile(in folder: URL, count: Int) throws -> Double {
        let (path, fresh) = (folder.path + "/whole\(count)", folder.path + "/whole\(count).tmp")
        let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: count * 990)
        let directory = open(folder.path, O_RDONLY)
        defer { close(directory) }
        let timings = try interleaved(
            rounds: 15,
            [
                {
                    let file = open(fresh, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
                    defer { close(file) }
                    guard write(file, bytes, bytes.count) == bytes.count, fsync(file) == 0, rename(fresh, path) == 0,
                        fsync(directory) == 0
                    else { throw CocoaError(.fileWriteUnknown) }
                }
            ]
        )
        return timings[0].wall
    }

    private func userDefaults(in folder: URL) throws -> BenchmarkRow {
        let count = 10_000
        let store = JSONDefaults(location: FileStoreLocation(directory: folder), name: "against")
        try Self.filled(store, count)
        let name = "pawkit-benchmark-\(UUID().uuidString)"
        let what = "durable set at 10,000 keys"
        guard let defaults = UserDefaults(suiteName: name) else {
            return row(what, nil, "x faster", atLeast: 500, against: "UserDefaults cannot be opened")
        }
        defer { defaults.removePersistentDomain(forName: name) }
        for number in 0..<count { defaults.set(Self.value(number), forKey: "key\(number)") }
        defaults.synchronize()
        var samples: (ours: [Double], theirs: [Double]) = ([], [])
        var number = 0
        for _ in 0..<7 {
            // In turn; but what UserDefaults leaves to the system to write, megabytes each time, is brought to the disk
            // in between, not counted for any side: a synchronisation beside it would wait for that, too.
            sync()
            samples.ours += try (0..<30).map { _ in
                number += 1
                let (identifier, value) = (try LocalIdentifier("key\(number)"), Self.value(-number))
                let start = ContinuousClock.now
                try store.set(value, for: identifier, rule: .set, durability: .synced)
                return (ContinuousClock.now - start).seconds
            }
            number += 1
            let start = ContinuousClock.now
            defaults.set(Self.value(-number), forKey: "key\(number)")
            defaults.synchronize()
            samples.theirs.append((ContinuousClock.now - start).seconds)
        }
        let (ours, theirs) = (median(samples.ours), median(samples.theirs))
        let against = "UserDefaults: \((theirs * 1e3).brief) ms; here \((ours * 1e6).brief) us"
        return row(what, theirs / ours, "x faster", atLeast: 500, against: against)
    }
}
