import Foundation
import LocalProviderTestSupport
import SystemCalls
import TestSupport
import Testing
import Threading

@testable import LocalProvider

/// The lock between processes under load.
@Suite("Fairness of the lock", .timeLimit(.minutes(10)))
struct LockFairnessTests {
    @Test("A process gets the lock in turn while two others request it again as soon as they have released it")
    func fair() async throws {
        let folder = try TemporaryDirectory("fair")
        // On a dedicated thread: the waiting must not block the other tests.
        let waits = try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<[Int], any Error>) in
            Thread { continuation.resume(with: Result { try Self.waits(folder.path) }) }.start()
        }
        // Two in turn, and some more if this process was not scheduled between the two calls.
        #expect(waits.sorted()[waits.count / 2] <= 4, "\(waits)")
        #expect(waits.reduce(0, +) <= waits.count * 8, "\(waits)")
    }

    /// Returns how often two other processes have got the lock between each request of this one and its success.
    private static func waits(_ folder: String) throws -> [Int] {
        let counter = LocalKey("counter", in: .defaults, default: 0)
        let provider = LocalProvider(location: FileStoreLocation(directory: folder))
        try provider.set(counter, to: 0)
        let others = [try CrashChild("busy", folder), try CrashChild("busy", folder)]
        defer { for child in others { child.kill() } }
        let end = ContinuousClock.now + .seconds(60)
        while try provider.read(counter) < 10, ContinuousClock.now < end { usleep(1_000) }
        return try (0..<60).map { _ in
            let before = try provider.read(counter)
            return try provider.update(counter, durability: .written) { value in
                value = (value ?? 0) + 1
                return (value ?? 0) - before - 1
            }
        }
    }

    @Test("A request that has to wait waits in the system's queue, and is not repeated")
    func queued() async throws {
        let folder = try TemporaryDirectory("queue")
        let location = FileStoreLocation(directory: folder.path)
        let (holder, calls) = (JSONDefaults(location: location), CountedLocks())
        let store = JSONDefaults(on: calls, in: folder.path)
        let key = try LocalIdentifier("a")
        try store.set(1, for: key, rule: .set, durability: .written)
        calls.counts.withLock { $0 = (0, 0) }
        let stored = Locked<Result<Void, any Error>?>(nil)
        try holder.update(key, as: Int.self, durability: .written) { value in
            value = 2
            Thread {
                let result = Result { try store.set(3, for: key, rule: .set, durability: .written) }
                stored.withLock { $0 = result }
            }.start()
            let end = ContinuousClock.now + .seconds(4)
            while calls.counts.withLock({ $0.queued }) == 0, ContinuousClock.now < end { usleep(1_000) }
            let (tried, queued) = calls.counts.withLock { $0 }
            #expect(tried == 1 && queued == 1)
        }
        try await eventually { stored.withLock { $0 != nil } }
        try stored.withLock { $0 }?.get()
        #expect(try holder.value(for: key, as: Int.self) == 3)
    }

    @Test("A process that waits beyond the time limit throws, and the lock is free for others afterwards")
    func timeLimit() throws {
        let folder = try TemporaryDirectory("limit")
        let location = FileStoreLocation(directory: folder.path)
        let options = LocalProvider.Options(lockTimeLimit: .milliseconds(50))
        let (provider, other) = (LocalProvider(location: location, options: options), LocalProvider(location: location))
        let key = LocalKey("a", in: .defaults, default: 0)
        try other.update(key) { value in
            for _ in 0..<3 {
                let start = ContinuousClock.now
                #expect(throws: LocalError.locked(path: folder.path + "/defaults.journal.lock")) {
                    try provider.set(key, to: 5)
                }
                #expect(ContinuousClock.now - start >= .milliseconds(50))
            }
            value = 1
        }
        // The requests that were given up release the lock as soon as they get it.
        try other.set(key, to: 2)
        let patient = LocalProvider(location: location)
        try patient.set(key, to: 3)
        #expect(try provider.read(key) == 3)
        try provider.defaults.set("a", 4)
    }
}

/// The system's calls; counts those that lock.
private struct CountedLocks: ForwardedCalls {
    let counts = Locked((tried: 0, queued: 0))

    func tryLock(_ descriptor: Int32) throws(SystemError) -> Bool {
        counts.withLock { $0.tried += 1 }
        return try system.tryLock(descriptor)
    }

    func lock(_ descriptor: Int32) throws(SystemError) {
        counts.withLock { $0.queued += 1 }
        try system.lock(descriptor)
    }
}
