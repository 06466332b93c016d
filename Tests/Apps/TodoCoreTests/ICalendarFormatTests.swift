import TestSupport
import Testing

@testable import TodoCore

@Suite("Todos in iCalendar files")
struct ICalendarFormatTests {
    private let fixture: TodoFormatFixture

    init() throws { fixture = try TodoFormatFixture() }

    @Test("A changed task of a calendar is dated, and one that names itself as its parent has none")
    func calendarUpdate() async throws {
        let uid = "8F796528-CAF7-45B0-A72E-D51B42D3E53F"
        func calendar(_ title: String) -> String {
            """
            BEGIN:VCALENDAR
            VERSION:2.0
            PRODID:-//Other//EN
            BEGIN:VTODO
            UID:\(uid)
            RELATED-TO:\(uid)
            DTSTAMP:20260301T000000Z
            SUMMARY:\(title)
            END:VTODO
            END:VCALENDAR
            """
        }
        _ = try await fixture.take(calendar("Milk"), .ics)
        let later = fixture.clock.now() + 3_600
        let store = TodoStore(directory: fixture.folder.url, zone: fixture.clock.zone, now: { later })
        let file = TodoFileFormat.ics.parse(Array(calendar("Oat milk").utf8), clock: fixture.clock)
        let receipt = try await store.perform(.importing(file.records, .update))
        #expect(receipt.outcomes.map(\.kind) == [.changed])
        let todo = try #require(try await store.todos().first)
        #expect(todo.title == "Oat milk" && todo.parent == nil)
        #expect(todo.modified == later)
    }

