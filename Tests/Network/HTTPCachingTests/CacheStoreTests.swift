import Foundation
import LoopbackServer
import TestSupport
import Testing
import Threading

@testable import HTTPCaching
@testable import NetworkProvider

@Suite("Cache: the store in memory, and updates of stores")
struct CacheStoreTests {
    @Test("The oldest variants of a URL are removed when all of them exceed the limit of a value")
    func manyVariants() async throws {
        let bench = try CacheBench(store: HTTPMemoryCacheStore(byteLimit: 400_000)) { request, _ in
            let count = request.header("Accept") == "0" ? 50_000 : 30_000
            return ServedResponse(
                headers: [("Vary", "Accept"), ("Cache-Control", "max-age=60")],
                body: .repeated(1, count: count)
            )
        }
        for number in 0..<5 { try await bench.get("/", ["Accept": "\(number)"]) }
        // Together with the body of the first one, which is not in the record.
        #expect(bench.cache.statistics.stores == 5 && bench.cache.statistics.storeFailures == 0)
        for number in 2..<5 { #expect(try await bench.get("/", ["Accept": "\(number)"]).source == .hit) }
        for number in 0..<2 { #expect(try await bench.get("/", ["Accept": "\(number)"]).source == .miss) }
    }

    @Test("The memory store counts exactly, never exceeds its limit, and evicts the least recently used value")
    func memoryModel() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var generator = SeededGenerator(seed: seed)
        let store = HTTPMemoryCacheStore(byteLimit: 400)
        var model: [(key: String, value: Data)] = []
        for _ in 0..<(isLongRun ? 200_000 : 6_000) {
            let key = "k\(Int.random(in: 0..<30, using: &generator))"
            let value = Data(repeating: 1, count: Int.random(in: 0...110, using: &generator))
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<4:
                let known = model.firstIndex { $0.key == key }
                #expect(store.value(for: key) == known.map { model[$0].value }, "seed \(seed)")
                if let known { model.append(model.remove(at: known)) }
            case 4:
                store.remove(key)
                model.removeAll { $0.key == key }
            default:
                model.removeAll { $0.key == key }
                if value.count + key.utf8.count <= 100 {
                    try store.set(value, for: key)
                    model.append((key, value))
                    while model.reduce(0, { $0 + $1.value.count + $1.key.utf8.count }) > 400 { model.removeFirst() }
                } else {
                    #expect(throws: HTTPCacheStoreError.tooLarge(limit: 100)) { try store.set(value, for: key) }
                }
            }
            #expect(store.count == model.count, "seed \(seed)")
            #expect(store.byteCount == model.reduce(0) { $0 + $1.value.count + $1.key.utf8.count }, "seed \(seed)")
        }
        store.removeAll()
        #expect(store.count == 0 && store.byteCount == 0)
    }

