import Foundation
import LocalProviderTestSupport
import SystemCalls
import TestSupport
import Testing

@testable import LocalProvider

/// Second-order situations: the second event, the failing middle of a removal, the state after a repair.
@Suite("Second-order situations", .timeLimit(.minutes(5)))
struct SecondOrderTests {
    private static let path = "/data/defaults.journal"
    private static let location = FileStoreLocation(directory: "/data")

    /// A journal of three records, and the offset of the last one.
    private static func sample() throws -> (disk: SimulatedDisk, lastRecord: Int) {
        let disk = SimulatedDisk()
        let store = JSONDefaults(on: disk)
        var start = 0
        for number in 1...3 {
            start = store.journal.file.end
            try store.set("key\(number)", "value \(number)", .synced)
        }
        return (disk, start)
    }

    @Test("A last record that was appended twice is damage, and its values are right")
    func appendedTwice() throws {
        let (disk, start) = try Self.sample()
        disk.damage(Self.path) { $0 += $0[start...] }
        let store = JSONDefaults(on: disk)
        #expect(try store.values(of: String.self, prefix: "key3") == ["key3": "value 3"])
        #expect(try store.count() == 3 && store.recoveries.count == 1)
        guard case .damaged = store.recoveries.first?.damage else { throw CancellationError() }
    }

    @Test("A last record of full length that ends in zeros is an unfinished write", arguments: [1, 5])
    func zeroEnd(count: Int) throws {
        let (disk, start) = try Self.sample()
        var length = 0
        disk.damage(Self.path) { bytes in
            length = bytes.count - start
            for index in bytes.indices.suffix(count) { bytes[index] = 0 }
        }
        let store = JSONDefaults(on: disk)
        #expect(try Set(store.identifiers()) == ["key1", "key2"])
        #expect(store.recoveries.map(\.damage) == [.unfinishedWrite(bytes: length)])
        #expect(store.recoveries.first?.setAside == nil && disk.bytes(of: Self.path)?.count == start)
    }

    @Test("A journal that is cut while a store has it open has the values before the cut")
    func cutWhileOpen() throws {
        let (disk, start) = try Self.sample()
        let store = JSONDefaults(on: disk)
        #expect(try store.count() == 3)
        disk.damage(Self.path) { $0.removeLast($0.count - start) }
        #expect(try Set(store.identifiers()) == ["key1", "key2"])
    }

    @Test("After a repair, sequence numbers of lost records are not used again")
    func gap() throws {
        let (disk, start) = try Self.sample()
        // Read before the damage, by this store, whose next reading must not confuse two records of one number.
        let reader = JSONDefaults(on: disk)
        #expect(try reader.count() == 3)
        let before = reader.journal.entries.lastSequence
        disk.damage(Self.path) { $0[start + JournalFormat.recordHeaderSize + 9] ^= 1 }
        let store = JSONDefaults(on: disk)
        #expect(try store.count() == 2)
        #expect(store.journal.entries.lastSequence > before + 1_000_000)
        try store.set("key3", "other", .synced)
        #expect(try reader.value(for: LocalIdentifier("key3"), as: String.self) == "other")
    }

    @Test("A removal of a document that is interrupted at any call leaves no backup without its document")
    func removal() throws {
        func store(_ calls: any FileCalls) -> PropertyListStore {
            PropertyListStore(location: Self.location, options: .init(), system: FileSystem(calls))
        }
        let sample = SimulatedDisk()
        let name = try LocalIdentifier("document")
        let first = store(SimulatedProcess(sample))
        for text in ["old", "new"] { try first.set(text, for: name, rule: .set, durability: .synced) }
        let document = first.path(for: name)
        #expect(sample.bytes(of: document + ".backup") != nil)
        for number in 1... {
            let disk = sample.copy()
            let calls = FaultyCalls(.broken(from: number, code: EIO), over: SimulatedProcess(disk), synchronises: true)
            let isRemoved = (try? store(calls).remove(name, durability: .synced)) ?? false
            let next = store(SimulatedProcess(disk))
            let value = try next.value(for: name, as: String.self)
            #expect(value == "new" || value == nil, "call \(number)")
            if value == nil { #expect(disk.bytes(of: document + ".backup") == nil, "call \(number)") }
            if isRemoved {
                #expect(value == nil && number > 8)
                return
            }
        }
    }

    @Test("A key that was evicted without use and is set again survives a scan")
    func ghosts() {
        let cache = MemoryCache<Int, Int>(.init(countLimit: 100))
        for key in 0...100 { cache.set(key, for: key) }
        #expect(!cache.contains(0))
        cache.set(0, for: 0)
        for key in 1_000..<1_300 { cache.set(key, for: key) }
        #expect(cache.contains(0) && !cache.contains(1))
        // One that was never evicted is not retained.
        cache.set(7_777, for: 7_777)
        for key in 2_000..<2_300 { cache.set(key, for: key) }
        #expect(!cache.contains(7_777))
    }
}
