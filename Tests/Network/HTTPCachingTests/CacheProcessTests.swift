import Foundation
import HTTPCaching
import NetworkProvider
import TestSupport
import Testing

@Suite("Cache: several processes")
struct CacheProcessTests {
    private static let writer = ChildProcess.productsDirectory.appendingPathComponent("cache-writer")

    @Test("Processes that share a folder read only what was written, and stay within the limit")
    func sharesFolder() async throws {
        let folder = try TemporaryDirectory()
        let limit = 40_000
        try await withThrowingTaskGroup(of: ChildResult.self) { group in
            for seed in 1...3 {
                group.addTask {
                    try await ChildProcess.run(Self.writer, [folder.path, "\(limit)", "400", "\(seed)"])
                }
            }
            for try await result in group { #expect(result.status == 0, "\(result.errors)") }
        }
        let store = HTTPDiskCacheStore(path: folder.path, byteLimit: limit)
        // Each may have written a sixteenth, and a value, since it last looked.
        #expect(store.byteCount <= limit + 3 * (limit / 16 + 5_100))
        try await check(store, "seeds 1 to 3")
    }

    @Test("A process that is killed while it writes leaves complete values or none")
    func killed() async throws {
        let folder = try TemporaryDirectory()
        for seed in UInt64(1)...(isLongRun ? 60 : 6) {
            var generator = SeededGenerator(seed: seed)
            let process = Process()
            process.executableURL = Self.writer
            process.arguments = [folder.path, "40000", "0", "\(seed)"]
            process.standardError = FileHandle.nullDevice
            try process.run()
            let store = HTTPDiskCacheStore(path: folder.path, byteLimit: 40_000)
            try await eventually { store.byteCount > 1_000 }
            try await Task.sleep(for: .microseconds(Int.random(in: 0...5_000, using: &generator)))
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            try await check(store, "seed \(seed)")
            // The partial files that it left have no effect.
            try await store.set(Data("new".utf8), for: "k0")
            #expect(try await store.value(for: "k0") == Data("new".utf8), "seed \(seed)")
            try await store.removeAll()
            #expect(store.byteCount == 0, "seed \(seed)")
        }
    }

    private func check(_ store: HTTPDiskCacheStore, _ seeds: Comment) async throws {
        for number in 0..<20 {
            guard let data = try await store.value(for: "k\(number)") else { continue }
            #expect(data.count <= 5_000 && data.allSatisfy { $0 == UInt8(number) }, seeds)
        }
    }
}
