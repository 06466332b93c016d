import Foundation
import TestSupport
import Testing

@testable import LocalProvider

/// Processes that are killed, that write at the same time, and that run out of room.
@Suite("Crashes and other processes")
struct CrashTests {
    private static let kills = isLongRun ? 1_000 : 30

    @Test("A journal loses no returned write when its writer is killed repeatedly")
    func defaultsKilled() async throws {
        let folder = try TemporaryDirectory("crash")
        try await CrashChild.killRepeatedly("defaults", folder.path, times: Self.kills, writes: 1...20) {
            acknowledged in
            let provider = LocalProvider(location: FileStoreLocation(directory: folder.path))
            let number = try provider.read(LocalKey<Int>("counter", in: .defaults))
            #expect(number >= acknowledged)
            // Each of the twenty texts is of one of the last writes to it.
            for text in try provider.all(String.self, in: .defaults, prefix: "blob").values {
                let written = try #require(Int(text.prefix { $0 != " " }))
                #expect(written > number - 20 && written <= number + 1)
            }
            #expect(provider.recoveries.allSatisfy { if case .unfinishedWrite = $0.damage { true } else { false } })
        }
    }

    @Test("A document loses no returned write when its writer is killed repeatedly")
    func propertyListsKilled() async throws {
        let folder = try TemporaryDirectory("crash")
        try await CrashChild.killRepeatedly("plist", folder.path, times: Self.kills, writes: 1...20) { acknowledged in
            let provider = LocalProvider(location: FileStoreLocation(directory: folder.path))
            let document = try provider.read(LocalKey<[String: String]>("document", in: .propertyList))
            let number = try #require(document["number"])
            #expect(try #require(Int(number)) >= acknowledged)
            #expect(document["text"]?.hasPrefix(number + " ") == true)
            #expect(provider.recoveries.isEmpty)
        }
    }

    @Test("Several processes that write with compactions lose no update", arguments: [2, 4])
    func noLostUpdate(processes: Int) async throws {
        let folder = try TemporaryDirectory("count")
        let each = isLongRun ? 50_000 : 400
        let children = (0..<processes).map { _ in
            Task {
                try await ChildProcess.run(
                    ChildProcess.productsDirectory.appendingPathComponent("crash-writer"),
                    ["count", folder.path, "\(each)"]
                )
            }
        }
        // A reader in between sees the counter only grow.
        let provider = LocalProvider(location: FileStoreLocation(directory: folder.path))
        let counter = LocalKey("counter", in: .defaults, default: 0)
        var last = 0
        try await eventually(within: .seconds(600)) {
            let value = try provider.read(counter)
            #expect(value >= last)
            last = value
            return value == processes * each
        }
        for child in children { #expect(try await child.value.status == 0) }
        #expect(try provider.read(counter) == processes * each)
        #expect(provider.recoveries.isEmpty)
    }

    @Test("A file that may not grow throws full, and all values before it are intact", arguments: [98_304, 100_000])
    func full(limit: Int) async throws {
        let folder = try TemporaryDirectory("full")
        let result = try await ChildProcess.run(
            ChildProcess.productsDirectory.appendingPathComponent("crash-writer"),
            ["full", folder.path, "\(limit)"]
        )
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains("No space is left") && result.output.contains(folder.path), "\(result.output)")
        let acknowledged = CrashChild.acknowledged(folder.path)
        #expect(acknowledged > 50)
        let provider = LocalProvider(location: FileStoreLocation(directory: folder.path))
        for number in 1...acknowledged {
            #expect(try provider.read(LocalKey<String>("blob\(number)", in: .defaults)).hasPrefix("\(number) "))
        }
        #expect(provider.recoveries.isEmpty)
    }

    @Test(
        "A change of another process is reported with its origin",
        arguments: [LocalStoreKind.defaults, .propertyList]
    )
    func tellsOthers(kind: LocalStoreKind) async throws {
        let folder = try TemporaryDirectory("others")
        let location = FileStoreLocation(directory: folder.path)
        let provider = LocalProvider(location: location)
        try provider.set(LocalKey("old", in: kind), to: 1)
        var changes = provider.changes(in: kind).makeAsyncIterator()
        let child = try CrashChild(kind == .defaults ? "defaults" : "plist", folder.path, 20)
        defer { child.kill() }
        let change = await changes.next()
        #expect(change?.origin == .anotherProcess)
        #expect(change?.kind == .set)
        // So is the removal of what was there before; what this process does is reported once.
        try provider.set(LocalKey("own", in: kind), to: 1)
        let other = LocalProvider(location: location)
        try other.delete(LocalKey<Int>("old", in: kind))
        var reported: [String: [LocalChange.Kind]] = [:]
        // The changes of several documents that are found at once have no order.
        for end in ["end", "end 2"] {
            try other.set(LocalKey(end, in: kind), to: 1)
            while let change = await changes.next(), change.identifier != end {
                reported[change.identifier, default: []].append(change.kind)
            }
        }
        #expect(reported["old"] == [.removed] && reported["own"] == [.set])
    }

    @Test("A lock that another process holds too long throws locked")
    func locked() throws {
        let folder = try TemporaryDirectory("locked")
        let options = LocalProvider.Options(lockTimeLimit: .milliseconds(20))
        let provider = LocalProvider(location: FileStoreLocation(directory: folder.path), options: options)
        for (kind, name) in [(LocalStoreKind.defaults, "defaults.journal.lock"), (.propertyList, "plists/.lock")] {
            let key = LocalKey<Int>("a", in: kind)
            try provider.set(key, to: 1)
            let holder = open(folder.path + "/" + name, O_RDWR)
            #expect(flock(holder, LOCK_EX) == 0)
            let start = ContinuousClock.now
            let locked = LocalError.locked(path: folder.path + "/" + name)
            #expect(throws: locked) { try provider.set(key, to: 2) }
            #expect(ContinuousClock.now - start >= .milliseconds(20))
            #expect(try provider.read(key) == 1)
            close(holder)
            // The thread of the abandoned request must first be scheduled and release the lock.
            let end = ContinuousClock.now + .seconds(60)
            while try provider.read(key) == 1, ContinuousClock.now < end {
                do { try provider.set(key, to: 2) } catch { #expect(error == locked) }
            }
            #expect(try provider.read(key) == 2)
        }
    }
}