    @Test("The release of a value may use the memory store, also when a value that is too large replaces it")
    func reentrantRelease() async throws {
        let store = HTTPMemoryCacheStore(byteLimit: 400)
        let released = Locked(0)
        let set = { @Sendable (count: Int) in
            let bytes = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 1)
            bytes.initializeMemory(as: UInt8.self, repeating: 1, count: count)
            let value = Data(
                bytesNoCopy: bytes,
                count: count,
                deallocator: .custom { bytes, _ in
                    bytes.deallocate()
                    _ = store.count
                    released.withLock { $0 += 1 }
                }
            )
            try? store.set(value, for: "a")
        }
        // On another thread, which a value that is released under the lock would stop for ever.
        Thread.detachNewThread { for count in [90, 90, 200] { set(count) } }
        try await eventually(within: .seconds(20)) { released.withLock { $0 } == 3 }
    }

    @Test("Waiting for a key that another task has locked can be cancelled, and the work for it follows")
    func cancelsWaitingForKey() async throws {
        let locks = KeyedLock()
        let done = Locked<Set<Int>>([])
        let isHeld = Locked(false)
        let holder = Task {
            await locks.run("a") {
                isHeld.withLock { $0 = true }
                while isHeld.withLock({ $0 }) { await Task.yield() }
                return 0
            }
        }
        try await eventually { isHeld.withLock { $0 } }
        #expect(await locks.run("b") { 7 } == 7)
        let waiting = (1...3).map { number in
            Task {
                await locks.run("a") {
                    done.withLock { _ = $0.insert(number) }
                    return number
                }
            }
        }
        waiting[1].cancel()
        #expect(await waiting[1].value == nil && done.withLock { $0.isEmpty })
        let failing = Task { try await locks.lock("a") }
        failing.cancel()
        await #expect(throws: CancellationError.self) { try await failing.value }
        isHeld.withLock { $0 = false }
        #expect(await (holder.value, waiting[0].value, waiting[2].value) == (0, 1, 3))
        try await eventually { done.withLock { $0 == [1, 2, 3] } }
        try await locks.lock("a")
        locks.unlock("a")
    }

    @Test("A response that is being stored while all are removed does not remain, nor does an older one of its URL")
    func removesDuringStoring() async throws {
        let store = GatedStore()
        let bench = try CacheBench(store: store) { _, _ in
            .cached("", ("Vary", "Accept"), ("Cache-Control", "max-age=60"))
        }
        store.hold(.write)
        let first = Task { try await bench.get("/", ["Accept": "1"]).source }
        try await eventually { store.isWaiting(.write) }
        // The removal waits for the write. It can be cancelled, and follows then.
        let cancelled = Task { try await bench.cache.removeAll() }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        store.release(.write)
        #expect(try await first.value == .miss)
        try await eventually { store.memory.count == 0 }

        #expect(try await bench.get("/", ["Accept": "1"]).source == .miss)
        store.hold(.removal)
        store.hold(.write)
        let removal = Task { try await bench.cache.removeAll() }
        try await eventually { store.isWaiting(.removal) }
        // This update begins during the removal and ends after it.
        let second = Task { try await bench.get("/", ["Accept": "2"]).source }
        try await eventually { store.isWaiting(.write) }
        store.release(.removal)
        try await removal.value
        store.release(.write)
        #expect(try await second.value == .miss)
        #expect(try await bench.get("/", ["Accept": "1"]).source == .miss)
        #expect(try await bench.get("/", ["Accept": "2"]).source == .hit)
    }

    /// A store in memory whose calls wait while the test holds them.
    private final class GatedStore: HTTPCacheStore {
        enum Call { case write, removal }

        let memory = HTTPMemoryCacheStore()
        /// Whether a call waits, for each kind that is held.
        private let held = Locked<[Call: Bool]>([:])

        func hold(_ call: Call) { held.withLock { $0[call] = false } }
        func release(_ call: Call) { held.withLock { $0[call] = nil } }
        func isWaiting(_ call: Call) -> Bool { held.withLock { $0[call] == true } }

        private func pass(_ call: Call) async {
            held.withLock { if $0[call] != nil { $0[call] = true } }
            while isWaiting(call) { await Task.yield() }
        }

        func value(for key: String) -> Data? { memory.value(for: key) }
        func set(_ value: Data, for key: String) async throws {
            await pass(.write)
            try memory.set(value, for: key)
        }
        func remove(_ key: String) { memory.remove(key) }
        func removeAll() async {
            await pass(.removal)
            memory.removeAll()
        }
    }

    @Test("The memory store can be used by many threads")
    func memoryThreads() async throws {
        let store = HTTPMemoryCacheStore(byteLimit: 2_000)
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for number in 0..<2_000 {
                        let key = "k\((number * 7 + task) % 50)"
                        if number % 3 == 0 { try? store.set(Data(key.utf8), for: key) }
                        if let value = store.value(for: key) { #expect(value == Data(key.utf8)) }
                        if number % 11 == 0 { store.remove(key) }
                    }
                }
            }
        }
        #expect(store.byteCount <= 2_000)
    }
}
