import Foundation
import TestSupport
import Testing
import Threading

@testable import LocalProvider

/// A watched folder is removed and created again.
@Suite("Watching folders that are removed", .timeLimit(.minutes(10)))
struct VanishedFolderTests {
    /// How a folder goes.
    enum Way: CaseIterable {
        case removed, moved, parentRemoved, parentMoved

        func takeAway(_ folder: URL) throws {
            let parent = folder.deletingLastPathComponent()
            let files = FileManager.default
            switch self {
            case .removed: try files.removeItem(at: folder)
            case .moved: try files.moveItem(at: folder, to: parent.appendingPathComponent("moved \(UUID())"))
            case .parentRemoved: try files.removeItem(at: parent)
            case .parentMoved: try files.moveItem(atPath: parent.path, toPath: parent.path + " \(UUID())")
            }
        }
    }

    @Test("A folder that is created again is watched by name as before", arguments: Way.allCases)
    func watcher(way: Way) async throws {
        let place = try TemporaryDirectory("vanish")
        let folder = place.file("parent/folder")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let names = Locked<Set<String>>([])
        let looks = Locked(0)
        let watcher = FolderWatcher(folder.path) { changed in
            names.withLock { $0.formUnion(changed ?? []) }
            if changed == nil { looks.withLock { $0 += 1 } }
        }
        for round in 0..<3 {
            try place.write("1", to: "parent/folder/before \(round)")
            try await eventually { names.withLock { $0.contains("before \(round)") } }
            let before = looks.withLock { $0 }
            try way.takeAway(folder)
            // The handler is called without names, and finds nothing.
            try await eventually { looks.withLock { $0 } > before }
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try await eventually {
                try place.write("1", to: "parent/folder/after \(round)")
                return names.withLock { $0.contains("after \(round)") }
            }
        }
        withExtendedLifetime(watcher) {}
    }

    @Test("A folder that is created later is watched from then on")
    func later() async throws {
        let place = try TemporaryDirectory("later")
        let names = Locked<Set<String>>([])
        let watcher = FolderWatcher(place.path + "/a/b") { changed in names.withLock { $0.formUnion(changed ?? []) } }
        try await eventually {
            try place.write("1", to: "a/b/c")
            return names.withLock { $0.contains("c") }
        }
        withExtendedLifetime(watcher) {}
    }

    @Test("Values that others store in the new folder are reported", arguments: SchemaFixture.kinds, Way.allCases)
    func store(kind: LocalStoreKind, way: Way) async throws {
        let place = try TemporaryDirectory("vanish")
        let data = place.file("parent/data")
        let location = FileStoreLocation(directory: data.path)
        let provider = LocalProvider(location: location)
        var changes = provider.changes(in: kind).makeAsyncIterator()
        func see(_ name: String, _ what: LocalChange.Kind) async {
            while let change = await changes.next(), change.identifier != name || change.kind != what {}
        }
        for round in 0..<3 {
            try LocalProvider(location: location).set(LocalKey("before \(round)", in: kind), to: 1)
            await see("before \(round)", .set)
            try way.takeAway(data)
            await see("before \(round)", .removed)
            try LocalProvider(location: location).set(LocalKey("after \(round)", in: kind), to: 1)
            await see("after \(round)", .set)
        }
        withExtendedLifetime(provider) {}
    }

    @Test("A thread without a pipe waits and ends")
    func withoutPipe() async throws {
        let place = try TemporaryDirectory("pipe")
        let events = try #require(FolderWatcher.systemEvents(place.path))
        let (seen, isOver) = (Locked(0), Locked(false))
        var thread: PollingThread? = PollingThread(
            [PollingThread.Source(descriptor: events.descriptor)],
            pipe: nil,
            onEvent: { number in
                #expect(number == 0)
                _ = events.take()
                seen.withLock { $0 += 1 }
            },
            onEnd: {
                events.close()
                isOver.withLock { $0 = true }
            }
        )
        try place.write("1", to: "a")
        try await eventually { seen.withLock { $0 } > 0 }
        withExtendedLifetime(thread) {}
        thread = nil
        try await eventually { isOver.withLock { $0 } }
    }
}
