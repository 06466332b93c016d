import Foundation
import TestSupport
import Testing

@testable import LocalProvider

/// Single faults of earlier versions.
@Suite("Bounds and checks", .timeLimit(.minutes(5)))
struct BoundsTests {
    @Test(
        "Emptying and observing a store that does not exist create no folder, and the first values are reported",
        arguments: SchemaFixture.kinds
    )
    func noFolders(kind: LocalStoreKind) async throws {
        let folder = try TemporaryDirectory("observed")
        let location = FileStoreLocation(directory: folder.path + "/deep/data")
        let provider = LocalProvider(location: location)
        var changes = provider.changes(in: kind).makeAsyncIterator()
        var values = provider.values(of: LocalKey("a", in: kind, default: 0)).makeAsyncIterator()
        #expect(try await values.next() == 0)
        for durability in [LocalDurability.synced, .deferred] {
            #expect(try !provider.delete(LocalKey<Int>("a", in: kind), durability: durability))
            try provider.removeAll(in: kind, durability: durability)
        }
        try provider.store(kind).flush()
        try provider.store(kind).purge()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        // The store cannot distinguish this from another process.
        try LocalProvider(location: location).set(LocalKey("a", in: kind), to: 1)
        let change = await changes.next()
        #expect(change?.identifier == "a" && change?.kind == .set)
        #expect(try await values.next() == 1)
    }

    @Test("A stream of changes that is released is no listener any more")
    func released() async throws {
        let hub = LocalChangeHub()
        var stream: AsyncStream<LocalChange>? = hub.stream()
        #expect(stream != nil && hub.hasListeners)
        stream = nil
        try await eventually(within: .seconds(5)) { !hub.hasListeners }
    }

    @Test("A listener that does not read has a bounded number of unread changes, the latest ones")
    func unreadChanges() async throws {
        let store = MemoryStore()
        let changes = store.changes()
        let count = LocalChangeHub.unreadLimit + 1_000
        for number in 0..<count { try store.set("\(number)", number, nil) }
        var iterator = changes.makeAsyncIterator()
        var read = 1
        #expect(await iterator.next()?.identifier == "1000")
        while let change = await iterator.next(), change.identifier != "\(count - 1)" { read += 1 }
        #expect(read + 1 == LocalChangeHub.unreadLimit)
    }

