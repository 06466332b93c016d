import Foundation
import LocalProviderTestSupport
import SystemCalls
import TestSupport
import Testing
import Threading

@testable import LocalProvider

/// The lock between processes, and calls that run while another waits for it.
@Suite("Locks of stores", .timeLimit(.minutes(10)))
struct StoreLockTests {
    /// Calls a closure before each attempt to lock a file.
    private final class AttemptCalls<Calls: FileCalls>: ForwardedCalls {
        let system: Calls
        let onAttempt: @Sendable (Int) -> Void
        let attempts = Locked(0)

        init(_ system: Calls, _ onAttempt: @escaping @Sendable (Int) -> Void = { _ in }) {
            self.system = system
            self.onAttempt = onAttempt
        }

        func tryLock(_ descriptor: Int32) throws(SystemError) -> Bool {
            onAttempt(
                attempts.withLock { attempts in
                    attempts += 1
                    return attempts
                }
            )
            return try system.tryLock(descriptor)
        }
    }

    @Test("While one thread waits for another process to write, the others read", arguments: SchemaFixture.kinds)
    func reading(kind: LocalStoreKind) async throws {
        let folder = try TemporaryDirectory("waiting")
        let calls = AttemptCalls(PosixFileCalls())
        // Longer than the test can stand still while others hold all threads.
        let options = LocalProvider.Options(lockTimeLimit: .seconds(3_600))
        let location = FileStoreLocation(directory: folder.path)
        let provider = LocalProvider(location: location, options: options, system: FileSystem(calls))
        let key = LocalKey<Int>("a", in: kind)
        try provider.set(key, to: 1)
        let name = kind == .defaults ? "/defaults.journal.lock" : "/plists/.lock"
        let holder = open(folder.path + name, O_RDWR)
        #expect(flock(holder, LOCK_EX) == 0)
        let before = calls.attempts.withLock { $0 }
        let isWritten = Locked(false)
        Thread.detachNewThread {
            try? provider.set(key, to: 2)
            isWritten.withLock { $0 = true }
        }
        try await eventually { calls.attempts.withLock { $0 } > before }
        #expect(try provider.read(key) == 1)
        #expect(try provider.count(in: kind) == 1)
        #expect(!isWritten.withLock { $0 })
        close(holder)
        try await eventually { isWritten.withLock { $0 } }
        #expect(try provider.read(key) == 2)
    }

    /// Counts the files that are opened and the threads that wait for a lock.
    private final class CountingCalls: ForwardedCalls {
        let opened = Locked(0)
        let waiting = Locked(0)

        func open(_ path: String, _ mode: FileOpening) throws(SystemError) -> Int32 {
            opened.withLock { $0 += 1 }
            return try system.open(path, mode)
        }

        func lock(_ descriptor: Int32) throws(SystemError) {
            waiting.withLock { $0 += 1 }
            defer { waiting.withLock { $0 -= 1 } }
            try system.lock(descriptor)
        }
    }

    @Test("Attempts that time out share one thread and one open file", arguments: SchemaFixture.kinds)
    func timeouts(kind: LocalStoreKind) async throws {
        let (folder, calls, key) = (try TemporaryDirectory("timeouts"), CountingCalls(), LocalKey<Int>("a", in: kind))
        let options = LocalProvider.Options(lockTimeLimit: .milliseconds(2))
        let location = FileStoreLocation(directory: folder.path)
        let provider = LocalProvider(location: location, options: options, system: FileSystem(calls))
        try provider.set(key, to: 1)
        let path = folder.path + (kind == .defaults ? "/defaults.journal.lock" : "/plists/.lock")
        let holder = open(path, O_RDWR)
        #expect(flock(holder, LOCK_EX) == 0)
        let opened = calls.opened.withLock { $0 }
        for _ in 0..<100 { #expect(throws: LocalError.locked(path: path)) { try provider.set(key, to: 2) } }
        try await eventually { calls.waiting.withLock { $0 } == 1 }
        #expect(calls.opened.withLock { $0 } <= opened + 1)
        // Another lock file is the lock now, and is not locked.
        try PosixFileCalls().rename(path, to: path + ".old")
        try provider.set(key, to: 3)
        try PosixFileCalls().rename(path + ".old", to: path)
        #expect(throws: LocalError.locked(path: path)) { try provider.set(key, to: 4) }
        close(holder)
        try await eventually { (try? provider.set(key, to: 5)) != nil }
        try await eventually { calls.waiting.withLock { $0 } == 0 }
        // The threads whose attempts had timed out have released the lock.
        let other = LocalProvider(location: location, options: options)
        try await eventually { (try? other.set(key, to: 6)) != nil }
        #expect(try provider.read(key) == 6)
    }

    @Test("A lock file that is removed just before it is locked is created again", arguments: SchemaFixture.kinds)
    func removed(kind: LocalStoreKind) throws {
        let disk = SimulatedDisk()
        let location = FileStoreLocation(directory: "/data")
        let path = kind == .defaults ? "/data/defaults.journal.lock" : "/data/plists/.lock"
        // The second time it is there and known.
        let calls = AttemptCalls(SimulatedProcess(disk)) { attempt in
            if attempt == 2 { try? SimulatedProcess(disk).remove(path) }
        }
        let provider = LocalProvider(location: location, options: .init(), system: FileSystem(calls))
        let key = LocalKey<Int>("a", in: kind)
        try provider.set(key, to: 1)
        let options = LocalProvider.Options(lockTimeLimit: .zero)
        let other = LocalProvider(location: location, options: options, system: FileSystem(SimulatedProcess(disk)))
        try provider.update(key) { value in
            #expect(throws: LocalError.locked(path: path)) { try other.set(key, to: 5) }
            value = 2
        }
        #expect(try other.read(key) == 2)
    }
}
