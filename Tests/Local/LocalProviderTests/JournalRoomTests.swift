import Foundation
import LocalProviderTestSupport
import SystemCalls
import TestSupport
import Testing
import Threading

@testable import LocalProvider

/// The room behind the last record, which spares the file's growing at each write.
@Suite("Room in journals")
struct JournalRoomTests {
    /// A disk on which files may not grow beyond a limit, and from which others take what is given back of it.
    private final class SharedSpace: ForwardedCalls {
        let system: SimulatedProcess
        let limit = Locked(Int.max)
        let onTruncation: @Sendable () -> Void

        init(_ disk: SimulatedDisk, onTruncation: @escaping @Sendable () -> Void) {
            system = SimulatedProcess(disk)
            self.onTruncation = onTruncation
        }

        func write(_ file: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemError) -> Int {
            let limit = limit.withLock { $0 }
            guard offset < limit else { throw SystemError(code: 28, call: "write") }
            return try system.write(file, UnsafeRawBufferPointer(rebasing: bytes.prefix(limit - offset)), at: offset)
        }

        func truncate(_ descriptor: Int32, to size: Int) throws(SystemError) {
            onTruncation()
            try system.truncate(descriptor, to: size)
            limit.withLock { $0 = size }
        }
    }

    /// Counts the files that get another's name, and refuses that on demand.
    private final class CountingCalls: ForwardedCalls {
        let renames = Locked((count: 0, areRefused: false))

