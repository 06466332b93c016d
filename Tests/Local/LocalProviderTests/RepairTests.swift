import Foundation
import LocalProviderTestSupport
import SystemCalls
import TestSupport
import Testing

@testable import LocalProvider

/// Repairs that are cut short: what they would have saved, the next one saves.
@Suite("Interrupted repairs")
struct RepairTests {
    private static let path = "/data/defaults.journal"

    /// What is damaged, and what is left of the values `["a": 2, "c": 1, "d": 4]` then.
    enum Damage: CaseIterable {
        /// The header, whose place the backup takes.
        case header
        /// A record that the backup has as well.
        case compacted
        /// A record after the last compaction: the one that removes b.
        case appended
        /// The whole file.
        case journal

        var values: [String: Int] {
            switch self {
            case .header, .compacted: ["a": 2, "c": 1, "d": 4]
            case .appended: ["a": 2, "b": 1, "c": 1, "d": 4]
            case .journal: ["a": 1, "b": 1, "c": 1]
            }
        }
    }

    private static func damaged(_ damage: Damage) throws -> SimulatedDisk {
        let disk = SimulatedDisk()
        let store = JSONDefaults(on: disk)
        for name in ["c", "a", "b"] { try store.set(name, 1, .synced) }
        try store.compactNow()
        try store.set("a", 2, .synced)
        let start = store.journal.file.end
        try store.remove("b", .synced)
        try store.set("d", 4, .synced)
        disk.damage(path) { bytes in
            switch damage {
            case .header: bytes[20] ^= 1
            case .compacted: bytes[JournalFormat.headerSize + JournalFormat.recordHeaderSize + 1] ^= 1
            case .appended: bytes[start + JournalFormat.recordHeaderSize] ^= 1
            case .journal: bytes = [UInt8](repeating: 0x55, count: bytes.count)
            }
        }
        return disk
    }

    @Test("A repair that is interrupted at any call is done by the next process", arguments: Damage.allCases)
    func killed(damage: Damage) throws {
        let sample = try Self.damaged(damage)
        for number in 1... {
            let disk = sample.copy()
            let process = SimulatedProcess(disk, dyingAt: number)
            do { #expect(try JSONDefaults(on: process).numbers() == damage.values) } catch {
                #expect(process.isDead, "\(error)")
            }
            for loss in PowerLoss.allCases {
                let seed = UInt64.random(in: 0...UInt64.max)
                let store = JSONDefaults(on: disk.afterPowerLoss(loss, seed: seed))
                #expect(try store.numbers() == damage.values, "\(loss) \(seed) at call \(number)")
            }
            guard process.isDead else {
                #expect(number > 15)
                return
            }
        }
    }

    @Test(
        "If a call of a repair fails, or all from there on, this and the next store continue",
        arguments: Damage.allCases,
        [EIO, ENOSPC, EACCES]
    )
    func failing(damage: Damage, code: Int32) throws {
        let sample = try Self.damaged(damage)
        for number in 1... {
            var isReached = false
            for fault in [FaultyCalls.Fault.failing(at: number, code: code), .broken(from: number, code: code)] {
                let disk = sample.copy()
                let calls = FaultyCalls(fault, over: SimulatedProcess(disk))
                let store = JSONDefaults(on: calls)
                do throws(LocalError) {
                    // Where nothing may be repaired it is read as it is, without the backup's part.
                    let values = try store.numbers()
                    let known = ["a": [1, 2], "b": [1], "c": [1], "d": [4]]
                    #expect(values.allSatisfy { known[$0.key]?.contains($0.value) == true }, "\(fault): \(values)")
                } catch {}
                isReached = isReached || calls.count >= number
                if case .failing = fault, calls.count >= number {
                    #expect(try store.numbers() == damage.values, "\(fault)")
                }
                #expect(try JSONDefaults(on: disk).numbers() == damage.values, "\(fault)")
            }
            guard isReached else {
                #expect(number > 15)
                return
            }
        }
    }

    @Test("Damage that may not be repaired is reported until it is repaired", arguments: Damage.allCases)
    func unrepaired(damage: Damage) throws {
        let disk = try Self.damaged(damage)
        let calls = RefusingCalls(.openingForWriting, of: SimulatedProcess(disk), isRefusing: true)
        let store = JSONDefaults(on: calls)
        for _ in 0..<2 {
            _ = try store.count()
            #expect(store.unrepairedDamage != nil)
            #expect(store.recoveries.isEmpty)
        }
        calls.isRefusing = false
        #expect(try store.numbers() == damage.values)
        #expect(store.unrepairedDamage == nil)
        #expect(store.recoveries.count == 1)
    }

    @Test("A missing file with a backup is reported as damage, and an unfinished write is not")
    func unrepairedRest() throws {
        let disk = try Self.damaged(.header)
        try SimulatedProcess(disk).remove(Self.path)
        let calls = RefusingCalls(.openingForWriting, of: SimulatedProcess(disk), isRefusing: true)
        let store = JSONDefaults(on: calls)
        #expect(try store.count() == 0)
        #expect(store.unrepairedDamage == .replacedByBackup)
        calls.isRefusing = false
        #expect(try store.count() > 0)
        #expect(store.unrepairedDamage == nil)
        disk.damage(Self.path) { $0 += JournalFormat.mark }
        calls.isRefusing = true
        #expect(try store.count() > 0)
        #expect(store.unrepairedDamage == nil)
    }
}
