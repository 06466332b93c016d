import Foundation
import LocalProviderTestSupport
import TestSupport
import Testing

@testable import LocalProvider

/// What stays of values that are gone, and what must stay although they are.
@Suite("Backups of journals")
struct JournalTracesTests {
    private static let path = "/data/defaults.journal"

    /// How a store of the third version gets a journal without an old backup.
    enum Emptying: CaseIterable {
        case compacting, removing, beginning
    }

    @Test(
        "A flipped bit in the version never runs a step twice, however new the journal is",
        arguments: Emptying.allCases
    )
    func damagedVersion(emptying: Emptying) throws {
        let disk = SimulatedDisk()
        let options = SchemaFixture.options(3).defaults
        if emptying != .beginning { try JSONDefaults(on: disk).set("count", 41) }
        let store = JSONDefaults(on: disk, options: options)
        switch emptying {
        case .compacting: try store.compactNow(keepsBackup: false)
        case .removing: try store.removeAll(durability: nil)
        case .beginning: break
        }
        if emptying != .compacting { try store.set("count", 42) }
        for bit in FlippedBits.of(JournalFormat.headerSize) {
            let copy = disk.copy()
            copy.damage(Self.path) { $0 = $0.flipping(bit) }
            func expectRefusal() {
                let former = JSONDefaults(on: copy, options: SchemaFixture.options(2).defaults)
                #expect(throws: LocalError.self) { try former.count() }
            }
            expectRefusal()
            let store = JSONDefaults(on: copy, options: options)
            #expect(try store.numbers() == ["count": 42], "bit \(bit)")
            expectRefusal()
        }
    }

    @Test("The archive of a migration survives a loss of power with what was only written before")
    func archive() throws {
        let disk = SimulatedDisk()
        try JSONDefaults(on: disk).set("count", 41)
        let journal = disk.bytes(of: Self.path)
        try JSONDefaults(on: disk, options: SchemaFixture.options(3).defaults).migrate()
        #expect(disk.afterPowerLoss(.everything).bytes(of: Self.path + ".v1") == journal)
    }

    @Test("The backup of a compaction whose journal was not replaced repairs it, that of a migration does not")
    func newerBackup() throws {
        for options in [JSONDefaults.Options(), SchemaFixture.options(3).defaults] {
            let disk = SimulatedDisk()
            let store = JSONDefaults(on: disk)
            for (name, value) in [("count", 41), ("x", 1)] { try store.set(name, value) }
            try store.compactNow()
            let start = store.journal.file.end
            for name in ["y", "z"] { try store.set(name, 1) }
            let later = disk.copy()
            try JSONDefaults(on: later, options: options).compactNow(keepsBackup: false)
            disk.damage(Self.path + ".backup") { $0 = later.bytes(of: Self.path + ".backup") ?? [] }
            disk.damage(Self.path) { $0[start + JournalFormat.recordHeaderSize] ^= 1 }
            let values = try JSONDefaults(on: disk, options: options).numbers()
            let isMigrated = options.schema.version > 1
            #expect(values == (isMigrated ? ["count": 42, "x": 1, "z": 1] : ["count": 41, "x": 1, "y": 1, "z": 1]))
        }
    }

    @Test("A compaction that was interrupted after its backup was made leaves no temporary file behind the next one")
    func interruptedAfterBackup() throws {
        let folder = try TemporaryDirectory("backup")
        let store = JSONDefaults(location: FileStoreLocation(directory: folder.path))
        try store.set("a", 1)
        let journal = folder.file("defaults.journal")
        // The two names of one file: renaming one to the other does nothing.
        try FileManager.default.linkItem(at: journal, to: folder.file("defaults.journal.backup"))
        try store.compactNow()
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.filter { $0.hasSuffix(".tmp") }.isEmpty && names.contains("defaults.journal.backup"))
        #expect(try store.value("a") == 1)
    }

    @Test("Without hard links, the backup is a copy")
    func withoutLinks() throws {
        let disk = SimulatedDisk()
        let calls = RefusingCalls(.linking, of: SimulatedProcess(disk))
        let store = JSONDefaults(on: calls)
        for name in ["a", "b"] { try store.set(name, 1) }
        try store.compactNow()
        try store.set("a", 2)
        try store.remove("b", .written)
        calls.isRefusing = true
        try store.compactNow()
        #expect(calls.refusals == 1)
        // With the backup before, b would come back.
        disk.damage(Self.path) { $0[20] ^= 1 }
        #expect(try JSONDefaults(on: disk).numbers() == ["a": 2])
    }

    @Test("A backup that can be neither linked nor copied cancels the compaction, and the journal is unchanged")
    func withoutBackup() throws {
        let disk = SimulatedDisk()
        let store = JSONDefaults(on: disk)
        for number in 0..<3 { try store.set("a", number) }
        try store.compactNow()
        try store.set("a", 3)
        let before = disk.bytes(of: Self.path)
        for number in 1... {
            let faulty = FaultyCalls(.failing(at: number, code: 5), over: SimulatedProcess(disk))
            let calls = RefusingCalls(.linking, of: faulty, isRefusing: true)
            let isCompacted: Void? = try? JSONDefaults(on: calls).compactNow()
            #expect(try JSONDefaults(on: disk).numbers() == ["a": 3], "call \(number)")
            if isCompacted != nil || disk.bytes(of: Self.path) != before {
                // It is there as soon as only the folder is not on the disk.
                #expect(number > 20)
                return
            }
        }
    }

    @Test("Purged values are in no file, whatever repairs and migrations have set aside")
    func noTraces() throws {
        let folder = try TemporaryDirectory("traces")
        func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
        func store(_ version: Int) -> JSONDefaults { SchemaFixture.open(folder.path, version: version).defaults }
        func fill(_ text: String) throws { try store(3).set("x", ["colour": "secret \(text)"], nil) }
        func damage() throws {
            var bytes = try Data(contentsOf: folder.file("defaults.journal"))
            bytes[20] ^= 1
            try bytes.write(to: folder.file("defaults.journal"))
            #expect(try store(3).count() > 0)
        }
        func check() throws {
            #expect(try names() == ["", ".backup", ".lock", ".vain"].map { "defaults.journal" + $0 })
            for name in try names() {
                #expect(try Data(contentsOf: folder.file(name)).range(of: Data("secret".utf8)) == nil, "\(name)")
            }
        }
        // Not ours: no version's number.
        try folder.write("stored", to: "defaults.journal.vain")
        try store(1).set("y", "secret", nil)
        try store(3).migrate()
        try fill("1")
        try damage()
        #expect(try names().contains("defaults.journal.v1") && names().contains("defaults.journal.damaged"))
        try folder.write("secret", to: "defaults.journal.tmp")
        try store(3).removeAll(durability: nil)
        try check()
        // The same for what was only replaced.
        try fill("2")
        try damage()
        try store(3).set("x", 1, nil)
        try store(3).compactNow(keepsBackup: false)
        try check()
        #expect(try store(3).numbers() == ["x": 1])
    }
}
