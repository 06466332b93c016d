import CalDAV
import Foundation
import TestSupport
import Testing
import TodoCore

@testable import TodoSync

@Suite("Merging of changes on both sides")
struct MergeTests: MachinesOfServer {
    let server = SimulatedServer(["Work", "Home"])
    let ticks = Ticks()

    @Test("Each field differs by its values alone, in any order of labels, and is copied as a whole")
    func fields() throws {
        let day = try #require(Day(iso: "2026-01-31"))
        func todo(_ change: (inout Todo) -> Void) -> Todo {
            var todo = Todo(id: Todo.noID, title: "a", now: .distantPast, uuid: UUID(uuid: UUID().uuid))
            change(&todo)
            return todo
        }
        let plain = todo { _ in }
        let changes: [(SyncField, (inout Todo) -> Void)] = [
            (.title, { $0.title = "b" }), (.note, { $0.note = "n" }), (.projects, { $0.projects = ["p", "q"] }),
            (.contexts, { $0.contexts = ["p", "q"] }), (.tags, { $0.tags = ["p", "q"] }),
            (.due, { ($0.due, $0.monthDay) = (day, 31) }), (.due, { $0.dueTime = TimeOfDay(hour: 9, minute: 5) }),
            (.threshold, { ($0.threshold, $0.monthDay) = (day, 31) }),
            (.done, { $0.completed = Date(timeIntervalSince1970: 9) }),
            (.done, { $0.isArchived = true }), (.rule, { $0.extras[ICalendarFormat.ruleKey] = "r" }),
        ]
        for (field, change) in changes {
            var (changed, copy) = (plain, plain)
            change(&changed)
            #expect(SyncField.allCases.filter { !$0.isEqual(plain, changed) } == [field])
            field.copy(from: changed, to: &copy)
            #expect(copy == changed)
            guard let labels = field.labels else { continue }
            copy[keyPath: labels].reverse()
            #expect(field.isEqual(copy, changed) && copy != changed)
        }
    }

