import CalDAV
import Foundation
import LocalProvider
import TestSupport
import Testing
import TodoCore

@testable import TodoSync

@Suite("Syncs that are interrupted, refused or repeated")
struct InterruptionTests: MachinesOfServer {
    let server = SimulatedServer(["Work", "Home"])
    let ticks = Ticks()

    @Test(
        "A reply that is lost doubles nothing, and a todo deleted after it does not come back",
        arguments: [true, false]
    )
    func lostReply(deletes: Bool) async throws {
        let one = try await replica()
        let todo = try await one.add("Report")
        await server.plan([nil, nil, .lostReply])
        await #expect(throws: SyncError.self) { try await one.sync() }
        #expect(await server.texts("Work").count == 1)
        if deletes { _ = try await one.store.remove([todo.id]) }
        try await one.sync()
        #expect(await server.texts("Work").count == (deletes ? 0 : 1))
        #expect(try await one.titles() == (deletes ? [] : ["Report"]))
        #expect(try await one.store.unsynced().isEmpty)
    }

    @Test("A todo that is added and deleted before a sync is never sent")
    func collapse() async throws {
        let one = try await replica()
        let todo = try await one.add("Report")
        _ = try await one.store.remove([todo.id])
        try await one.sync()
        #expect(await !server.requests.contains("PUT"))
        #expect(await !server.requests.contains("DELETE"))
        #expect(try await one.store.unsynced().isEmpty)
    }

    @Test("A weak ETag leads to one more request, a refused token to the whole list, and neither to another result")
    func oddReplies() async throws {
        let (one, other) = (try await replica(), try await replica())
        try await one.add("Report")
        await server.plan([nil, nil, .weakETag])
        try await one.sync()
        #expect(await server.requests.filter { $0 == "GET" }.count == 1)
        try await other.sync()
        _ = try await one.store.remove([try await one.todo("Report").id])
        try await one.add("Other")
        try await one.sync()
        await server.plan([nil, .refusedToken])
        try await other.sync()
        #expect(try await other.titles() == ["Other"])
    }

    @Test("A busy server is left alone for as long as it asks, at most a day, and a success ends the pause")
    func pause() async throws {
        let one = try await replica()
        let location = FileStoreLocation(directory: one.folder.url)
        let setup = SyncSetup(store: one.store, location: location, keyPath: one.folder.file("key").path)
        let service = SyncService(setup, store: one.store, clock: one.clock)
        await server.setPause(.seconds(Int64.max))
        await server.plan([.busy])
        await #expect(throws: SyncError.self) { try await one.sync() }
        var account = try #require(try one.records.account())
        #expect(try #require(account.status.pause) < one.clock.now() + 86_400)
        account.status.pause = Date(timeIntervalSince1970: 1.8e18)
        try one.records.setAccount(account)
        guard case .paused(let rest) = await service.sync(.unasked) else { throw CocoaError(.featureUnsupported) }
        #expect(rest > .seconds(80_000) && rest <= .seconds(86_400))
        // The clock was a year ahead at the attempt. A refused login sends nothing unasked.
        let ahead = one.clock.now() + 31_536_000
        (account.status.attempt, account.status.pause, account.status.kind) = (ahead, ahead + 30, .login)
        try one.records.setAccount(account)
        #expect(await service.sync(.unasked) == .done)
        try await one.sync()
        await server.setPause(.seconds(120))
        await server.plan([.busy])
        await #expect(throws: SyncError.self) { try await one.sync() }
        let status = try #require(try one.records.account()).status
        let pause = try #require(status.pause).timeIntervalSince(try #require(status.attempt))
        #expect(status.failures == 1 && pause >= 120 && pause < 130 && status.problem?.contains("busy") == true)
        try await one.sync()
        let next = try #require(try one.records.account()).status
        #expect(next.failures == 0 && next.pause == nil && next.success != nil)
    }

