import Foundation
import TestSupport
import Testing
import Threading

@Suite("Blocking calls", .timeLimit(.minutes(2)))
struct BlockingCallsTests {
    private struct Mistake: Error {}

    @Test("The result or the error of the calls is returned")
    func returnsResult() async throws {
        #expect(try await BlockingCalls.run { 3 } == 3)
        await #expect(throws: Mistake.self) { try await BlockingCalls.run { throw Mistake() } }
    }

    @Test("Blocked calls, more than there are cores, do not stop other tasks")
    func leavesTasksRunning() async throws {
        let gate = DispatchSemaphore(value: 0)
        let count = 4 * ProcessInfo.processInfo.activeProcessorCount
        let finished = Locked(0)
        let tasks = (0..<count).map { _ in
            Task {
                try await BlockingCalls.run { gate.wait() }
                finished.withLock { $0 += 1 }
            }
        }
        for _ in 0..<100 { await Task.yield() }
        #expect(await Task { 7 }.value == 7)
        #expect(finished.withLock { $0 } == 0)
        for _ in tasks { gate.signal() }
        for task in tasks { try await task.value }
        #expect(finished.withLock { $0 } == count)
    }

    @Test("A cancelled caller continues at once; the calls run to their end and release what they hold")
    func cancels() async throws {
        final class Resource: Sendable {}
        var resource: Resource? = Resource()
        weak let released = resource
        let gate = DispatchSemaphore(value: 0)
        let (started, hasRun) = (Locked(false), Locked(false))
        let task = Task { [resource] in
            try await BlockingCalls.run {
                started.withLock { $0 = true }
                gate.wait()
                withExtendedLifetime(resource) { hasRun.withLock { $0 = true } }
            }
        }
        resource = nil
        try await eventually { started.withLock { $0 } }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(!hasRun.withLock { $0 })
        gate.signal()
        try await eventually { hasRun.withLock { $0 } && released == nil }
        let cancelled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await BlockingCalls.run { 3 }
        }
        await #expect(throws: CancellationError.self) { try await cancelled.value }
    }
}
