import Foundation
import TestSupport
import Testing
import Threading

@testable import LocalProvider

@Suite("Folder watchers")
struct FolderWatcherTests {
    @Test("Events of the system contain the changed names")
    func names() async throws {
        let folder = try TemporaryDirectory("watch")
        let seen = Locked<Set<String>>([])
        let watcher = FolderWatcher(folder.path) { names in
            seen.withLock { $0.formUnion(names ?? []) }
        }
        try folder.write("1", to: "a")
        try await eventually { seen.withLock { $0.contains("a") } }
        let file = try FileHandle(forWritingTo: folder.write("1", to: "b"))
        try await eventually { seen.withLock { $0.contains("b") } }
        seen.withLock { $0 = [] }
        try file.write(contentsOf: Data("2".utf8))
        try await eventually { seen.withLock { $0.contains("b") } }
        withExtendedLifetime(watcher) {}
    }

    @Test("Without events of the system, the handler is called at intervals until the watcher is released")
    func polling() async throws {
        let looks = Locked(0)
        var lifetime: Lifetime? = Lifetime()
        weak let remains = lifetime
        var watcher: FolderWatcher? = FolderWatcher(nil) { [lifetime] names in
            #expect(names == nil)
            withExtendedLifetime(lifetime) { looks.withLock { $0 += 1 } }
        }
        lifetime = nil
        try await eventually { looks.withLock { $0 >= 3 } }
        #expect(remains != nil)
        withExtendedLifetime(watcher) {}
        watcher = nil
        // A call that has begun is finished, and no other follows: the thread releases its handler.
        let count = looks.withLock { $0 }
        try await eventually { remains == nil }
        #expect(looks.withLock { $0 } <= count + 1)
    }

    /// An object that the handler retains.
    private final class Lifetime: Sendable {}

    @Test("A missing folder is looked for at intervals", arguments: [false, true])
    func absent(wasThere: Bool) async throws {
        let place = try TemporaryDirectory("absent")
        if wasThere { try place.write("1", to: "parent/folder/a") }
        let looks = Locked(0)
        let watcher = FolderWatcher(place.path + "/parent/folder") { _ in looks.withLock { $0 += 1 } }
        if wasThere { try FileManager.default.removeItem(at: place.file("parent")) }
        try await eventually { looks.withLock { $0 >= 2 } }
        // Earlier events may still be reported.
        let (begin, count) = (ContinuousClock.now, looks.withLock { $0 })
        try await eventually { looks.withLock { $0 >= count + 20 } }
        #expect(ContinuousClock.now - begin > .milliseconds(500))
        withExtendedLifetime(watcher) {}
    }

    /// Events without names, of a folder whose loss is found only by a check.
    private final class SilentEvents: FolderEvents {
        let descriptor: Int32
        private let wake: Int32
        private let state = Locked((isLost: false, checks: 0, renewals: 0))

        init?() {
            guard let pipe = PollingThread.makePipe() else { return nil }
            (descriptor, wake) = (pipe.stop, pipe.wake)
        }

        var isLost: Bool { state.withLock { $0.isLost } }
        var reportsLoss: Bool { false }
        var counts: (checks: Int, renewals: Int) { state.withLock { ($0.checks, $0.renewals) } }

        func take() -> Set<String>? { [] }
        func check() { state.withLock { $0 = (true, $0.checks + 1, $0.renewals) } }
        func renew() { state.withLock { $0 = (false, $0.checks, $0.renewals + 1) } }
        func close() { for end in [descriptor, wake] { PosixFileCalls().close(end) } }
    }

    @Test("A lost folder that the system does not report is found at intervals")
    func silent() async throws {
        let events = try #require(SilentEvents())
        let looks = Locked(0)
        let watcher = FolderWatcher(events) { names in
            #expect(names == nil)
            looks.withLock { $0 += 1 }
        }
        try await eventually { looks.withLock { $0 } > 0 }
        let (checks, renewals) = events.counts
        #expect(checks > 0 && renewals > 0)
        withExtendedLifetime(watcher) {}
    }
}
