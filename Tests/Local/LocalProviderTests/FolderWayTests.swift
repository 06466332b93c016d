import SystemCalls

#if os(Linux)
    import Foundation
    import TestSupport
    import Testing
    import Threading

    @testable import LocalProvider

    /// The events of Linux for the folders above a folder, also if they change while the watches are added.
    @Suite("Folders above a watched folder", .timeLimit(.minutes(10)))
    struct FolderWayTests {
        /// Watches a folder, and runs a closure before one of the calls that add a watch; the first call is 1.
        private static func listen(
            to place: WatchedPlace,
            beforeCall number: Int,
            _ happens: @escaping @Sendable () throws -> Void
        ) throws -> (events: InotifyEvents, calls: Locked<Int>) {
            let calls = Locked(0)
            let events = InotifyEvents(place.folder) { descriptor, path, events in
                let isNow = calls.withLock { calls in
                    calls += 1
                    return calls == number
                }
                if isNow { #expect(throws: Never.self) { try happens() } }
                return inotify_add_watch(descriptor, path, events)
            }
            return (try #require(events), calls)
        }

        /// Reads events, as the watcher does, until there are no more and the folder is found.
        private static func settle(_ events: InotifyEvents) {
            for _ in 0..<20 {
                let names = events.take()
                if events.isLost { events.renew() } else if names?.isEmpty == true { return }
            }
            Issue.record("the events do not end")
        }

        @Test(
            "The folder is found, and its loss reported, whatever happens before each watch is added",
            arguments: WatchedPlace.Change.allCases
        )
        func everyCall(change: WatchedPlace.Change) throws {
            // Each loss in a long run, else one by chance: the system takes long to close what has listened.
            let losses = WatchedPlace.Change.allCases
            var number = 0
            var isOver = false
            while !isOver {
                number += 1
                for wasThere in [true, false] {
                    for loss in isLongRun ? losses : [try #require(losses.randomElement())] {
                        let place = try WatchedPlace()
                        if wasThere { try place.make() }
                        let (events, calls) = try Self.listen(to: place, beforeCall: number) {
                            if wasThere { try place.takeAway(change) }
                            try place.make()
                        }
                        defer { events.close() }
                        // What was to happen at a call that there was not happens now.
                        if wasThere, calls.withLock({ $0 }) < number { isOver = true }
                        try place.make()
                        let what: Comment = "\(change) before call \(number), then \(loss); was there: \(wasThere)"
                        Self.settle(events)
                        try place.touch("a")
                        #expect(events.take() == ["a"], what)
                        #expect(!events.isLost && events.reportsLoss, what)
                        try place.takeAway(loss)
                        _ = events.take()
                        #expect(events.isLost, what)
                    }
                }
            }
            #expect(number > 10)
        }

        @Test("If a folder above may not be watched, the loss is found at intervals", arguments: [EACCES, ENOSPC])
        func unwatched(code: Int32) throws {
            for loss in WatchedPlace.Change.allCases {
                let place = try WatchedPlace()
                try place.make()
                let found = InotifyEvents(place.folder) { descriptor, path, events in
                    guard path.hasSuffix("/parent/folder") else {
                        errno = code
                        return -1
                    }
                    return inotify_add_watch(descriptor, path, events)
                }
                let events = try #require(found)
                defer { events.close() }
                #expect(!events.isLost && !events.reportsLoss)
                events.check()
                #expect(!events.isLost)
                try place.takeAway(loss)
                try place.make()
                events.check()
                #expect(events.isLost, "\(loss)")
                events.renew()
                #expect(!events.isLost && !events.reportsLoss)
            }
        }

        @Test("A folder that is moved away and created again many times leaves no watches")
        func watches() throws {
            let place = try WatchedPlace()
            try place.make()
            let events = try #require(InotifyEvents(place.folder))
            defer { events.close() }
            func count() throws -> Int {
                let info = try String(contentsOfFile: "/proc/self/fdinfo/\(events.descriptor)", encoding: .utf8)
                return info.split(separator: "\n").count { $0.hasPrefix("inotify ") }
            }
            let before = try count()
            #expect(before > 0)
            for _ in 0..<30 {
                for change in WatchedPlace.Change.allCases {
                    try place.takeAway(change)
                    try place.make()
                    Self.settle(events)
                }
            }
            #expect(try count() == before)
        }

        @Test("A loss is noticed if the event queue overflows")
        func overflow() throws {
            let text = try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
            let most = try #require(Int(text.trimmingCharacters(in: .whitespacesAndNewlines)))
            try #require(most <= 1_000_000)
            let place = try WatchedPlace()
            try place.make()
            let events = try #require(InotifyEvents(place.folder))
            defer { events.close() }
            // Two events each: that it has come, and that it has gone.
            for _ in 0...most / 2 { try place.touch("a") }
            try place.takeAway(.removed)
            #expect(events.take() == nil)
            #expect(events.isLost)
        }

        @Test("After many replacements, the watched folder is the one at the path")
        func hammered() async throws {
            let seed = UInt64.random(in: 0...UInt64.max)
            for round in 0..<(isLongRun ? 400 : 20) {
                let place = try WatchedPlace()
                let (names, isOver) = (Locked<Set<String>>([]), Locked(false))
                let watcher = FolderWatcher(place.folder) { reported in names.withLock { $0.formUnion(reported ?? []) }
                }
                let failure = Locked<(any Error)?>(nil)
                try SystemThread.detach {
                    var generator = SeededGenerator(seed: seed &+ UInt64(round))
                    do {
                        for _ in 0..<100 {
                            try place.make()
                            let change = WatchedPlace.Change.allCases.randomElement(using: &generator)
                            try place.takeAway(change ?? .removed)
                        }
                        try place.make()
                    } catch {
                        failure.withLock { $0 = error }
                    }
                    isOver.withLock { $0 = true }
                }
                try await eventually { isOver.withLock { $0 } }
                if let failure = failure.withLock({ $0 }) { throw failure }
                let what: Comment = "seed \(seed), round \(round)"
                await #expect(throws: Never.self, what) {
                    try await eventually {
                        try place.touch("end")
                        return names.withLock { $0.contains("end") }
                    }
                }
                withExtendedLifetime(watcher) {}
            }
        }
    }
#endif
