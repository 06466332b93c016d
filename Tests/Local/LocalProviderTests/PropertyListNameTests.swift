import Foundation
import LocalProviderTestSupport
import TestSupport
import Testing

@testable import LocalProvider

/// Documents whose identifier is too long for a file name and is stored in a second file.
@Suite("Property lists with hashed names")
struct PropertyListNameTests {
    private static let long = "part" + String(repeating: "x", count: 300)
    private let folder: TemporaryDirectory
    private let store: PropertyListStore
    private let identifier: LocalIdentifier
    private var nameFile: URL {
        URL(fileURLWithPath: String(store.path(for: identifier).dropLast(6)) + ".name")
    }

    init() throws {
        folder = try TemporaryDirectory("names")
        store = PropertyListStore(location: FileStoreLocation(directory: folder.path))
        identifier = try LocalIdentifier(Self.long)
        try store.set(1, for: identifier, rule: .set, durability: nil)
        try store.set("short", 2, nil)
    }

    private func isToldAsDamaged(_ body: () throws -> Void) -> Bool {
        do {
            try body()
            return false
        } catch LocalError.corrupt(let path, _) {
            return path == nameFile.path
        } catch {
            return false
        }
    }

    @Test("A document with a damaged name file is not an absent one, and setting it repairs the name")
    func damaged() throws {
        let whole = try Data(contentsOf: nameFile)
        for bit in FlippedBits.of(whole.count) where isLongRun || bit % 16 == 0 {
            try whole.flipping(bit).write(to: nameFile)
            #expect(isToldAsDamaged { _ = try store.identifiers() }, "bit \(bit)")
        }
        for bytes in [Data(), whole.dropLast(), nil] {
            try FileManager.default.removeItem(at: nameFile)
            try bytes?.write(to: nameFile)
            #expect(isToldAsDamaged { _ = try store.identifiers() })
            #expect(isToldAsDamaged { _ = try store.count() })
            #expect(isToldAsDamaged { _ = try store.numbers() })
            // By its own identifier it is found all the same, and the others are.
            #expect(try store.value(for: identifier, as: Int.self) == 1)
            #expect(try store.value("short") == 2)
            try store.set(1, for: identifier, rule: .replace, durability: nil)
            #expect(try Set(store.identifiers()) == [Self.long, "short"])
            #expect(try Data(contentsOf: nameFile) == whole)
        }
    }

    @Test(
        "A migration that cannot read the identifier of a document changes nothing, until the program sets the value",
        arguments: [0, 1, 2]
    )
    func migration(way: Int) throws {
        try Data("x".utf8).write(to: nameFile)
        let before = try folderImage(folder.path)
        var options = PropertyListStore.Options()
        options.schema = LocalSchema().migrating("tens") { store in
            for name in store.identifiers() { try store.convert(name, from: Int.self) { $0 * 10 } }
        }
        let location = FileStoreLocation(directory: folder.path)
        #expect(isToldAsDamaged { try PropertyListStore(location: location, options: options).migrate() })
        #expect(try folderImage(folder.path) == before)
        let new = PropertyListStore(location: location, options: options)
        switch way {
        case 0:
            try new.update(identifier, as: Int.self, durability: nil) { #expect($0 == 10) }
            #expect(try new.value(for: identifier, as: Int.self) == 10)
        case 1:
            try new.set(1, for: identifier, rule: .replace, durability: nil)
            #expect(try new.value(for: identifier, as: Int.self) == 1)
        default:
            try new.removeAll(durability: nil)
            #expect(try new.identifiers() == [])
            return
        }
        #expect(try new.value("short") == 20)
    }

    @Test("Purging removes what was set aside and archived, and keeps what belongs to a document")
    func purges() throws {
        for name in [
            "gone.plist.backup", "short.plist.damaged", "short.plist.tmp", "short.plist.backup.tmp", ".v1/short.plist",
            ".v1.1/short.plist", ".schema.tmp",
        ] { try folder.write("secret", to: name) }
        try folder.write("damaged", to: "short.plist")
        try folder.write("its backup", to: "short.plist.backup")
        let image = try folderImage(folder.path)
        try store.purge()
        let left = try folderImage(folder.path)
        #expect(left.allSatisfy { $0.value != Data("secret".utf8) })
        let documents = [nameFile.lastPathComponent, "short.plist", "short.plist.backup"]
        #expect(documents.allSatisfy { left[$0] != nil && left[$0] == image[$0] })
        #expect(try store.value(for: identifier, as: Int.self) == 1)
    }

    @Test("Removing all values includes documents with unreadable names and all leftovers")
    func removesAll() throws {
        try Data("x".utf8).write(to: nameFile)
        for name in [
            "gone.plist.backup", "gone.plist.damaged", "gone.plist.backup.tmp", "gone.plist.tmp", "short.plist.damaged",
            ".v1/short.plist", ".v1/other.plist.tmp", ".v1.1/short.plist", ".v2.tmp/short.plist", ".schema.tmp",
        ] { try folder.write("secret", to: name) }
        // Not of this store: files that no identifier has.
        for name in ["notes.txt", "NOTES.plist", "x%~y.plist", ".v1/notes.txt", ".very/a.plist"] {
            try folder.write("other", to: name)
        }
        try store.removeAll(durability: nil)
        #expect(try store.identifiers() == [])
        let left = try folderImage(folder.path).filter { $0.key != ".schema" && $0.key != ".schema.backup" }
        #expect(Set(left.keys) == ["notes.txt", "NOTES.plist", "x%~y.plist", ".v1/notes.txt", ".very/a.plist"])
    }

    @Test("Removals and changes by another process are reported", .timeLimit(.minutes(1)))
    func reportsRemovals() async throws {
        var changes = store.changes().makeAsyncIterator()
        let other = PropertyListStore(location: FileStoreLocation(directory: folder.path))
        for kind in [LocalChange.Kind.removed, .set, .removed] {
            if kind == .set {
                try other.set(3, for: identifier, rule: .set, durability: nil)
            } else {
                // In this order, so that the identifier is in no file when the store looks.
                for file in [nameFile.path, store.path(for: identifier)] {
                    try FileManager.default.removeItem(atPath: file)
                }
            }
            let change = LocalChange(store: .propertyList, identifier: Self.long, kind: kind, origin: .anotherProcess)
            #expect(await changes.next() == change)
        }
    }

    @Test("A folder that cannot be listed is an error of every call that needs its names")
    func unlistable() throws {
        let calls = RefusingCalls(.listing)
        let store = PropertyListStore(
            location: FileStoreLocation(directory: folder.path),
            options: .init(),
            system: FileSystem(calls)
        )
        #expect(try store.count() == 2)
        calls.isRefusing = true
        let uses: [() throws -> Void] = [
            { _ = try store.identifiers() }, { _ = try store.count() }, { try store.purge() },
            { try store.removeAll(durability: nil) }, { _ = try store.numbers() },
        ]
        for use in uses {
            #expect(throws: LocalError.io(path: folder.path, operation: "opendir", errno: 5)) { try use() }
        }
        calls.isRefusing = false
        #expect(try store.count() == 2)
    }
}
