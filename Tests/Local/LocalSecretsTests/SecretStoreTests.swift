import Foundation
import LocalProvider
import TestSupport
import Testing

@testable import LocalSecrets

@Suite("Sealed values")
struct SecretStoreTests {
    private let fixture: SecretsFixture
    private var secrets: LocalProvider { fixture.secrets }

    init() throws { fixture = try SecretsFixture() }

    private struct Login: Codable, Equatable {
        var name = "보리"
        var password = "correct-horse-battery"
    }

    @Test("A secret is created, read, updated and deleted in each store", arguments: LocalStoreKind.standard)
    func keeps(kind: LocalStoreKind) throws {
        let key = LocalKey("login", of: Login.self, in: kind)
        #expect(try !secrets.contains(key) && secrets.value(of: key) == nil && secrets.count(in: kind) == 0)
        #expect(throws: LocalError.self) { try secrets.update(key, to: Login()) }
        let error = try #require(throws: LocalError.self) { try secrets.read(key) }
        guard case .absent("login", _) = error else { throw error }
        try secrets.create(key, to: Login())
        #expect(throws: LocalError.self) { try secrets.create(key, to: Login()) }
        #expect(try secrets.read(key) == Login())
        try secrets.update(key, to: Login(password: "x"))
        let length = try secrets.update(key) { login in
            login?.password += "y"
            return login?.password.count
        }
        #expect(try length == 2 && secrets.read(key).password == "xy")
        try secrets.set(LocalKey("login2", in: kind), to: Login())
        #expect(try Set(secrets.identifiers(in: kind)) == ["login", "login2"])
        #expect(try secrets.all(Login.self, in: kind, prefix: "login2") == ["login2": Login()])
        #expect(try secrets.delete(key) && !secrets.delete(key))
        // A plain value of the same name is another one.
        try fixture.provider.set(key, to: Login())
        #expect(try secrets.value(of: key) == nil && secrets.count(in: kind) == 1)
        try secrets.removeAll(in: kind)
        #expect(try secrets.count(in: kind) == 0 && fixture.provider.count(in: kind) == 1)
        #expect(try secrets.read(LocalKey("none", in: kind, default: 7)) == 7)
        let name = String(repeating: "n", count: 4_089)
        try secrets.set(LocalKey(name, in: kind), to: 1)
        let detail = "that of a secret has at most 4089 bytes"
        #expect(throws: LocalError.invalidIdentifier(identifier: name + "n", detail: detail)) {
            try secrets.set(LocalKey(name + "n", in: kind), to: 1)
        }
    }

    @Test(
        "An update that throws changes nothing, and one that leaves nil removes the value",
        arguments: LocalStoreKind.standard
    )
    func updates(kind: LocalStoreKind) throws {
        struct Refused: Error {}
        let key = LocalKey("n", of: Int.self, in: kind)
        try secrets.update(key) { $0 = 1 }
        #expect(throws: Refused.self) {
            try secrets.update(key) { value in
                value = 2
                throw Refused()
            }
        }
        #expect(try secrets.read(key) == 1)
        try secrets.update(key) { $0 = nil }
        #expect(try !secrets.contains(key))
    }

    @Test("An error of an update's body is thrown unchanged", arguments: LocalStoreKind.standard)
    func bodysError(store: LocalStoreKind) throws {
        let fixture = try SecretsFixture()
        let key = LocalKey<String>("token", in: store)
        let error = LocalError.absent(identifier: "something else", path: "elsewhere")
        #expect(throws: error) { try fixture.secrets.update(key) { (_: inout String?) -> Void in throw error } }
        #expect(throws: LocalError.self) {
            try fixture.secrets.update(key) { value in
                value = "x"
                try fixture.secrets.set(key, to: "y")
            }
        }
    }

    @Test("Nothing of a secret is in any file, and equal secrets look different")
    func hidden() throws {
        for kind in [LocalStoreKind.defaults, .propertyList] {
            try secrets.set(LocalKey("a", in: kind), to: Login())
            try secrets.set(LocalKey("b", in: kind), to: Login())
            #expect(
                try fixture.sealed("a", kind).sealed.dropFirst(33) != fixture.sealed("b", kind).sealed.dropFirst(33)
            )
        }
        let everything = try fixture.everything()
        let word = Data("correct-horse-battery".utf8)
        for text in [word, Data(word.base64EncodedString().utf8.dropLast(4)), Data("password".utf8)] {
            #expect(everything.range(of: text) == nil)
        }
        #expect(everything.range(of: Data("sealed.a".utf8)) != nil, "what was looked through holds the sealed values")
        fixture.key.withBytes { bytes in
            #expect(everything.range(of: Data(bytes: bytes, count: SecretKey.byteCount)) == nil)
        }
    }

    @Test("Two secrets that are swapped or moved to another store throw", arguments: LocalStoreKind.standard)
    func swapped(kind: LocalStoreKind) throws {
        let (a, b) = (LocalKey<String>("a", in: kind), LocalKey<String>("b", in: kind))
        try secrets.set(a, to: "one")
        try secrets.set(b, to: "two")
        let (one, two) = try (fixture.sealed("a", kind), fixture.sealed("b", kind))
        try fixture.put(two, "a", kind)
        try fixture.put(one, "b", kind)
        #expect(throws: LocalError.secret(.tampered(identifier: "a"))) { try secrets.read(a) }
        #expect(throws: LocalError.secret(.tampered(identifier: "b"))) { try secrets.read(b) }
        for other in LocalStoreKind.standard where other != kind {
            try fixture.put(one, "a", other)
            #expect(throws: LocalError.secret(.tampered(identifier: "a"))) {
                try secrets.read(LocalKey<String>("a", in: other))
            }
        }
        // Back in their places they are as they were; in another context they are not.
        try fixture.put(one, "a", kind)
        #expect(try secrets.read(a) == "one")
        let other = fixture.provider.sealed(with: fixture.key, context: "cat")
        #expect(throws: LocalError.secret(.tampered(identifier: "a"))) { try other.read(a) }
    }

    @Test(
        "Equivalent identifiers, and a value that is stored under the prefix alone, do not affect other secrets",
        arguments: LocalStoreKind.standard
    )
    func neighbours(kind: LocalStoreKind) throws {
        let other = LocalKey<Int>(SecretStore.prefix, in: kind)
        try fixture.provider.set(other, to: 7)
        for (number, name) in ["\u{E9}", "e\u{301}", "a"].enumerated() {
            try secrets.set(LocalKey(name, in: kind), to: number)
        }
        let readable = try secrets.readable(Int.self, in: kind)
        #expect(readable.values == ["a": 2] && Array(readable.failures.keys) == ["\u{E9}"])
        guard case .invalidIdentifier = readable.failures["\u{E9}"] else { throw CancellationError() }
        #expect(throws: LocalError.self) { try secrets.all(Int.self, in: kind) }
        try secrets.delete(LocalKey<Int>("e\u{301}", in: kind))
        #expect(try secrets.all(Int.self, in: kind) == ["\u{E9}": 0, "a": 2])
        try secrets.reseal()
        try secrets.removeAll(in: kind)
        #expect(try secrets.identifiers(in: kind).isEmpty && fixture.provider.read(other) == 7)
    }

    @Test("A folder can be moved with its secrets; stores that share a key are separated by their contexts")
    func folders() throws {
        let (other, key) = (try SecretsFixture(), LocalKey<String>("token", in: .defaults))
        let contexts = ["", "profile"]
        for context in contexts {
            try fixture.provider.sealed(with: fixture.key, context: context).set(key, to: "secret")
            try other.put(fixture.sealed("token", .defaults), "token", .defaults)
            for reading in contexts {
                let store = other.provider.sealed(with: fixture.key, context: reading)
                if reading == context {
                    #expect(try store.read(key) == "secret")
                } else {
                    #expect(throws: LocalError.secret(.tampered(identifier: "token"))) { try store.read(key) }
                }
            }
        }
    }

    @Test("A value is bound to the kind of the store that contains it, whatever the kind of the sealing one")
    func kinds() throws {
        let vault = LocalStoreKind(rawValue: "vault")
        let defaults = try #require(fixture.provider.stores.first { $0.kind == .defaults })
        let provider = fixture.provider.adding(SecretStore(over: defaults, key: fixture.key, kind: vault))
        try provider.set(LocalKey("token", in: vault), to: "secret")
        let sealing = fixture.provider.sealed(with: fixture.key)
        #expect(try sealing.read(LocalKey<String>("token", in: .defaults)) == "secret")
    }

    @Test("A flipped bit and a cut anywhere throw and never return a value")
    func tampered() throws {
        let key = LocalKey<String>("token", in: .memory)
        try secrets.set(key, to: "secret")
        let whole = try fixture.sealed("token", .memory)
        for bit in 0..<whole.sealed.count * 8 {
            try fixture.put(SealedValue(sealed: Array(whole.sealed).flipping(bit)), "token", .memory)
            do {
                _ = try secrets.read(key)
                Issue.record("bit \(bit) gave a value")
            } catch {
                if case .wrongKey("token", _) = error.secretError {
                    #expect((8..<72).contains(bit))
                } else {
                    #expect(error == .secret(.tampered(identifier: "token")), "bit \(bit)")
                }
            }
            #expect(throws: (any Error).self) { try secrets.update(key) { $0 = "new" } }
        }
        // What this version cannot open with another version number may be of a later one.
        var later = whole
        (later.sealed[0], later.sealed[40]) = (2, later.sealed[40] ^ 1)
        try fixture.put(later, "token", .memory)
        let path = fixture.provider.memory.path
        #expect(throws: LocalError.newerVersion(path: path, found: 2, supported: 1)) { try secrets.read(key) }
        for count in 0..<whole.sealed.count {
            try fixture.put(SealedValue(sealed: Array(whole.sealed.prefix(count))), "token", .memory)
            #expect(throws: LocalError.secret(.tampered(identifier: "token"))) { try secrets.read(key) }
        }
    }

    @Test("A wrong key is distinguished from tampering and absence", arguments: LocalStoreKind.standard)
    func wrongKey(kind: LocalStoreKind) throws {
        let key = LocalKey<String>("token", in: kind)
        try secrets.set(key, to: "secret")
        let other = fixture.provider.sealed(with: try SecretKey.random())
        let expected = LocalError.secret(.wrongKey(identifier: "token", key: fixture.key.identifier))
        #expect(throws: expected) { try other.read(key) }
        #expect(throws: expected) { try other.all(String.self, in: kind) }
        #expect(throws: expected) { try other.update(key) { $0 = "mine" } }
        #expect(throws: expected) { try other.reseal() }
        #expect(expected.description.contains(fixture.key.identifier))
        #expect(try other.value(of: LocalKey<String>("none", in: kind)) == nil)
        #expect(try secrets.read(key) == "secret")
        try fixture.provider.set(LocalKey("sealed.other", in: kind), to: 1)
        #expect(try secrets.readable(String.self, in: kind).failures.keys.sorted() == ["other"])
    }

    @Test(
        "An archive of a migration has no sealed value any more when all are removed, or sealed with another key",
        arguments: [LocalStoreKind.defaults, .propertyList],
        [false, true]
    )
    func archives(kind: LocalStoreKind, removes: Bool) throws {
        try secrets.set(LocalKey("token", in: kind), to: "secret")
        let old = try fixture.sealed("token", kind).sealed
        var options = LocalProvider.Options()
        options.defaults.schema = LocalSchema().migrating("one more") { try $0.set("number", to: 1) }
        options.propertyLists.schema = LocalSchema().migrating("one more") { try $0.set("number", to: 1) }
        let location = FileStoreLocation(directory: fixture.folder.path)
        let provider = LocalProvider(location: location, options: options)
        let backup = try #require(provider.migrate().first?.backup)
        #expect(FileManager.default.fileExists(atPath: backup))
        let both = provider.sealed(with: try SecretKey.random(), formerKeys: [fixture.key])
        if removes { try both.removeAll(in: kind) } else { #expect(try both.reseal() == 1) }
        #expect(!FileManager.default.fileExists(atPath: backup))
        let everything = try fixture.everything()
        #expect(everything.range(of: old) == nil)
        #expect(everything.range(of: Data(old.base64EncodedString().utf8.dropLast(4))) == nil)
        #expect(try provider.read(LocalKey<Int>("number", in: kind)) == 1)
    }

    @Test(
        "After a change of the key, the former one opens nothing, and nothing it sealed is left",
        arguments: LocalStoreKind.standard
    )
    func rotates(kind: LocalStoreKind) async throws {
        var old: [Data] = []
        for number in 0..<5 {
            let key = LocalKey<Int>("n\(number)", in: kind)
            try secrets.set(key, to: -1)
            old.append(try fixture.sealed("n\(number)", kind).sealed)
            try secrets.set(key, to: number)
            old.append(try fixture.sealed("n\(number)", kind).sealed)
        }
        let new = try SecretKey.random()
        let both = fixture.provider.sealed(with: new, formerKeys: [fixture.key])
        // As after a crash in the middle: one is sealed anew already, and all can be read.
        try both.update(LocalKey<Int>("n2", in: kind), to: 2)
        #expect(try both.all(Int.self, in: kind) == ["n0": 0, "n1": 1, "n2": 2, "n3": 3, "n4": 4])
        // The version is no other one where the rest is a value of a former key.
        let whole = try fixture.sealed("n0", kind)
        try fixture.put(SealedValue(sealed: [SealedValue.version + 1] + whole.sealed.dropFirst()), "n0", kind)
        #expect(throws: LocalError.secret(.tampered(identifier: "n0"))) {
            try both.read(LocalKey<Int>("n0", in: kind))
        }
        try fixture.put(whole, "n0", kind)
        #expect(try await both.async.reseal() == 4)
        #expect(try both.reseal() == 0)
        // As after a crash before the old bytes were removed.
        let last = try SecretKey.random()
        let alone = fixture.provider.sealed(with: last, formerKeys: [new])
        for number in 0..<5 {
            old.append(try fixture.sealed("n\(number)", kind).sealed)
            try alone.set(LocalKey("n\(number)", in: kind), to: number)
        }
        #expect(try alone.reseal() == 0)
        #expect(try alone.all(Int.self, in: kind) == ["n0": 0, "n1": 1, "n2": 2, "n3": 3, "n4": 4])
        #expect(throws: LocalError.self) { try secrets.read(LocalKey<Int>("n0", in: kind)) }
        // And if all values were removed.
        for number in 0..<5 {
            old.append(try fixture.sealed("n\(number)", kind).sealed)
            try alone.delete(LocalKey<Int>("n\(number)", in: kind))
        }
        #expect(try alone.reseal() == 0)
        let everything = try fixture.everything()
        for bytes in old {
            #expect(everything.range(of: bytes) == nil)
            // JSON holds them in base64; the last characters depend on what follows.
            #expect(everything.range(of: Data(bytes.base64EncodedString().utf8.dropLast(4))) == nil)
        }
    }

    @Test("No description, error or mirror shows a secret or a key")
    func quiet() throws {
        let word = "hunter2-hunter2"
        var texts = ["\(secrets)", String(reflecting: secrets), "\(fixture.key)", String(reflecting: fixture.key)]
        var dumped = ""
        dump(secrets, to: &dumped)
        texts.append(dumped)
        let key = LocalKey<[String: String]>("word", in: .defaults)
        try secrets.set(key, to: [word: word])
        func collect(_ body: () throws -> Void) {
            do {
                try body()
                Issue.record("nothing thrown")
            } catch {
                texts += ["\(error)", String(reflecting: error), error.localizedDescription]
            }
        }
        collect { _ = try secrets.read(LocalKey<Int>("word", in: .defaults)) }
        collect { _ = try secrets.read(LocalKey<[String: Int]>("word", in: .defaults)) }
        collect { _ = try secrets.read(LocalKey<[String: Date]>("word", in: .defaults)) }
        collect { try secrets.set(LocalKey("nan", in: .defaults), to: [word: Double.nan]) }
        collect { try secrets.set(LocalKey("nan", in: .memory), to: [word: Decimal.nan]) }
        collect { try secrets.create(key, to: [:]) }
        collect { _ = try fixture.provider.sealed(with: try SecretKey.random()).read(key) }
        try fixture.put(fixture.sealed("word", .defaults), "elsewhere", .defaults)
        collect { _ = try secrets.read(LocalKey<String>("elsewhere", in: .defaults)) }
        let digits = fixture.key.withBytes { bytes in
            UnsafeBufferPointer(start: bytes, count: 4).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
        }.joined()
        for text in texts {
            #expect(!text.contains(word) && !text.contains("hunter2") && !text.contains(digits), "\(text)")
        }
    }

    @Test("Changes are reported with the identifier of the secret", arguments: LocalStoreKind.standard)
    func tells(kind: LocalStoreKind) async throws {
        var changes = secrets.changes(in: kind).makeAsyncIterator()
        try fixture.provider.set(LocalKey("plain", in: kind), to: 1)
        try secrets.set(LocalKey("token", in: kind), to: 1)
        let change = await changes.next()
        #expect(change == LocalChange(store: kind, identifier: "token", kind: .set, origin: .thisProcess))
    }

    @Test("Later versions open what an earlier one has sealed")
    func fixedBytes() throws {
        var bytes = (0..<32).map { UInt8($0) }
        let key = try SecretKey(wiping: &bytes)
        #expect(bytes == [UInt8](repeating: 0, count: 32))
        #expect(key.identifier == Self.identifier)
        let store = fixture.provider.sealed(with: key, context: "dog")
        let data = try #require(Data(base64Encoded: Self.sealed))
        try fixture.put(SealedValue(sealed: Array(data)), "token", .defaults)
        #expect(try store.read(LocalKey<[String]>("token", in: .defaults)) == ["3f9a-c2d1", "보리"])
    }

    private static let identifier = "c861320585668d7c"
    private static let sealed =
        "AchhMgWFZo18Nrjz6X9PYCgq38rcR76EJRKjeTyYHCoP3gmQyOaeBX60ZV17X/7G0RuWLQZ9lf4L4C3RrQ9N/FYfi37ojR0="

    #if os(Linux)
        @Test("A program without secrets links no libsodium")
        func links() async throws {
            let folder = ChildProcess.productsDirectory
            let ldd = URL(fileURLWithPath: "/usr/bin/ldd")
            let plain = try await ChildProcess.run(ldd, [folder.appendingPathComponent("crash-writer").path])
            #expect(plain.output.contains("libc.so") && !plain.output.contains("sodium"))
            // This one does: the name is the right one to look for.
            #expect(try memoryMap().contains("libsodium"))
        }
    #endif
}
