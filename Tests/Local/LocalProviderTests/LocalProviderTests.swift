import Foundation
import LocalProvider
import TestSupport
import Testing

private struct Greeting: LocalStorable {
    typealias Value = String
    let identifier = "greeting", store = LocalStoreKind.defaults
}

struct LocalProviderTests {
    private let folder: TemporaryDirectory
    private let provider: LocalProvider

    init() throws {
        folder = try TemporaryDirectory("local")
        provider = LocalProvider(location: FileStoreLocation(directory: folder.path))
    }

    @Test("Three lines declare a value, as in the first example of the documentation")
    func declares() throws {
        #expect(throws: LocalError.absent(identifier: "greeting", path: provider.defaults.path)) {
            try provider.read(Greeting())
        }
        try provider.create(Greeting(), to: "안녕")
        #expect(try provider.read(Greeting()) == "안녕")

        let theme = LocalKey("theme", in: .defaults, default: "dark")
        #expect(try provider.read(theme) == "dark")
        try provider.set(theme, to: "light")
        #expect(try provider.read(theme) == "light")
    }

    @Test("A value is created, read, updated and deleted in each store", arguments: LocalStoreKind.standard)
    func keeps(store: LocalStoreKind) throws {
        let key = LocalKey("profile", of: Profile.self, in: store)
        #expect(try !provider.contains(key))
        #expect(try provider.value(of: key) == nil)
        #expect(throws: LocalError.self) { try provider.update(key, to: Profile()) }
        try provider.create(key, to: Profile())
        #expect(throws: LocalError.self) { try provider.create(key, to: Profile()) }
        #expect(try provider.read(key) == Profile())
        try provider.update(key, to: Profile(age: 8))
        #expect(try provider.read(key).age == 8)
        let age = try provider.update(key) { profile in
            profile?.age += 1
            return profile?.age
        }
        #expect(age == 9)
        #expect(try provider.contains(key))
        #expect(try provider.count(in: store) == 1)
        #expect(try provider.identifiers(in: store) == ["profile"])
        #expect(try provider.all(Profile.self, in: store) == ["profile": Profile(age: 9)])
        #expect(try provider.delete(key))
        #expect(try !provider.delete(key))
        #expect(try provider.count(in: store) == 0)
    }

    @Test("Values on disk are available to the next provider", arguments: [LocalStoreKind.defaults, .propertyList])
    func persists(store: LocalStoreKind) throws {
        try provider.set(LocalKey("a", in: store, default: 0), to: 5)
        try provider.set(LocalKey("b", of: [String: Int].self, in: store), to: ["x": 1])
        let other = LocalProvider(location: FileStoreLocation(directory: folder.path))
        #expect(try other.read(LocalKey("a", in: store, default: 0)) == 5)
        #expect(try other.read(LocalKey("b", of: [String: Int].self, in: store)) == ["x": 1])
    }

    @Test(
        "An update that throws changes nothing, and one that leaves nil removes the value",
        arguments: LocalStoreKind.standard
    )
    func updates(store: LocalStoreKind) throws {
        struct Refused: Error {}
        let key = LocalKey("n", of: Int.self, in: store)
        try provider.update(key) { $0 = 1 }
        #expect(throws: Refused.self) {
            try provider.update(key) { value in
                value = 2
                throw Refused()
            }
        }
        #expect(try provider.read(key) == 1)
        try provider.update(key) { $0 = nil }
        #expect(try provider.value(of: key) == nil)
    }

    @Test(
        "A store that is used in its own update throws instead of waiting for itself",
        arguments: LocalStoreKind.standard
    )
    func refusesReentry(store: LocalStoreKind) throws {
        let key = LocalKey("n", of: Int.self, in: store)
        #expect(throws: LocalError.self) {
            try provider.update(key) { value in
                value = 1
                try provider.set(key, to: 2)
            }
        }
        #expect(try provider.value(of: key) == nil)
    }

    @Test("The calls that an update may make leave the store locked", arguments: LocalStoreKind.standard)
    func keepsLocked(store: LocalStoreKind) throws {
        let provider = provider
        let key = LocalKey("n", in: store, default: 0)
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            for _ in 0..<50 {
                try? provider.update(key, durability: .written) { value in
                    _ = provider.recoveries
                    _ = provider.changes(in: store)
                    value = (value ?? 0) + 1
                }
            }
        }
        #expect(try provider.read(key) == 200)
    }

    @Test("A value of another type is distinguished from damage", arguments: LocalStoreKind.standard)
    func tellsTypes(store: LocalStoreKind) throws {
        try provider.set(LocalKey("x", of: [String].self, in: store), to: ["text"])
        let error = try #require(throws: LocalError.self) {
            try provider.read(LocalKey("x", of: [String: Int].self, in: store))
        }
        guard case .undecodable("x", _, _) = error else { throw error }
        #expect(error.description.contains("\"x\""))
    }

    @Test("Identifiers of any text are distinguished byte by byte", arguments: LocalStoreKind.standard)
    func keepsIdentifiersApart(store: LocalStoreKind) throws {
        let names = [
            "a", "A", "..", ".", "../x", "/etc/passwd", "a/b", "a%2Fb", "한글", "e\u{301}", "\u{E9}", "con", "a.plist",
            "\u{0}", " ", String(repeating: "x", count: 4_000), String(repeating: "x", count: 3_999) + "y",
            String(repeating: "%", count: 200), "x.name", ".lock", "\u{212B}", "\u{C5}", "A\u{30A}",
        ]
        for (number, name) in names.enumerated() { try provider.create(LocalKey(name, in: store), to: number) }
        for (number, name) in names.enumerated() { #expect(try provider.read(LocalKey(name, in: store)) == number) }
        let identifiers = try provider.identifiers(in: store).map { Array($0.utf8) }
        #expect(Set(identifiers) == Set(names.map { Array($0.utf8) }))
        // Two forms of one letter and three of another are two keys: none has the value of another.
        let readable = try provider.readable(Int.self, in: store)
        #expect(readable.values.count == names.count - 5 && readable.failures.count == 2)
        for name in ["\u{E9}", "\u{C5}"] {
            #expect(readable.values[name] == nil)
            guard case .invalidIdentifier = readable.failures[name] else { throw CancellationError() }
        }
        try provider.removeAll(in: store)
        #expect(try provider.count(in: store) == 0)
        #expect(throws: LocalError.self) { try provider.set(LocalKey("", in: store), to: 1) }
        #expect(throws: LocalError.self) {
            try provider.set(LocalKey(String(repeating: "x", count: 5_000), in: store), to: 1)
        }
    }

    @Test("Each change is reported with its origin", arguments: LocalStoreKind.standard)
    func tellsChanges(store: LocalStoreKind) async throws {
        var changes = provider.changes(in: store).makeAsyncIterator()
        let key = LocalKey("n", of: Int.self, in: store)
        try provider.set(key, to: 1)
        try provider.delete(key)
        #expect(await changes.next() == LocalChange(store: store, identifier: "n", kind: .set, origin: .thisProcess))
        #expect(
            await changes.next() == LocalChange(store: store, identifier: "n", kind: .removed, origin: .thisProcess)
        )
    }

    @Test("An update that leaves a missing value missing reports no change", arguments: LocalStoreKind.standard)
    func updatesNothing(store: LocalStoreKind) async throws {
        var changes = provider.changes(in: store).makeAsyncIterator()
        try provider.update(LocalKey("n", of: Int.self, in: store)) { $0 = nil }
        try provider.set(LocalKey("m", in: store), to: 1)
        #expect(await changes.next() == LocalChange(store: store, identifier: "m", kind: .set, origin: .thisProcess))
    }

    @Test(
        "Removing all values reports each, and setting the stored value again reports nothing",
        arguments: LocalStoreKind.standard
    )
    func tellsRemovals(store: LocalStoreKind) async throws {
        for name in ["a", "b", "c"] { try provider.set(LocalKey(name, in: store), to: 1) }
        var changes = provider.changes(in: store).makeAsyncIterator()
        // A store on disk writes nothing, and so reports no change.
        if store != .memory { try provider.set(LocalKey("a", in: store), to: 1) }
        try provider.removeAll(in: store)
        var removed: Set<String> = []
        for _ in 0..<3 {
            let change = try #require(await changes.next())
            #expect(change.kind == .removed && change.origin == .thisProcess)
            removed.insert(change.identifier)
        }
        #expect(removed == ["a", "b", "c"])
    }

    @Test("Files and folders are accessible to their owner alone")
    func keepsPrivate() throws {
        try provider.set(LocalKey("a", in: .defaults), to: 1)
        try provider.set(LocalKey("a", in: .propertyList), to: 1)
        let manager = FileManager.default
        for name in try manager.subpathsOfDirectory(atPath: folder.path) {
            let attributes = try manager.attributesOfItem(atPath: folder.path + "/" + name)
            let mode = attributes[.posixPermissions] as? Int
            #expect(mode == (attributes[.type] as? FileAttributeType == .typeDirectory ? 0o700 : 0o600), "\(name)")
        }
    }
}
