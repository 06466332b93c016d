import TestSupport
import Testing
import Threading

@testable import LocalProvider

/// Values that a cache has made when they are asked for.
@Suite("Memory cache: loading values", .timeLimit(.minutes(10)))
struct MemoryCacheFlightTests {
    private struct Failed: Error {}
    private let cache = MemoryCache<Int, Int>(.init(countLimit: 10))

    /// Loads values: reports that it has begun, and waits until it may continue.
    private struct Maker: Sendable {
        let begun = Locked(0)
        private let gate = AsyncStream.makeStream(of: Void.self)

        func make(_ value: Int) async throws -> Int {
            begun.withLock { $0 += 1 }
            for await _ in gate.stream { return value }
            throw CancellationError()
        }

        func hasBegun(_ times: Int = 1) async throws { try await eventually { begun.withLock { $0 } == times } }
        func finish() { gate.continuation.yield() }
    }

    private func ask(_ key: Int, _ make: @escaping @Sendable () async throws -> Int) -> Task<Int, any Error> {
        Task { [cache] in try await cache.value(for: key, orInsert: make) }
    }

    /// Returns when this number of callers wait for values.
    private func waiters(_ count: Int) async throws {
        try await eventually { cache.flights.waiterCount == count }
    }

    @Test("A value is loaded once for all callers, and not stored if loading fails")
    func once() async throws {
        let maker = Maker()
        let tasks = (0..<50).map { _ in ask(1) { try await maker.make(7) } }
        try await waiters(50)
        maker.finish()
        for task in tasks { #expect(try await task.value == 7) }
        #expect(maker.begun.withLock { $0 } == 1)
        #expect(cache.value(for: 1) == 7)
    }

    @Test("A failed load fails all callers, stores nothing, and the next caller loads again")
    func fails() async throws {
        let maker = Maker()
        let tasks = (0..<20).map { _ in
            ask(2) {
                _ = try await maker.make(0)
                throw Failed()
            }
        }
        try await waiters(20)
        maker.finish()
        for task in tasks { await #expect(throws: Failed.self) { try await task.value } }
        #expect(maker.begun.withLock { $0 } == 1 && !cache.contains(2))
        #expect(try await ask(2) { 5 }.value == 5)
    }

    @Test("A cancelled caller returns at once, and the load continues for the others")
    func leaves() async throws {
        let maker = Maker()
        let first = ask(1) { try await maker.make(5) }
        try await waiters(1)
        let second = ask(1) { try await maker.make(6) }
        try await waiters(2)
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        maker.finish()
        #expect(try await second.value == 5)
        #expect(cache.value(for: 1) == 5)
    }

    @Test("The load is cancelled with its last caller, and nothing is stored")
    func lastLeaves() async throws {
        let maker = Maker()
        let wasCancelled = Locked<Bool?>(nil)
        let only = ask(2) {
            defer { wasCancelled.withLock { $0 = Task.isCancelled } }
            return try await maker.make(1)
        }
        try await maker.hasBegun()
        only.cancel()
        await #expect(throws: CancellationError.self) { try await only.value }
        try await eventually { wasCancelled.withLock { $0 } == true }
        #expect(!cache.contains(2) && cache.flights.waiterCount == 0)
        #expect(try await ask(2) { 3 }.value == 3)
    }

    @Test("A caller that is cancelled before it waits loads nothing")
    func cancelledBefore() async throws {
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let made = Locked(false)
        let task = Task { [cache] in
            for await _ in gate { break }
            return try await cache.value(for: 1) {
                made.withLock { $0 = true }
                return 1
            }
        }
        task.cancel()
        open.yield()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(!made.withLock { $0 } && !cache.contains(1))
    }

    @Test("A value set during a load is not overwritten by it", arguments: [false, true])
    func setMeanwhile(isGoneAgain: Bool) async throws {
        let maker = Maker()
        let task = ask(1) { try await maker.make(1) }
        try await maker.hasBegun()
        cache.set(2, for: 1)
        // Evicted by the cache itself: the loaded value is outdated all the same.
        if isGoneAgain { cache.trim(keeping: 0) }
        maker.finish()
        #expect(try await task.value == 1)
        #expect(cache.value(for: 1) == (isGoneAgain ? nil : 2))
    }

    @Test(
        "A value removed during its load stays removed, and the next caller loads it again",
        arguments: [false, true]
    )
    func removedMeanwhile(all: Bool) async throws {
        let (old, new) = (Maker(), Maker())
        let first = ask(1) { try await old.make(1) }
        try await old.hasBegun()
        if all { cache.removeAll() } else { cache.removeValue(for: 1) }
        let second = ask(1) { try await new.make(2) }
        try await new.hasBegun()
        new.finish()
        #expect(try await second.value == 2)
        old.finish()
        #expect(try await first.value == 1)
        #expect(cache.value(for: 1) == 2)
    }

    @Test("A caller just before the end of a load gets the value, and it is not loaded twice")
    func betweenLooks() async throws {
        for round in 0..<(isLongRun ? 20_000 : 1_000) {
            let made = Locked(0)
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<4 {
                    group.addTask { [cache] in
                        try await cache.value(for: round) {
                            made.withLock { $0 += 1 }
                            return round
                        }
                    }
                }
                for try await value in group { #expect(value == round) }
            }
            #expect(made.withLock { $0 } == 1, "round \(round)")
        }
    }

    @Test("A cache that is deallocated during a load leaves no caller waiting")
    func letGo() async throws {
        let maker = Maker()
        var cache: MemoryCache<Int, Int>? = MemoryCache(.init(countLimit: 10))
        weak let gone = cache
        let task = Task { [cache] in try await cache?.value(for: 1) { try await maker.make(4) } }
        cache = nil
        try await maker.hasBegun()
        maker.finish()
        #expect(try await task.value == 4)
        try await eventually { gone == nil }
    }
}
