import Foundation
import LocalProviderTestSupport
import TestSupport
import Testing

@testable import LocalProvider

/// A small journal, cut, zeroed and flipped at every place there is.
@Suite("Damaged journals")
struct JournalDamageTests {
    /// A journal whose beginning is compacted, with its backup, and the state after each of its later records.
    private struct Sample {
        var journal: [UInt8]
        var backup: [UInt8]
        /// Where the compacted beginning ends.
        var baseEnd: Int
        /// The state that the file's first bytes hold, by their count: the end of each record after the beginning.
        var states: [(end: Int, values: [String: Int])]
    }

    // `room` is how many bytes of room for records the journal ends with.
    private static func sample(room: Int = 0) throws -> Sample {
        let folder = try TemporaryDirectory("sample")
        let store = JSONDefaults(location: FileStoreLocation(directory: folder.path))
        try store.set("a", 0)
        try store.transaction { transaction in
            try transaction.set(1, for: "a")
            try transaction.set(1, for: "b")
        }
        try store.set("c", 1)
        try store.compactNow()
        let baseEnd = store.journal.file.end
        var states = [(baseEnd, ["a": 1, "b": 1, "c": 1])]
        try store.set("a", 2)
        states.append((store.journal.file.end, ["a": 2, "b": 1, "c": 1]))
        try store.remove("b", .written)
        states.append((store.journal.file.end, ["a": 2, "c": 1]))
        try store.set("d", 4)
        states.append((store.journal.file.end, ["a": 2, "c": 1, "d": 4]))
        return Sample(
            journal: try Array(Data(contentsOf: URL(fileURLWithPath: store.path)))
                + [UInt8](repeating: JournalFormat.filler, count: room),
            backup: try Array(Data(contentsOf: URL(fileURLWithPath: store.path + ".backup"))),
            baseEnd: baseEnd,
            states: states
        )
    }

    /// Opens a journal with these bytes, which must then be intact again; returns its values and the damage found.
    private static func open(_ bytes: [UInt8], _ backup: [UInt8]?) throws -> (values: [String: Int], [LocalRecovery]) {
        let folder = try MemoryFolder()
        let path = folder.path + "/defaults.journal"
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        if let backup { try Data(backup).write(to: URL(fileURLWithPath: path + ".backup")) }
        let store = JSONDefaults(on: FaultyCalls(.none), in: folder.path)
        let values = try store.numbers()
        let again = JSONDefaults(on: FaultyCalls(.none), in: folder.path)
        #expect(try again.numbers() == values)
        #expect(again.recoveries.isEmpty)
        return (values, store.recoveries)
    }

    @Test("A journal cut anywhere has the values before the cut, and a report", arguments: [0, 40])
    func truncation(room: Int) throws {
        let sample = try Self.sample(room: room)
        let lastEnd = try #require(sample.states.last?.end)
        for count in 0...sample.journal.count {
            let (values, found) = try Self.open(Array(sample.journal.prefix(count)), sample.backup)
            let state = try #require(sample.states.last { $0.end <= max(count, sample.baseEnd) })
            #expect(values == state.values, "cut at \(count)")
            let isWhole = count >= lastEnd || sample.states.contains { $0.end == count }
            #expect(found.isEmpty == isWhole, "cut at \(count): \(found)")
        }
    }

    @Test("A journal that ends in zeros has the values before them, and a report", arguments: [0, 40])
    func zeroes(room: Int) throws {
        let sample = try Self.sample(room: room)
        for count in 0...sample.journal.count {
            let bytes = sample.journal.prefix(count) + [UInt8](repeating: 0, count: sample.journal.count - count)
            let (values, found) = try Self.open(Array(bytes), sample.backup)
            // The last bytes of a record may have been zeros before.
            let reach = sample.states.last { bytes.prefix($0.end).elementsEqual(sample.journal.prefix($0.end)) }
            #expect(values == (reach ?? sample.states[0]).values, "zeros from \(count)")
            #expect(found.isEmpty == bytes.elementsEqual(sample.journal), "zeros from \(count)")
        }
    }

