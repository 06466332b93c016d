import Foundation
import TestSupport
import Testing
import Threading

@testable import LocalProvider

@Suite("JSON defaults")
struct JSONDefaultsTests {
    private let folder: TemporaryDirectory
    private let store: JSONDefaults

    init() throws {
        folder = try TemporaryDirectory("defaults")
        store = JSONDefaults(location: FileStoreLocation(directory: folder.path))
    }

    private var size: Int { get throws { try Data(contentsOf: URL(fileURLWithPath: store.path)).count } }

    private func other() -> JSONDefaults { JSONDefaults(location: FileStoreLocation(directory: folder.path)) }

    private func set(_ name: String, _ value: Int, _ durability: LocalDurability = .written) throws {
        try store.set(value, for: LocalIdentifier(name), rule: .set, durability: durability)
    }

    private func value(_ name: String, in store: JSONDefaults) throws -> Int? {
        try store.value(for: LocalIdentifier(name), as: Int.self)
    }

    @Test("Setting the stored value again writes nothing")
    func identical() throws {
        try set("a", 1)
        let before = try size
        try set("a", 1, .synced)
        try store.set(["x": 1, "y": 2], for: LocalIdentifier("d"), rule: .set, durability: .written)
        let after = try size
        try store.set(["y": 2, "x": 1], for: LocalIdentifier("d"), rule: .set, durability: .written)
        #expect(try size == after && after > before)
    }

    @Test("A deferred change is visible to this process, and to others after a flush or the next write")
    func withoutDurability() throws {
        try set("a", 1)
        try set("a", 2, .deferred)
        try set("b", 3, .deferred)
        _ = try store.remove(LocalIdentifier("b"), durability: LocalDurability.deferred)
        try set("c", 4, .deferred)
        #expect(try value("a", in: store) == 2)
        #expect(try Set(store.identifiers()) == ["a", "c"])
        #expect(try store.count() == 2)
        #expect(try value("a", in: other()) == 1)
        try store.flush()
        #expect(try other().values(of: Int.self, prefix: "") == ["a": 2, "c": 4])
        try set("a", 5, .deferred)
        try set("e", 6, .written)
        #expect(try value("a", in: other()) == 5)
    }

    @Test("A deferred change is written when the store is deallocated")
    func closing() throws {
        do {
            let store = other()
            try store.set(1, for: LocalIdentifier("a"), rule: .set, durability: LocalDurability.deferred)
        }
        #expect(try value("a", in: store) == 1)
    }

    @Test("A journal with replaced values is compacted, and its size is bounded")
    func compaction() throws {
        let text = String(repeating: "x", count: 1_000)
        for number in 0..<1_000 {
            try store.set("\(number)\(text)", for: LocalIdentifier("k\(number % 5)"), rule: .set, durability: .written)
            #expect(try size < 100_000)
        }
        #expect(try other().values(of: String.self, prefix: "k").count == 5)
    }

    @Test("A transaction is one step for other processes, and an error cancels it")
    func transactions() throws {
        struct Refused: Error {}
        try store.transaction { transaction in
            try transaction.set(1, for: "a")
            try transaction.set(2, for: "b")
            #expect(try transaction.value(for: "a") == 1)
            #expect(try transaction.values(of: Int.self, prefix: "") == ["a": 1, "b": 2])
        }
        #expect(throws: Refused.self) {
            try store.transaction { transaction in
                try transaction.set(3, for: "a")
                try transaction.remove("b")
                #expect(try transaction.values(of: Int.self, prefix: "") == ["a": 3])
                throw Refused()
            }
        }
        #expect(try other().values(of: Int.self, prefix: "") == ["a": 1, "b": 2])
    }

    @Test("Threads that set at the same time share synchronisations and lose nothing")
    func groupCommit() async throws {
        let store = store
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for number in 0..<50 {
                        let name = try LocalIdentifier("\(task)/\(number)")
                        try store.set(number, for: name, rule: .create, durability: .synced)
                        try store.update(LocalIdentifier("sum"), as: Int.self, durability: .synced) {
                            $0 = ($0 ?? 0) + number
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try value("sum", in: other()) == 8 * 1_225)
        #expect(try other().count() == 401)
    }

    @Test("Removing all values leaves nothing of them in any file")
    func removesTraces() throws {
        try store.set("secret words", for: LocalIdentifier("a"), rule: .set, durability: .written)
        try store.compactNow()
        try store.removeAll(durability: nil)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            let data = try Data(contentsOf: folder.file(name))
            #expect(data.range(of: Data("secret".utf8)) == nil, "\(name)")
        }
    }

    @Test("A change by another store is visible at the next read, and reported at once")
    func otherStore() async throws {
        var changes = store.changes().makeAsyncIterator()
        let other = other()
        try other.set(1, for: LocalIdentifier("a"), rule: .set, durability: .written)
        #expect(try value("a", in: store) == 1)
        #expect(await changes.next()?.identifier == "a")
        try other.compactNow()
        _ = try other.remove(LocalIdentifier("a"), durability: .written)
        let change = await changes.next()
        #expect(change?.identifier == "a" && change?.kind == .removed)
    }

    @Test("The first value that another process stores is reported")
    func firstValueOfAll() async throws {
        store.findChanges()
        // Without the watcher's thread: the one look below has to find all there is.
        var changes = store.hub.stream().makeAsyncIterator()
        let other = other()
        try other.set(1, for: LocalIdentifier("a"), rule: .set, durability: .written)
        store.findChanges()
        try other.set(2, for: LocalIdentifier("end"), rule: .set, durability: .written)
        store.findChanges()
        #expect(await changes.next()?.identifier == "a")
    }

    @Test("A failed synchronisation throws, and the next write writes everything again")
    func failedSynchronisation() throws {
        let calls = FailingSync()
        let location = FileStoreLocation(directory: folder.path)
        let store = JSONDefaults(location: location, name: "sync", options: .init(), system: FileSystem(calls))
        try store.set(1, for: LocalIdentifier("a"), rule: .set, durability: .synced)
        calls.isFailing.withLock { $0 = true }
        #expect(throws: LocalError.self) {
            try store.set(2, for: LocalIdentifier("a"), rule: .set, durability: .synced)
        }
        calls.isFailing.withLock { $0 = false }
        let inode = try FileManager.default.attributesOfItem(atPath: store.path)[.systemFileNumber] as? Int
        try store.set(3, for: LocalIdentifier("b"), rule: .set, durability: .synced)
        #expect(try FileManager.default.attributesOfItem(atPath: store.path)[.systemFileNumber] as? Int != inode)
        #expect(try store.values(of: Int.self, prefix: "") == ["a": 2, "b": 3])
    }
}
