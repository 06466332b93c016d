import Foundation
import LocalProviderTestSupport
import SystemCalls
import TestSupport
import Testing

@testable import LocalProvider

/// Removing values that cannot be removed by moving records towards the beginning of the file.
extension FullDiskTests {
    /// The records of a file that fills its disk, in their order.
    enum Layout: String, CaseIterable {
        /// One record with all values, as an import writes it.
        case oneRecord
        /// Small records before a large one.
        case largeLast
        /// One record with half of the values, a large record, and small ones.
        case mixed
    }

    private static let patch = Array("PawPtch".utf8)

    /// Fills a disk and returns the values.
    private static func fill(_ store: JSONDefaults, _ layout: Layout) throws -> [String: String] {
        var values: [String: String] = [:]
        func set(_ names: some Sequence<String>, _ text: (String) -> String) throws {
            let new = Dictionary(uniqueKeysWithValues: names.map { ($0, text($0)) })
            try store.transaction(durability: .written) { transaction in
                for (name, value) in new { try transaction.set(value, for: name) }
            }
            values.merge(new) { $1 }
        }
        let names = (0..<40).map { "key \($0)" }
        switch layout {
        case .oneRecord:
            try set(names) { $0 + text }
        case .largeLast:
            for name in names { try set([name]) { $0 + text } }
        case .mixed:
            try set(names.prefix(20)) { $0 + text }
        }
        if layout != .oneRecord { try set(["large"]) { _ in String(repeating: "y", count: 60_000) } }
        if layout == .mixed {
            for name in names.dropFirst(20) { try set([name]) { $0 + text } }
        }
        // Up to the last bytes of the last block.
        for count in [4_000, 1_000, 300, 0] {
            do {
                while true { try set(["filler \(values.count)"]) { _ in String(repeating: "z", count: count) } }
            } catch LocalError.full {
                continue
            }
        }
        return values
    }

    @Test(
        "Every value can be deleted from a full disk of which others take what is released",
        arguments: Layout.allCases
    )
    func deletingWithoutAnySpace(layout: Layout) throws {
        let disk = SimulatedDisk()
        let calls = FullDisk(disk, blocks: 60)
        let (store, reader) = (JSONDefaults(on: calls), JSONDefaults(on: calls))
        var values = try Self.fill(store, layout)
        #expect(try reader.count() == values.count)
        calls.contend()
        var generator = SeededGenerator(seed: 7)
        // The first records first: those behind them cannot be moved.
        let shuffled = values.keys.filter { $0 != "large" }.sorted().shuffled(using: &generator)
        let names = shuffled.filter { $0.hasPrefix("key") } + shuffled.filter { $0.hasPrefix("filler") }
        var patches = 0
        for (index, name) in names.enumerated() {
            let before = disk.bytes(of: "/data/defaults.journal.lock")
            #expect(try store.remove(name, .written), "\(name)")
            values[name] = nil
            let after = disk.bytes(of: "/data/defaults.journal.lock")
            if after != before, after?.starts(with: Self.patch) == true { patches += 1 }
            #expect(try !reader.contains(LocalIdentifier(name)), "reader, \(name)")
            guard index % 10 == 0 || index == names.count - 1 else { continue }
            #expect(try JSONDefaults(on: disk).values(of: String.self, prefix: "") == values)
            #expect(try reader.values(of: String.self, prefix: "") == values)
        }
        #expect(patches >= 20)
        try store.removeAll(durability: nil)
        #expect(try reader.count() == 0)
        #expect(store.recoveries.isEmpty && reader.recoveries.isEmpty)
        // With space again, the store is as any other.
        let again = FullDisk(disk, blocks: 60)
        let next = JSONDefaults(on: again)
        values = try Self.fill(next, layout)
        #expect(try JSONDefaults(on: disk).values(of: String.self, prefix: "") == values)
        // The last patch, which is still stored, is not of this header.
        disk.damage(store.path) { $0[20] ^= 1 }
        #expect(try JSONDefaults(on: disk).values(of: String.self, prefix: "") == values)
    }

    @Test(
        "Whichever call of a removal without any space fails, the values of its transaction are removed or not, and no other",
        arguments: Layout.allCases
    )
    func failingPatch(layout: Layout) throws {
        let sample = SimulatedDisk()
        let calls = FullDisk(sample, blocks: 32)
        var values = try Self.fill(JSONDefaults(on: calls), layout)
        values["key 6"] = nil
        calls.contend()
        let removed = ["key 3", "key 4", "key 25"]
        let rest = values.filter { !removed.contains($0.key) }
        func remove(_ names: [String], _ store: JSONDefaults) throws {
            try store.transaction(durability: .synced) { transaction in
                for name in names { try transaction.remove(name) }
            }
        }
        var last = 0
        var isOver = false
        for number in 1...200 where !isOver {
            let disk = sample.copy()
            let full = FullDisk(disk, blocks: 0)
            full.contend()
            let faulty = FaultyCalls(.none, over: full, synchronises: true)
            let store = JSONDefaults(on: faulty)
            // By a patch before, which may not be on the disk.
            try store.remove("key 6", .written)
            let begin = faulty.count
            faulty.begin(.broken(from: begin + number, code: EIO))
            let isDone: Void? = try? remove(removed, store)
            last = faulty.count - begin
            for loss in [PowerLoss.everything, .chance] {
                let remains = disk.afterPowerLoss(loss, seed: UInt64(number))
                let system = FullDisk(remains, blocks: 0)
                system.contend()
                let next = JSONDefaults(on: system)
                let found = try next.values(of: String.self, prefix: "")
                let others = found.filter { $0.key != "key 6" }
                #expect(others == rest || isDone == nil && others == values, "call \(number), \(loss)")
                let isWhole = next.recoveries.allSatisfy {
                    if case .unfinishedWrite = $0.damage { true } else { false }
                }
                #expect(isWhole, "call \(number), \(loss)")
                #expect(try next.remove("key 5", .synced))
                var fewer = found
                fewer["key 5"] = nil
                #expect(try JSONDefaults(on: remains).values(of: String.self, prefix: "") == fewer)
            }
            isOver = isDone != nil && last < number
        }
        #expect(isOver && last > 12)
    }

