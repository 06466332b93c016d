import Foundation
import LocalObservation
import Observation
import TestSupport
import Testing
import Threading

@testable import LocalProvider

@MainActor
@Suite("Observed values")
struct ObservedValueTests {
    private let folder: TemporaryDirectory
    private let provider: LocalProvider

    init() throws {
        folder = try TemporaryDirectory("observed")
        provider = LocalProvider(location: FileStoreLocation(directory: folder.path))
    }

    @Test("Every example of the documentation is compiled by a test")
    func documentation() async throws {
        #expect(try DocumentedExamples(of: "LocalObservation", count: 1).missing == [])
        let theme = ObservedValue("theme", in: .defaults, of: provider, default: "dark")
        theme.value = "light"
        try await theme.flush()
        #expect(try provider.read(theme.key) == "light")
    }

    @Test(
        "A value has its default, and then what was set, at once and for the next process",
        arguments: LocalStoreKind.standard
    )
    func sets(kind: LocalStoreKind) async throws {
        let value = ObservedValue("n", in: kind, of: provider, default: 1)
        #expect(value.value == 1)
        for number in 2...50 {
            value.value = number
            #expect(value.value == number)
        }
        try await value.flush()
        #expect(value.value == 50 && value.error == nil)
        #expect(try provider.read(value.key) == 50)
        #expect(ObservedValue(value.key, of: provider, default: 1).value == 50)
    }

    @Test("A value changes when another object of this process changes it", arguments: LocalStoreKind.standard)
    func follows(kind: LocalStoreKind) async throws {
        let value = ObservedValue("n", in: kind, of: provider, default: 1)
        let changes = Locked(0)
        func track() {
            withObservationTracking {
                _ = value.value
            } onChange: {
                changes.withLock { $0 += 1 }
            }
        }
        track()
        try provider.set(value.key, to: 7)
        try await eventually { value.value == 7 }
        #expect(changes.withLock { $0 } == 1)
        try provider.delete(value.key)
        try await eventually { value.value == 1 }
        // A change of another value does not change this one.
        try provider.set(LocalKey("m", in: kind), to: 8)
        #expect(value.value == 1)
        // Nor does the same value once more.
        track()
        value.value = 1
        try await value.flush()
        #expect(value.value == 1 && changes.withLock { $0 } == 1)
    }

    @Test("A value changes when another process changes it", arguments: [LocalStoreKind.defaults, .propertyList])
    func followsOthers(kind: LocalStoreKind) async throws {
        let child = try CrashChild(kind == .defaults ? "defaults" : "plist", folder.path, 20)
        defer { child.kill() }
        if kind == .defaults {
            let counter = ObservedValue("counter", in: kind, of: provider, default: 0)
            try await eventually { counter.value == 20 }
        } else {
            let document = ObservedValue("document", in: kind, of: provider, default: [String: String]())
            try await eventually { document.value["number"] == "20" }
        }
    }

    @Test("If storing fails, the value is the stored one again, and the error is available")
    func fails() async throws {
        let key = LocalKey("n", in: .defaults, default: 0)
        try provider.set(key, to: 1)
        var options = LocalProvider.Options()
        options.defaults.lockTimeLimit = .milliseconds(20)
        let impatient = LocalProvider(location: FileStoreLocation(directory: folder.path), options: options)
        let value = ObservedValue("n", in: .defaults, of: impatient, default: 0)
        // The update holds the lock.
        let entered = Locked(false)
        let release = Locked(false)
        let provider = provider
        let holder = Task.detached {
            try await provider.async.update(key) { value in
                entered.withLock { $0 = true }
                while !release.withLock({ $0 }) { usleep(500) }
                value = 2
            }
        }
        try await eventually { entered.withLock { $0 } }
        let failures = Locked(0)
        withObservationTracking {
            _ = value.error
        } onChange: {
            failures.withLock { $0 += 1 }
        }
        value.value = 9
        await #expect(throws: LocalError.self) { try await value.flush() }
        #expect(value.error == .locked(path: folder.path + "/defaults.journal.lock"))
        #expect(value.value == 1 && failures.withLock { $0 } == 1)
        release.withLock { $0 = true }
        try await holder.value
        try await eventually { value.value == 2 && value.error == nil }
        // The request that was given up may hold the lock for a moment.
        try await eventually { (try? impatient.set(LocalKey<Int>("m", in: .defaults), to: 1)) != nil }
        // The next writes succeed, in their order.
        for number in 3...40 { value.value = number }
        try await value.flush()
        #expect(try provider.read(key) == 40 && value.value == 40)
    }

    @Test("A read that began before a write does not replace the written value", arguments: [false, true])
    func lateRead(fails: Bool) async throws {
        let store = GatedStore()
        let value = ObservedValue("n", in: store.kind, of: provider.adding(store), default: 0)
        store.holdReads()
        // The read after this change has its result, and waits.
        if fails {
            try store.base.set("text", for: LocalIdentifier("n"), rule: .set, durability: nil)
        } else {
            try store.base.set(2, for: LocalIdentifier("n"), rule: .set, durability: nil)
        }
        try await eventually { store.reads == 2 }
        value.value = 10
        try await value.flush()
        store.releaseRead()
        // When the next read begins, the one before has been shown.
        try await eventually { store.reads == 3 }
        #expect(value.value == 10 && value.error == nil)
        value.value += 1
        #expect(value.value == 11)
        try await value.flush()
        #expect(try store.base.value(for: LocalIdentifier("n"), as: Int.self) == 11)
        for _ in 0..<10 { store.releaseRead() }
        try await eventually { store.reads >= 4 && value.value == 11 }
    }

    @Test("A change that others make before a write has ended is shown after it")
    func changeDuringWrite() async throws {
        let store = GatedStore()
        let provider = provider.adding(store)
        let value = ObservedValue("n", in: store.kind, of: provider, default: 0)
        let other = ObservedValue("n", in: store.kind, of: provider, default: 0)
        store.holdWrites()
        value.value = 10
        try await eventually { store.writes == 1 }
        try store.base.set(11, for: LocalIdentifier("n"), rule: .set, durability: nil)
        // The signal has arrived at both by then.
        try await eventually { other.value == 11 }
        #expect(value.value == 10)
        store.releaseWrite()
        try await value.flush()
        #expect(value.value == 11)
    }

    @Test("A flush throws only the error of a write", arguments: LocalStoreKind.standard)
    func readError(kind: LocalStoreKind) async throws {
        try provider.set(LocalKey("n", in: kind), to: "text")
        let value = ObservedValue("n", in: kind, of: provider, default: 1)
        #expect(value.error != nil)
        try await value.flush()
        value.value = 2
        try await value.flush()
        try await eventually { value.error == nil && value.value == 2 }
        try provider.set(LocalKey("n", in: kind), to: "text")
        try await eventually { value.error != nil }
        try await value.flush()
    }

    @Test("An observed value is deallocated with its last reference")
    func ends() async throws {
        weak var gone: ObservedValue<Int>?
        do {
            let value = ObservedValue("n", in: .defaults, of: provider, default: 1)
            gone = value
            value.value = 3
            try await value.flush()
        }
        try await eventually { gone == nil && !provider.defaults.hub.hasListeners }
    }
}
