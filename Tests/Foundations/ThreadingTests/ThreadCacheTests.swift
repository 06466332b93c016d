import Foundation
import TestSupport
import Testing

@testable import Threading

@Suite("Threads for frequent calls", .timeLimit(.minutes(2)))
struct ThreadCacheTests {
    /// Runs a block on the cache and returns the identity of its thread.
    private func thread(_ cache: ThreadCache) async throws -> String {
        try await BlockingCalls.run(on: cache) { "\(pthread_self())" }
    }

    @Test("A thread is used again by the next call")
    func reuses() async throws {
        let cache = ThreadCache(idleTime: .seconds(60))
        let first = try await thread(cache)
        for _ in 0..<20 {
            try await eventually { cache.idleThreads == 1 }
            #expect(try await thread(cache) == first)
        }
    }

    @Test("Calls that block do not delay other calls")
    func blocked() async throws {
        let (cache, gate, ended) = (ThreadCache(), Semaphore(), Locked(0))
        for _ in 0..<20 {
            try cache.run {
                _ = gate.wait(for: .seconds(60))
                ended.withLock { $0 += 1 }
            }
        }
        for _ in 0..<20 { _ = try await thread(cache) }
        #expect(ended.withLock { $0 } == 0)
        for _ in 0..<20 { gate.signal() }
        try await eventually { ended.withLock { $0 } == 20 }
    }

    @Test("An idle thread ends after its time, or when the cache is released")
    func ends() async throws {
        let cache = ThreadCache(idleTime: .milliseconds(20))
        _ = try await thread(cache)
        try await eventually { cache.idleThreads == 0 }
        _ = try await thread(cache)
        let threads = Locked<[String]>([])
        var released: ThreadCache? = ThreadCache(idleTime: .seconds(600))
        for _ in 0..<4 {
            try released?.run {
                usleep(1_000)
                threads.withLock { $0.append(Self.threadFolder()) }
            }
        }
        try await eventually { threads.withLock { $0.count } == 4 && released?.idleThreads ?? 0 > 0 }
        released = nil
        try await eventually { !threads.withLock { $0 }.contains { FileManager.default.fileExists(atPath: $0) } }
    }

    @Test("Many calls in a row are all run, also when threads end at the same time")
    func many() async throws {
        let (cache, ran) = (ThreadCache(idleTime: .microseconds(100)), Locked(0))
        for number in 0..<2_000 {
            try cache.run { ran.withLock { $0 += 1 } }
            if number.isMultiple(of: 7) { usleep(100) }
        }
        try await eventually { ran.withLock { $0 } == 2_000 }
    }

    @Test("Calls beyond the limit wait for a thread, and all run although the cache is released")
    func limit() async throws {
        let (gate, started, ended) = (Semaphore(), Locked(0), Locked(0))
        var cache: ThreadCache? = ThreadCache(limit: 3)
        for _ in 0..<100 {
            try cache?.run {
                started.withLock { $0 += 1 }
                gate.wait()
                ended.withLock { $0 += 1 }
            }
        }
        try await eventually { started.withLock { $0 } == 3 }
        #expect(cache?.busyThreads == 3)
        cache = nil
        for _ in 0..<100 { gate.signal() }
        try await eventually { ended.withLock { $0 } == 100 }
    }

    /// The folder of the calling thread, which is there until the thread ends; empty without `/proc`.
    private static func threadFolder() -> String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")).map { "/proc/\($0)" } ?? ""
    }
}