    @Test(
        "Error messages contain no control characters",
        arguments: ["\u{1B}[2J", "\u{200E}", "\u{202E}", "\u{7}", "\n"]
    )
    func controls(control: String) {
        let (name, path) = ("a\(control)b", "/tmp/a\(control)b")
        let errors: [LocalError] = [
            .absent(identifier: name, path: path), .exists(identifier: name, path: path),
            .corrupt(path: path, detail: name),
            .undecodable(identifier: name, path: path, detail: name), .locked(path: path), .full(path: path, errno: 28),
            .unencodable(identifier: name, path: path, detail: name), .notPermitted(path: path, errno: 1),
            .newerVersion(path: path, found: 2, supported: 1), .noStore(LocalStoreKind(rawValue: name)),
            .migrationFailed(path: path, version: 1, step: name, detail: name),
            .invalidIdentifier(identifier: name, detail: "x"), .invalidImport(line: 1, column: 1, detail: name),
            .io(path: path, operation: "read", errno: 5),
        ]
        for error in errors { #expect(!error.description.contains(control), "\(error)") }
    }

    @Test(
        "A date in an XML property list must exist",
        arguments: [
            ("2026-02-29", false), ("2024-02-29", true), ("2026-02-30", false), ("2026-04-31", false),
            ("2026-01-31", true),
            ("1900-02-29", false), ("2000-02-29", true), ("2026-00-10", false), ("2026-12-00", false),
            ("0000-12-30", true), ("0000-01-01", true), ("9999-12-31", true),
        ]
    )
    func dates(day: String, exists: Bool) throws {
        let text = "\(day)T12:30:00Z"
        let date = PropertyListDate.date(text)
        #expect((date != nil) == exists)
        if let date { #expect(PropertyListDate.text(date) == text) }
    }

    @Test("The earliest and the latest date of Foundation are stored", arguments: PropertyListFormat.allCases)
    func distantDates(format: PropertyListFormat) throws {
        let (folder, dates) = (try TemporaryDirectory("dates"), [Date.distantPast, .distantFuture])
        let store = PropertyListStore(in: folder, format)
        try store.set("dates", dates, nil)
        #expect(try store.value(for: LocalIdentifier("dates"), as: [Date].self) == dates)
    }

    @Test("A tree that is nested too deep to be read is not written", arguments: PropertyListFormat.allCases)
    func depth(format: PropertyListFormat) throws {
        @Sendable func tree(_ depth: Int) -> PropertyListValue {
            (1..<depth).reduce(.array([])) { tree, _ in .array([tree]) }
        }
        let (folder, name) = (try TemporaryDirectory("depth"), try LocalIdentifier("deep"))
        let store = PropertyListStore(in: folder, format)
        for depth in [2, 127, 128] {
            try store.setTree(tree(depth), for: name)
            #expect(try store.tree(for: name) == tree(depth))
        }
        for depth in [129, 130, 200] {
            let detail = "it is nested more than 128 deep"
            let error = LocalError.unencodable(identifier: "deep", path: store.path(for: name), detail: detail)
            #expect(throws: error) { try store.setTree(tree(depth), for: name) }
        }
        #expect(try store.tree(for: name) == tree(128))
        // A migration that makes such a tree changes nothing.
        var options = PropertyListStore.Options()
        options.format = format
        options.schema = LocalSchema().migrating("deeper") { store in try store.setTree("deep", to: tree(129)) }
        let migrated = PropertyListStore(location: FileStoreLocation(directory: folder.path), options: options)
        #expect(throws: LocalError.self) { try migrated.migrate() }
        #expect(try store.tree(for: name) == tree(128))
        // Another program's file of this depth, which the decoder gets in a new form.
        try Data(tree(128).written(as: format)).write(to: URL(fileURLWithPath: store.path(for: name)))
        let error = #expect(throws: LocalError.self) { try store.value(for: name, as: Int.self) }
        guard case .undecodable = error else { throw CancellationError() }
    }

    @Test("A value of many equal parts, which are stored once, is read back", arguments: PropertyListFormat.allCases)
    func equalParts(format: PropertyListFormat) throws {
        let (folder, name) = (try TemporaryDirectory("equal"), try LocalIdentifier("parts"))
        let parts = [Data](repeating: Data(count: 1 << 20), count: format == .binary ? 130 : 2)
        let store = PropertyListStore(in: folder, format)
        try store.set(parts, for: name, rule: .set, durability: nil)
        #expect(try store.value(for: name, as: [Data].self) == parts)
        #expect(try store.tree(for: name) == PropertyListValue(encoding: parts))
    }

    @Test("Changes that exceed the size of a record report that, and not a full disk")
    func largestRecord() throws {
        let system = FileSystem(SimulatedProcess(SimulatedDisk()))
        let journal = Journal(path: "/defaults.journal", system: system, writer: 1)
        let value = [UInt8](repeating: 0x20, count: 1 << 26)
        let operations = try (1...16).map { number in
            JournalFormat.Operation(key: try LocalIdentifier("\(number)"), value: number == 9 ? value + [0x20] : value)
        }
        let detail = "it is part of a change of 1073741984 bytes; a journal takes at most 1073741824 at a time"
        let error = LocalError.unencodable(identifier: "9", path: "/defaults.journal", detail: detail)
        #expect(throws: error) { try journal.append(operations) }
        #expect(journal.entries.isEmpty)
    }

    @Test("A value whose JSON could not be read is not written")
    func unreadableJSON() throws {
        let (folder, name) = (try TemporaryDirectory("json"), try LocalIdentifier("price"))
        let store = JSONDefaults(location: FileStoreLocation(directory: folder.path))
        // A name or a text is not mistaken for it.
        let texts = ["NaN \\\"N": "\\", "x": String(repeating: "[\"", count: 1_000) + "N\n"]
        try store.set(texts, for: name, rule: .set, durability: nil)
        let detail = "a decimal number in it is not a number"
        let error = LocalError.unencodable(identifier: name.text, path: store.path, detail: detail)
        for prices in [[Decimal.nan], [1, 2.5, .nan]] {
            #expect(throws: error) { try store.set(["\\": prices], for: name, rule: .set, durability: nil) }
        }
        #expect(try store.value(for: name, as: [String: String].self) == texts)
    }

    @Test("A journal does not become longer than can be read, and values can be removed at its limit")
    func longestFile() throws {
        let process = SimulatedProcess(SimulatedDisk())
        func open() -> Journal { Journal(path: "/defaults.journal", system: FileSystem(process), writer: 1) }
        let journal = open()
        journal.longestFile = 10_000
        func set(_ name: String, _ byte: UInt8?) throws {
            let value = byte.map { [UInt8](repeating: $0, count: 1_000) }
            let change = try journal.append([JournalFormat.Operation(key: LocalIdentifier(name), value: value)])
            #expect(change.count == 1 && journal.file.end <= journal.longestFile)
        }
        for number in 0..<20 { try set("a", UInt8(number)) }
        for number in 0..<8 { try set("b\(number)", 0) }
        let detail = "it is part of a change of 1032 bytes; the file of all values can have at most 10000"
        let error = LocalError.unencodable(identifier: "c", path: "/defaults.journal", detail: detail)
        #expect(throws: error) { try set("c", 0) }
        // Without room for the record of a removal.
        journal.longestFile = JournalFormat.headerSize + journal.entries.imageSize
        try set("a", nil)
        let other = open()
        _ = try other.refresh(.exclusive)
        #expect(
            other.entries.all.mapValues(\.value) == journal.entries.all.mapValues(\.value) && other.entries.count == 8
        )
    }

    @Test(
        "An identifier of exactly 4,096 bytes is allowed in each store, and one of a byte more is not",
        arguments: LocalStoreKind.standard
    )
    func longestIdentifier(kind: LocalStoreKind) throws {
        let folder = try TemporaryDirectory("long")
        let provider = LocalProvider(location: FileStoreLocation(directory: folder.path))
        let name = String(repeating: "é", count: 2_047) + "ab"
        #expect(name.utf8.count == 4_096)
        try provider.set(LocalKey(name, in: kind), to: 7)
        #expect(try provider.read(LocalKey<Int>(name, in: kind)) == 7)
        #expect(try provider.identifiers(in: kind) == [name])
        let other = LocalProvider(location: FileStoreLocation(directory: folder.path))
        if kind != .memory { #expect(try other.read(LocalKey<Int>(name, in: kind)) == 7) }
        #expect(throws: LocalError.self) { try provider.set(LocalKey(name + "c", in: kind), to: 7) }
    }

    @Test("One value of another type does not hide the others", arguments: LocalStoreKind.standard)
    func readable(kind: LocalStoreKind) throws {
        let folder = try TemporaryDirectory("readable")
        let provider = LocalProvider(location: FileStoreLocation(directory: folder.path))
        for number in 0..<5 { try provider.set(LocalKey("n\(number)", in: kind), to: number) }
        try provider.set(LocalKey("n2", in: kind), to: ["no": "number"])
        #expect(throws: LocalError.self) { try provider.all(Int.self, in: kind, prefix: "n") }
        let result = try provider.readable(Int.self, in: kind, prefix: "n")
        #expect(result.values == ["n0": 0, "n1": 1, "n3": 3, "n4": 4])
        guard case .undecodable("n2", _, _) = result.failures["n2"] else { throw CancellationError() }
        #expect(result.failures.count == 1)
        guard kind == .defaults else { return }
        let (values, failures) = try provider.defaults.readableValues(prefix: "n") { (_: [UInt8]) -> Int? in nil }
        #expect(values.sorted() == [0, 1, 3, 4] && Array(failures.keys) == ["n2"])
    }
}
