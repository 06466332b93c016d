import Foundation
import LocalProvider
import TestSupport
import Testing

final class DictionaryStore: LocalStore, @unchecked Sendable {
    let kind = LocalStoreKind(rawValue: "dictionary")
    let path = "dictionary"
    private let lock = NSLock()
    private var values: [LocalIdentifier: Data] = [:]
    private let hub = LocalChangeHub()

    func value<Value: Codable & Sendable>(
        for identifier: LocalIdentifier,
        as type: Value.Type
    ) throws(LocalError) -> Value? {
        lock.lock()
        defer { lock.unlock() }
        return try decode(type, values[identifier], identifier)
    }

    func set<Value: Codable & Sendable>(
        _ value: Value,
        for identifier: LocalIdentifier,
        rule: LocalWriteRule,
        durability: LocalDurability?
    ) throws(LocalError) {
        lock.lock()
        defer { lock.unlock() }
        try rule.check(isPresent: values[identifier] != nil, identifier: identifier.text, path: path)
        try store(value, identifier)
    }

    func update<Value: Codable & Sendable, Result>(
        _ identifier: LocalIdentifier,
        as type: Value.Type,
        durability: LocalDurability?,
        _ body: (inout Value?) throws -> Result
    ) throws -> Result {
        lock.lock()
        defer { lock.unlock() }
        var value = try decode(type, values[identifier], identifier)
        let result = try body(&value)
        try store(value, identifier)
        return result
    }

    func remove(_ identifier: LocalIdentifier, durability: LocalDurability?) throws(LocalError) -> Bool {
        lock.lock()
        defer { lock.unlock() }
        let isStored = values[identifier] != nil
        try store(String?.none, identifier)
        return isStored
    }

    func contains(_ identifier: LocalIdentifier) throws(LocalError) -> Bool {
        lock.withLock { values[identifier] != nil }
    }

    func identifiers() throws(LocalError) -> [String] { lock.withLock { values.keys.map(\.text) } }

    func removeAll(durability: LocalDurability?) throws(LocalError) {
        for name in try identifiers() { _ = try remove(LocalIdentifier(name), durability: durability) }
    }

    func changes() -> AsyncStream<LocalChange> { hub.stream() }

    private func store(_ value: (some Encodable)?, _ identifier: LocalIdentifier) throws(LocalError) {
        let old = values[identifier]
        do {
            values[identifier] = try value.map { try JSONEncoder().encode($0) }
        } catch {
            throw .unencodable(identifier: identifier.text, path: path, detail: "\(error)")
        }
        guard old != values[identifier] else { return }
        let change = value == nil ? LocalChange.Kind.removed : .set
        hub.send([LocalChange(store: kind, identifier: identifier.text, kind: change, origin: .thisProcess)])
    }

    private func decode<Value: Decodable>(
        _ type: Value.Type,
        _ data: Data?,
        _ identifier: LocalIdentifier
    ) throws(LocalError) -> Value? {
        do {
            return try data.map { try JSONDecoder().decode(type, from: $0) }
        } catch {
            throw .undecodable(identifier: identifier.text, path: path, detail: "\(error)")
        }
    }
}

/// A store of a client, which uses nothing but the public interface.
@Suite("Custom stores", .timeLimit(.minutes(5)))
struct CustomStoreTests {
    private let folder: TemporaryDirectory
    private let standard: LocalProvider

    init() throws {
        folder = try TemporaryDirectory("custom")
        standard = LocalProvider(location: FileStoreLocation(directory: folder.path))
    }

    @Test("A custom store supports every call of the provider")
    func calls() throws {
        let provider = standard.adding(DictionaryStore())
        let kind = LocalStoreKind(rawValue: "dictionary")
        let key = LocalKey<Int>("a", in: kind)
        #expect(throws: LocalError.absent(identifier: "a", path: "dictionary")) { try provider.read(key) }
        #expect(throws: LocalError.absent(identifier: "a", path: "dictionary")) { try provider.update(key, to: 1) }
        try provider.create(key, to: 1)
        #expect(throws: LocalError.exists(identifier: "a", path: "dictionary")) { try provider.create(key, to: 2) }
        try provider.set(key, to: 2)
        #expect(try provider.update(key) { value in (value, value = 3).0 } == 2)
        try provider.set(LocalKey("b", in: kind), to: "text")
        #expect(try provider.read(key) == 3 && provider.count(in: kind) == 2 && provider.contains(key))
        #expect(throws: LocalError.self) { try provider.all(Int.self, in: kind) }
        let readable = try provider.readable(Int.self, in: kind)
        #expect(readable.values == ["a": 3] && Array(readable.failures.keys) == ["b"])
        // A prefix is one of bytes, as in the standard stores: the letter before a combining accent is one.
        try provider.set(LocalKey("e\u{301}", in: kind), to: 4)
        #expect(try provider.all(Int.self, in: kind, prefix: "e").count == 1)
        #expect(try provider.readable(Int.self, in: kind, prefix: "e").values.count == 1)
        #expect(try provider.delete(key) && !provider.delete(key))
        try provider.removeAll(in: kind)
        #expect(try provider.identifiers(in: kind).isEmpty)
        #expect(try provider.migrate().isEmpty && provider.recoveries.isEmpty)
        // The other stores are as before.
        #expect(try provider.count(in: .defaults) == 0)
        #expect(throws: LocalError.noStore(kind)) { try standard.read(key) }
    }

    @Test("Suspending calls, stored properties and observation work with a custom store")
    func features() async throws {
        let provider = standard.adding(DictionaryStore())
        let lives = LocalKey("lives", in: LocalStoreKind(rawValue: "dictionary"), default: 3)
        try await provider.async.update(lives) { $0 = ($0 ?? 0) - 1 }
        #expect(try await provider.async.read(lives) == 2)
        let stored = Stored(wrappedValue: 9, "lives", in: lives.store, of: provider)
        #expect(stored.wrappedValue == 2)
        var changes = provider.changes(of: lives).makeAsyncIterator()
        var values = provider.values(of: lives).makeAsyncIterator()
        #expect(try await values.next() == 2)
        stored.wrappedValue = 5
        let change = await changes.next()
        #expect(change == LocalChange(store: lives.store, identifier: "lives", kind: .set, origin: .thisProcess))
        #expect(try await values.next() == 5)
    }

    @Test("A store with the kind of a standard store replaces it for keys")
    func replaces() throws {
        struct Refusing: Error, Equatable, CustomStringConvertible { var description: String { "Refused. Ask again." } }
        let failure = LocalError.storeFailure(LocalStoreFailure(Refusing()))
        #expect(failure == .storeFailure(LocalStoreFailure(Refusing())) && failure.description == "Refused. Ask again.")
        #expect(failure != .storeFailure(LocalStoreFailure(LocalError.locked(path: ""))))
        try standard.set(LocalKey("a", in: .memory), to: 1)
        let other = LocalProvider(location: FileStoreLocation(directory: folder.path + "/other"))
        try other.set(LocalKey("a", in: .memory), to: 2)
        let mixed = standard.adding(other.memory)
        #expect(mixed.stores.map(\.kind) == LocalStoreKind.standard)
        #expect(
            try mixed.read(LocalKey<Int>("a", in: .memory)) == 2 && standard.read(LocalKey<Int>("a", in: .memory)) == 1
        )
    }
}
