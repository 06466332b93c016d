import Foundation
import TestSupport
import Testing

@testable import LocalProvider

/// The power goes at each call in turn; afterwards everything that was reported as synced must be there.
@Suite("Power losses")
struct PowerLossTests {
    private static let path = "/home/data/defaults.journal"

    private static func store(_ calls: any FileCalls) -> JSONDefaults {
        let location = FileStoreLocation(directory: "/home/data")
        return JSONDefaults(location: location, name: "defaults", options: .init(), system: FileSystem(calls))
    }

    private static func set(
        _ store: JSONDefaults,
        _ name: String,
        _ value: Int,
        _ durability: LocalDurability,
        _ ledger: inout PowerLedger
    ) throws {
        try ledger.write([name: value], durability) {
            try store.set(value, for: LocalIdentifier(name), rule: .set, durability: durability)
        }
    }

    /// Writes in every way there is.
    private static func run(_ store: JSONDefaults, _ ledger: inout PowerLedger) throws {
        for number in 0..<4 {
            try set(store, "a", number, .synced, &ledger)
            try set(store, "b\(number)", number, .written, &ledger)
        }
        try set(store, "c", 1, .none, &ledger)
        try ledger.write(["b1": Int?.none], .synced) {
            _ = try store.remove(LocalIdentifier("b1"), durability: .synced)
        }
        try set(store, "d", 1, .written, &ledger)
        try ledger.write([:], .synced) { try store.flush() }
        try store.compactNow()
        try set(store, "a", 10, .written, &ledger)
        try ledger.write(["t": 1, "u": 1], .synced) {
            try store.transaction { transaction in
                try transaction.set(1, for: "t")
                try transaction.set(1, for: "u")
            }
        }
        try set(store, "a", 11, .synced, &ledger)
        try store.compactNow(keepsBackup: false)
        try set(store, "b2", 5, .synced, &ledger)
        let all = Dictionary(uniqueKeysWithValues: ledger.names.map { ($0, Int?.none) })
        try ledger.write(all, .synced) { try store.removeAll(durability: .synced) }
        try ledger.write(["a": 20, "e": 1], .synced) { try store.importJSON(Data(#"{"a": 20, "e": 1}"#.utf8)) }
        try set(store, "a", 21, .synced, &ledger)
    }

    private static func check(_ disk: SimulatedDisk, _ ledger: PowerLedger, _ place: String) throws {
        let store = store(SimulatedProcess(disk))
        for name in ledger.names {
            let (value, possible) = (try store.value(for: LocalIdentifier(name), as: Int.self), ledger.possible(name))
            #expect(possible.contains(value), "\(place): \(name) is \(String(describing: value)), not \(possible)")
        }
        // And it goes on working.
        try store.set(1, for: LocalIdentifier("after"), rule: .set, durability: .synced)
        let next = Self.store(SimulatedProcess(disk.afterPowerLoss(.everything)))
        #expect(try next.value(for: LocalIdentifier("after"), as: Int.self) == 1, "\(place)")
        #expect(next.recoveries.isEmpty, "\(place)")
    }

    @Test("Whatever is lost with the power, what was synced is there", arguments: PowerLoss.allCases)
    func everyCall(loss: PowerLoss) throws {
        // Each call in a long run, else every fifth, beginning anywhere.
        for number in stride(from: isLongRun ? 1 : .random(in: 1...5), to: .max, by: isLongRun ? 1 : 5) {
            let disk = SimulatedDisk()
            let process = SimulatedProcess(disk, dyingAt: number)
            var ledger = PowerLedger(coversAll: true)
            do { try Self.run(Self.store(process), &ledger) } catch { #expect(process.isDead, "\(error)") }
            let seed = UInt64.random(in: 0...UInt64.max)
            try Self.check(disk.afterPowerLoss(loss, seed: seed), ledger, "\(loss) \(seed) at call \(number)")
            guard process.isDead else {
                #expect(number > 100)
                return
            }
        }
    }

    @Test(
        "What one process left half done, the next brings to the disk before it says that all is there",
        arguments: [false, true]
    )
    func handover(isNew: Bool) throws {
        for number in 1... {
            let disk = SimulatedDisk()
            var ledger = PowerLedger(coversAll: true)
            if !isNew { try Self.set(Self.store(SimulatedProcess(disk)), "a", 0, .synced, &ledger) }
            let process = SimulatedProcess(disk, dyingAt: number)
            do {
                let store = Self.store(process)
                try Self.set(store, "b", 1, .written, &ledger)
                try store.compactNow()
                try Self.set(store, "b", 2, .written, &ledger)
                try store.compactNow(keepsBackup: false)
            } catch { #expect(process.isDead, "\(error)") }
            let next = Self.store(SimulatedProcess(disk))
            // A reader sees the new file first, and the same value again needs no writing.
            let value = try next.value(for: LocalIdentifier("b"), as: Int.self) ?? 3
            try Self.set(next, "b", value, .synced, &ledger)
            try Self.check(disk.afterPowerLoss(.everything), ledger, "call \(number)")
            guard process.isDead else { return }
        }
    }

    @Test("A synced write synchronises the file once and no folder, a written one nothing")
    func synchronisations() throws {
        let disk = SimulatedDisk()
        let store = Self.store(SimulatedProcess(disk))
        var ledger = PowerLedger(coversAll: true)
        try Self.set(store, "a", 0, .synced, &ledger)
        let before = disk.synchronised
        for number in 1...20 { try Self.set(store, "a", number, .synced, &ledger) }
        #expect(disk.synchronised.files == before.files + 20 && disk.synchronised.folders == before.folders)
        for number in 1...20 { try Self.set(store, "b", number, .written, &ledger) }
        #expect(disk.synchronised.files == before.files + 20 && disk.synchronised.folders == before.folders)
        // Another process that only writes does not either, although it cannot know what the first has brought there.
        try Self.set(Self.store(SimulatedProcess(disk)), "c", 1, .written, &ledger)
        #expect(disk.synchronised.files == before.files + 20 && disk.synchronised.folders == before.folders)
        try Self.check(disk.afterPowerLoss(.everything), ledger, "after all")
    }
}
