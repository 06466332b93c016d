import TestSupport
import Testing
import Threading

@Suite("Single flight", .timeLimit(.minutes(2)))
struct SingleFlightTests {
    private struct Failed: Error {}
    private let flights = SingleFlight<String, Int>()

    /// Work that counts its runs and waits until the test finishes it.
    private struct Work: Sendable {
        let runs = Locked(0)
        let wasCancelled = Locked(false)
        private let gate = AsyncStream.makeStream(of: Void.self)

        func run(_ value: Int) async throws -> Int {
            runs.withLock { $0 += 1 }
            for await _ in gate.stream { return value }
            wasCancelled.withLock { $0 = Task.isCancelled }
            throw CancellationError()
        }

        func finish() { gate.continuation.yield() }
    }

    private func request(_ key: String, _ work: @escaping @Sendable (Int) async throws -> Int) -> Task<Int, any Error> {
        Task { [flights] in try await flights.value(for: key, work) }
    }

    private func waitForCallers(_ count: Int) async throws {
        try await eventually { flights.waiterCount == count }
    }

    @Test("Callers at the same time share one run, and the next caller starts another")
    func shares() async throws {
        let work = Work()
        let tasks = (0..<20).map { _ in request("a") { _ in try await work.run(1) } }
        try await waitForCallers(20)
        let other = request("b") { _ in 2 }
        #expect(try await other.value == 2)
        work.finish()
        for task in tasks { #expect(try await task.value == 1) }
        #expect(work.runs.withLock { $0 } == 1 && flights.waiterCount == 0)
        #expect(try await request("a") { _ in 3 }.value == 3)
    }

    @Test("All callers receive the error")
    func fails() async throws {
        let work = Work()
        let tasks = (0..<3).map { _ in
            request("a") { _ in
                _ = try await work.run(0)
                throw Failed()
            }
        }
        try await waitForCallers(3)
        work.finish()
        for task in tasks { await #expect(throws: Failed.self) { try await task.value } }
    }

    @Test("A cancelled caller leaves at once; the work is cancelled when the last caller has left")
    func cancels() async throws {
        let work = Work()
        let first = request("a") { _ in try await work.run(1) }
        try await eventually { work.runs.withLock { $0 } == 1 }
        let second = request("a") { _ in try await work.run(2) }
        try await waitForCallers(2)
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        #expect(flights.waiterCount == 1 && !work.wasCancelled.withLock { $0 })
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        try await eventually(within: .seconds(5)) { work.wasCancelled.withLock { $0 } }
        #expect(try await request("a") { _ in 3 }.value == 3)
    }

    @Test("A caller that is cancelled before it waits starts no work")
    func cancelledBefore() async throws {
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let work = Work()
        let task = Task { [flights] in
            for await _ in gate { break }
            return try await flights.value(for: "a") { _ in try await work.run(1) }
        }
        task.cancel()
        open.yield()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(work.runs.withLock { $0 } == 0)
    }

    @Test("After forget the next caller starts anew, and the present ones receive their result")
    func forgets() async throws {
        let (old, new) = (Work(), Work())
        let ids = Locked<[Int]>([])
        let first = request("a") { id in
            ids.withLock { $0.append(id) }
            return try await old.run(1)
        }
        try await eventually { old.runs.withLock { $0 } == 1 }
        let id = try #require(ids.withLock { $0.first })
        #expect(flights.isCurrent(id))
        flights.forget("a")
        #expect(!flights.isCurrent(id))
        let second = request("a") { _ in try await new.run(2) }
        try await eventually { new.runs.withLock { $0 } == 1 }
        old.finish()
        #expect(try await first.value == 1)
        // The end of the forgotten work must not end the entry of the new one.
        let third = request("a") { _ in 4 }
        try await waitForCallers(2)
        flights.forgetAll()
        let fourth = request("a") { _ in 5 }
        #expect(try await fourth.value == 5)
        new.finish()
        #expect(try await second.value == 2)
        #expect(try await third.value == 2)
    }
}
