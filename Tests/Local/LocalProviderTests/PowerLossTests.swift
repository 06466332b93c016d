import Foundation
import TestSupport
import Testing

@testable import LocalProvider

/// The power goes at each call in turn; afterwards everything that was reported as synced must be there.
@Suite("Power losses")
struct PowerLossTests {
    private static let trial = PowerTrial(coversAll: true, leavesDamage: true) { system in
        let location = FileStoreLocation(directory: "/volume/data")
        return JSONDefaults(location: location, name: "defaults", options: .init(), system: system)
    }

    /// Writes in every way there is.
    private static func run(_ store: JSONDefaults, _ ledger: inout PowerLedger) throws {
        for number in 0..<4 {
            try ledger.set("a", number, .synced, in: store)
            try ledger.set("b\(number)", number, .written, in: store)
        }
        try ledger.set("c", 1, .deferred, in: store)
        try ledger.remove("b1", .synced, from: store)
        try ledger.set("d", 1, .written, in: store)
        try ledger.write([:], .synced) { try store.flush() }
        try store.compactNow()
        try ledger.set("a", 10, .written, in: store)
        try ledger.write(["t": 1, "u": 1], .synced) {
            try store.transaction { transaction in
                try transaction.set(1, for: "t")
                try transaction.set(1, for: "u")
            }
        }
        try ledger.set("a", 11, .synced, in: store)
        try store.compactNow(keepsBackup: false)
        try ledger.set("b2", 5, .synced, in: store)
        try ledger.removeAll(.synced, from: store)
        try ledger.write(["a": 20, "e": 1], .synced) { try store.importJSON(Data(#"{"a": 20, "e": 1}"#.utf8)) }
        try ledger.set("a", 21, .synced, in: store)
    }

    @Test("Synced values survive every loss of power", arguments: PowerLoss.allCases)
    func everyCall(loss: PowerLoss) throws { try Self.trial.everyCall(loss, Self.run) }

    @Test(
        "A process synchronises what another one has left before its own synced call returns",
        arguments: [false, true]
    )
    func handover(isNew: Bool) throws {
        for number in 1... {
            let disk = SimulatedDisk()
            var ledger = Self.trial.ledger
            if !isNew { try ledger.set("a", 0, .synced, in: Self.trial.store(on: disk)) }
            let process = SimulatedProcess(disk, dyingAt: number)
            do {
                let store = Self.trial.store(of: process)
                try ledger.set("b", 1, .written, in: store)
                try store.compactNow()
                try ledger.set("b", 2, .written, in: store)
                try store.compactNow(keepsBackup: false)
            } catch { #expect(process.isDead, "\(error)") }
            let next = Self.trial.store(on: disk)
            // A reader sees the new file first, and the same value again needs no writing.
            let value = try next.value("b") ?? 3
            try ledger.set("b", value, .synced, in: next)
            try Self.trial.check(disk.afterPowerLoss(.everything), ledger, "call \(number)")
            guard process.isDead else { return }
        }
    }

    @Test("A synced write synchronises the file once and no folder, a written one nothing")
    func synchronisations() throws {
        let disk = SimulatedDisk()
        let store = Self.trial.store(on: disk)
        var ledger = Self.trial.ledger
        try ledger.set("a", 0, .synced, in: store)
        let before = disk.synchronised
        for number in 1...20 { try ledger.set("a", number, .synced, in: store) }
        #expect(disk.synchronised.files == before.files + 20 && disk.synchronised.folders == before.folders)
        for number in 1...20 { try ledger.set("b", number, .written, in: store) }
        #expect(disk.synchronised.files == before.files + 20 && disk.synchronised.folders == before.folders)
        // Another process that only writes does not either, although it cannot know what the first has brought there.
        try ledger.set("c", 1, .written, in: Self.trial.store(on: disk))
        #expect(disk.synchronised.files == before.files + 20 && disk.synchronised.folders == before.folders)
        try Self.trial.check(disk.afterPowerLoss(.everything), ledger, "after all")
    }
}
