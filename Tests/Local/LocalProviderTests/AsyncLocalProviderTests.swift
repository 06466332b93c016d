import Foundation
import TestSupport
import Testing
import Threading

@testable import LocalProvider

@Suite("Calls that suspend", .timeLimit(.minutes(10)))
struct AsyncLocalProviderTests {
    private let folder: TemporaryDirectory
    private let provider: LocalProvider

    init() throws {
        folder = try TemporaryDirectory("async")
        provider = LocalProvider(location: FileStoreLocation(directory: folder.path))
    }

    @Test("Suspending calls have the results of the blocking ones in each store", arguments: LocalStoreKind.standard)
    func keeps(kind: LocalStoreKind) async throws {
        let local = provider.async
        let key = LocalKey("profile", of: Profile.self, in: kind)
        #expect(try await !local.contains(key))
        #expect(try await local.value(of: key) == nil)
        await #expect(throws: LocalError.absent(identifier: "profile", path: path(kind))) { try await local.read(key) }
        await #expect(throws: LocalError.absent(identifier: "profile", path: try updatePath(kind))) {
            try await local.update(key, to: Profile())
        }
        try await local.create(key, to: Profile())
        await #expect(throws: LocalError.self) { try await local.create(key, to: Profile()) }
        try await local.update(key, to: Profile(age: 7))
        let age = try await local.update(key) { profile in
            profile?.age += 1
            return profile?.age
        }
        #expect(age == 8)
        try await local.update(key, default: Profile()) { $0.age += 1 }
        try await local.set(LocalKey("other", in: kind), to: Profile(age: 1), durability: .written)
        #expect(try await local.read(key) == Profile(age: 9))
        #expect(try await local.count(in: kind) == 2)
        #expect(try await Set(local.identifiers(in: kind)) == ["profile", "other"])
        #expect(try await local.all(Profile.self, in: kind, prefix: "o") == ["other": Profile(age: 1)])
        try await local.flush()
        #expect(try await local.migrationPlan() == [])
        #expect(try await local.migrate() == [])
        #expect(try await local.delete(key))
        #expect(try await !local.delete(key))
        try await local.removeAll(in: kind)
        #expect(try await local.count(in: kind) == 0)
    }

    private func path(_ kind: LocalStoreKind) -> String { (try? provider.store(kind).path) ?? "" }

    private func updatePath(_ kind: LocalStoreKind) throws -> String {
        kind == .propertyList ? try provider.propertyLists.path(for: LocalIdentifier("profile")) : path(kind)
    }

    @Test("An update that throws changes nothing", arguments: LocalStoreKind.standard)
    func throwing(kind: LocalStoreKind) async throws {
        struct Refused: Error {}
        let key = LocalKey("n", in: kind, default: 0)
        await #expect(throws: Refused.self) {
            try await provider.async.update(key) { value in
                value = 2
                throw Refused()
            }
        }
        #expect(try await provider.async.read(key) == 0)
    }

    @Test(
        "Tasks run while calls wait for the lock of another process",
        arguments: [LocalStoreKind.defaults, .propertyList]
    )
    func doesNotBlock(kind: LocalStoreKind) async throws {
        let key = LocalKey("n", in: kind, default: 0)
        try provider.set(key, to: 1)
        let lock = kind == .defaults ? "/defaults.journal.lock" : "/plists/.lock"
        let holder = open(folder.path + lock, O_RDWR)
        #expect(flock(holder, LOCK_EX) == 0)
        // Longer than the test can stand still while others hold all threads.
        let options = LocalProvider.Options(lockTimeLimit: .seconds(3_600))
        let provider = LocalProvider(location: FileStoreLocation(directory: folder.path), options: options)
        // More waiting calls than Swift has threads.
        let count = ProcessInfo.processInfo.activeProcessorCount * 4
        let waiting = Task {
            await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<count { group.addTask { try await provider.async.set(key, to: number) } }
            }
        }
        // They block no other task: this one and the tasks of this test run while all of them wait.
        await Task.detached {}.value
        try await eventually { provider.threads.busyThreads > 1 }
        #expect(try provider.defaults.identifiers().isEmpty == (kind != .defaults))
        close(holder)
        await waiting.value
        #expect(try provider.read(key) < count)
    }

    @Test("A provider that only its own call retains is released after the call, and then writes its deferred changes")
    func lastUse() async throws {
        let path = folder.path
        for number in 0..<100 {
            let key = LocalKey<Int>("n", in: .defaults)
            // Written when the store is released, which is when the thread of the call has released it.
            try await LocalProvider(location: FileStoreLocation(directory: path)).async.set(
                key,
                to: number,
                durability: LocalDurability.deferred
            )
            try await eventually { try provider.value(of: key) == number }
        }
    }
}
