import Foundation
import TestSupport
import Testing

@testable import LocalProvider

/// The power goes at each call on property lists in turn; afterwards everything that was reported as synced must be there.
@Suite("Power losses and property lists")
struct PropertyListPowerTests {
    private static let long = String(repeating: "x", count: 300)

    private static func store(_ calls: any FileCalls) -> PropertyListStore {
        PropertyListStore(
            location: FileStoreLocation(directory: "/home/data/plists"),
            options: .init(),
            system: FileSystem(calls)
        )
    }

    private static func set(
        _ store: PropertyListStore,
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
    private static func run(_ store: PropertyListStore, _ ledger: inout PowerLedger) throws {
        for number in 0..<3 {
            try set(store, "a", number, .synced, &ledger)
            try set(store, "b\(number)", number, .written, &ledger)
        }
        // Two that are not synced after one that is: neither must cost it.
        for number in 3..<6 { try set(store, "a", number, .written, &ledger) }
        // The same bytes once more are to be brought there now.
        try set(store, "a", 5, .synced, &ledger)
        try set(store, long, 1, .written, &ledger)
        try set(store, long, 1, .synced, &ledger)
        try ledger.write(["b1": Int?.none], .synced) {
            _ = try store.remove(LocalIdentifier("b1"), durability: .synced)
        }
        try ledger.write(["b2": Int?.none], .written) {
            _ = try store.remove(LocalIdentifier("b2"), durability: .written)
        }
        try set(store, "b2", 7, .synced, &ledger)
        try store.forgetReplaced()
        try ledger.write(["a": 8], .synced) {
            try store.update(LocalIdentifier("a"), as: Int.self, durability: .synced) { $0 = 8 }
        }
        let all = Dictionary(uniqueKeysWithValues: ledger.names.map { ($0, Int?.none) })
        try ledger.write(all, .synced) { try store.removeAll(durability: .synced) }
        try set(store, "a", 9, .written, &ledger)
        try set(store, "a", 10, .synced, &ledger)
    }

    private static func check(_ disk: SimulatedDisk, _ ledger: PowerLedger, _ place: String) throws {
        let store = store(SimulatedProcess(disk))
        for name in ledger.names {
            let (value, possible) = (try store.value(for: LocalIdentifier(name), as: Int.self), ledger.possible(name))
            #expect(possible.contains(value), "\(place): \(name) is \(String(describing: value)), not \(possible)")
            #expect(try store.identifiers().contains(name) == (value != nil), "\(place): \(name)")
        }
        // Nothing was ever given its name before its bytes were there.
        #expect(store.recoveries.isEmpty, "\(place): \(store.recoveries)")
        // And it goes on working.
        try store.set(1, for: LocalIdentifier("after"), rule: .set, durability: .synced)
        let next = Self.store(SimulatedProcess(disk.afterPowerLoss(.everything)))
        #expect(try next.value(for: LocalIdentifier("after"), as: Int.self) == 1, "\(place)")
    }

    @Test("Whatever is lost with the power, what was synced is there", arguments: PowerLoss.allCases)
    func everyCall(loss: PowerLoss) throws {
        // Each call in a long run, else every fifth, beginning anywhere.
        for number in stride(from: isLongRun ? 1 : .random(in: 1...5), to: .max, by: isLongRun ? 1 : 5) {
            let disk = SimulatedDisk()
            let process = SimulatedProcess(disk, dyingAt: number)
            var ledger = PowerLedger(coversAll: false)
            do { try Self.run(Self.store(process), &ledger) } catch { #expect(process.isDead, "\(error)") }
            let seed = UInt64.random(in: 0...UInt64.max)
            try Self.check(disk.afterPowerLoss(loss, seed: seed), ledger, "\(loss) \(seed) at call \(number)")
            guard process.isDead else {
                #expect(number > 100)
                return
            }
        }
    }

    @Test("A migration that the power ends leaves the old documents whole or the new", arguments: PowerLoss.allCases)
    func migration(loss: PowerLoss) throws {
        let location = FileStoreLocation(directory: "/home/data")
        func open(_ disk: SimulatedDisk, version: Int, dyingAt end: Int = .max) -> (LocalProvider, SimulatedProcess) {
            let process = SimulatedProcess(disk, dyingAt: end)
            let options = SchemaFixture.options(version)
            return (LocalProvider(location: location, options: options, system: FileSystem(process)), process)
        }
        let sample = SimulatedDisk()
        try SchemaFixture.fill(open(sample, version: 1).0, .propertyList)
        var (kept, done) = (0, 0)
        for number in stride(from: isLongRun ? 1 : .random(in: 1...9), to: .max, by: isLongRun ? 1 : 9) {
            let disk = sample.copy()
            let (provider, process) = open(disk, version: 3, dyingAt: number)
            do { _ = try provider.migrate() } catch { #expect(process.isDead, "\(error)") }
            let seed = UInt64.random(in: 0...UInt64.max)
            let after = disk.afterPowerLoss(loss, seed: seed)
            let place: Comment = "\(loss) \(seed) at call \(number)"
            do {
                #expect(
                    try SchemaFixture.contents(open(after.copy(), version: 1).0, .propertyList) == SchemaFixture.one,
                    place
                )
                kept += 1
            } catch let error as LocalError {
                guard case .newerVersion(_, 3, 1) = error else { throw error }
                done += 1
            }
            let new = open(after, version: 3).0
            #expect(try SchemaFixture.contents(new, .propertyList) == SchemaFixture.three, place)
            guard process.isDead else { break }
        }
        #expect(kept > 3 && done > 3)
    }

    @Test("A synced write synchronises the file and the folder once each, a written one only the file")
    func synchronisations() throws {
        let disk = SimulatedDisk()
        let store = Self.store(SimulatedProcess(disk))
        var ledger = PowerLedger(coversAll: false)
        try Self.set(store, "a", 0, .synced, &ledger)
        try Self.set(store, "a", 1, .written, &ledger)
        let before = disk.synchronised
        for number in 2..<12 { try Self.set(store, "a", number, .synced, &ledger) }
        #expect(disk.synchronised == (before.files + 10, before.folders + 10))
        for number in 12..<22 { try Self.set(store, "a", number, .written, &ledger) }
        #expect(disk.synchronised == (before.files + 20, before.folders + 10))
        try Self.check(disk.afterPowerLoss(.everything), ledger, "after all")
    }
}
