import Foundation
import LocalProviderTestSupport
import SystemCalls
import TestSupport
import Testing

@testable import LocalProvider

/// Removing values needs no space on the disk.
@Suite("Full disks", .timeLimit(.minutes(10)))
struct FullDiskTests {
    static let text = String(repeating: "x", count: 300)

    /// Stores values until the disk is full, and returns their number.
    static func fill(_ store: JSONDefaults) throws -> Int {
        var count = 0
        while true {
            do throws(LocalError) {
                try store.set("\(count)", "\(count) \(text)")
            } catch {
                guard case .full = error else { throw error }
                return count
            }
            count += 1
        }
    }

    /// Removes values; whatever is released, another program takes.
    static func remove(_ numbers: some Sequence<Int>, from store: JSONDefaults, on disk: FullDisk) throws {
        for number in numbers {
            disk.blocks = 0
            try store.remove("\(number)", .written)
        }
    }

    static func expect(_ store: JSONDefaults, _ numbers: some Sequence<Int>, _ comment: Comment) throws {
        let expected = Dictionary(uniqueKeysWithValues: numbers.map { ("\($0)", "\($0) \(text)") })
        #expect(try store.values(of: String.self, prefix: "") == expected, comment)
    }

    @Test(
        "Every value of a store that has filled its disk can be deleted, one after another",
        arguments: [false, true]
    )
    func deleting(isReversed: Bool) throws {
        let disk = SimulatedDisk()
        let calls = FullDisk(disk, blocks: 60)
        let (store, reader) = (JSONDefaults(on: calls), JSONDefaults(on: calls))
        let count = try Self.fill(store)
        #expect(count > 300)
        let order = isReversed ? Array((0..<count).reversed()) : Array(0..<count)
        for (index, number) in order.enumerated() {
            // Whatever is released, another program takes.
            calls.blocks = 0
            #expect(try store.remove("\(number)", .written), "\(number)")
            if index % 50 == 0 || index == count - 1 {
                try Self.expect(JSONDefaults(on: disk), order[(index + 1)...], "after \(number)")
                try Self.expect(reader, order[(index + 1)...], "reader, after \(number)")
            }
        }
        #expect(try store.count() == 0)
        calls.blocks = 60
        // Fewer than before: a compaction has made a backup.
        let again = try Self.fill(store)
        #expect(again > count / 4)
        try Self.expect(reader, 0..<again, "filled again")
        #expect(store.recoveries.isEmpty && reader.recoveries.isEmpty)
    }

    @Test("A full disk can be emptied at once, and compacted", arguments: [false, true])
    func emptying(keepsBackup: Bool) throws {
        let disk = SimulatedDisk()
        let calls = FullDisk(disk, blocks: 60)
        let store = JSONDefaults(on: calls)
        let count = try Self.fill(store)
        try Self.remove((0..<count).filter { $0 % 3 > 0 }, from: store, on: calls)
        calls.blocks = 0
        try store.compactNow(keepsBackup: keepsBackup)
        try Self.expect(JSONDefaults(on: disk), stride(from: 0, to: count, by: 3), "compacted")
        calls.blocks = 60
        _ = try Self.fill(store)
        calls.blocks = 0
        try store.removeAll(durability: nil)
        #expect(try JSONDefaults(on: disk).count() == 0)
        #expect(store.recoveries.isEmpty)
        calls.blocks = 60
        #expect(try Self.fill(store) > count / 4)
    }

