import Foundation
import SystemCalls
import TestSupport
import Testing
import Threading

@testable import LocalProvider

/// Writes that wait for the disk at the same time.
@Suite("Group commit", .timeLimit(.minutes(10)))
struct GroupCommitTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory("commit")
    }

    private func store(_ calls: any FileCalls) -> JSONDefaults {
        let location = FileStoreLocation(directory: folder.path)
        return JSONDefaults(location: location, name: "commit", options: .init(), system: FileSystem(calls))
    }

    /// Sets a value on a thread of its own, and puts the error, if there is one, into `results`.
    private static func set(_ store: JSONDefaults, _ name: String, _ results: Locked<[String: LocalError?]>) {
        Thread.detachNewThread {
            let result = Result { () throws(LocalError) in
                try store.set(1, for: LocalIdentifier(name), rule: .set, durability: .synced)
            }
            results.withLock { results in
                switch result {
                case .success: results[name] = .some(nil)
                case .failure(let error): results[name] = error
                }
            }
        }
    }

    private static func waitForAppend(_ number: Int, _ store: JSONDefaults) {
        while store.groupCommit.lastAppend < number { usleep(200) }
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
        for number in 0..<2 { try store.set(number, for: LocalIdentifier("x"), rule: .set, durability: .synced) }
        slot.withLock { [last = store.groupCommit.lastAppend + writers] in $0 = (store, last) }
        calls.begin()
        let results = Locked<[String: LocalError?]>([:])
        for number in 0..<writers { Self.set(store, "\(number)", results) }
        try await eventually { results.withLock { $0.count } == writers }
        #expect(results.withLock { $0.values.allSatisfy { $0 == nil } })
        // The first one's, and one for all the others.
        #expect(calls.synchronisations == 2)
        slot.withLock { $0 = nil }
    }

    @Test("A failed synchronisation fails the writes made meanwhile, and the next write repairs it")
    func failsMeanwhile() async throws {
        let results = Locked<[String: LocalError?]>([:])
        let slot = Locked<JSONDefaults?>(nil)
        let calls = SteppedSync { number throws(SystemError) in
            guard let store = slot.withLock({ $0 }) else { return }
            if number == 1 {
                let last = store.groupCommit.lastAppend
                Self.set(store, "second", results)
                Self.waitForAppend(last + 1, store)
            }
            // The system tells of a failure once; afterwards all looks well. Twenty are more than anyone needs.
            if number == 1 || number > 20 { throw SystemError(code: 5, call: "fdatasync") }
        }
        let store = store(calls)
        try store.set(0, for: LocalIdentifier("zero"), rule: .set, durability: .synced)
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
        try store.set(3, for: LocalIdentifier("third"), rule: .set, durability: .synced)
        #expect(try store.journal.system.outline(of: store.path)?.inode != file)
        #expect(try self.store(PosixFileCalls()).count() == 4)
        slot.withLock { $0 = nil }
    }
}
