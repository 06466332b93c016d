import CalDAV
import Foundation
import LocalProvider
import TestSupport
import Testing
import TodoCore

@testable import TodoSync

@Suite("Sync with a server")
struct SyncTests: MachinesOfServer {
    let server = SimulatedServer(["Work", "Home"])
    let ticks = Ticks()

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

    @Test("A list whose reports the server once omits is still asked for its changes alone")
    func omittedReports() async throws {
        let (one, other) = (try await replica(["Home"]), try await replica(["Home"]))
        try await one.add("Report", in: "Home")
        for replica in [one, other] { try await replica.sync() }
        await server.change("Home") { $0.supportsSyncCollection = false }
        try await other.edit("Report", "(A)")
        for replica in [other, one] {
            await server.forgetRequests()
            try await replica.sync()
            #expect(await server.requests.filter { $0 == "REPORT sync" || $0 == "PROPFIND members" } == ["REPORT sync"])
        }
        #expect(try await one.todo("Report").priority == Priority("A"))
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
        // A start before the due day would be a threshold on other machines.
        #expect(text.contains("DTSTART;TZID=America/New_York:20261203T080000\r\n"), "\(text)")
        try await one.edit("Call", "due:2026-11-20")
        try await one.sync()
        let day = try #require(await server.texts("Work").first)
        #expect(
            day.contains("DUE;VALUE=DATE:20261120\r\n") && !day.contains("DTSTART"),
            "the start is not before the end"
        )
    }

    @Test(
        "A changed date, duration or repetition means the same on another machine",
        arguments: [
            ("DTSTART:20261210T100000 DUE:20261210T100000", "due:2026-12-15 10:00", "DUE:20261215T100000"),
            ("DTSTART:20261210T100000 DUE:20261210T100000", "due:2026-12-15", "DUE;VALUE=DATE:20261215"),
            ("DTSTART:20261210T100000 DUE:20261210T100000", "due:none", ""),
            ("DTSTART;VALUE=DATE:20261210 DUE;VALUE=DATE:20261210", "due:2026-12-15", "DUE;VALUE=DATE:20261215"),
            ("DTSTART:20261210T080000Z DURATION:PT1H", "due:none", ""),
            (
                "DTSTART:20261210T080000Z DURATION:PT1H", "due:2026-12-12 9:00",
                "DTSTART:20261212T080000Z DUE:20261212T090000Z"
            ),
            (
                "DTSTART;VALUE=DATE:20261210 DURATION:P3D", "t:2026-12-09",
                "DTSTART;VALUE=DATE:20261209 DUE;VALUE=DATE:20261213"
            ),
            (
                "DTSTART;VALUE=DATE:20261201 DUE;VALUE=DATE:20261202 EXDATE;VALUE=DATE:20261208 RRULE:FREQ=WEEKLY",
                "rec:+2w",
                "DTSTART;VALUE=DATE:20261201 DUE;VALUE=DATE:20261202 RRULE:FREQ=WEEKLY;INTERVAL=2"
            ),
            ("DUE;VALUE=DATE:20261202 RRULE:FREQ=YEARLY;BYWEEKNO=20", "rec:none", "DUE;VALUE=DATE:20261202"),
            // The next occurrence, which nobody has begun.
            (
                "DTSTART:20261201T080000Z DUE:20261201T090000Z PERCENT-COMPLETE:50 "
                    + "RRULE:FREQ=DAILY;UNTIL=20261203T070000Z STATUS:IN-PROCESS",
                "due:2026-12-02 9:00",
                "DTSTART:20261202T000000 DUE:20261202T090000 RRULE:FREQ=DAILY;UNTIL=20261202T235959"
            ),
            (
                "DUE:20261208T090000Z RECURRENCE-ID:20261208T080000Z", "due:2026-12-09 9:00",
                "DUE:20261209T090000Z RECURRENCE-ID:20261208T080000Z"
            ),
        ]
    )
    func changedDates(lines: String, line: String, expected: String) async throws {
        let (one, other) = (try await replica(), try await replica())
        let text = object("a", "SUMMARY:Report", lines.replacing(" ", with: "\r\n"))
        await server.put(text, "a.ics", in: "Work")
        for replica in [one, other] { try await replica.sync() }
        try await one.edit("Report", line)
        for replica in [one, other] { try await replica.sync() }
        let written = try #require(await server.texts("Work").first).split(separator: "\r\n").filter { line in
            let names = ["D", "EXDATE", "PERCENT", "R", "STATUS:IN-PROCESS"]
            return !line.hasPrefix("DTSTAMP") && names.contains { line.hasPrefix($0) }
        }
        #expect(written.joined(separator: " ") == expected)
        #expect(try await one.snapshot() == other.snapshot())
        #expect(try await one.store.unsynced().isEmpty)
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

    @Test(
        "A recurring todo moves on under its UID, and each device that completes it adds the same finished one and parts"
    )
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
        await server.put(object("part", "SUMMARY:Fill the can", "RELATED-TO:series"), "p.ics", in: "Work")
        await server.put(object("detail", "SUMMARY:Find the can", "RELATED-TO:part"), "d.ics", in: "Work")
        for replica in [one, other] { try await replica.sync() }
        for replica in [one, other] { _ = try await replica.store.complete([try await replica.todo("Water").id]) }
        for replica in [one, other, one] { try await replica.sync() }
        #expect(try await one.snapshot() == other.snapshot())
        let texts = await server.texts("Work")
        #expect(texts.count == 6, "the finished and the next todo, and the parts of each")
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
        // Another repetition has no exceptions.
        try await one.edit("Series", "rec:+2w")
        try await one.sync()
        let text = try #require(await server.texts("Work").last)
        #expect(!text.contains("RECURRENCE-ID") && property("RRULE", text) == "FREQ=WEEKLY;INTERVAL=2")
        let other = try await replica()
        try await other.sync()
        #expect(try await other.snapshot() == one.snapshot())
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

    @Test("What cannot be read of a sync is read again with its list; the sync goes on, and what waits is sent")
    func damagedItems() async throws {
        let one = try await replica(["Work", "Home"])
        for list in ["Work", "Home"] { try await one.add("\(list) 1", in: list) }
        await server.put(object("x", "DUE:soon"), "x.ics", in: "Home")
        for _ in 0..<2 { try await one.sync() }
        let items = JSONDefaults(location: FileStoreLocation(directory: one.folder.url), name: "sync-items")
        let damaged = try items.transaction { transaction in
            let all = transaction.json(prefix: "").map(\.identifier)
            for identifier in all { try transaction.set(json: Array("{}".utf8), for: identifier) }
            return all
        }
        #expect(damaged.count == 3)
        try await one.edit("Work 1", "(A)")
        await server.put(object("y", "SUMMARY:New"), "y.ics", in: "Work")
        // A malformed object is read four times.
        for _ in 0..<4 { try await one.sync() }
        #expect(try await one.titles() == ["Home 1", "New", "Work 1"])
        #expect(try await one.store.unsynced().isEmpty)
        #expect(await server.texts("Work").map { property("PRIORITY", $0) }.contains("1"))
        for list in ["Work", "Home"] { #expect(await server.texts(list).count == 2) }
        let read = try one.records.readItems()
        #expect(read.unreadable.isEmpty && read.todos.values.flatMap(\.values).count == 3)
        await server.forgetRequests()
        try await one.sync()
        let requests = await server.requests
        #expect(requests == ["PROPFIND"])
    }

    @Test("The log has the last fifty actions, and everything is gone with the account")
    func log() async throws {
        let one = try await replica()
        for number in 0..<60 { try await one.add("todo \(number)") }
        try await one.sync()
        #expect(try one.records.log().count == 50 && one.records.log().allSatisfy { $0.action == .sentNew })
        // A change of another machine is one action.
        let other = try await replica()
        try await other.sync()
        try await other.edit("todo 7", "todo 7 +home")
        try await other.sync()
        #expect(try await one.sync().events.map(\.action) == [.changed])
        try one.records.setAccount(nil)
        #expect(try one.records.account() == nil && one.records.log().isEmpty)
        #expect(throws: SyncError.self) { try TodoSync(store: one.store, records: one.records, server: server) }
    }
}
