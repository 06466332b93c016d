import CalDAV
import Foundation
import ICalendar
import LocalProvider
import TestSupport
import Testing
import TodoCore

@testable import TodoSync

@Suite("Sync with a server")
struct SyncTests {
    private let server = SimulatedServer(["Work", "Home"])
    private let ticks = Ticks()

    private func replica(_ lists: [String] = ["Work"]) async throws -> Replica {
        try await Replica(server, lists, ticks: ticks)
    }

    private func property(_ name: String, _ text: String) -> String? {
        ICalendarDocument(text).root.descendants("VTODO").first?.property(name)?.value
    }

    // MARK: Both ways

    @Test("Todos come and go; what other programs know of them stays; a sync without changes is one request")
    func bothWays() async throws {
        let one = try await replica()
        let other = try await replica()
        await server.put(
            object("a@b", "SUMMARY:Milk", "PRIORITY:3", "X-OTHER;X-P=q:kept", "CATEGORIES:shop floor"),
            "x.ics",
            in: "Work"
        )
        try await one.add("(B) Report +office @desk due:2026-12-01 15:00")
        try await one.sync()
        #expect(try await one.titles() == ["Milk", "Report"])
        #expect(try await one.todo("Milk").priority == Priority("A"))
        try await other.sync()
        #expect(try await other.snapshot() == one.snapshot())
        try await other.edit("Milk", "Oat milk @kiosk")
        try await other.sync()
        let text = try #require(await server.texts("Work").last)
        #expect(text.contains("X-OTHER;X-P=q:kept\r\n") && property("SUMMARY", text) == "Oat milk")
        #expect(property("PRIORITY", text) == "3" && property("CATEGORIES", text) == "shop floor,kiosk")
        #expect(property("SEQUENCE", text) == nil, "neither dates nor status have changed")
        try await one.sync()
        #expect(try await one.snapshot() == other.snapshot())
        for replica in [one, other] { try await replica.sync() }
        await server.forgetRequests()
        let report = try await one.sync()
        #expect(report.events.isEmpty)
        #expect(await server.requests == ["PROPFIND"])
        try await one.edit("Report", "(A)")
        try await one.sync()
        #expect(await server.requests.dropFirst() == ["PROPFIND", "PUT", "REPORT sync"])
        await server.forgetRequests()
        try await other.sync()
        #expect(await server.requests == ["PROPFIND", "REPORT sync", "REPORT multiget"])
    }

    @Test("With the tags of the lists the server is not asked for tokens, and no change is missed")
    func tags() async throws {
        let (one, other) = (try await replica(["Home"]), try await replica(["Home"]))
        try await one.add("Report", in: "Home")
        for replica in [one, other, one] { try await replica.sync() }
        for (replica, requests) in [(one, ["PROPFIND"]), (other, ["PROPFIND"])] {
            await server.forgetRequests()
            try await replica.sync()
            #expect(await server.requests == requests)
        }
        // The other machine changes the list between the tag and the changes, and after this machine's own change.
        try await other.edit("Report", "(A)")
        try await one.add("Letter", in: "Home")
        for replica in [one, other, one, other] { try await replica.sync() }
        #expect(try await one.snapshot() == other.snapshot())
        #expect(try await one.todo("Report").priority == Priority("A"))
        await server.change("Home") { $0.ctag = nil }
        try await other.edit("Report", "(B)")
        for replica in [other, one] { try await replica.sync() }
        #expect(try await one.todo("Report").priority == Priority("B"))
    }

    @Test("A change that is taken back on the server is read, although the tag of the list is the old one again")
    func tagOfContent() async throws {
        let (one, other) = (try await replica(["Home"]), try await replica(["Home"]))
        try await one.add("Report", in: "Home")
        for replica in [one, other, one, one] { try await replica.sync() }
        let tag = await server.collections.map(\.calendar.ctag)
        let letter = try await one.add("Letter", in: "Home")
        for replica in [one, other] { try await replica.sync() }
        _ = try await other.store.remove([try await other.todo(letter.title).id])
        try await other.sync(allowsDeletions: true)
        #expect(await server.collections.map(\.calendar.ctag) == tag)
        try await one.sync(allowsDeletions: true)
        #expect(try await one.titles() == ["Report"])
        #expect(try await other.titles() == ["Report"])
    }