    @Test("A task of a calendar retains unknown properties and its time zone")
    func calendarKeeps() async throws {
        let calendar = """
            BEGIN:VCALENDAR
            VERSION:2.0
            PRODID:-//Other//EN
            BEGIN:VTIMEZONE
            TZID:Asia/Seoul
            END:VTIMEZONE
            BEGIN:VTIMEZONE
            TZID:America/New_York
            END:VTIMEZONE
            BEGIN:VTODO
            UID:not-a-uuid@example.org
            DTSTAMP:20260301T000000Z
            SUMMARY:Buy milk\\, eggs
              and bread
            DUE;TZID=America/New_York:20261201T090000
            RRULE:FREQ=WEEKLY;BYDAY=MO,WE
            PRIORITY:3
            CATEGORIES:shop,+home
            X-OTHER;X-P="a:b":kept
            BEGIN:VALARM
            ACTION:DISPLAY
            DESCRIPTION:alarm
            TRIGGER:-PT15M
            END:VALARM
            END:VTODO
            END:VCALENDAR
            """
        _ = try await fixture.take(calendar, .ics)
        let todo = try #require(try await fixture.store.todos().first)
        #expect(todo.title == "Buy milk, eggs and bread" && todo.priority == Priority("A") && todo.note == nil)
        #expect(
            todo.due?.description == "2026-12-01" && todo.dueTime == TimeOfDay(hour: 15),
            "nine in New York is 15:00 in Berlin"
        )
        #expect(todo.recurrence == Recurrence("mon,wed") && todo.contexts == ["shop"] && todo.projects == ["home"])
        let change = TodoChange { $0.title = "Buy " + String(repeating: "우유 ", count: 30) }
        _ = try await fixture.store.edit(todo.id, change)
        let text = try await fixture.export(.ics)
        for line in [
            "UID:not-a-uuid@example.org", "DUE;TZID=America/New_York:20261201T090000", "RRULE:FREQ=WEEKLY;BYDAY=MO,WE",
            "PRIORITY:3",
            "X-OTHER;X-P=\"a:b\":kept", "TRIGGER:-PT15M", "TZID:America/New_York",
        ] { #expect(text.contains(line + "\r\n"), "\(line) in \(text)") }
        #expect(text.components(separatedBy: "SUMMARY").count == 2)
        #expect(!text.contains("Asia/Seoul") && text.components(separatedBy: "VTIMEZONE").count == 3)
        for line in text.components(separatedBy: "\r\n") { #expect(line.utf8.count <= 75) }
        let copy = try #require(TodoFileFormat.ics.parse(Array(text.utf8), clock: fixture.clock).records.first)
        #expect(copy.change.title == change.title?.trimmed)
        #expect(copy.uuid == todo.uuid)
    }

    @Test(
        "A due time on the first or the last day of the calendar has no zone: UTC may have another year",
        arguments: ["0001-01-01 00:00", "9999-12-31 23:59"],
        ["Europe/Berlin", "America/New_York"]
    )
    func calendarEnds(due: String, zone: String) throws {
        let clock = TodoClock(zone: try #require(Zone(named: zone)), now: fixture.clock.now)
        let todo = try Todo(
            id: TodoID(serial: 1),
            TodoChange(quick: "milk due:\(due)", today: clock.today),
            now: clock.now()
        )
        let bytes = TodoFileFormat.ics.bytes([todo], all: [], clock: clock)
        let change = try #require(TodoFileFormat.ics.parse(bytes, clock: clock).records.first?.change)
        #expect(change.due?.value == todo.due && change.dueTime?.value == todo.dueTime)
    }

    @Test(
        "Another due day is a revision, before which the start is; another title is none",
        arguments: [
            ("", "20261120", "20261119", 3), ("2026-11-21", "20261121", "20261119", 4),
            ("2026-11-20", "20261120", "20261119", 3), ("2026-11-19", "20261119", nil, 4),
            ("2026-11-18", "20261118", nil, 4),
        ] as [(String, String, String?, Int)]
    )
    func calendarRevision(day: String, due: String, start: String?, sequence: Int) async throws {
        let lines = "DTSTART;VALUE=DATE:20261119\nDUE;VALUE=DATE:20261120\nSEQUENCE:3\nRELATED-TO;RELTYPE=CHILD:c"
        _ = try await fixture.take(calendar(lines), .ics)
        var change = TodoChange()
        change.title = "b"
        change.due = Day(iso: day).map { .set($0) }
        _ = try await fixture.store.edit(try #require(try await fixture.store.todos().first).id, change)
        let text = try await fixture.export(.ics).components(separatedBy: "\r\n")
        #expect(text.filter { $0.hasPrefix("DUE") } == ["DUE;VALUE=DATE:" + due])
        #expect(text.filter { $0.hasPrefix("DTSTART") } == (start.map { ["DTSTART;VALUE=DATE:" + $0] } ?? []))
        #expect(text.contains("SEQUENCE:\(sequence)") && text.contains("SUMMARY:b"))
        #expect(text.contains("RELATED-TO;RELTYPE=CHILD:c"))
    }

    @Test(
        "The text of a repetition counts while the rule means it, and otherwise the rule of another program",
        arguments: [
            ("FREQ=WEEKLY", "20261201", "1w", "1w"), ("FREQ=WEEKLY;WKST=SU", "20261201", "1w", "1w"),
            ("FREQ=MONTHLY", "20261201", "1w", "+1m"), (nil, "20261201", "1w", nil), (nil, nil, "1w", "1w"),
            ("FREQ=WEEKLY", nil, "1w", "1w"), ("FREQ=WEEKLY;INTERVAL=2", "20261201", "+1w", "+2w"),
            ("FREQ=MONTHLY;BYMONTHDAY=-1", "20270131", "1m", "1m"),
            ("FREQ=MONTHLY;BYMONTHDAY=-1", "20270214", "1m", "1m"), ("FREQ=MONTHLY", "20270131", "1m", "1m"),
            ("FREQ=MONTHLY;BYMONTHDAY=1000000000", "20270131", "1m", nil),
            ("FREQ=DAILY;INTERVAL=3;UNTIL=20270601", "20261201", "3d\\;until=2027-06-01", "3d;until=2027-06-01"),
        ] as [(String?, String?, String, String?)]
    )
    func calendarRuleChange(rule: String?, due: String?, kept: String, expected: String?) async throws {
        let lines = [due.map { "DUE;VALUE=DATE:" + $0 }, rule.map { "RRULE:" + $0 }, "X-PAWKIT-RECURRENCE:" + kept]
        let todo = try await fixture.take(calendar(lines.compactMap(\.self).joined(separator: "\n")), .ics).todos.first
        #expect(todo?.recurrence?.description == expected && todo?.monthDay == nil)
        if var todo, kept.contains("\\") {
            todo.extras = [:]
            let text = String(decoding: TodoFileFormat.ics.bytes([todo], all: [], clock: fixture.clock), as: UTF8.self)
            #expect(text.contains("X-PAWKIT-RECURRENCE:\(kept)\r\n"))
        }
    }

    @Test(
        "Days, clock times, zones and labels of another program stay in their form when the todo changes",
        arguments: [
            (
                "DUE;TZID=Pacific/Auckland:20261201T150000", "Pacific/Auckland",
                "DUE;TZID=Pacific/Auckland:20261201T150000 DTSTART:20261201T000000"
            ),
            ("CATEGORIES:@home,a b,a-b", "UTC", "CATEGORIES:@home,a b,a-b,new"),
            (
                "DTSTART;TZID=Asia/Seoul:20261127T090000\nRRULE:FREQ=DAILY", "UTC",
                "DTSTART;TZID=Asia/Seoul:20261128T090000"
            ),
            (
                "DTSTART;VALUE=DATE:20261127\nDUE;VALUE=DATE:20261127\nRRULE:FREQ=DAILY;UNTIL=20261231", "Asia/Seoul",
                "DTSTART;VALUE=DATE:20261128 DUE;VALUE=DATE:20261128"
            ),
            ("DUE;VALUE=DATE:20261127\nRRULE:FREQ=DAILY", "UTC", "DUE;VALUE=DATE:20261128"),
        ]
    )
    func calendarForms(lines: String, zone: String, expected: String) throws {
        let clock = TodoClock(zone: try #require(Zone(named: zone)), now: fixture.clock.now)
        let record = try #require(TodoFileFormat.ics.parse(Array(calendar(lines).utf8), clock: clock).records.first)
        var todo = try record.todo(now: clock.now())
        (todo.uuid, todo.extras) = (record.uuid, record.extras)
        if todo.recurrence == nil {
            todo.recurrence = Recurrence("1w")
            todo.contexts.append("new")
        } else {
            (todo.due, todo.threshold) = (todo.due?.adding(1), todo.threshold?.adding(1))
        }
        let text = String(decoding: TodoFileFormat.ics.bytes([todo], all: [todo], clock: clock), as: UTF8.self)
        let written = text.split(separator: "\r\n").filter { line in
            ["DTSTART", "DUE", "CATEGORIES:@"].contains { line.hasPrefix($0) }
        }
        #expect(written.joined(separator: " ") == expected)
    }

    @Test(
        "The 31st of a month is not lost in a file of a shorter month, nor 29 February in one of a shorter year",
        arguments: [
            ("+1m", "due:2027-01-31", "2027-02-28", 31), ("+1m", "t:2027-01-31", "2027-02-28", 31),
            ("+1y", "due:2028-02-29", "2029-02-28", 29),
        ]
    )
    func calendarMonthDay(rule: String, field: String, next: String, monthDay: Int) async throws {
        _ = try await fixture.store.add(TodoChange(quick: "pay rec:\(rule) \(field)", today: fixture.clock.today))
        var todo = try #require(try await fixture.store.todos().first)
        todo = try #require(todo.following(id: todo.id, fixture.clock.today, fixture.clock.now()))
        let bytes = TodoFileFormat.ics.bytes([todo], all: [todo], clock: fixture.clock)
        let copy = try #require(try await fixture.take(String(decoding: bytes, as: UTF8.self), .ics).todos.first)
        #expect((copy.due ?? copy.threshold)?.description == next && copy.monthDay == monthDay)
        #expect(copy.recurrence == Recurrence(rule))
        // The rule of another program has no such day.
        var lines = try await fixture.export(.ics).components(separatedBy: "\r\n")
        lines = lines.map { $0.hasPrefix("RRULE:") ? String($0.prefix { $0 != ";" }) : $0 }
        let text = lines.filter { !$0.hasPrefix("X-PAWKIT-REC") }.joined(separator: "\n")
        let changed = try #require(try await fixture.take(text, .ics).todos.first { $0.id == copy.id })
        #expect(changed.monthDay == nil && changed.recurrence == Recurrence(rule))
    }

    @Test(
        "The end of a rule in UTC is a day of the user, the day before if it is earlier than the time of the todo",
        arguments: [
            ("DUE:20261201T080000", "20261215T233000Z", "2026-12-15"),
            ("DUE:20261201T080000", "20261215", "2026-12-15"),
            ("DUE:20261201T003000", "20261215T232959Z", "2026-12-15"),
            ("DUE:20261201T003000", "20261215T233000Z", "2026-12-16"),
            ("DUE:20261201T080000", "20261215T080000", "2026-12-15"),
            ("DUE:20261201T080000", "20261215T075900", "2026-12-14"),
            ("DTSTART:20261201T000000\nDUE:20261201T150000", "20261215T000000", "2026-12-15"),
            ("DUE;VALUE=DATE:20261201", "20261215T235959Z", "2026-12-15"),
        ]
    )
    func calendarUntil(dates: String, until: String, expected: String) async throws {
        let text = calendar(dates + "\nRRULE:FREQ=DAILY;UNTIL=" + until)
        #expect(try await fixture.take(text, .ics).todos.first?.recurrence?.until?.description == expected)
    }

    @Test("The time of completion of the first import stays for a task that has none")
    func calendarCompletion() async throws {
        for lines in ["STATUS:COMPLETED", "STATUS:COMPLETED\nDTSTAMP:20260301T000000Z"] {
            let text = calendar(lines)
            let first = try await fixture.take(text, .ics).todos.first?.completed
            let clock = TodoClock(zone: fixture.clock.zone, now: { .distantFuture })
            let records = TodoFileFormat.ics.parse(Array(text.utf8), clock: clock).records
            let second = try await fixture.store.perform(.importing(records, .update))
            #expect(second.outcomes.map(\.kind) == [.unchanged] && first != nil)
        }
    }

    @Test("An occurrence that differs from its series is a todo of its own, also in the second import and in an export")
    func calendarException() async throws {
        let series = calendar("DUE:20261201T080000Z\nRRULE:FREQ=WEEKLY")
        let text = series.replacing(
            "END:VCALENDAR",
            with: "BEGIN:VTODO\nUID:1\nRECURRENCE-ID:20261208T080000Z\nSUMMARY:Later\nEND:VTODO\nEND:VCALENDAR"
        )
        #expect(try await fixture.take(text, .ics).todos.count == 2)
        for text in [text, try await fixture.export(.ics)] {
            #expect(text.split(separator: "UID:1").count == 3)
            let records = TodoFileFormat.ics.parse(Array(text.utf8), clock: fixture.clock).records
            let receipt = try await fixture.store.perform(.importing(records, .update))
            #expect(receipt.outcomes.map(\.kind) == [.unchanged, .unchanged])
        }
    }

    @Test("A calendar without tasks says how many events it has")
    func calendarEvents() {
        let text = calendar("DTSTART:20261201T080000Z").replacing("VTODO", with: "VEVENT")
        let file = TodoFileFormat.ics.parse(Array(text.utf8), clock: fixture.clock)
        #expect(file.contents == "the file has 1 event and no task (VTODO)" && file.problems.isEmpty)
    }

    @Test("A cancelled task is closed and archived, and stays cancelled in an export")
    func calendarCancelled() async throws {
        _ = try await fixture.take(calendar("STATUS:CANCELLED"), .ics)
        let todo = try #require(try await fixture.store.todos().first)
        #expect(todo.isDone && todo.isArchived)
        #expect(try await fixture.export(.ics).contains("STATUS:CANCELLED"))
    }

    @Test("A todo with a rule of another program cannot be completed until it has another repetition or none")
    func calendarRule() async throws {
        for (index, value) in ["rec:1w", "rec:none", "rec:1w"].enumerated() {
            // The second has its Tuesday in another zone, where it is still Monday; the third has an exception.
            let rule = ["FREQ=YEARLY;BYMONTH=3", "FREQ=WEEKLY;BYDAY=TU", "FREQ=DAILY"][index]
            let due = [
                "DUE;VALUE=DATE:20261201", "DUE;TZID=Asia/Seoul:20261201T040000",
                "DUE;VALUE=DATE:20261201\nEXDATE;VALUE=DATE:20261202",
            ][index]
            let text = calendar("\(due)\nRRULE:\(rule)").replacing("UID:1", with: "UID:\(index)")
            let todo = try #require(try await fixture.take(text, .ics).todos.first)
            await #expect {
                try await fixture.store.complete([todo.id])
            } throws: {
                "\($0)".contains(rule) && "\($0)".contains("rec:none")
            }
            _ = try await fixture.store.edit(todo.id, TodoEntry(parsing: value, today: fixture.clock.today).change())
            let completed = try await fixture.store.complete([todo.id])
            #expect(completed.count == (value == "rec:1w" ? 2 : 1) && completed[0].isDone)
        }
        #expect(try await !fixture.export(.ics).contains("EXDATE"))
    }

    @Test(
        "A repetition is exported with a start before its due time on the same day, and in no zone, where clocks do not change",
        arguments: [
            ("due:2026-12-01 15:00", "DTSTART:20261201T000000", "DUE:20261201T150000"),
            ("due:2026-12-01", "DTSTART:20261201T000000", "DUE:20261201T235900"),
            ("due:2026-12-01 0:00", "DTSTART:20261130T000000", "DUE:20261201T000000"),
            ("due:2026-12-01 23:59", "DTSTART:20261201T000100", "DUE:20261201T235900"),
            ("due:2026-12-01 t:2026-11-25", "DTSTART;VALUE=DATE:20261125", "DUE;VALUE=DATE:20261201"),
            ("due:2026-12-05 0:00 t:2026-12-01", "DTSTART:20261201T000000", "DUE:20261205T000000"),
            ("due:2026-12-05 0:00 t:2026-12-04", "DTSTART:20261204T000000", "DUE:20261205T000000"),
        ]
    )
    func calendarRepetition(line: String, start: String, due: String) async throws {
        let todo = try await fixture.store.add(
            TodoChange(quick: "pay rec:+1m;until=2027-12-31 \(line)", today: fixture.clock.today)
        )
        let text = try await fixture.export(.ics)
        #expect(text.contains(start + "\r\n") && text.contains(due + "\r\n"), "\(text)")
        // The end has a time if the start has one.
        #expect(text.contains("UNTIL=20271231" + (start.contains("VALUE=DATE") ? "" : "T235959") + "\r\n"), "\(text)")
        let copy = try #require(TodoFileFormat.ics.parse(Array(text.utf8), clock: fixture.clock).records.first)
        #expect(copy.change.due?.value == todo.due && copy.change.dueTime?.value == todo.dueTime)
        #expect(copy.change.threshold?.value == todo.threshold && copy.change.recurrence?.value == todo.recurrence)
    }
}
