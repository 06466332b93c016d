import Foundation
import TestSupport
import Testing

@testable import LocalProvider

/// The folder in which a migration archives the old documents, and other files in its place.
@Suite("Archives of migrations")
struct SchemaFolderTests {
    private let folder: TemporaryDirectory
    private var plists: URL { folder.file("plists") }
    private var stored: URL { plists.appendingPathComponent(".v1") }

    init() throws {
        folder = try TemporaryDirectory("old")
        try SchemaFixture.fill(folder.path, .propertyList)
    }

    /// The documents in a folder, by name.
    private func documents(_ folder: URL) throws -> [String: Data] {
        try folderImage(folder.path).filter { $0.key.hasSuffix(".plist") && !$0.key.contains("/") }
    }

    private func migrate() throws(LocalError) { try SchemaFixture.open(folder.path, version: 3).migrate() }

    @Test("A symbolic link in place of the archive is refused, and its target unchanged")
    func link() throws {
        let other = folder.file("other")
        try FileManager.default.createDirectory(at: other, withIntermediateDirectories: false)
        try Data("precious".utf8).write(to: other.appendingPathComponent("precious.plist"))
        try Data("mine".utf8).write(to: other.appendingPathComponent("count.plist"))
        try FileManager.default.createSymbolicLink(at: stored, withDestinationURL: other)
        let (before, target) = (try documents(plists), try folderImage(other.path))
        let error = #expect(throws: LocalError.self) { try migrate() }
        guard case .notPermitted(stored.path, _) = error else { throw CancellationError() }
        #expect(try folderImage(other.path) == target)
        #expect(try documents(plists) == before)
        #expect(try SchemaFixture.contents(folder.path, version: 1, .propertyList) == SchemaFixture.one)
        try FileManager.default.removeItem(at: stored)
        try migrate()
        #expect(try documents(stored) == before)
    }

    @Test("A file in place of the archive is refused and unchanged")
    func file() throws {
        try Data("precious".utf8).write(to: stored)
        #expect(throws: LocalError.self) { try migrate() }
        #expect(try Data(contentsOf: stored) == Data("precious".utf8))
    }

    @Test("An existing folder in place of the archive is renamed with its content")
    func occupied() throws {
        for (number, name) in ["x.plist", "sub/y.plist", "notes.txt", "count.plist"].enumerated() {
            try folder.write("precious \(number)", to: "plists/.v1/" + name)
        }
        let (before, there) = (try documents(plists), try folderImage(stored.path))
        try migrate()
        #expect(try folderImage(stored.path) == before)
        #expect(try folderImage(stored.path + ".1") == there)
        // Back to the old program by its documents, and on again: no copy takes another's place.
        for name in before.keys {
            try? FileManager.default.removeItem(at: plists.appendingPathComponent(name))
            try FileManager.default.copyItem(
                at: stored.appendingPathComponent(name),
                to: plists.appendingPathComponent(name)
            )
        }
        for name in [".schema", ".schema.backup"] {
            try FileManager.default.removeItem(at: plists.appendingPathComponent(name))
        }
        try SchemaFixture.open(folder.path, version: 1).set(LocalKey("count", in: .propertyList), to: 7)
        let second = try documents(plists)
        try migrate()
        #expect(try folderImage(stored.path) == second)
        #expect(try folderImage(stored.path + ".1") == there)
        #expect(try folderImage(stored.path + ".2") == before)
    }

    @Test("The archive of an interrupted attempt is reused, and a link in its place is not followed")
    func cutShort() throws {
        let before = try documents(plists)
        // Whole, before the change that decides.
        try FileManager.default.createDirectory(at: stored, withIntermediateDirectories: false)
        for (name, data) in before { try data.write(to: stored.appendingPathComponent(name)) }
        // And half of the one before that.
        let half = URL(fileURLWithPath: stored.path + ".tmp")
        try folder.write("half", to: "plists/.v1.tmp/count.plist")
        try folder.write("half", to: "plists/.v1.tmp/gone.plist.tmp")
        try migrate()
        #expect(try folderImage(stored.path) == before)
        #expect(!FileManager.default.fileExists(atPath: half.path))
        #expect(!FileManager.default.fileExists(atPath: stored.path + ".1"))

        let again = try TemporaryDirectory("old")
        try SchemaFixture.fill(again.path, .propertyList)
        try again.write("precious", to: "other/count.plist")
        try FileManager.default.createSymbolicLink(
            at: again.file("plists/.v1.tmp"),
            withDestinationURL: again.file("other")
        )
        try SchemaFixture.open(again.path, version: 3).migrate()
        #expect(try folderImage(again.file("other").path) == ["count.plist": Data("precious".utf8)])
        #expect(!FileManager.default.fileExists(atPath: again.file("plists/.v1.tmp").path))
    }

    @Test("The archive of a later version is reused, too, and has its version")
    func cutShortLater() throws {
        try SchemaFixture.open(folder.path, version: 2).migrate()
        let before = try documents(plists)
        let version = try Data(contentsOf: plists.appendingPathComponent(".schema"))
        let stored = plists.appendingPathComponent(".v2")
        try FileManager.default.createDirectory(at: stored, withIntermediateDirectories: false)
        for (name, data) in before { try data.write(to: stored.appendingPathComponent(name)) }
        try version.write(to: stored.appendingPathComponent(".schema"))
        for name in ["count.plist", ".schema"] { try folder.write("half", to: "plists/.v2.tmp/" + name) }
        try migrate()
        #expect(try folderImage(stored.path) == before.merging([".schema": version]) { $1 })
        for name in [".v2.tmp", ".v2.1"] {
            #expect(!FileManager.default.fileExists(atPath: plists.appendingPathComponent(name).path))
        }
        // With all values all copies go.
        try SchemaFixture.open(folder.path, version: 3).removeAll(in: .propertyList)
        #expect(!FileManager.default.fileExists(atPath: stored.path))
    }
}
