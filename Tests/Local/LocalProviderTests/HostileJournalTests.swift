import Foundation
import TestSupport
import Testing

@testable import LocalProvider

/// Journals made on purpose, their checksums right.
@Suite("Hostile journals", .timeLimit(.minutes(10)))
struct HostileJournalTests {
    private static let path = "/data/defaults.journal"
    private static let highNumbers: [UInt64] = [.max, .max - 1, 1 << 63, (1 << 62) + 1, 1 << 62]

    private static func disk(_ bytes: [UInt8]) throws -> SimulatedDisk {
        let disk = SimulatedDisk()
        try JSONDefaults(on: disk).set("a", 1)
        disk.damage(path) { $0 = bytes }
        return disk
    }

    @Test("Sequence numbers near the maximum do not end the process", arguments: highNumbers, [false, true])
    func numbers(sequence: UInt64, isInHeader: Bool) throws {
        var bytes = JournalFormat.header(baseSequence: isInHeader ? sequence : 0, baseEnd: JournalFormat.headerSize)
        let operation = JournalFormat.Operation(key: try LocalIdentifier("a"), value: Array("7".utf8))
        let record = JournalFormat.Record(sequence: isInHeader ? 1 : sequence, writer: 1, operations: [operation])
        JournalFormat.append(record, to: &bytes)
        let disk = try Self.disk(bytes)
        let store = JSONDefaults(on: disk)
        let value = try store.value("a")
        #expect(value == (isInHeader || sequence <= JournalFormat.highestSequence ? 7 : nil))
        do throws(LocalError) {
            try store.set("a", 8)
            try store.compactNow()
            #expect(try JSONDefaults(on: disk).value("a") == 8)
        } catch {
            // Where there are no numbers left, that is said, and what is there stays.
            guard case .corrupt(Self.path, _) = error, sequence == JournalFormat.highestSequence else { throw error }
            #expect(try JSONDefaults(on: disk).value("a") == 7)
        }
    }

    @Test("Many marks of records as long as the file do not take quadratic time")
    func marks() throws {
        let count = 40_000
        var bytes = JournalFormat.header(baseSequence: 0, baseEnd: JournalFormat.headerSize)
        for number in 0..<count {
            bytes += JournalFormat.mark
            JournalFormat.append(UInt32((count - number - 1) * JournalFormat.recordHeaderSize), to: &bytes)
            bytes += [UInt8](repeating: 1, count: 16)
        }
        var visited = 0
        let start = ContinuousClock.now
        let scan = JournalScan(bytes, from: 32, lastSequence: 0, resynchronises: true) { _, _ in visited += 1 }
        // 16 times the file is some tens of milliseconds, its square over an hour in a debug build.
        #expect(ContinuousClock.now - start < .seconds(60))
        #expect(visited == 0 && scan.end == 32)
    }

    @Test("A sparse file larger than the memory throws an error and is not read", arguments: SchemaFixture.kinds)
    func holes(kind: LocalStoreKind) throws {
        let folder = try TemporaryDirectory("holes")
        let location = FileStoreLocation(directory: folder.path)
        let key = LocalKey<Int>("a", in: kind)
        try LocalProvider(location: location).set(key, to: 1)
        let provider = LocalProvider(location: location)
        let file = folder.file(kind == .defaults ? "defaults.journal" : "plists/a.plist")
        #expect(truncate(file.path, 1 << 40) == 0)
        for call in [{ _ = try provider.read(key) }, { try provider.set(key, to: 2) }] {
            let error = #expect(throws: LocalError.self) { try call() }
            guard case .corrupt(file.path, _) = error else { throw CancellationError() }
        }
    }
}
