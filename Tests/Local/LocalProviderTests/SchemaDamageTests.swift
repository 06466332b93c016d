import Foundation
import LocalProviderTestSupport
import TestSupport
import Testing

@testable import LocalProvider

/// Bits that flip in the archive of a migration, of which there is no backup.
@Suite("Damage to the archive of a migration")
struct SchemaDamageTests {
    /// An identifier that a file name cannot hold, so that it is in a second file.
    private static let long = "part" + String(repeating: "x", count: 300)
    private static let one = SchemaFixture.one.merging([long: "colour=grey"]) { $1 }
    private static let two = SchemaFixture.two.merging([long: "colour=grey"]) { $1 }
    private static let three = SchemaFixture.three.merging([long: "theme=grey"]) { $1 }

    /// A store of each version after the other.
    private static func migrated() throws -> MemoryFolder {
        let folder = try MemoryFolder()
        let provider = open(folder.path, 1)
        try SchemaFixture.fill(provider, .propertyList)
        try provider.set(LocalKey(long, in: .propertyList), to: ["colour": "grey"])
        for version in 2...3 { try open(folder.path, version).migrate() }
        return folder
    }

    private static func open(_ folder: String, _ version: Int) -> LocalProvider {
        let location = FileStoreLocation(directory: folder)
        // Nothing is brought to the disk.
        return LocalProvider(
            location: location,
            options: SchemaFixture.options(version),
            system: FileSystem(FaultyCalls(.none))
        )
    }

    private static func files(_ folder: String) throws -> [(name: String, bytes: Data)] {
        try folderImage(folder).sorted { $0.key < $1.key }.map { (name: $0.key, bytes: $0.value) }
    }

    /// Creates a folder with the archived documents of a version in place of the current ones.
    private static func restore(_ files: [(name: String, bytes: Data)]) throws -> MemoryFolder {
        let folder = try MemoryFolder()
        try FileManager.default.createDirectory(atPath: folder.path + "/plists", withIntermediateDirectories: false)
        for file in files { try file.bytes.write(to: URL(fileURLWithPath: folder.path + "/plists/" + file.name)) }
        return folder
    }

    /// Reads every value, and expects that of the version, or a report of damage.
    ///
    /// - Returns: the number of reports.
    private static func expect(_ values: [String: String], _ provider: LocalProvider, _ place: Comment) throws -> Int {
        var damages = 0
        for (name, text) in values {
            do {
                let value = try SchemaFixture.content(provider, name, .propertyList)
                #expect(value == text, place)
            } catch LocalError.corrupt { damages += 1 }
        }
        do {
            #expect(try Set(provider.identifiers(in: .propertyList)) == Set(values.keys), place)
        } catch LocalError.corrupt { damages += 1 }
        return damages
    }

    @Test("A restored archive has its version, and no step is run twice", arguments: [1, 2])
    func whole(version: Int) throws {
        let present = try Self.migrated()
        let archived = try Self.files(present.path + "/plists/.v\(version)")
        let values = version == 1 ? Self.one : Self.two
        let folder = try Self.restore(archived)
        let before = try folderImage(folder.path)
        #expect(try Self.open(folder.path, version).migrationPlan() == [])
        #expect(try Self.open(folder.path, version).migrate() == [])
        #expect(try SchemaFixture.contents(Self.open(folder.path, version), .propertyList) == values)
        #expect(try folderImage(folder.path) == before)
        let plan = try Self.open(folder.path, 3).migrationPlan()
        #expect(plan.map(\.oldVersion) == [version])
        #expect(try Self.open(folder.path, 3).migrate() == plan)
        #expect(try SchemaFixture.contents(Self.open(folder.path, 3), .propertyList) == Self.three)
    }

    @Test("A restored archive with a flipped bit has each value, or reports damage", arguments: [1, 2])
    func restored(version: Int) throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var generator = SeededGenerator(seed: seed)
        let present = try Self.migrated()
        let archived = try Self.files(present.path + "/plists/.v\(version)")
        let values = version == 1 ? Self.one : Self.two
        var (whole, damaged, refused) = (0, 0, 0)
        for (name, bytes) in archived {
            var folder = try Self.restore(archived)
            for bit in FlippedBits.of(bytes.count, using: &generator) {
                try bytes.flipping(bit).write(to: URL(fileURLWithPath: folder.path + "/plists/" + name))
                let place: Comment = "bit \(bit) of \(name), seed \(seed)"
                let damages = try Self.expect(values, Self.open(folder.path, version), place)
                if damages == 0 { whole += 1 } else { damaged += 1 }
                // On again by the newer program: what no step touches stays as it is, and for the rest it is all or nothing.
                let before = try folderImage(folder.path)
                let plan = Result { try Self.open(folder.path, 3).migrationPlan() }
                #expect(try folderImage(folder.path) == before, place)
                do {
                    #expect(try Self.open(folder.path, 3).migrate() == plan.get(), place)
                    // What a step takes away unread takes its damage along.
                    let left = name == "old.plist" ? 0 : damages
                    #expect(try Self.expect(Self.three, Self.open(folder.path, 3), place) == left, place)
                    folder = try Self.restore(archived)
                } catch LocalError.corrupt {
                    #expect(throws: LocalError.self, place) { try plan.get() }
                    #expect(try folderImage(folder.path) == before && damages > 0, place)
                    refused += 1
                }
            }
        }
        #expect(whole > 0 && refused > whole && damaged > refused)
    }

    @Test("An archive affects no present document, and one with a flipped bit is not reused")
    func beside() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var generator = SeededGenerator(seed: seed)
        let sample = try Self.migrated()
        let archived = try Self.files(sample.path + "/plists/.v1")
        for (name, bytes) in archived {
            // As an attempt that was cut short leaves it, with the damage.
            let bit = try #require(FlippedBits.of(bytes.count, using: &generator).randomElement(using: &generator))
            let place: Comment = "bit \(bit) of \(name), seed \(seed)"
            let flipped = bytes.flipping(bit)
            let folder = try Self.restore(archived)
            let old = folder.path + "/plists/.v1"
            try FileManager.default.createDirectory(atPath: old, withIntermediateDirectories: false)
            for file in archived {
                try (file.name == name ? flipped : file.bytes).write(to: URL(fileURLWithPath: old + "/" + file.name))
            }
            let image = try folderImage(old)
            #expect(try SchemaFixture.contents(Self.open(folder.path, 1), .propertyList) == Self.one, place)
            try Self.open(folder.path, 3).migrate()
            #expect(try SchemaFixture.contents(Self.open(folder.path, 3), .propertyList) == Self.three, place)
            #expect(try Self.files(old).map(\.bytes) == archived.map(\.bytes), place)
            #expect(try folderImage(old + ".1") == image, place)
        }
    }
}