    @Test("Deferred changes without space do not prevent a removal, and are written when there is space")
    func deferredChanges() throws {
        let disk = SimulatedDisk()
        let calls = FullDisk(disk, blocks: 32)
        let store = JSONDefaults(on: calls)
        var values = try Self.fill(store, .oneRecord)
        calls.contend()
        for name in ["key 1", "new 1", "new 2"] {
            try store.set(name, Self.text, .deferred)
            values[name] = Self.text
        }
        for name in ["key 1", "key 2", "new 1"] {
            #expect(try store.remove(name, .synced), "\(name)")
            #expect(try !store.remove(name, .synced), "\(name)")
            values[name] = nil
        }
        #expect(try store.values(of: String.self, prefix: "") == values)
        #expect(throws: LocalError.self) { try store.flush() }
        calls.relent(blocks: 60)
        try store.flush()
        #expect(try JSONDefaults(on: disk).values(of: String.self, prefix: "") == values)
        calls.contend()
        let large = String(repeating: "x", count: 10_000)
        try store.set("large", large, .deferred)
        #expect(throws: LocalError.self) { try store.flush() }
        try store.removeAll(durability: nil)
        #expect(try store.count() == 0)
        #expect(try JSONDefaults(on: disk).count() == 0)
    }

    @Test("Deferred changes of any size are made while the disk is full, and only a flush throws")
    func manyDeferredChanges() throws {
        let disk = SimulatedDisk()
        let calls = FullDisk(disk, blocks: 32)
        let store = JSONDefaults(on: calls)
        try store.set("a", "a")
        calls.contend()
        let large = String(repeating: "x", count: 40_000)
        for number in 1...6 {
            try store.set("large \(number)", large, .deferred)
            #expect(try store.count() == number + 1)
        }
        #expect(throws: LocalError.self) { try store.flush() }
        calls.relent(blocks: 400)
        // The next change tries again at the latest when as many bytes as before were added.
        for number in 7...12 { try store.set("large \(number)", large, .deferred) }
        #expect(try JSONDefaults(on: disk).count() >= 7)
        try store.flush()
        #expect(try JSONDefaults(on: disk).count() == 13)
    }

    @Test("A store that finds no space to be able to remove a value later does not store it")
    func noSpaceForPatch() throws {
        let disk = SimulatedDisk()
        let calls = FullDisk(disk, blocks: 1)
        let store = JSONDefaults(on: calls)
        func set() throws { try store.set("a", "a") }
        // Two blocks are for the patch, and one is for the journal.
        for blocks in 1...2 {
            calls.blocks = blocks
            let path = store.path + (blocks == 1 ? "" : ".tmp")
            #expect(throws: LocalError.full(path: path, errno: ENOSPC)) { try set() }
            #expect(try store.count() == 0)
        }
        calls.blocks = 3
        try set()
        calls.contend()
        #expect(try store.remove("a", .written))
        #expect(try JSONDefaults(on: disk).count() == 0)
    }

    @Test(
        "The values of one record that fills a real disk can be deleted one after another",
        .enabled(if: SmallDisk.isPossible, "mounts a disk"),
        arguments: Layout.allCases
    )
    func realDiskWithoutAnySpace(layout: Layout) throws {
        let disk = try SmallDisk(kilobytes: 400)
        let location = FileStoreLocation(directory: disk.path + "/data")
        let (store, reader) = (JSONDefaults(location: location), JSONDefaults(location: location))
        var values = try Self.fill(store, layout)
        for name in values.keys.sorted() where name != "large" {
            try disk.takeFreeSpace()
            #expect(try store.remove(name, .synced), "\(name)")
            values[name] = nil
            #expect(try !reader.contains(LocalIdentifier(name)), "\(name)")
        }
        #expect(try JSONDefaults(location: location).values(of: String.self, prefix: "") == values)
        try disk.takeFreeSpace()
        try store.removeAll(durability: nil)
        #expect(try JSONDefaults(location: location).count() == 0)
        #expect(store.recoveries.isEmpty && reader.recoveries.isEmpty)
    }
}
