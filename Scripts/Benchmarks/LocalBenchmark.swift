import Foundation
import LocalProvider

/// Durable sets of the journal beside the least that the disk asks for, and beside UserDefaults.
struct LocalBenchmark: Benchmark {
    let area = "local"
    let summary = "durable sets against append + fdatasync and UserDefaults"

    /// What a set costs beside the disk.
    let workloads = [
        Workload(name: "local.set") { iterations in
            let location = FileStoreLocation(directory: "/dev/shm/bench-workload")
            let store = JSONDefaults(location: location)
            let values = (0..<100).map { LocalBenchmark.value($0) }
            guard let names = try? (0..<100).map({ try LocalIdentifier("key\($0)") }) else { return }
            for number in 0..<iterations {
                try? store.set(
                    values[number * 7 % 101 % 100],
                    for: names[number % 100],
                    rule: .set,
                    durability: .written
                )
            }
        }
    ]

    func run() async throws -> [BenchmarkRow] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("local-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var rows: [BenchmarkRow] = []
        for count in [10, 1_000, 10_000] { rows.append(try durableSet(in: folder, count: count)) }
        rows.append(try userDefaults(in: folder))
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

    private func durableSet(in folder: URL, count: Int) throws -> BenchmarkRow {
        let location = FileStoreLocation(directory: folder)
        let store = JSONDefaults(location: location, name: "store\(count)")
        try Self.filled(store, count)
        // The other side does without lock, checksum and encoding: the same bytes behind the last ones, and the disk.
        let raw = open(folder.appendingPathComponent("raw\(count)").path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        defer { close(raw) }
        let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: 1_011)
        for _ in 0..<count { _ = write(raw, bytes, bytes.count) }
        fdatasync(raw)
        // Made beforehand, as the other side's bytes are; one round more warms the caches.
        let rounds = 400
        let values = (0...rounds).map { Self.value($0 + 1) }
        let identifiers = try (0...rounds).map { try LocalIdentifier("key\(($0 + 1) &* 7_919 % count)") }
        var number = 0
        let sides: [() throws -> Void] = [
            {
                try store.set(values[number], for: identifiers[number], rule: .set, durability: .synced)
                number += 1
            },
            {
                guard write(raw, bytes, bytes.count) == bytes.count, fdatasync(raw) == 0 else {
                    throw CocoaError(.fileWriteUnknown)
                }
            },
        ]
        let timings = try interleaved(rounds: rounds, sides)
        return .atMost(
            1.15,
            area: area,
            name: "durable set of 976 B at \(count) keys",
            value: timings[0].wall / timings[1].wall,
            unit: "x time",
            against: "append + fdatasync: \((timings[1].wall * 1e6).brief) us"
        )
    }

    private func userDefaults(in folder: URL) throws -> BenchmarkRow {
        let count = 10_000
        let store = JSONDefaults(location: FileStoreLocation(directory: folder), name: "against")
        try Self.filled(store, count)
        let name = "pawkit-benchmark-\(UUID().uuidString)"
        guard let defaults = UserDefaults(suiteName: name) else {
            return .atLeast(
                500,
                area: area,
                name: "durable set at 10,000 keys",
                value: nil,
                unit: "x faster",
                against: "UserDefaults cannot be opened"
            )
        }
        defer { defaults.removePersistentDomain(forName: name) }
        for number in 0..<count { defaults.set(Self.value(number), forKey: "key\(number)") }
        defaults.synchronize()
        // One after the other: what UserDefaults leaves to be written, a synchronisation beside it would wait for.
        sync()
        var number = 0
        let ours = try interleaved(
            rounds: 200,
            [
                {
                    number += 1
                    let identifier = try LocalIdentifier("key\(number)")
                    try store.set(Self.value(-number), for: identifier, rule: .set, durability: .synced)
                }
            ]
        )[0]
        let theirs = try interleaved(
            rounds: 5,
            [
                {
                    number += 1
                    defaults.set(Self.value(-number), forKey: "key\(number)")
                    defaults.synchronize()
                }
            ]
        )[0]
        return .atLeast(
            500,
            area: area,
            name: "durable set at 10,000 keys",
            value: theirs.wall / ours.wall,
            unit: "x faster",
            against: "UserDefaults: \((theirs.wall * 1e3).brief) ms"
        )
    }
}
