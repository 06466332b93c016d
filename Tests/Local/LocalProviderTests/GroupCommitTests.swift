import Foundation
import LocalProviderTestSupport
import SystemCalls
import TestSupport
import Testing
import Threading

@testable import LocalProvider

/// Writes that wait for the disk at the same time.
@Suite("Group commit", .timeLimit(.minutes(10)))
struct GroupCommitTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory("commit") }

    private func store(_ calls: any FileCalls) -> JSONDefaults { JSONDefaults(on: calls, in: folder.path) }

    /// Sets a value on a new thread, and stores the error, or `nil`, in `results`.
    private static func set(_ store: JSONDefaults, _ name: String, _ results: Locked<[String: LocalError?]>) {
        Thread.detachNewThread {
            let result = Result { () throws(LocalError) in try store.set(name, 1, .synced) }
            results.withLock { results in
                switch result {
                case .success: results[name] = .some(nil)
                case .failure(let error): results[name] = error
                }
            }
        }
    }

    private static func waitForAppend(_ number: Int, _ store: JSONDefaults) {
        while store.groupCommit.position.append < number { usleep(200) }
    }

    @Test("Writes that queue up while the disk is busy share one synchronisation")
    func shared() async throws {
        let writers = 12
        let slot = Locked<(store: JSONDefaults, last: Int)?>(nil)
        let calls = SteppedSync { number throws(SystemError) in
            guard number == 1, let (store, last) = slot.withLock({ $0 }) else { return }
            Self.waitForAppend(last, store)
        }
        let store = store(calls)
        // The store's own first look at its file counts as well: let it be over.
        for number in 0..<2 { try store.set("x", number, .synced) }
        slot.withLock { [last = store.groupCommit.position.append + writers] in $0 = (store, last) }
        calls.begin()
        let results = Locked<[String: LocalError?]>([:])
        for number in 0..<writers { Self.set(store, "\(number)", results) }
        try await eventually { results.withLock { $0.count } == writers }
        #expect(results.withLock { $0.values.allSatisfy { $0 == nil } })
        // The first one's, and one for all the others.
        #expect(calls.synchronisations == 2)
        slot.withLock { $0 = nil }
    }

    /// The calls of a process on a simulated disk; something happens once, after a file was synchronised.
    private final class InterposedCalls: ForwardedCalls {
        let system: SimulatedProcess
        let afterSync = Locked<(@Sendable () -> Void)?>(nil)

        init(_ disk: SimulatedDisk) { system = SimulatedProcess(disk) }

        func synchronise(_ descriptor: Int32) throws(SystemError) {
            try system.synchronise(descriptor)
            let body = afterSync.withLock { body in
                defer { body = nil }
                return body
            }
            body?()
        }
    }

    @Test("A synced write survives although another process replaces the file and is killed before that is durable")
    func replacedFile() async throws {
        let disk = SimulatedDisk()
        let calls = InterposedCalls(disk)
        let one = JSONDefaults(on: calls)
        try one.set("zero", 0, .synced)
        let results = Locked<[String: LocalError?]>([:])
        calls.afterSync.withLock { body in
            body = {
                // While the first write is synchronised, the second one is appended and waits.
                let last = one.groupCommit.position.append
                Self.set(one, "second", results)
                Self.waitForAppend(last + 1, one)
                let file = try? SimulatedProcess(disk).outline(of: one.path).inode
                for number in 1...200 {
                    let trial = disk.copy()
                    try? JSONDefaults(on: SimulatedProcess(trial, dyingAt: number)).compactNow()
                    guard (try? SimulatedProcess(trial).outline(of: one.path).inode) != file else { continue }
                    try? JSONDefaults(on: SimulatedProcess(disk, dyingAt: number)).compactNow()
                    break
                }
                #expect((try? SimulatedProcess(disk).outline(of: one.path).inode) != file)
                #expect(throws: Never.self) { try one.set("third", 3) }
            }
        }
        Self.set(one, "first", results)
        try await eventually { results.withLock { $0.count } == 2 }
        #expect(results.withLock { $0.values.allSatisfy { $0 == nil } })
        for seed in UInt64(0)..<20 {
            for loss in [PowerLoss.everything, .chance, .names, .bytes] {
                let names = try JSONDefaults(on: disk.afterPowerLoss(loss, seed: seed)).identifiers()
                #expect(Set(names).isSuperset(of: ["zero", "first", "second"]), "\(loss), seed \(seed)")
            }
        }
    }

    @Test("A failed synchronisation fails the writes that it covers, and the next write repairs it")
    func failsTogether() async throws {
        let results = Locked<[String: LocalError?]>([:])
        let slot = Locked<JSONDefaults?>(nil)
        let calls = SteppedSync { number throws(SystemError) in
            guard let store = slot.withLock({ $0 }) else { return }
            if number == 1 {
                let last = store.groupCommit.position.append
                Self.set(store, "second", results)
                Self.waitForAppend(last + 1, store)
            }
            // The system reports a failure once, and then success. Twenty synchronisations are more than necessary.
            if number == 1 || number > 20 { throw SystemError(code: 5, call: "fdatasync") }
        }
        let store = store(calls)
        try store.set("zero", 0, .synced)
        slot.withLock { $0 = store }
        calls.begin()
        Self.set(store, "first", results)
        try await eventually { results.withLock { $0.count } == 2 }
        for name in ["first", "second"] {
            guard case .io(_, "fdatasync", 5) = results.withLock({ $0[name] ?? nil }) else {
                Issue.record("\(name): \(results.withLock { $0 })")
                continue
            }
        }
        #expect(calls.synchronisations == 1)
        let file = try store.journal.system.outline(of: store.path)?.inode
        try store.set("third", 3, .synced)
        #expect(try store.journal.system.outline(of: store.path)?.inode != file)
        #expect(try self.store(PosixFileCalls()).count() == 4)
        slot.withLock { $0 = nil }
    }
}
