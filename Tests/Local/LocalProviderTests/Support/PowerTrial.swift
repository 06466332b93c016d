import TestSupport
import Testing

@testable import LocalProvider

/// A test of both stores on disk: the power is lost at a call, and the remaining values are checked.
struct PowerTrial<Store: RecoveringStore>: Sendable {
    /// Whether a synced write brings all before it to the disk, too.
    let coversAll: Bool
    /// Whether what the power has left may be damaged, so that the store has to deal with that.
    let leavesDamage: Bool
    private let make: @Sendable (FileSystem) -> Store

    init(coversAll: Bool, leavesDamage: Bool, _ make: @escaping @Sendable (FileSystem) -> Store) {
        (self.coversAll, self.leavesDamage, self.make) = (coversAll, leavesDamage, make)
    }

    /// The store of a new process, or of the one passed.
    func store(on disk: SimulatedDisk) -> Store { store(of: SimulatedProcess(disk)) }
    func store(of process: SimulatedProcess) -> Store { make(FileSystem(process)) }

    /// A ledger with nothing in it.
    var ledger: PowerLedger { PowerLedger(coversAll: coversAll) }

    /// Expects that the ledger allows each value, and that the store can be used.
    func check(_ disk: SimulatedDisk, _ ledger: PowerLedger, _ place: String) throws {
        let store = store(on: disk)
        for name in ledger.names {
            let (value, possible) = (try store.value(name), ledger.possible(name))
            #expect(possible.contains(value), "\(place): \(name) is \(String(describing: value)), not \(possible)")
            #expect(try store.identifiers().contains(name) == (value != nil), "\(place): \(name)")
        }
        #expect(store.recoveries.isEmpty || leavesDamage, "\(place): \(store.recoveries)")
        try store.set("after", 1, .synced)
        let next = self.store(on: disk.afterPowerLoss(.everything))
        #expect(try next.value("after") == 1, "\(place)")
        #expect(next.recoveries.isEmpty, "\(place)")
    }

    /// Lets the power go at each call of `body` in a long run, else at every fifth, beginning anywhere.
    func everyCall(_ loss: PowerLoss, _ body: (Store, inout PowerLedger) throws -> Void) throws {
        for number in stride(from: isLongRun ? 1 : .random(in: 1...5), to: .max, by: isLongRun ? 1 : 5) {
            let disk = SimulatedDisk()
            let process = SimulatedProcess(disk, dyingAt: number)
            var ledger = ledger
            do { try body(store(of: process), &ledger) } catch { #expect(process.isDead, "\(error)") }
            let seed = UInt64.random(in: 0...UInt64.max)
            try check(disk.afterPowerLoss(loss, seed: seed), ledger, "\(loss) \(seed) at call \(number)")
            guard process.isDead else {
                #expect(number > 100)
                return
            }
        }
    }
}
