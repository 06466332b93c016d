import Foundation
import LocalProviderTestSupport
import SystemCalls
import TestSupport
import Testing
import Threading

@testable import LocalProvider

/// Readers of a journal during its compaction.
@Suite("Readers during compactions", .timeLimit(.minutes(10)))
struct JournalReaderTests {
    private static let path = "/data/defaults.journal"

    private static func store(_ calls: any FileCalls) -> JSONDefaults {
        var options = JSONDefaults.Options()
        // Reading waits for no lock.
        options.lockTimeLimit = .zero
        return JSONDefaults(on: calls, options: options)
    }

    @Test("Between any two calls of a compaction, old and new readers find every value", arguments: [true, false])
    func everyCall(keepsBackup: Bool) throws {
        let disk = SimulatedDisk()
        let reader = Self.store(SimulatedProcess(disk))
        var expected: [String: Int] = [:]
        let seen = Locked<[Result<[String: Int], any Error>]>([])
        let calls = FaultyCalls(.none, over: SimulatedProcess(disk)) {
            let fresh = Self.store(SimulatedProcess(disk))
            for store in [reader, fresh] {
                let values = Result { try store.numbers() }
                seen.withLock { $0.append(values) }
            }
            #expect(fresh.recoveries.isEmpty)
        }
        let writer = Self.store(calls)
        var file: UInt64?
        for round in 1...5 {
            for name in ["a", "b", "c"] {
                expected[name] = round
                try writer.set(name, round)
            }
            try writer.remove("b", .written)
            expected["b"] = nil
            seen.withLock { $0 = [] }
            try writer.compactNow(keepsBackup: keepsBackup)
            let results = seen.withLock { $0 }
            #expect(results.count > 20)
            for result in results { #expect(try result.get() == expected, "round \(round)") }
            let present = try FileSystem(SimulatedProcess(disk)).outline(of: Self.path)?.inode
            #expect(present != nil && present != file, "round \(round)")
            file = present
        }
        #expect(reader.recoveries.isEmpty)
    }

    @Test("While another process compacts repeatedly, every value is intact and none is missing")
    func otherProcess() async throws {
        let folder = try TemporaryDirectory("readers")
        let location = FileStoreLocation(directory: folder.path)
        let fixed = Dictionary(uniqueKeysWithValues: (0..<20).map { ("fixed\($0)", "\($0) 그대로") })
        let reader = JSONDefaults(location: location)
        for (name, text) in fixed { try reader.set(name, text) }
        let child = try CrashChild("defaults", folder.path)
        defer { child.kill() }
        // The process's texts are there for good once it has written each.
        try await eventually(within: .seconds(120)) { CrashChild.acknowledged(folder.path) >= 20 }
        func inode() throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: reader.path)[.systemFileNumber] as? Int
        }
        var (files, reads, last) = (1, 0, 0)
        var file = try inode()
        let filler = String(repeating: "한글 filler ", count: 80)
        try await eventually(within: .seconds(240)) {
            for store in [reader, JSONDefaults(location: location)] {
                #expect(try store.values(of: String.self, prefix: "fixed") == fixed)
                let texts = try store.values(of: String.self, prefix: "blob")
                #expect(texts.count == 20)
                for (name, text) in texts {
                    let number = try #require(Int(text.prefix { $0 != " " }))
                    #expect(text == "\(number) \(filler)" && name == "blob\(number % 20)")
                }
                let counter = try #require(try store.value("counter"))
                #expect(counter >= last)
                last = counter
                #expect(store.recoveries.isEmpty)
                reads += 1
            }
            let present = try inode()
            if present != file { files += 1 }
            file = present
            return files > 6
        }
        #expect(reads > 6)
    }
}