    @Test("One sync runs at a time, also of several processes")
    func lock() async throws {
        let one = try await replica()
        guard let lock = SyncLock(path: one.records.lockPath) else { throw CocoaError(.fileLocking) }
        await #expect {
            try await one.sync()
        } throws: {
            if case SyncError.isRunning = $0 { true } else { false }
        }
        _ = consume lock
        try await one.sync()
    }

    @Test("A released lock is free, although a process that is being started has a copy of its descriptor")
    func lockOfChild() async throws {
        let one = try await replica()
        guard let lock = SyncLock(path: one.records.lockPath) else { throw CocoaError(.fileLocking) }
        let copy = dup(lock.descriptor)
        defer { close(copy) }
        _ = consume lock
        try await one.sync()
    }

    @Test("A todo that is deleted on the server after a kill of the sync that has added it here is deleted here")
    func killedAddition() async throws {
        let one = try await replica()
        let account = try one.records.account()
        await server.put(object("a", "SUMMARY:Report"), "a.ics", in: "Work")
        try await one.sync()
        // The state after the todo is stored, and before its item has its version.
        for var item in try one.records.readItems().todos.values.flatMap(\.values) {
            item.etag = nil
            try one.records.apply([.set(item)])
        }
        try one.records.setAccount(account)
        await server.put(nil, "a.ics", in: "Work")
        for _ in 0..<2 { try await one.sync() }
        #expect(try await one.titles() == [])
        #expect(try one.records.readItems().todos.values.allSatisfy(\.isEmpty))
    }

    @Test("A kill while a list takes over its name detaches no todo, and one that is detached returns to its list")
    func killedRename() async throws {
        var one = try await replica()
        try await one.add("Report")
        try await one.sync()
        var name = "Work"
        for calls in 0..<60 {
            let (old, new) = (name, "Work \(calls)")
            await server.change(old) { $0.name = new }
            one.kill(after: calls)
            _ = try? await one.sync()
            one = one.restarted()
            try await one.sync()
            #expect(try await one.store.syncedLists().map(\.name) == [new], "killed at call \(calls)")
            #expect(try await one.todo("Report").list == new, "killed at call \(calls)")
            name = new
        }
        var detached = try await one.todo("Report")
        detached.list = "Other"
        _ = try await one.store.apply([TodoSyncChange(expected: try await one.todo("Report"), versions: [detached])])
        let (file, text) = (
            try #require(await server.hrefs(name).first).name, try #require(await server.texts(name).first)
        )
        await server.put(text.replacing("SUMMARY:Report", with: "SUMMARY:Theirs"), file, in: name)
        for _ in 0..<2 { try await one.sync() }
        #expect(await server.texts(name).count == 1)
        #expect(try await one.todo("Theirs").list == name)
    }

    @Test("A todo that the server does not store, and a list that it does not show, stop no other one, and wait")
    func refusals() async throws {
        let lists = ["Work", "Home"]
        let (one, other) = (try await replica(lists), try await replica(lists))
        for title in ["Poison", "a", "b", "c"] { try await one.add(title) }
        for replica in [one, other, one] { try await replica.sync() }
        await server.refuse("SUMMARY:Poison")
        try await one.edit("Poison", "(A)")
        _ = try await one.store.remove([try await one.todo("a").id])
        try await one.add("d")
        #expect(try await one.sync().problems.map(\.title) == ["Poison"])
        try await other.sync()
        #expect(try await other.titles() == ["Poison", "b", "c", "d"])
        _ = try await one.store.remove([try await one.todo("Poison").id])
        #expect(try await one.sync().problems.map(\.title) == ["Poison"], "the title of what was deleted")
        #expect(try await one.store.unsynced().count == 1)
        // What is gone from a list may have moved to the one that is not shown.
        _ = try await other.store.remove([try await other.todo("b").id])
        for (title, list) in [("e", "Work"), ("f", "Home")] { try await other.add(title, in: list) }
        try await other.sync()
        await server.refuse("/dog/home/")
        try await one.add("g", in: "Home")
        await #expect(throws: SyncError.self) { try await one.sync() }
        #expect(try await one.titles() == ["b", "c", "d", "e", "g"])
        #expect(try await one.store.unsynced().count == 1)
        #expect(try one.records.account()?.status.kind == .server)
        await server.refuse(nil)
        for replica in [one, other] { try await replica.sync() }
        #expect(try await one.titles() == ["c", "d", "e", "f", "g"])
        #expect(try await one.snapshot() == other.snapshot())
    }

    @Test(
        "A version whose text arrives cut is neither overwritten nor deleted, and is read again",
        arguments: [true, false]
    )
    func cutText(deletes: Bool) async throws {
        let (one, other) = (try await replica(), try await replica())
        for title in ["Report", "a", "b"] { try await one.add(title) }
        for replica in [one, other, one] { try await replica.sync() }
        let note = TodoChange { $0.note = .set("not seen by the first machine") }
        _ = try await other.store.edit(try await other.todo("Report").id, note)
        try await other.sync()
        await server.plan([nil, nil, .cutText])
        let report = try await one.sync()
        #expect(report.problems.map(\.title) == ["Report"])
        // The next ones arrive cut, too.
        if deletes {
            _ = try await one.store.remove([try await one.todo("Report").id])
        } else {
            try await one.edit("Report", "(A)")
        }
        await server.plan([nil, nil, .cutText, .cutText])
        #expect(try await one.sync().problems.map(\.title) == ["Report"])
        #expect(try await one.store.unsynced().count == 1)
        for replica in [one, other] { try await replica.sync() }
        for replica in [one, other] {
            let todo = try await replica.todo("Report")
            #expect(todo.note == "not seen by the first machine" && todo.priority == (deletes ? nil : Priority("A")))
        }
        #expect(try await one.store.unsynced().isEmpty)
    }

    @Test("A new todo whose text arrives cut is read again by the next sync, without a change on the server")
    func cutNewText() async throws {
        let one = try await replica()
        // A version that stays malformed counts as read in the end; the next one is read as often.
        await server.put("BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:a\r\n", "a.ics", in: "Work")
        for _ in 0..<5 { try await one.sync() }
        await server.put(object("a", "SUMMARY:Report"), "a.ics", in: "Work")
        for fault in [SimulatedServer.Fault.cutText, nil] {
            await server.plan([nil, nil, fault])
            try await one.sync()
            #expect(try await one.titles() == (fault == nil ? ["Report"] : []))
        }
        await server.forgetRequests()
        try await one.sync()
        #expect(await server.requests == ["PROPFIND"])
    }

    @Test("Events, malformed objects and second ones of a UID are left alone, reported once, and not fetched again")
    func foreign() async throws {
        let one = try await replica()
        await server.put(
            "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:e\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
            "e.ics",
            in: "Work"
        )
        await server.put("BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:m\r\n", "m.ics", in: "Work")
        await server.put(object("n", "DUE:x", "SUMMARY:n"), "n.ics", in: "Work")
        await server.put(object("a", "SUMMARY:First"), "a.ics", in: "Work")
        await server.put(object("a", "SUMMARY:Second"), "b.ics", in: "Work")
        let report = try await one.sync()
        #expect(report.problems.count == 3, "\(report.problems)")
        #expect(try await one.titles() == ["First"])
        await server.put(object("c", "SUMMARY:Third"), "c.ics", in: "Work")
        await server.plan([nil, .refusedToken])
        await server.forgetRequests()
        #expect(try await one.sync().problems.isEmpty)
        #expect(await server.requests.count == 3)
        await server.put(nil, "a.ics", in: "Work")
        await server.put(object("m", "SUMMARY:Mended"), "m.ics", in: "Work")
        try await one.sync()
        #expect(try await one.titles() == ["Mended", "Second", "Third"])
    }

    @Test("A todo whose object becomes an event is left alone, and its changes wait")
    func becomesEvent() async throws {
        let one = try await replica()
        try await one.add("Report")
        for _ in 0..<2 { try await one.sync() }
        let (file, event) = (try #require(await server.hrefs("Work").first).name, "BEGIN:VEVENT\r\nUID:e\r\nEND:VEVENT")
        let text = "BEGIN:VCALENDAR\r\n\(event)\r\nEND:VCALENDAR\r\n"
        await server.put(text, file, in: "Work")
        #expect(try await one.sync().problems.count == 1)
        try await one.edit("Report", "(A)")
        // Another todo that is sent causes a new attempt, but not a second report.
        let letter = try await one.add("Letter")
        #expect(try await one.sync().problems.count == 1)
        #expect(await server.texts("Work").count == 2)
        #expect(await server.texts("Work").contains(text))
        _ = try await one.store.remove([letter.id])
        try await one.sync()
        await server.put(nil, file, in: "Work")
        try await one.sync()
        #expect(await server.texts("Work").count == 1)
        #expect(try await one.todo("Report").priority == Priority("A"))
    }
}
