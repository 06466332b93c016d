import Foundation
import LocalProviderTestSupport
import TestSupport
import Testing

@testable import LocalProvider

@Suite("Damaged property lists")
struct PropertyListDamageTests {
    private static let old = Profile(age: 1)
    private static let new = Profile(age: 2)

    private static func files(_ format: PropertyListFormat) throws -> (main: [UInt8], backup: [UInt8]) {
        let folder = try MemoryFolder()
        let store = try open(folder.path, format)
        let name = try LocalIdentifier("x")
        try store.set(old, for: name, rule: .set, durability: nil)
        try store.set(new, for: name, rule: .set, durability: nil)
        let path = store.path(for: name)
        return try (bytes(path), bytes(path + ".backup"))
    }

    private static func bytes(_ path: String) throws -> [UInt8] {
        try Array(Data(contentsOf: URL(fileURLWithPath: path)))
    }

    private static func open(_ path: String, _ format: PropertyListFormat) throws -> PropertyListStore {
        var options = PropertyListStore.Options()
        options.format = format
        return PropertyListStore(
            location: FileStoreLocation(directory: path),
            options: options,
            system: FileSystem(FaultyCalls(.none))
        )
    }

    /// Reads a file of these bytes.
    private static func read(
        _ main: [UInt8],
        _ backup: [UInt8]?,
        _ format: PropertyListFormat
    ) throws -> (value: Profile?, found: [LocalRecovery]) {
        let folder = try MemoryFolder()
        let path = folder.path + "/x.plist"
        try Data(main).write(to: URL(fileURLWithPath: path))
        if let backup { try Data(backup).write(to: URL(fileURLWithPath: path + ".backup")) }
        let store = try open(folder.path, format)
        let value = try store.value(for: LocalIdentifier("x"), as: Profile.self)
        if !store.recoveries.isEmpty {
            #expect(try bytes(path + ".damaged") == main)
            #expect(try bytes(path) == backup)
        }
        return (value, store.recoveries)
    }

    @Test(
        "A flipped bit returns the value, or that of the backup with a report",
        arguments: PropertyListFormat.allCases
    )
    func bits(format: PropertyListFormat) throws {
        let (main, backup) = try Self.files(format)
        for bit in FlippedBits.of(main.count) {
            let (value, found) = try Self.read(main.flipping(bit), backup, format)
            #expect(value == (found.isEmpty ? Self.new : Self.old), "bit \(bit)")
            #expect(found.allSatisfy { $0.damage == .replacedByBackup })
        }
    }

    @Test("Without a backup, a flipped bit returns the value or an error", arguments: PropertyListFormat.allCases)
    func bitsWithoutBackup(format: PropertyListFormat) throws {
        let (main, _) = try Self.files(format)
        for bit in FlippedBits.of(main.count) {
            do {
                #expect(try Self.read(main.flipping(bit), nil, format).value == Self.new, "bit \(bit)")
            } catch LocalError.corrupt(let path, _) {
                #expect(path.hasSuffix("x.plist"))
            }
        }
    }

    @Test("A flipped bit in a backup never becomes a value", arguments: PropertyListFormat.allCases)
    func bitsInBackup(format: PropertyListFormat) throws {
        let (main, backup) = try Self.files(format)
        var damaged = main
        damaged[main.count / 2] ^= 1
        for bit in FlippedBits.of(backup.count) {
            let bytes = backup.flipping(bit)
            let (value, found) = try Self.read(main, bytes, format)
            #expect(value == Self.new && found.isEmpty, "bit \(bit)")
            do {
                #expect(try Self.read(damaged, bytes, format).value == Self.old, "bit \(bit)")
            } catch LocalError.corrupt(let path, _) {
                #expect(path.hasSuffix("x.plist"))
            }
        }
    }

    @Test(
        "A file cut or zeroed anywhere returns the value of the backup with a report",
        arguments: PropertyListFormat.allCases
    )
    func truncation(format: PropertyListFormat) throws {
        let (main, backup) = try Self.files(format)
        let phase = Int.random(in: 0..<4)
        for count in 0..<main.count {
            let cut = Array(main.prefix(count))
            let zeroed = cut + [UInt8](repeating: 0, count: main.count - count)
            for bytes in isLongRun || count % 4 == phase ? [cut, zeroed] : [cut] where bytes != main {
                let (value, found) = try Self.read(bytes, backup, format)
                // Where only the checksum's line is lost, the file is whole.
                #expect(value == (found.isEmpty ? Self.new : Self.old), "cut at \(count)")
                #expect(!found.isEmpty || format == .xml || count > main.count - 33, "cut at \(count)")
            }
        }
    }

    @Test("No bytes end the process, and every tree decodes or throws a reason")
    func noise() throws {
        var generator = SeededGenerator()
        for format in PropertyListFormat.allCases {
            let sealed = try Self.files(format).main
            guard case .whole(let plain) = PropertyListSeal.check(sealed) else {
                Issue.record("no checksum")
                return
            }
            for round in 0..<(isLongRun ? 200_000 : 4_000) {
                var bytes = plain
                for _ in 0..<Int.random(in: 1...4, using: &generator) {
                    let place = Int.random(in: 0..<bytes.count, using: &generator)
                    bytes[place] =
                        Bool.random(using: &generator)
                        ? bytes[place] ^ 1 << UInt8.random(in: 0..<8, using: &generator)
                        : UInt8.random(in: 0...255, using: &generator)
                }
                guard let tree = try? PropertyListValue(reading: bytes) else { continue }
                if round % 10 == 0 { _ = try? PropertyListCoding.decode(Profile.self, from: bytes) }
                // What was read can be written and read again.
                let copy = try PropertyListValue(reading: tree.written(as: .binary))
                #expect(copy == tree || Self.hasNaN(tree), "seed \(generator.seed)")
            }
        }
    }