    @Test("A flipped bit costs at most its record, and is reported", arguments: [0, 40])
    func bits(room: Int) throws {
        let sample = try Self.sample(room: room)
        let (lastEnd, last) = try #require(sample.states.last)
        for bit in 0..<sample.journal.count * 8 {
            let (values, found) = try Self.open(sample.journal.flipping(bit), sample.backup)
            #expect(!found.isEmpty, "bit \(bit)")
            let lastStart = sample.states.dropLast().last?.end ?? 0
            if lastStart + 4..<lastStart + 8 ~= bit / 8 {
                // The last record's length, which is mended: no write that was not finished.
                #expect(values == last && found.contains { $0.setAside != nil }, "bit \(bit)")
                #expect(found.map(\.damage) == [.damaged(bytes: 4)], "bit \(bit)")
                continue
            }
            guard sample.baseEnd..<lastEnd ~= bit / 8 else {
                #expect(values == last, "bit \(bit)")
                continue
            }
            // One record is missing; those before and after it hold.
            let index = try #require(sample.states.firstIndex { bit / 8 < $0.end })
            var expected = last
            switch index {
            case 1: expected["a"] = 1
            case 2: expected["b"] = 1
            default: expected["d"] = nil
            }
            #expect(values == expected, "bit \(bit)")
        }
    }

    @Test("A flipped bit without a backup costs one record, and the others are intact")
    func bitsWithoutBackup() throws {
        let sample = try Self.sample()
        for bit in 0..<sample.journal.count * 8 {
            let (values, found) = try Self.open(sample.journal.flipping(bit), nil)
            #expect(!found.isEmpty, "bit \(bit)")
            let wanted = ["a": 2, "c": 1, "d": 4]
            let wrong = values.filter { wanted[$0.key] != $0.value }.keys + wanted.keys.filter { values[$0] == nil }
            #expect(Set(wrong).count <= 1, "bit \(bit): \(values)")
        }
    }

    @Test("Random bytes are a damaged journal and do not end the process")
    func noise() throws {
        var generator = SeededGenerator()
        let sample = try Self.sample()
        for _ in 0..<(isLongRun ? 20_000 : 300) {
            var bytes = sample.journal
            for _ in 0..<Int.random(in: 1...20, using: &generator) {
                switch Int.random(in: 0..<3, using: &generator) {
                case 0:
                    bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(
                        in: 0...255,
                        using: &generator
                    )
                case 1: bytes.remove(at: Int.random(in: 0..<bytes.count, using: &generator))
                default: bytes.insert(0xFE, at: Int.random(in: 0...bytes.count, using: &generator))
                }
            }
            let (values, found) = try Self.open(bytes, Bool.random(using: &generator) ? sample.backup : nil)
            #expect(values.count <= 4 && (!found.isEmpty || bytes == sample.journal), "seed \(generator.seed)")
        }
    }

    @Test("A journal of a newer version is refused and unchanged")
    func newerVersion() throws {
        let folder = try TemporaryDirectory("newer")
        let location = FileStoreLocation(directory: folder.path)
        try JSONDefaults(location: location).set("a", 1, nil)
        let url = folder.file("defaults.journal")
        let bytes = try Data(contentsOf: url)
        let header = JournalFormat.header(baseSequence: 0, baseEnd: 32, version: JournalFormat.version + 1)
        let newer = Data(header) + bytes.dropFirst(32)
        try newer.write(to: url)
        let store = JSONDefaults(location: location)
        let expected = LocalError.newerVersion(
            path: url.path,
            found: JournalFormat.version + 1,
            supported: JournalFormat.version
        )
        #expect(throws: expected) { try store.value("a") }
        #expect(throws: expected) { try store.set("a", 2, nil) }
        #expect(try Data(contentsOf: url) == newer)
    }

    @Test("A missing journal is replaced by its backup")
    func journalGone() throws {
        let folder = try TemporaryDirectory("gone")
        let sample = try Self.sample()
        try Data(sample.backup).write(to: folder.file("defaults.journal.backup"))
        let store = JSONDefaults(location: FileStoreLocation(directory: folder.path))
        #expect(try store.numbers() == ["a": 1, "b": 1, "c": 1])
        #expect(store.recoveries.map(\.damage) == [.replacedByBackup])
    }
}