    @Test("Completing sets three properties, reopening removes two, and dates raise SEQUENCE")
    func status() async throws {
        let one = try await replica()
        let todo = try await one.add("Report due:2026-12-01")
        try await one.sync()
        _ = try await one.store.complete([todo.id])
        try await one.sync()
        var text = try #require(await server.texts("Work").first)
        #expect(property("STATUS", text) == "COMPLETED" && property("PERCENT-COMPLETE", text) == "100")
        #expect(property("COMPLETED", text) != nil && property("SEQUENCE", text) == "1")
        _ = try await one.store.reopen([todo.id])
        try await one.sync()
        text = try #require(await server.texts("Work").first)
        #expect(property("STATUS", text) == "NEEDS-ACTION" && property("PERCENT-COMPLETE", text) == nil)
        #expect(property("COMPLETED", text) == nil && property("SEQUENCE", text) == "2")
    }

    @Test("A time in another zone retains its clock time and zone when the day changes")
    func zones() async throws {
        let one = try await replica()
        await server.put(
            object(
                "a",
                "SUMMARY:Call",
                "DTSTART;TZID=America/New_York:20261201T080000",
                "DUE;TZID=America/New_York:20261201T090000"
            ),
            "a.ics",
            in: "Work"
        )
        try await one.sync()
        #expect(try await one.todo("Call").dueTime == TimeOfDay(hour: 14))
        try await one.edit("Call", "due:2026-12-03 14:00")
        try await one.sync()
        let text = try #require(await server.texts("Work").first)
        #expect(text.contains("DUE;TZID=America/New_York:20261203T090000\r\n"), "\(text)")
        #expect(text.contains("DTSTART;TZID=America/New_York:20261201T080000\r\n"), "\(text)")
        try await one.edit("Call", "due:2026-11-20")
        try await one.sync()
        let day = try #require(await server.texts("Work").first)
        #expect(
            day.contains("DUE;VALUE=DATE:20261120\r\n") && !day.contains("DTSTART"),
            "the start is not before the end"
        )
    }

    @Test(
        "A letter of a priority stays while a server that drops it sends its number, and changes if another machine sends one"
    )
    func letters() async throws {
        let (one, other) = (try await replica(), try await replica())
        try await one.add("(D) Report")
        for replica in [one, other] { try await replica.sync() }
        try await other.edit("Report", "(E)")
        for replica in [other, one] { try await replica.sync() }
        #expect(try await one.todo("Report").priority == Priority("E"))
        let text = try #require(await server.texts("Work").first)
        #expect(text.contains("X-PAWKIT-PRIORITY:E\r\n"))
        let file = try #require(await server.hrefs("Work").first).name
        await server.put(text.replacing("X-PAWKIT-PRIORITY:E\r\n", with: ""), file, in: "Work")
        try await one.sync()
        #expect(try await one.todo("Report").priority == Priority("E"))
    }

    // MARK: Conflicts

    @Test("Changes of different fields and of labels on both sides are merged")
    func merge() async throws {
        let (one, other) = (try await replica(), try await replica())
        try await one.add("Report +a +b")
        for replica in [one, other] { try await replica.sync() }
        try await one.edit("Report", "due:2026-12-01 +c")
        let todo = try await other.todo("Report")
        var change = TodoChange()
        (change.title, change.projects) = ("Long report", ["a", "d"])
        _ = try await other.store.edit(todo.id, change)
        for replica in [one, other, one] { try await replica.sync() }
        let merged = try await one.todo("Long report")
        #expect(Set(merged.projects) == ["a", "c", "d"] && merged.due?.description == "2026-12-01")
        #expect(try await one.snapshot() == other.snapshot())
    }

    @Test(
        "Of two values of a field the later one wins, and the other one comes back by one undo",
        arguments: [true, false]
    )
    func conflict(isServerLater: Bool) async throws {
        let (one, other) = (try await replica(), try await replica())
        for title in ["Report", "Letter"] { try await one.add(title) }
        for replica in [one, other] { try await replica.sync() }
        let (first, second) = isServerLater ? (one, other) : (other, one)
        try await first.edit("Report", "early")
        try await second.edit("Report", "late")
        // What is not in conflict comes with the same sync, and is not undone with it.
        try await other.edit("Letter", "Long letter")
        try await other.edit(isServerLater ? "late" : "early", "(A)")
        if !isServerLater { try await one.edit("late", "+home") }
        try await other.sync()
        let report = try await one.sync()
        #expect(report.events.contains { $0.action == .conflict(fields: ["title"], tookServer: isServerLater) })
        #expect(try await one.titles() == ["Long letter", "late"])
        _ = try await one.store.undo()
        #expect(try await one.titles() == ["Long letter", "early"])
        #expect(try await one.todo("early").priority == Priority("A"))
        for replica in [one, other] { try await replica.sync() }
        #expect(try await other.titles() == ["Long letter", "early"], "what was brought back is synced")
    }

    @Test("A todo that is completed on both sides was completed at the earlier time", arguments: [true, false])
    func completedTwice(isFirstHere: Bool) throws {
        let base = try Todo(id: TodoID(serial: 1), TodoChange(title: "Report"), now: .distantPast)
        var (early, late) = (base, base)
        early.completed = Date(timeIntervalSince1970: 1000)
        (late.completed, late.isArchived) = (Date(timeIntervalSince1970: 2000), true)
        let merge = SyncMerge(
            base: base,
            local: isFirstHere ? early : late,
            remote: isFirstHere ? late : early,
            isRemoteNewer: true
        )
        #expect(merge.conflicts.isEmpty && merge.merged.completed == early.completed && merge.merged.isArchived)
    }

    @Test(
        "A todo that is deleted on one side and changed on the other stays, also if only its parent was changed",
        arguments: [true, false],
        [true, false]
    )
    func editAgainstDeletion(deletesHere: Bool, changesParent: Bool) async throws {
        let (one, other) = (try await replica(), try await replica())
        await server.put(object("a", "SUMMARY:Report", "X-OTHER:kept"), "a.ics", in: "Work")
        await server.put(object("p", "SUMMARY:Parent"), "p.ics", in: "Work")
        for replica in [one, other] { try await replica.sync() }
        let (deleting, editing) = deletesHere ? (one, other) : (other, one)
        _ = try await deleting.store.remove([try await deleting.todo("Report").id])
        if changesParent {
            var change = TodoChange()
            change.parent = .set(try await editing.todo("Parent").id)
            _ = try await editing.store.edit(try await editing.todo("Report").id, change)
        } else {
            try await editing.edit("Report", "Changed")
        }
        try await other.sync()
        let report = try await one.sync()
        #expect(report.events.contains { $0.action == .restored })
        for replica in [other, one] { try await replica.sync() }
        let titles = ["Parent", changesParent ? "Report" : "Changed"].sorted()
        #expect(try await one.titles() == titles)
        #expect(try await other.titles() == titles)
        #expect(try await one.snapshot() == other.snapshot())
        #expect(await server.texts("Work").count == 2)
        #expect(await server.texts("Work").contains { $0.contains("X-OTHER:kept") })
    }

    @Test("A change between reading and writing is merged, not overwritten")
    func intruder() async throws {
        let one = try await replica()
        try await one.add("Report")
        try await one.sync()
        let file = try #require(await server.hrefs("Work").first).name
        let text = try #require(await server.texts("Work").first)
        try await one.edit("Report", "(A)")
        await server.intrude { $0.put(text.replacing("SUMMARY:Report", with: "SUMMARY:Theirs"), file, in: "Work") }
        try await one.sync()
        #expect(try await one.todo("Theirs").priority == Priority("A"))
        let stored = try #require(await server.texts("Work").first)
        #expect(property("SUMMARY", stored) == "Theirs" && property("PRIORITY", stored) == "1")
        _ = try await one.store.remove([try await one.todo("Theirs").id])
        await server.intrude { $0.put(stored.replacing("SUMMARY:Theirs", with: "SUMMARY:Again"), file, in: "Work") }
        try await one.sync()
        #expect(try await one.titles() == ["Again"], "deleted here, changed there")
    }

    // MARK: Interruptions

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

    @Test("A busy server is left alone for as long as it asks, and a success ends the pause")
    func pause() async throws {
        let one = try await replica()
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

    // MARK: Deletions

    @Test("More than half of a list is deleted only with consent, on either side", arguments: [true, false])
    func massDeletion(isFromServer: Bool) async throws {
        let (one, other) = (try await replica(), try await replica())
        for title in ["a", "b", "c", "d"] { try await one.add(title) }
        for replica in [one, other] { try await replica.sync() }
        let ids = try await one.store.todos().filter { $0.title != "d" }.map(\.id)
        _ = try await one.store.remove(ids)
        if isFromServer { try await one.sync(allowsDeletions: true) }
        let replica = isFromServer ? other : one
        for _ in 0..<2 {
            let report = try await replica.sync()
            let refusal = SyncReport.Refusal(list: "Work", count: 3, total: 4, isFromServer: isFromServer)
            #expect(report.refusals == [refusal])
        }
        #expect(try await other.titles().count == 4)
        #expect(await server.texts("Work").count == (isFromServer ? 1 : 4))
        #expect(try await replica.sync(allowsDeletions: true).refusals.isEmpty)
        try await other.sync(allowsDeletions: true)
        #expect(try await other.titles() == ["d"])
        #expect(await server.texts("Work").count == 1)
    }

    @Test(
        "Todos whose deletion requires consent come back on the side that has deleted them",
        arguments: [true, false]
    )
    func restoredDeletions(isFromServer: Bool) async throws {
        let (one, other) = (try await replica(), try await replica())
        for title in ["a", "b", "c", "d"] { try await one.add(title) }
        for replica in [one, other] { try await replica.sync() }
        let before = try await one.snapshot()
        let ids = try await one.store.todos().filter { $0.title != "d" }.map(\.id)
        _ = try await one.store.remove(ids)
        if isFromServer { try await one.sync(allowsDeletions: true) }
        let replica = isFromServer ? other : one
        #expect(try await replica.sync().refusals.count == 1)
        #expect(try replica.records.account()?.status.refusals?.count == 1)
        let report = try await replica.sync(restoresDeletions: true)
        #expect(report.refusals.isEmpty && report.problems.isEmpty, "\(report)")
        for replica in [other, one] { try await replica.sync() }
        #expect(try await one.snapshot() == before)
        #expect(try await other.snapshot() == before)
        #expect(await server.texts("Work").count == 4)
        #expect(try await one.sync().events.isEmpty)
    }

    // MARK: Recurrence, parts, lists

    @Test("A recurring todo moves on under its UID, and each device that completes it adds the same finished one")
    func recurrence() async throws {
        let (one, other) = (try await replica(), try await replica())
        await server.put(
            object(
                "series",
                "SUMMARY:Water",
                "DTSTART;VALUE=DATE:20261130",
                "DUE;VALUE=DATE:20261201",
                "RRULE:FREQ=WEEKLY",
                "X-A:1"
            ),
            "s.ics",
            in: "Work"
        )
        for replica in [one, other] { try await replica.sync() }
        for replica in [one, other] { _ = try await replica.store.complete([try await replica.todo("Water").id]) }
        for replica in [one, other, one] { try await replica.sync() }
        #expect(try await one.snapshot() == other.snapshot())
        let texts = await server.texts("Work")
        #expect(texts.count == 2)
        let series = try #require(texts.first { property("UID", $0) == "series" })
        #expect(property("DUE", series) == "20261208" && property("RRULE", series) == "FREQ=WEEKLY")
        #expect(property("STATUS", series) != "COMPLETED" && property("X-A", series) == "1")
        #expect(texts.contains { property("STATUS", $0) == "COMPLETED" && property("RRULE", $0) == nil })
    }

    @Test("A series with exceptions or an unknown rule retains its text and cannot be completed")
    func unknownRule() async throws {
        let one = try await replica()
        await server.put(
            object("a", "SUMMARY:Rule", "DTSTART:20261201T080000Z", "RRULE:FREQ=YEARLY;BYWEEKNO=20"),
            "a.ics",
            in: "Work"
        )
        let override =
            "BEGIN:VTODO\r\nUID:b\r\nRECURRENCE-ID:20261208T080000Z\r\nSUMMARY:Exception\r\nEND:VTODO\r\nEND:VCALENDAR"
        let series = object("b", "SUMMARY:Series", "DTSTART:20261201T080000Z", "RRULE:FREQ=WEEKLY")
        await server.put(series.replacing("END:VCALENDAR", with: override), "b.ics", in: "Work")
        try await one.sync()
        #expect(try await one.titles() == ["Rule", "Series"])
        for title in ["Rule", "Series"] {
            await #expect(throws: TodoError.self) { try await one.store.complete([try await one.todo(title).id]) }
            try await one.edit(title, "(A)")
        }
        try await one.sync()
        let texts = await server.texts("Work")
        #expect(texts[0].contains("RRULE:FREQ=YEARLY;BYWEEKNO=20\r\n") && property("PRIORITY", texts[0]) == "1")
        #expect(texts[1].contains("RECURRENCE-ID:20261208T080000Z") && texts[1].contains("RRULE:FREQ=WEEKLY\r\n"))
    }

    @Test("A part comes before its parent, with it, or without it, and retains its link")
    func parts() async throws {
        let (one, other) = (try await replica(), try await replica())
        await server.put(
            object("child", "SUMMARY:Child", "RELATED-TO:parent", "RELATED-TO;RELTYPE=SIBLING:x"),
            "c.ics",
            in: "Work"
        )
        try await one.sync()
        #expect(try await one.todo("Child").parent == nil)
        try await one.edit("Child", "(A)")
        try await one.sync()
        #expect(await server.texts("Work")[0].contains("RELATED-TO:parent\r\n"))
        await server.put(object("parent", "SUMMARY:Parent"), "p.ics", in: "Work")
        for replica in [one, other] { try await replica.sync() }
        for replica in [one, other] {
            #expect(try await replica.todo("Child").parent == replica.todo("Parent").id)
        }
        try await one.add("New", parent: try await one.todo("Child").id)
        for replica in [one, other] { try await replica.sync() }
        #expect(try await other.todo("New").parent == other.todo("Child").id)
        try await other.edit("Child", "parent:none")
        for replica in [other, one] { try await replica.sync() }
        #expect(try await one.todo("Child").parent == nil)
        let text = try #require(await server.texts("Work").first { property("UID", $0) == "child" })
        #expect(text.contains("RELATED-TO;RELTYPE=SIBLING:x\r\n") && !text.contains("RELATED-TO:parent"))
    }

    @Test(
        "A part that moves to a parent that is deleted before the sync returns to its former parent",
        arguments: [true, false]
    )
    func deletedParent(isDeletedHere: Bool) async throws {
        let one = try await replica()
        let other = try await replica()
        let former = try await one.add("Report")
        let part = try await one.add("Figures", parent: former.id)
        if !isDeletedHere { try await other.add("Letter") }
        for replica in [one, other, one] { try await replica.sync() }
        if isDeletedHere { try await one.add("Letter") }
        let next = try await one.todo("Letter")
        var change = TodoChange()
        change.parent = .set(next.id)
        _ = try await one.store.edit(part.id, change)
        let deleting = isDeletedHere ? one : other
        _ = try await deleting.store.remove([deleting.todo("Letter").id])
        for replica in [deleting, one, other] { try await replica.sync() }
        #expect(try await one.todo("Figures").parent == former.id)
        #expect(try await one.snapshot() == other.snapshot())
    }

    @Test("A todo that another machine and an undo bring back is one")
    func broughtBackTwice() async throws {
        let (one, other) = (try await replica(), try await replica())
        for title in ["a", "b", "c", "Report"] { try await one.add(title) }
        for replica in [one, other] { try await replica.sync() }
        try await other.edit("Report", "(A)")
        _ = try await one.store.remove([one.todo("Report").id])
        for replica in [one, other, one] { try await replica.sync() }
        #expect(try await one.todo("Report").priority == Priority("A"))
        _ = try await one.store.undo()
        #expect(try await one.titles() == ["Report", "Report", "a", "b", "c"])
        for replica in [one, other, one] { try await replica.sync() }
        for replica in [one, other] { #expect(try await replica.titles() == ["Report", "a", "b", "c"]) }
        #expect(try await one.snapshot() == other.snapshot())
    }

    @Test("A todo that was deleted elsewhere and comes back by an undo has its parts again, on every machine")
    func restoredParent() async throws {
        let (one, other) = (try await replica(), try await replica())
        let parent = try await one.add("Parent")
        for title in ["a", "b", "c"] { try await one.add(title) }
        for replica in [one, other] { try await replica.sync() }
        _ = try await other.store.remove([try await other.todo("Parent").id])
        try await other.sync()
        try await one.add("Child", parent: parent.id)
        try await one.sync()
        #expect(try await one.titles() == ["Child", "a", "b", "c"])
        _ = try await one.store.undo()
        for replica in [one, other] { try await replica.sync() }
        #expect(try await one.todo("Child").parent == one.todo("Parent").id)
        #expect(try await other.todo("Child").parent == other.todo("Parent").id)
    }

    @Test(
        "A part that was sent after the removal of its parent is its part again on every machine when a change brings the parent back",
        arguments: [true, false]
    )
    func restoredByChange(isBusy: Bool) async throws {
        let (one, other) = (try await replica(), try await replica())
        for title in ["a", "b", "c"] { try await one.add(title) }
        let parent = try await one.add("Parent")
        for replica in [one, other] { try await replica.sync() }
        try await one.add("Child", parent: parent.id)
        _ = try await one.store.remove([parent.id])
        try await other.edit("Parent", "(A)")
        // The child is sent without a parent, and the reply to the removal of the parent is lost.
        await server.plan([nil, nil, .lostReply])
        await #expect(throws: SyncError.self) { try await one.sync() }
        try await other.sync()
        // The parent comes back here, and the child is sent again: at once, or with the next sync if the server is busy.
        if isBusy {
            await server.plan([nil, nil, nil, .busy])
            await #expect(throws: SyncError.self) { try await one.sync() }
        }
        for replica in [one, other] { try await replica.sync() }
        #expect(try await one.todo("Child").parent == one.todo("Parent").id)
        #expect(try await other.todo("Child").parent == other.todo("Parent").id)
        #expect(try await one.store.unsynced().isEmpty)
    }

    @Test(
        "A todo that moves between lists retains its identity and its text; one that becomes local is deleted on the server"
    )
    func moves() async throws {
        let one = try await replica(["Work", "Home"])
        let other = try await replica(["Work", "Home"])
        // The UID becomes a part of a path.
        await server.put(object("../cat/a", "SUMMARY:Report", "X-OTHER:kept"), "a.ics", in: "Work")
        for replica in [one, other] { try await replica.sync() }
        let id = try await other.todo("Report").id
        var change = TodoChange()
        change.list = .set("Home")
        _ = try await one.store.edit(try await one.todo("Report").id, change)
        for replica in [one, other] { try await replica.sync() }
        #expect(try await other.todo("Report").list == "Home")
        #expect(try await other.todo("Report").id == id)
        #expect(await server.texts("Work").isEmpty)
        #expect(await server.texts("Home")[0].contains("X-OTHER:kept"))
        #expect(await server.hrefs("Home").allSatisfy { $0.path.hasPrefix("/dog/home/") && !$0.path.contains("..") })
        change.list = .clear
        _ = try await other.store.edit(id, change)
        for replica in [other, one] { try await replica.sync() }
        #expect(await server.texts("Home").isEmpty)
        #expect(try await other.titles() == ["Report"])
        #expect(try await one.titles().isEmpty)
    }

    @Test(
        "A todo that another machine is moving, and that is in two lists meanwhile, stays",
        arguments: ["Work", "Home"]
    )
    func halfMove(from list: String) async throws {
        let one = try await replica(["Work", "Home"])
        for name in ["Work", "Home"] { await server.put(object("a", "SUMMARY:Report"), "a.ics", in: name) }
        try await one.sync()
        await server.put(nil, "a.ics", in: list)
        try await one.sync()
        #expect(try await one.store.todos().map(\.list) == [list == "Work" ? "Home" : "Work"])
        #expect(try await one.sync().events.isEmpty)
    }

    @Test("A todo that stays in two lists is joined into the one that was changed last, the same on every machine")
    func joinedLists() async throws {
        let (one, other) = (try await replica(["Work", "Home"]), try await replica(["Work", "Home"]))
        func put(_ list: String, _ title: String, _ label: String, _ hour: Int) async {
            let modified = "LAST-MODIFIED:20260101T0\(hour)0000Z"
            await server.put(object("a", "SUMMARY:\(title)", "CATEGORIES:\(label)", modified), "a.ics", in: list)
        }
        await put("Work", "Theirs", "office", 2)
        try await one.sync()
        await put("Home", "Ours", "kiosk", 1)
        // As long as only one sync has seen it in both, another program may be moving it.
        for replica in [one, other] { try await replica.sync() }
        #expect(await server.texts("Work").count + server.texts("Home").count == 2)
        for replica in [one, other, one, other] { try await replica.sync() }
        #expect(await server.texts("Home").isEmpty)
        #expect(await server.texts("Work").count == 1)
        for replica in [one, other] {
            let todo = try await replica.todo("Theirs")
            #expect(todo.list == "Work" && Set(todo.tags + todo.contexts + todo.projects) == ["office", "kiosk"])
            #expect(try await replica.store.unsynced().isEmpty)
        }
        #expect(try await one.snapshot() == other.snapshot())
        #expect(try one.records.log().contains { $0.action == .joined && $0.list == "Work" })
        _ = try await one.store.undo()
        #expect(try await one.todo("Ours").list == "Work")
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

    @Test("A stored item is parsed as the decoder reads it, and anything else is left to the decoder")
    func parsedItems() async throws {
        let one = try await replica()
        let report = try await one.add("Report +home @desk due:2026-12-01 9:00 rec:+1w t:2026-11-01")
        try await one.add("Part \"1\" \\ 우유", parent: report.id)
        try await one.sync()
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let items = try one.records.readItems().todos.values.flatMap(\.values)
        #expect(items.count == 2 && items.contains { $0.parent != nil })
        for var item in items {
            for etag in [item.etag, nil] {
                item.etag = etag
                let json = try encoder.encode(item)
                let parsed = try #require(SyncItem.parse(Array(json)))
                #expect(try encoder.encode(parsed) == json)
                let decoded = try JSONDecoder().decode(SyncItem.self, from: json)
                #expect(try encoder.encode(decoded) == json)
                #expect(SyncItem.parse(Array(json.dropLast())) == nil)
            }
        }
        for text in ["", "[]", "{}", #"{"list":1}"#, #"{"list":"a","uuid":"b"}"#] {
            #expect(SyncItem.parse(Array(text.utf8)) == nil, "\(text)")
        }
    }

    @Test("A change of the server between the two writes of a move is merged")
    func changeDuringMove() async throws {
        let one = try await replica(["Work", "Home"])
        try await one.add("Report")
        for _ in 0..<2 { try await one.sync() }
        let (file, text) = (
            try #require(await server.hrefs("Work").first).name, try #require(await server.texts("Work").first)
        )
        var change = TodoChange()
        change.list = .set("Home")
        _ = try await one.store.edit(try await one.todo("Report").id, change)
        await server.intrude { $0.put(text.replacing("SUMMARY:Report", with: "SUMMARY:Theirs"), file, in: "Work") }
        try await one.sync()
        #expect(try await one.todo("Theirs").list == "Home")
        #expect(await server.texts("Work").isEmpty)
        #expect(await server.texts("Home").map { property("SUMMARY", $0) } == ["Theirs"])
    }

    @Test("A todo that two machines move to different lists is in one of them, the same on both")
    func movedTwice() async throws {
        let server = SimulatedServer(["Work", "Home", "Garden"])
        let lists = ["Work", "Home", "Garden"]
        let one = try await Replica(server, lists, ticks: ticks)
        let other = try await Replica(server, lists, ticks: ticks)
        try await one.add("Report")
        for replica in [one, other] { try await replica.sync() }
        for (replica, list) in [(other, "Garden"), (one, "Home")] {
            var change = TodoChange()
            change.list = .set(list)
            _ = try await replica.store.edit(try await replica.todo("Report").id, change)
        }
        for replica in [other, one, one, other] { try await replica.sync() }
        #expect(try await one.snapshot() == other.snapshot())
        // This machine has moved it after the other one.
        #expect(try await one.todo("Report").list == "Home")
        #expect(await server.texts("Work").isEmpty)
        #expect(await server.texts("Home").count == 1)
        #expect(await server.texts("Garden").isEmpty)
    }

    @Test("A todo that was imported and one of the server with the same UID are one")
    func imported() async throws {
        let one = try await replica()
        let text = object("a@example.org", "SUMMARY:Report", "DESCRIPTION:mine")
        let file = TodoFileFormat.ics.parse(Array(text.utf8), clock: one.clock)
        _ = try await one.store.perform(.importing(file.records, .update))
        await server.put(object("a@example.org", "SUMMARY:Report", "DESCRIPTION:mine"), "a.ics", in: "Work")
        try await one.sync()
        #expect(try await one.titles() == ["Report"])
        #expect(try await one.todo("Report").list == "Work")
    }

    // MARK: What is left alone

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

    @Test(
        "A version whose text arrives cut is neither overwritten nor deleted, and is read again",
        arguments: [true, false]
    )
    func cutText(deletes: Bool) async throws {
        let (one, other) = (try await replica(), try await replica())
        for title in ["Report", "a", "b"] { try await one.add(title) }
        for replica in [one, other, one] { try await replica.sync() }
        var note = TodoChange()
        note.note = .set("not seen by the first machine")
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
        #expect(try await one.sync().problems.count == 1)
        #expect(await server.texts("Work") == [text])
        await server.put(nil, file, in: "Work")
        try await one.sync()
        #expect(await server.texts("Work").count == 1)
        #expect(try await one.todo("Report").priority == Priority("A"))
    }

    @Test("A read-only list comes back to the server's state, and the history has the change")
    func readOnly() async throws {
        let one = try await replica()
        await server.put(object("a", "SUMMARY:Report"), "a.ics", in: "Work")
        await server.change("Work") { $0.canWrite = false }
        try await one.sync()
        try await one.edit("Report", "Mine")
        #expect(try await one.sync().problems.count == 1)
        #expect(try await one.titles() == ["Report"])
        #expect(try await one.store.log().contains { $0.versions.contains { $0.before?.title == "Mine" } })
        try await one.add("New")
        #expect(try await one.sync().problems.count == 1)
        await server.put(object("b", "SUMMARY:Other"), "b.ics", in: "Work")
        for _ in 0..<2 { try await one.sync() }
        #expect(try await one.titles() == ["New", "Other", "Report"])
        #expect(try await one.todo("New").list == nil, "a todo that the list cannot have is local")
        #expect(await !server.requests.contains("PUT"))
    }

    @Test("A list that the server has renamed is renamed; one that is gone becomes local with its todos")
    func lists() async throws {
        let one = try await replica()
        try await one.add("Report")
        try await one.sync()
        await server.change("Work") { $0.name = "Office" }
        try await one.sync()
        #expect(try await one.todo("Report").list == "Office")
        #expect(try await one.store.syncedLists().map(\.name) == ["Office"])
        await server.removeCollection("Office")
        #expect(try await one.sync().problems.count == 1)
        #expect(try await one.todo("Report").list == "Office")
        #expect(try await one.store.syncedLists().isEmpty)
        #expect(try await one.sync().problems.isEmpty)
    }

    @Test("The log has the last fifty actions, and everything is gone with the account")
    func log() async throws {
        let one = try await replica()
        for number in 0..<60 { try await one.add("todo \(number)") }
        try await one.sync()
        #expect(try one.records.log().count == 50 && one.records.log().allSatisfy { $0.action == .sentNew })
        try one.records.setAccount(nil)
        #expect(try one.records.account() == nil && one.records.log().isEmpty)
        #expect(throws: SyncError.self) { try TodoSync(store: one.store, records: one.records, server: server) }
    }
}