    @Test("Bytes made on purpose with a right checksum are validated like all others")
    func sealedNoise() throws {
        var generator = SeededGenerator()
        let folder = try MemoryFolder()
        let name = try LocalIdentifier("x")
        for format in PropertyListFormat.allCases {
            let store = try Self.open(folder.path, format)
            try store.set([Self.old, Self.new], for: name, rule: .set, durability: nil)
            guard case .whole(let plain) = PropertyListSeal.check(try Self.bytes(store.path(for: name))) else {
                Issue.record("no checksum")
                return
            }
            for _ in 0..<(isLongRun ? 50_000 : 1_000) {
                var bytes = plain
                // Where the numbers are that a reader could trust: the table, the trailer, the heads of the objects.
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                bytes[place] =
                    [0, 1, 0x0F, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &generator)]
                    .randomElement(using: &generator) ?? 0
                try Data(PropertyListSeal.sealed(bytes)).write(to: URL(fileURLWithPath: store.path(for: name)))
                do {
                    _ = try store.value(for: name, as: [Profile].self)
                } catch {
                    switch error {
                    case .undecodable, .corrupt: continue
                    default: Issue.record("\(error), seed \(generator.seed)")
                    }
                }
            }
        }
    }

    private static func hasNaN(_ tree: PropertyListValue) -> Bool {
        switch tree {
        case .real(let value): value.isNaN
        case .date(let value): value.timeIntervalSinceReferenceDate.isNaN
        case .array(let values): values.contains(where: hasNaN)
        case .dictionary(let values): values.values.contains(where: hasNaN)
        default: false
        }
    }

    @Test("Cycles, unlimited sharing and deep nesting are refused")
    func hostile() throws {
        func file(_ objects: [[UInt8]]) -> [UInt8] {
            var bytes = Array("bplist00".utf8)
            let offsets = objects.map { object in
                defer { bytes += object }
                return UInt8(bytes.count)
            }
            let table = UInt8(bytes.count)
            bytes += offsets
            let zeros = [UInt8](repeating: 0, count: 7)
            return bytes + zeros.dropLast() + [1, 1] + zeros + [UInt8(objects.count)] + zeros + [0] + zeros + [table]
        }
        #expect(try PropertyListValue(reading: file([[0xA1, 1], [0x09]])) == .array([.bool(true)]))
        #expect(throws: PropertyListProblem.self) { try PropertyListValue(reading: file([[0xA1, 0]])) }
        #expect(throws: PropertyListProblem.self) { try PropertyListValue(reading: file([[0xA1, 1], [0xA1, 0]])) }
        #expect(throws: PropertyListProblem.self) {
            try PropertyListValue(reading: file([[0xD1, 1, 0], [0x51, 0x61]]))
        }
        let doubling = (1...40).map { [0xA2, UInt8($0), UInt8($0)] } + [[0x09]]
        #expect(throws: PropertyListProblem.self) { try PropertyListValue(reading: file(doubling)) }
        // A hundred thousand times the same megabyte: one in the file, a hundred gigabytes in the tree.
        #expect(throws: PropertyListProblem.self) {
            try PropertyListValue(reading: Self.shared(0x40, 1 << 20, times: 100_000))
        }
        // What honest programs share is read.
        for kind in [UInt8(0x40), 0x50] {
            guard case .array(let values) = try PropertyListValue(reading: Self.shared(kind, 1_000, times: 2_000))
            else {
                Issue.record("no array")
                continue
            }
            #expect(values.count == 2_000 && Set(values).count == 1)
        }
        for text in ["<array>", "<dict><key>a</key>"] {
            let deep = "<plist>" + String(repeating: text, count: 100_000)
            #expect(throws: PropertyListProblem.self) { try PropertyListValue(reading: Array(deep.utf8)) }
        }
        let entity = "<!DOCTYPE plist [<!ENTITY a \"b\">]><plist><string>&a;</string></plist>"
        #expect(throws: PropertyListProblem.self) { try PropertyListValue(reading: Array(entity.utf8)) }
    }

    /// An array of one object, again and again.
    private static func shared(_ kind: UInt8, _ count: Int, times: Int) -> [UInt8] {
        func number(_ value: Int, _ size: Int) -> [UInt8] {
            (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * (size - 1 - $0))) }
        }
        var bytes = Array("bplist00".utf8) + [0xAF, 0x12] + number(times, 4)
        bytes += [UInt8](repeating: 1, count: times)
        let second = bytes.count
        bytes += [kind | 0x0F, 0x12] + number(count, 4) + [UInt8](repeating: 0x20, count: count)
        let table = bytes.count
        bytes += number(8, 4) + number(second, 4) + [0, 0, 0, 0, 0, 0, 4, 1]
        return bytes + number(2, 8) + number(0, 8) + number(table, 8)
    }

    @Test("A damaged file that is replaced is set aside and does not become the backup")
    func damagedIsPutAside() throws {
        let folder = try MemoryFolder()
        let store = try Self.open(folder.path, .binary)
        let name = try LocalIdentifier("x")
        let path = store.path(for: name)
        try store.set(Self.old, for: name, rule: .set, durability: nil)
        var bytes = try Self.bytes(path)
        bytes[20] ^= 1
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        #expect(throws: LocalError.self) { try store.value(for: name, as: Profile.self) }
        try store.set(Self.new, for: name, rule: .set, durability: nil)
        #expect(try store.value(for: name, as: Profile.self) == Self.new)
        #expect(try Self.bytes(path + ".damaged") == bytes)
        #expect(!FileManager.default.fileExists(atPath: path + ".backup"))
    }
}
