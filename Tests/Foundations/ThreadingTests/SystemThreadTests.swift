import Foundation
import TestSupport
import Testing
import Threading

@Suite("System threads", .timeLimit(.minutes(2)))
struct SystemThreadTests {
    @Test("A thread runs its block, and join waits for the end of it")
    func joins() throws {
        let values = Locked<[Int]>([])
        let threads = try (0..<8).map { number in
            try SystemThread {
                usleep(1_000)
                values.withLock { $0.append(number) }
            }
        }
        for thread in threads { thread.join() }
        #expect(values.withLock { $0.sorted() } == Array(0..<8))
    }

    @Test("A thread has a stack for 1.5 MB of calls, whatever the default of the system")
    func stack() throws {
        @Sendable func count(_ level: Int) -> Int {
            guard level > 0 else { return 0 }
            return withUnsafeTemporaryAllocation(byteCount: 1_000, alignment: 8) { _ in count(level - 1) + 1 }
        }
        let levels = Locked(0)
        try SystemThread { levels.withLock { $0 = count(1_000) } }.join()
        #expect(levels.withLock { $0 } == 1_000)
    }

    @Test("A detached thread runs its block apart from the caller and releases it")
    func detaches() async throws {
        final class Resource: Sendable {}
        var resource: Resource? = Resource()
        weak let released = resource
        let gate = DispatchSemaphore(value: 0)
        let hasRun = Locked(false)
        try SystemThread.detach { [resource] in
            gate.wait()
            withExtendedLifetime(resource) { hasRun.withLock { $0 = true } }
        }
        resource = nil
        #expect(!hasRun.withLock { $0 } && released != nil)
        gate.signal()
        try await eventually { hasRun.withLock { $0 } && released == nil }
    }
}
