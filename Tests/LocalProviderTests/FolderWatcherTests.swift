import Foundation
import Locking
import TestSupport
import Testing

@testable import LocalProvider

@Suite("Folder watchers")
struct FolderWatcherTests {
    @Test("What the system tells comes with the names that changed")
    func names() async throws {
        let folder = try TemporaryDirectory("watch")
        let seen = Locked<Set<String>>([])
        let watcher = FolderWatcher(folder.path) { names in
            seen.withLock { $0.formUnion(names ?? ["a", "b"]) }
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

    @Test("Where the system tells nothing, one looks again and again, until nobody wants to know")
    func polling() async throws {
        let looks = Locked(0)
        var watcher: FolderWatcher? = FolderWatcher(nil) { names in
            #expect(names == nil)
            looks.withLock { $0 += 1 }
        }
        try await eventually { looks.withLock { $0 >= 3 } }
        withExtendedLifetime(watcher) {}
        watcher = nil
        // The call it may be in is finished, and none comes after.
        try await Task.sleep(for: .milliseconds(20))
        let count = looks.withLock { $0 }
        try await Task.sleep(for: .milliseconds(120))
        #expect(looks.withLock { $0 } <= count + 1)
    }

    @Test("A folder that is not there is looked for again and again, and not without rest", arguments: [false, true])
    func absent(wasThere: Bool) async throws {
        let place = try TemporaryDirectory("absent")
        if wasThere { try place.write("1", to: "parent/folder/a") }
        let looks = Locked(0)
        let watcher = FolderWatcher(place.path + "/parent/folder") { _ in looks.withLock { $0 += 1 } }
        if wasThere { try FileManager.default.removeItem(at: place.file("parent")) }
        try await eventually { looks.withLock { $0 >= 2 } }
        // Of what happened before, some may still be told.
        let (begin, count) = (ContinuousClock.now, looks.withLock { $0 })
        try await eventually { looks.withLock { $0 >= count + 20 } }
        #expect(ContinuousClock.now - begin > .milliseconds(500))
        withExtendedLifetime(watcher) {}
    }
}