        func rename(_ path: String, to target: String) throws(SystemError) {
            let isRefused = renames.withLock { renames in
                renames.count += 1
                return renames.areRefused
            }
            if isRefused { throw SystemError(code: EIO, call: "rename") }
            try system.rename(path, to: target)
        }
    }

    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory("room") }

    private func store(_ calls: any FileCalls = PosixFileCalls()) -> JSONDefaults {
        JSONDefaults(on: calls, in: folder.path)
    }

    private func size(of store: JSONDefaults) throws -> Int {
        try Data(contentsOf: URL(fileURLWithPath: store.path)).count
    }

    private func fill(_ store: JSONDefaults, _ numbers: Range<Int>) throws {
        for number in numbers { try store.set("key\(number)", "value \(number)") }
    }

    @Test("The first writes leave no room behind the records, later ones do in steps")
    func steps() throws {
        let store = store()
        try fill(store, 0..<8)
        #expect(try size(of: store) == store.journal.file.end)
        try fill(store, 8..<9)
        let length = try size(of: store)
        #expect(length % JournalFormat.roomStep == 0 && length > store.journal.file.end)
        try fill(store, 9..<200)
        #expect(try size(of: store) == length)
        try store.set("big", String(repeating: "x", count: 100_000), nil)
        #expect(try size(of: store) % JournalFormat.roomStep == 0)
        #expect(try self.store().count() == 201)
        #expect(store.recoveries.isEmpty)
    }

    @Test("A durable set makes six system calls, none of which requests file times")
    func times() throws {
        let calls = FaultyCalls(.none)
        let store = store(calls)
        try fill(store, 0..<20)
        // Opening the file asks once.
        #expect(calls.operations.contains("fstat"))
        calls.forgetOperations()
        try store.set("key3", "once more", .synced)
        #expect(calls.operations == ["flock", "outline", "outline", "read", "write", "fdatasync"])
    }

    @Test("Two stores that write in turn into the same room read each other's values")
    func inTurn() throws {
        let (first, second) = (store(), store())
        for number in 0..<60 {
            try fill(number % 2 == 0 ? first : second, number..<number + 1)
            #expect(try first.count() == number + 1)
            #expect(try second.count() == number + 1)
        }
        #expect(try size(of: first) > first.journal.file.end)
        #expect(first.recoveries.isEmpty && second.recoveries.isEmpty)
    }

    @Test("An older copy of the same size that is written over the file is read, and no later write is lost")
    func overwritten() throws {
        let (writer, reader) = (store(), store())
        let file = URL(fileURLWithPath: writer.path)
        try fill(writer, 0..<20)
        let copy = try Data(contentsOf: file)
        try fill(writer, 20..<23)
        #expect(try reader.count() == 23)
        #expect(try Data(contentsOf: file).count == copy.count)
        // In place, as `cp` does it.
        try copy.write(to: file)
        #expect(try reader.count() == 20)
        try fill(writer, 30..<31)
        #expect(try writer.count() == 21)
        // Records of another store end where the writer's last one ended before.
        try fill(writer, 31..<33)
        try copy.write(to: file)
        try fill(store(), 40..<43)
        try fill(writer, 50..<51)
        for store in [writer, reader, store()] {
            #expect(try store.count() == 24)
            #expect(try store.value(for: LocalIdentifier("key42"), as: String.self) == "value 42")
            #expect(store.recoveries.isEmpty)
        }
    }

    @Test("A record that was written partly into the room is removed and reported, wherever it ends")
    func brokenOff() throws {
        let written = store()
        try fill(written, 0..<12)
        let (whole, end) = (try Data(contentsOf: URL(fileURLWithPath: written.path)), written.journal.file.end)
        try fill(written, 12..<13)
        let longer = try Data(contentsOf: URL(fileURLWithPath: written.path))
        #expect(longer.count == whole.count)
        for count in 1..<(written.journal.file.end - end) {
            let torn = longer.prefix(end + count) + whole.dropFirst(end + count)
            try torn.write(to: URL(fileURLWithPath: written.path))
            let store = store()
            #expect(try store.count() == 12)
            // A checksum may have a byte like the room's.
            let count = JournalFormat.withoutRoom(Array(torn)[end...]).count
            #expect(store.recoveries.map(\.damage) == [.unfinishedWrite(bytes: count)], "\(count)")
            try fill(store, 12..<13)
            #expect(try self.store().count() == 13)
        }
    }

    @Test("A record without space for room behind it is stored")
    func noSpaceForRoom() throws {
        let limit = 20_000
        let store = store(CappedWrites(limit: limit))
        var stored = 0
        #expect(throws: LocalError.self) {
            while true {
                try fill(store, stored..<stored + 1)
                stored += 1
            }
        }
        #expect(store.journal.file.end > limit - 100 && stored > 200)
        #expect(try self.store().count() == stored)
    }

    @Test(
        "A record that others have read is not removed without notice if there is no space for room",
        arguments: [10, 44, 500]
    )
    func partOfRoom(space: Int) throws {
        let disk = SimulatedDisk()
        let reader = JSONDefaults(on: disk)
        let looks = Locked(0)
        let calls = SharedSpace(disk) {
            // Once, while the record is there.
            looks.withLock { $0 += 1 }
            if looks.withLock({ $0 }) == 1 { reader.findChanges() }
        }
        let writer = JSONDefaults(on: calls)
        try fill(writer, 0..<8)
        calls.limit.withLock { $0 = writer.journal.file.end + space }
        let isKept: Void? = try? fill(writer, 8..<9)
        // The record has 44 bytes.
        #expect((isKept != nil) == (space >= 44))
        calls.limit.withLock { $0 = .max }
        // As long as the one that may have been taken back.
        try fill(writer, 9..<10)
        let values = try JSONDefaults(on: disk).values(of: String.self, prefix: "")
        #expect(values.count == (isKept == nil ? 9 : 10))
        #expect(try writer.values(of: String.self, prefix: "") == values)
        #expect(try reader.values(of: String.self, prefix: "") == values)
    }

    @Test("A failed compaction is tried again each time the file has grown by half")
    func failedCompactions() throws {
        let calls = CountingCalls()
        let store = store(calls)
        let text = String(repeating: "x", count: 1_000)
        func set() throws { try store.set("a", "\(store.journal.file.end) \(text)") }
        try set()
        calls.renames.withLock { $0 = (0, true) }
        while store.journal.file.end < 140_000 { try set() }
        // From 68 kilobytes on.
        #expect(calls.renames.withLock { $0.count } == 2)
        calls.renames.withLock { $0.areRefused = false }
        while store.journal.file.end > 10_000 { try set() }
        // The third attempt names the backup and the file.
        #expect(calls.renames.withLock { $0.count } == 4)
    }

    @Test("Plain values have the same bytes as those of an encoder")
    func fragments() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        func check<Value: Codable & Equatable>(_ value: Value) throws {
            let bytes = try #require(JSONCodec.encodeFast(value))
            #expect(try Data(bytes) == encoder.encode(value), "\(value)")
            #expect(try JSONDecoder().decode(Value.self, from: Data(bytes)) == value)
        }
        for code in UInt32(0)..<0x3000 { try Unicode.Scalar(code).map { try check("a\($0)b") } }
        var generator = SeededGenerator()
        for _ in 0..<200 {
            let scalars = (0..<Int.random(in: 0..<40, using: &generator))
                .compactMap { _ in Unicode.Scalar(UInt32.random(in: 0..<0x11_0000, using: &generator) >> 4) }
            try check(String(String.UnicodeScalarView(scalars)))
        }
        for number in [0, 1, -1, .max, .min] { try check(number) }
        try check(true)
        try check(false)
        #expect(JSONCodec.encodeFast(1.5) == nil)
        #expect(JSONCodec.encodeFast(String?.none) == nil)
    }
}
