import Foundation
import LocalProviderTestSupport
import SystemCalls
import TestSupport
import Testing
import Threading

@testable import LocalProvider

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The lock between processes, and what goes on while someone waits for it.
@Suite("Locks of stores", .timeLimit(.minutes(10)))
struct StoreLockTests {
    /// Calls that tell before each attempt to take a lock.
    private final class ToldCalls<Calls: FileCalls>: ForwardedCalls {
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
        let calls = ToldCalls(PosixFileCalls())
        var options = LocalProvider.Options()
        // Longer than the test can stand still while others hold all threads.
        options.defaults.lockTimeLimit = .seconds(3_600)
        options.propertyLists.lockTimeLimit = .seconds(3_600)
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

    @Test("A lock file that is removed just before it is locked is created again", arguments: SchemaFixture.kinds)
    func removed(kind: LocalStoreKind) throws {
        let disk = SimulatedDisk()
        let location = FileStoreLocation(directory: "/data")
        let path = kind == .defaults ? "/data/defaults.journal.lock" : "/data/plists/.lock"
        // The second time it is there and known.
        let calls = ToldCalls(SimulatedProcess(disk)) { attempt in
            if attempt == 2 { try? SimulatedProcess(disk).remove(path) }
        }
        let provider = LocalProvider(location: location, options: .init(), system: FileSystem(calls))
        let key = LocalKey<Int>("a", in: kind)
        try provider.set(key, to: 1)
        var options = LocalProvider.Options()
        options.defaults.lockTimeLimit = .zero
        options.propertyLists.lockTimeLimit = .zero
        let other = LocalProvider(location: location, options: options, system: FileSystem(SimulatedProcess(disk)))
        try provider.update(key) { value in
            #expect(throws: LocalError.locked(path: path)) { try other.set(key, to: 5) }
            value = 2
        }
        #expect(try other.read(key) == 2)
    }
}
