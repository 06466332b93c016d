import Foundation
import TestSupport
import Testing

@testable import LocalProvider

/// The backup of a small journal with a flipped bit.
@Suite("Damaged backups of journals")
struct JournalBackupDamageTests {
    private static let path = "/data/defaults.journal"
    private static let backup = path + ".backup"

    /// What has become of the journal that the backup is of, and what holds then while the backup is whole.
    enum Damage: CaseIterable {
        case none, header, compacted, appended, noise, gone

        var values: [String: Int] {
            switch self {
            case .none, .header, .compacted: ["a": 2, "c": 1, "d": 4]
            case .appended: ["a": 2, "b": 1, "c": 1, "d": 4]
            case .noise, .gone: ["a": 1, "b": 1, "c": 1]
            }
        }

        func damage(_ disk: SimulatedDisk, appendedStart: Int) throws {
            if self == .gone { return try SimulatedProcess(disk).remove(path) }
            disk.damage(path) { bytes in
                switch self {
                case .none, .gone: break
                case .header: bytes[20] ^= 1
                case .compacted: bytes[JournalFormat.headerSize + JournalFormat.recordHeaderSize + 1] ^= 1
                case .appended: bytes[appendedStart + JournalFormat.recordHeaderSize] ^= 1
                case .noise: bytes = [UInt8](repeating: 0x55, count: bytes.count)
                }
            }
        }
    }

    /// A journal with a backup, and where its record that removes b begins.
    private static func sample() throws -> (disk: SimulatedDisk, start: Int) {
        let disk = SimulatedDisk()
        let store = JSONDefaults(on: disk)
        try store.set("a", 0, .synced)
        try store.transaction { transaction in
            try transaction.set(1, for: "a")
            try transaction.set(1, for: "b")
        }
        try store.set("r", 1, .synced)
        try store.remove("r", .synced)
        try store.set("c", 1, .synced)
        try store.compactNow()
        try store.set("a", 2, .synced)
        let start = store.journal.file.end
        try store.remove("b", .synced)
        try store.set("d", 4, .synced)
        return (disk, start)
    }

    @Test("No flipped bit in a backup becomes a value, whatever the state of the journal", arguments: Damage.allCases)
    func bits(damage: Damage) throws {
        let (sample, start) = try Self.sample()
        let whole = try #require(sample.bytes(of: Self.backup))
        let known: [String: Set<Int>] = ["a": [0, 1, 2], "b": [1], "c": [1], "d": [4], "r": [1]]
        for bit in [nil] + FlippedBits.of(whole.count).map(Optional.init) {
            let disk = sample.copy()
            try damage.damage(disk, appendedStart: start)
            if let bit { disk.damage(Self.backup) { $0 = $0.flipping(bit) } }
            let place = "bit \(bit.map(String.init) ?? "none")"
            let bytes = disk.bytes(of: Self.backup)
            let store = JSONDefaults(on: disk)
            let values = try store.numbers()
            let isKnown = values.allSatisfy { known[$0.key]?.contains($0.value) == true }
            #expect(isKnown, "\(place): \(values)")
            // The backup is read only if the journal is damaged, which is then reported.
            #expect(store.recoveries.isEmpty == (damage == .none), "\(place): \(store.recoveries)")
            if bit == nil || damage == .none { #expect(values == damage.values, "\(place)") }
            // What the journal holds itself needs no backup.
            let own = damage == .noise || damage == .gone ? [:] : ["a": 2, "c": 1, "d": 4]
            let isOwn = own.allSatisfy { values[$0.key] == $0.value || damage == .compacted && $0.key == "a" }
            #expect(isOwn, "\(place): \(values)")
            if damage == .gone {
                // Nothing of the only file there is, is lost with what is read of it.
                let setAside = store.recoveries.first?.setAside
                #expect((setAside == nil) == (bit == nil), "\(place)")
                #expect(setAside.map { disk.bytes(of: $0) == bytes } ?? true, "\(place)")
            }
            // It is intact now and can be used.
            let next = JSONDefaults(on: disk)
            #expect(try next.numbers() == values && next.recoveries.isEmpty, "\(place)")
            try next.set("e", 7, .synced)
            try next.compactNow()
            disk.damage(Self.path) { $0[20] ^= 1 }
            let last = JSONDefaults(on: disk)
            #expect(try last.numbers() == values.merging(["e": 7]) { $1 }, "\(place)")
        }
    }

    @Test("Without a journal, a backup that ends early is set aside, wherever it ends")
    func cut() throws {
        let sample = SimulatedDisk()
        let store = JSONDefaults(on: sample)
        for name in ["a", "b", "c"] {
            try store.set(name, 1, .synced)
            if name != "a" { try store.compactNow() }
        }
        try SimulatedProcess(sample).remove(Self.path)
        let whole = try #require(sample.bytes(of: Self.backup))
        guard case .whole(_, _, _, let end) = JournalFormat.readHeader(whole) else { throw LocalError.locked(path: "") }
        for (length, isDamaged) in [(JournalFormat.headerSize, true)] + (1..<end).map({ ($0, false) }) {
            let disk = sample.copy()
            disk.damage(Self.backup) { bytes in
                bytes = Array(whole[..<length])
                if isDamaged { bytes[20] ^= 1 }
            }
            let store = JSONDefaults(on: disk)
            let values = try store.numbers()
            #expect(values.allSatisfy { ["a", "b"].contains($0.key) && $0.value == 1 }, "\(length)")
            #expect(store.recoveries.first?.setAside != nil, "\(length) of \(whole.count): \(values)")
        }
    }
}