    @Test("The last change of an object is its LAST-MODIFIED, else its DTSTAMP; the first of two of a UID is changed")
    func objects() throws {
        let clock = TodoClock(zone: .utc, now: { .distantPast })
        let stamp = try #require(try SyncObject(object("u", "SUMMARY:a"), clock: clock).modified)
        let text = object("u", "SUMMARY:a", "LAST-MODIFIED:20260102T000000Z")
        let found = try SyncObject(text, clock: clock)
        #expect(found.modified == stamp + 86_400)
        let task = "BEGIN:VTODO\r\nUID:u\r\nSUMMARY:second\r\nEND:VTODO\r\n"
        let two = try SyncObject(text.replacing("END:VCALENDAR", with: task + "END:VCALENDAR"), clock: clock)
        var old = Todo(id: Todo.noID, title: "a", now: .distantPast, uuid: two.uuid)
        var new = old
        new.title = "b"
        let written = two.text(from: old, to: new, oldParent: nil, parent: nil, clock: clock)
        #expect(written.contains("SUMMARY:b") && written.contains(task))
        // An attachment is one line, and what a todo cannot have as its title remains as it is until it has another one.
        let attachment = "ATTACH:" + String(repeating: "x", count: 1 << 20)
        let long = String(repeating: "x", count: 1_001)
        for (lines, title) in [
            (attachment, "(no title)"), ("SUMMARY: ", "(no title)"), ("DESCRIPTION:\\n Note\\nmore", "Note"),
            ("SUMMARY:" + long, String(long.dropLast())),
        ] {
            let found = try SyncObject(object("u", lines), clock: clock)
            #expect(found.record.change.title == title)
            old.title = title
            (new, new.priority) = (old, Priority("A"))
            let text = found.text(from: old, to: new, oldParent: nil, parent: nil, clock: clock)
            #expect(text.replacing("\r\n ", with: "").contains(lines + "\r\n") && text.contains("PRIORITY:1\r\n"))
            #expect(
                text.components(separatedBy: "SUMMARY").count
                    == object("u", lines).components(separatedBy: "SUMMARY").count
            )
            (new, new.title) = (old, "b")
            let titled = found.text(from: old, to: new, oldParent: nil, parent: nil, clock: clock)
            #expect(property("SUMMARY", titled) == "b")
        }
    }

    @Test("Changes of different fields and of labels on both sides are merged")
    func merge() async throws {
        let (one, other) = (try await replica(), try await replica())
        try await one.add("Report +a +b")
        for replica in [one, other] { try await replica.sync() }
        try await one.edit("Report", "due:2026-12-01 +c")
        let todo = try await other.todo("Report")
        let change = TodoChange { ($0.title, $0.projects) = ("Long report", ["a", "d"]) }
        let later = try await other.store.edit(todo.id, change).modified
        for replica in [one, other, one] { try await replica.sync() }
        let merged = try await one.todo("Long report")
        for replica in [one, other] {
            let modified = try await replica.todo("Long report").modified
            #expect(modified >= later - 1, "the server has whole seconds")
        }
        #expect(Set(merged.projects) == ["a", "c", "d"] && merged.due?.description == "2026-12-01")
        #expect(try await one.snapshot() == other.snapshot())
    }

    @Test("Within a second, the resolution of the server's times, its values are taken", arguments: [true, false])
    func conflictWithinASecond(isServerLater: Bool) async throws {
        let ticks = Ticks(step: 0.0001)
        let (one, other) = (try await Replica(server, ticks: ticks), try await Replica(server, ticks: ticks))
        try await one.add("Report")
        for replica in [one, other] { try await replica.sync() }
        for replica in isServerLater ? [one, other] : [other, one] {
            try await replica.edit("Report", replica.folder.path == one.folder.path ? "Local" : "Server")
        }
        for replica in [other, one, other] { try await replica.sync() }
        for replica in [one, other] { #expect(try await replica.titles() == ["Server"]) }
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
            let (report, parent) = (try await editing.todo("Report"), try await editing.todo("Parent"))
            _ = try await editing.store.edit(report.id, TodoChange { $0.parent = .set(parent.id) })
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
        try await one.edit("Again", "(B)")
        await server.intrude { $0.put(nil, file, in: "Work") }
        #expect(try await one.sync().problems.isEmpty)
        #expect(await server.texts("Work").count == 1, "changed here, deleted there")
        let last = try #require(await server.texts("Work").first)
        let place = try #require(await server.hrefs("Work").first).name
        _ = try await one.store.remove([try await one.todo("Again").id])
        await server.intrude { $0.put(last, place, in: "Work") }
        try await one.sync()
        #expect(await server.texts("Work").isEmpty, "deleted here, written there without a change")
    }

    @Test("What takes the place of an object on the server is another todo, which is neither overwritten nor deleted")
    func replacedObject() async throws {
        let one = try await replica()
        await server.put(object("a", "SUMMARY:a"), "0.ics", in: "Work")
        try await one.sync()
        await server.put(object("b", "SUMMARY:b"), "0.ics", in: "Work")
        #expect(try await one.sync().events.map(\.action) == [.added, .removed])
        #expect(try await one.titles() == ["b"])
        // Between reading and writing.
        _ = try await one.store.remove([try await one.todo("b").id])
        await server.intrude { $0.put(object("c", "SUMMARY:c"), "0.ics", in: "Work") }
        try await one.sync()
        #expect(try await one.titles() == ["c"])
        #expect(await server.texts("Work").map { property("UID", $0) } == ["c"])
        try await one.edit("c", "(A)")
        await server.intrude { $0.put(object("d", "SUMMARY:d"), "0.ics", in: "Work") }
        try await one.sync()
        #expect(try await one.titles() == ["c", "d"])
        let (texts, names) = (await server.texts("Work"), await server.hrefs("Work").map(\.name))
        #expect(texts.map { property("UID", $0) } == ["d", "c"] && property("PRIORITY", texts[1]) == "1")
        // The two exchange their places.
        for (text, name) in zip(texts.reversed(), names) { await server.put(text, name, in: "Work") }
        #expect(try await one.sync().events.isEmpty)
        _ = try await one.store.remove([try await one.todo("d").id])
        try await one.sync()
        #expect(await server.texts("Work").map { property("UID", $0) } == ["c"])
        #expect(try await one.store.unsynced().isEmpty)
    }

    @Test("An imported todo and one of the server with its UID are one; the server's value of the same time is taken")
    func imported() async throws {
        let one = try await replica()
        let text = object("a@example.org", "SUMMARY:Report", "DESCRIPTION:mine")
        let file = TodoFileFormat.ics.parse(Array(text.utf8), clock: one.clock)
        let stamp = Date(timeIntervalSince1970: 1_767_225_600)
        _ = try await TodoStore(directory: one.folder.url, zone: .utc, now: { stamp })
            .perform(.importing(file.records, .update))
        await server.put(object("a@example.org", "SUMMARY:Report", "DESCRIPTION:theirs"), "a.ics", in: "Work")
        try await one.sync()
        #expect(try await one.titles() == ["Report"])
        #expect(try await one.todo("Report").list == "Work")
        #expect(try await one.todo("Report").note == "theirs")
    }

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

    @Test("Half of a list, and both of two todos, are deleted without consent", arguments: [(3, 2), (4, 2), (2, 2)])
    func smallDeletion(total: Int, count: Int) async throws {
        let one = try await replica()
        for number in 0..<total { try await one.add("\(number)") }
        try await one.sync()
        _ = try await one.store.remove(try await one.store.todos().prefix(count).map(\.id))
        #expect(try await one.sync().refusals.isEmpty == (total != 3))
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
}