    @Test("A real disk that a store has filled can be emptied", .enabled(if: SmallDisk.isPossible, "mounts a disk"))
    func realDisk() throws {
        let disk = try SmallDisk(kilobytes: 300)
        let location = FileStoreLocation(directory: disk.path + "/data")
        let store = JSONDefaults(location: location)
        let count = try Self.fill(store)
        for number in 0..<count / 2 { #expect(try store.remove("\(number)", .synced)) }
        try Self.expect(JSONDefaults(location: location), count / 2..<count, "half")
        try store.compactNow()
        _ = try Self.fill(store)
        try store.removeAll(durability: nil)
        #expect(try JSONDefaults(location: location).count() == 0)
        #expect(try Self.fill(store) > count / 2)
    }

    @Test("Documents of a full disk can be deleted", .enabled(if: SmallDisk.isPossible, "mounts a disk"))
    func documents() throws {
        let disk = try SmallDisk(kilobytes: 200)
        let store = PropertyListStore(location: FileStoreLocation(directory: disk.path + "/data"))
        var count = 0
        #expect(throws: LocalError.self) {
            while true {
                try store.set("\(count)", Self.text, nil)
                count += 1
            }
        }
        #expect(count > 5)
        #expect(try store.remove("0", nil))
        try store.removeAll(durability: nil)
        #expect(try store.count() == 0)
    }

    @Test("Whichever call of a removal on a full disk fails, no other value is lost", arguments: [EIO, ENOSPC])
    func failing(code: Int32) throws {
        let sample = SimulatedDisk()
        let calls = FullDisk(sample, blocks: 16)
        let store = JSONDefaults(on: calls)
        let count = try Self.fill(store)
        // The reserve and the backup are used up: the next removals rewrite the file in place.
        try Self.remove(0..<count / 2, from: store, on: calls)
        let rest = count / 2..<count
        var removal = 0
        var isOver = false
        for number in 1...2_000 where !isOver {
            let disk = sample.copy()
            let faulty = FaultyCalls(.none, over: FullDisk(disk, blocks: 0), synchronises: true)
            let store = JSONDefaults(on: faulty)
            _ = try store.count()
            let begin = faulty.count
            faulty.begin(.broken(from: begin + number, code: code))
            let isDone: Void? = try? store.compactNow()
            let calls = faulty.count - begin
            for loss in [PowerLoss.nothing, .everything, .chance] {
                let next = JSONDefaults(on: disk.afterPowerLoss(loss, seed: UInt64(number)))
                try Self.expect(next, rest, "call \(number), \(loss)")
            }
            removal = number
            isOver = isDone != nil && calls < number
        }
        #expect(isOver && removal > 8)
    }

    @Test("A process that has read a file before it was rewritten in place notices that, however it has grown since")
    func rewritten() throws {
        let disk = SimulatedDisk()
        let calls = FullDisk(disk, blocks: 30)
        let (store, reader) = (JSONDefaults(on: calls), JSONDefaults(on: calls))
        let count = try Self.fill(store)
        try Self.remove(0..<count / 2, from: store, on: calls)
        try Self.expect(reader, count / 2..<count, "before")
        calls.blocks = 0
        try store.compactNow()
        calls.blocks = 60
        // Behind the place up to which the reader has read, with room.
        for number in 0..<count * 2 / 3 { try store.set("\(number)", "\(number) \(Self.text)") }
        try Self.expect(reader, Set(0..<count * 2 / 3).union(count / 2..<count), "after")
    }

    @Test("Without space to replace a file that was rewritten in place, readers notice each of its new records")
    func growingRewritten() throws {
        let disk = SimulatedDisk()
        let calls = FullDisk(disk, blocks: 30)
        let store = JSONDefaults(on: calls)
        let count = try Self.fill(store)
        try Self.remove(0..<count / 2, from: store, on: calls)
        // Each reads the longer file, and looks again only after its own write.
        let readers = (0..<24).map { _ in JSONDefaults(on: calls) }
        for reader in readers { _ = try reader.count() }
        calls.blocks = 0
        try store.compactNow()
        let long = String(repeating: "y", count: 4_000)
        for (number, reader) in readers.enumerated() {
            // Enough for a record with room behind it, too little for a compacted file.
            calls.blocks = calls.used + 9
            try store.set("new", "\(number) \(long)")
            #expect(try reader.value(for: LocalIdentifier("new"), as: String.self) == "\(number) \(long)")
        }
    }
}
