import Foundation
import TestSupport
import Testing

@testable import LocalProvider

/// The power goes at each call on property lists in turn; afterwards everything that was reported as synced must be there.
@Suite("Power losses and property lists")
struct PropertyListPowerTests {
    private static let long = String(repeating: "x", count: 300)

    // Nothing is ever given its name before its bytes are there: what is left is whole.
    private static let trial = PowerTrial(coversAll: false, leavesDamage: false) { system in
        let location = FileStoreLocation(directory: "/volume/data/plists")
        return PropertyListStore(location: location, options: .init(), system: system)
    }

    /// Writes in every way there is.
    private static func run(_ store: PropertyListStore, _ ledger: inout PowerLedger) throws {
        for number in 0..<3 {
            try ledger.set("a", number, .synced, in: store)
            try ledger.set("b\(number)", number, .written, in: store)
        }
        // Two that are not synced after one that is: neither must cost it.
        for number in 3..<6 { try ledger.set("a", number, .written, in: store) }
        // The same bytes once more are to be brought there now.
        try ledger.set("a", 5, .synced, in: store)
        try ledger.set(long, 1, .written, in: store)
        try ledger.set(long, 1, .synced, in: store)
        try ledger.remove("b1", .synced, from: store)
        try ledger.remove("b2", .written, from: store)
        try ledger.set("b2", 7, .synced, in: store)
        try store.purge()
        try ledger.write(["a": 8], .synced) {
            try store.update(LocalIdentifier("a"), as: Int.self, durability: .synced) { $0 = 8 }
        }
        try ledger.removeAll(.synced, from: store)
        try ledger.set("a", 9, .written, in: store)
        try ledger.set("a", 10, .synced, in: store)
    }

    @Test("Synced values survive every loss of power", arguments: PowerLoss.allCases)
    func everyCall(loss: PowerLoss) throws { try Self.trial.everyCall(loss, Self.run) }

    @Test("A loss of power during a migration leaves all old or all new documents", arguments: PowerLoss.allCases)
    func migration(loss: PowerLoss) throws {
        let location = FileStoreLocation(directory: "/volume/data")
        func open(_ disk: SimulatedDisk, version: Int, dyingAt end: Int = .max) -> (LocalProvider, SimulatedProcess) {
            let process = SimulatedProcess(disk, dyingAt: end)
            let options = SchemaFixture.options(version)
            return (LocalProvider(location: location, options: options, system: FileSystem(process)), process)
        }
        let sample = SimulatedDisk()
        try SchemaFixture.fill(open(sample, version: 1).0, .propertyList)
        var (stored, done) = (0, 0)
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
                stored += 1
            } catch let error as LocalError {
                guard case .newerVersion(_, 3, 1) = error else { throw error }
                done += 1
            }
            let new = open(after, version: 3).0
            #expect(try SchemaFixture.contents(new, .propertyList) == SchemaFixture.three, place)
            guard process.isDead else { break }
        }
        #expect(stored > 3 && done > 3)
    }

    @Test("A synced write synchronises the file and the folder once each, a written one only the file")
    func synchronisations() throws {
        let disk = SimulatedDisk()
        let store = Self.trial.store(on: disk)
        var ledger = Self.trial.ledger
        try ledger.set("a", 0, .synced, in: store)
        try ledger.set("a", 1, .written, in: store)
        let before = disk.synchronised
        for number in 2..<12 { try ledger.set("a", number, .synced, in: store) }
        #expect(disk.synchronised == (before.files + 10, before.folders + 10))
        for number in 12..<22 { try ledger.set("a", number, .written, in: store) }
        #expect(disk.synchronised == (before.files + 20, before.folders + 10))
        // The old values are gone once their removal is durable.
        try store.purge()
        #expect(disk.synchronised == (before.files + 21, before.folders + 11))
        try Self.trial.check(disk.afterPowerLoss(.everything), ledger, "after all")
    }
}
