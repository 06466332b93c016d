import Foundation
import LocalProviderTestSupport
import TestSupport
import Testing

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

    @Test("Setting the stored value again writes nothing")
    func identical() throws {
        try store.set("a", 1)
        let before = try size
        try store.set("a", 1, .synced)
        try store.set("d", ["x": 1, "y": 2])
        let after = try size
        try store.set("d", ["y": 2, "x": 1])
        #expect(try size == after && after > before)
    }

    @Test("A deferred change is visible to this process, and to others after a flush or the next write")
    func withoutDurability() throws {
        try store.set("a", 1)
        try store.set("a", 2, .deferred)
        try store.set("b", 3, .deferred)
        try store.remove("b", LocalDurability.deferred)
        try store.set("c", 4, .deferred)
        #expect(try store.value("a") == 2)
        #expect(try Set(store.identifiers()) == ["a", "c"])
        #expect(try store.count() == 2)
        #expect(try other().value("a") == 1)
        try store.flush()
        #expect(try other().numbers() == ["a": 2, "c": 4])
        try store.set("a", 5, .deferred)
        try store.set("e", 6, .written)
        #expect(try other().value("a") == 5)
    }

    @Test("A deferred change is written when the store is deallocated")
    func closing() throws {
        do {
            let store = other()
            try store.set("a", 1, LocalDurability.deferred)
        }
        #expect(try store.value("a") == 1)
    }

    @Test("A journal with replaced values is compacted, and its size is bounded")
    func compaction() throws {
        let text = String(repeating: "x", count: 1_000)
        for number in 0..<1_000 {
            try store.set("k\(number % 5)", "\(number)\(text)")
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
        #expect(try other().numbers() == ["a": 1, "b": 2])
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
        #expect(try other().value("sum") == 8 * 1_225)
        #expect(try other().count() == 401)
    }

    @Test("Removing all values leaves nothing of them in any file")
    func removesTraces() throws {
        try store.set("a", "secret words")
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
        try other.set("a", 1)
        #expect(try store.value("a") == 1)
        #expect(await changes.next()?.identifier == "a")
        try other.compactNow()
        try other.remove("a", .written)
        let change = await changes.next()
        #expect(change?.identifier == "a" && change?.kind == .removed)
    }

    @Test("The first value that another process stores is reported")
    func firstValueOfAll() async throws {
        store.findChanges()
        // Without the watcher's thread: the one look below has to find all there is.
        var changes = store.hub.stream().makeAsyncIterator()
        let other = other()
        try other.set("a", 1)
        store.findChanges()
        try other.set("end", 2)
        store.findChanges()
        #expect(await changes.next()?.identifier == "a")
    }

    @Test("A failed synchronisation throws, and the next write writes everything again")
    func failedSynchronisation() throws {
        let calls = RefusingCalls(.synchronising)
        let store = JSONDefaults(on: calls, in: folder.path)
        try store.set("a", 1, .synced)
        calls.isRefusing = true
        #expect(throws: LocalError.self) { try store.set("a", 2, .synced) }
        calls.isRefusing = false
        let inode = try FileManager.default.attributesOfItem(atPath: store.path)[.systemFileNumber] as? Int
        try store.set("b", 3, .synced)
        #expect(try FileManager.default.attributesOfItem(atPath: store.path)[.systemFileNumber] as? Int != inode)
        #expect(try store.numbers() == ["a": 2, "b": 3])
    }
}
