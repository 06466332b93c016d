import TestSupport
import Testing

@testable import Threading

@Suite("A semaphore", .timeLimit(.minutes(1)))
struct SemaphoreTests {
    @Test("As many waits return as the count and the signals allow")
    func counts() {
        let semaphore = Semaphore(2)
        semaphore.signal()
        for _ in 0..<3 { #expect(semaphore.wait(for: .zero)) }
        #expect(!semaphore.wait(for: .zero))
    }

    @Test("A wait without a signal returns after its time, and not before", arguments: [1, 30, 1_100])
    func timeout(milliseconds: Int) {
        let (semaphore, start) = (Semaphore(), ContinuousClock.now)
        #expect(!semaphore.wait(for: .milliseconds(milliseconds)))
        #expect(start.duration(to: .now) >= .milliseconds(milliseconds))
    }

    @Test("Every signal resumes one of the threads that wait")
    func threads() throws {
        let (semaphore, begun, resumed) = (Semaphore(), Semaphore(), Locked(0))
        let threads = try (0..<8).map { index in
            try SystemThread {
                begun.signal()
                // Both kinds of wait take their turns.
                if index.isMultiple(of: 2) { semaphore.wait() } else { #expect(semaphore.wait(for: .seconds(50))) }
                resumed.withLock { $0 += 1 }
            }
        }
        for _ in threads { begun.wait() }
        #expect(resumed.withLock { $0 } == 0)
        for _ in threads { semaphore.signal() }
        for thread in threads { thread.join() }
        #expect(resumed.withLock { $0 } == 8)
        #expect(!semaphore.wait(for: .zero))
    }
}
