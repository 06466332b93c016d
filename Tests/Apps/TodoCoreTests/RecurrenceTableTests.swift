import Foundation
import TestSupport
import Testing

@testable import TodoCore

@Suite("Repetitions on particular days, and the rules of iCalendar")
struct RecurrenceTableTests {
    /// Rules of RFC 5545 with the first days of each, as `rrulestr` of python-dateutil 2.9.0 computes them: the first day is
    /// DTSTART, and there are eight unless the rule ends.
    private static let rules = """
        FREQ=DAILY 2026-02-27 2026-02-28 2026-03-01 2026-03-02 2026-03-03 2026-03-04 2026-03-05 2026-03-06
        FREQ=DAILY;INTERVAL=10 2028-02-20 2028-03-01 2028-03-11 2028-03-21 2028-03-31 2028-04-10 2028-04-20 2028-04-30
        FREQ=WEEKLY 2026-12-28 2027-01-04 2027-01-11 2027-01-18 2027-01-25 2027-02-01 2027-02-08 2027-02-15
        FREQ=WEEKLY;INTERVAL=3 2026-10-30 2026-11-20 2026-12-11 2027-01-01 2027-01-22 2027-02-12 2027-03-05 2027-03-26
        FREQ=WEEKLY;BYDAY=MO,TH 2026-11-19 2026-11-23 2026-11-26 2026-11-30 2026-12-03 2026-12-07 2026-12-10 2026-12-14
        FREQ=WEEKLY;BYDAY=MO,WE,FR,SU 2026-11-18 2026-11-20 2026-11-22 2026-11-23 2026-11-25 2026-11-27 2026-11-29 2026-11-30
        FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU 2026-11-17 2026-11-22 2026-12-01 2026-12-06 2026-12-15 2026-12-20 2026-12-29 2027-01-03
        FREQ=WEEKLY;INTERVAL=4;BYDAY=MO 2026-11-16 2026-12-14 2027-01-11 2027-02-08 2027-03-08 2027-04-05 2027-05-03 2027-05-31
        FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR 2026-11-20 2026-11-23 2026-11-24 2026-11-25 2026-11-26 2026-11-27 2026-11-30 2026-12-01
        FREQ=MONTHLY 2026-01-15 2026-02-15 2026-03-15 2026-04-15 2026-05-15 2026-06-15 2026-07-15 2026-08-15
        FREQ=MONTHLY 2026-01-29 2026-03-29 2026-04-29 2026-05-29 2026-06-29 2026-07-29 2026-08-29 2026-09-29
        FREQ=MONTHLY 2026-01-30 2026-03-30 2026-04-30 2026-05-30 2026-06-30 2026-07-30 2026-08-30 2026-09-30
        FREQ=MONTHLY 2026-01-31 2026-03-31 2026-05-31 2026-07-31 2026-08-31 2026-10-31 2026-12-31 2027-01-31
        FREQ=MONTHLY;INTERVAL=2 2026-08-31 2026-10-31 2026-12-31 2027-08-31 2027-10-31 2027-12-31 2028-08-31 2028-10-31
        FREQ=MONTHLY;INTERVAL=6 2026-08-31 2027-08-31 2028-08-31 2029-08-31 2030-08-31 2031-08-31 2032-08-31 2033-08-31
        FREQ=MONTHLY;BYMONTHDAY=15 2026-11-15 2026-12-15 2027-01-15 2027-02-15 2027-03-15 2027-04-15 2027-05-15 2027-06-15
        FREQ=MONTHLY;BYMONTHDAY=31 2026-01-31 2026-03-31 2026-05-31 2026-07-31 2026-08-31 2026-10-31 2026-12-31 2027-01-31
        FREQ=MONTHLY;BYMONTHDAY=-1 2026-01-31 2026-02-28 2026-03-31 2026-04-30 2026-05-31 2026-06-30 2026-07-31 2026-08-31
        FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=-1 2027-11-30 2028-02-29 2028-05-31 2028-08-31 2028-11-30 2029-02-28 2029-05-31 2029-08-31
        FREQ=MONTHLY;BYMONTHDAY=28,29,30;BYSETPOS=-1 2026-01-30 2026-02-28 2026-03-30 2026-04-30 2026-05-30 2026-06-30 2026-07-30 2026-08-30
        FREQ=MONTHLY;BYMONTHDAY=28,29;BYSETPOS=-1 2027-01-29 2027-02-28 2027-03-29 2027-04-29 2027-05-29 2027-06-29 2027-07-29 2027-08-29
        FREQ=MONTHLY;BYDAY=2TU 2026-11-10 2026-12-08 2027-01-12 2027-02-09 2027-03-09 2027-04-13 2027-05-11 2027-06-08
        FREQ=MONTHLY;BYDAY=-1FR 2026-11-27 2026-12-25 2027-01-29 2027-02-26 2027-03-26 2027-04-30 2027-05-28 2027-06-25
        FREQ=MONTHLY;BYDAY=5MO 2026-11-30 2027-03-29 2027-05-31 2027-08-30 2027-11-29 2028-01-31 2028-05-29 2028-07-31
        FREQ=MONTHLY;BYDAY=1SU 2026-02-01 2026-03-01 2026-04-05 2026-05-03 2026-06-07 2026-07-05 2026-08-02 2026-09-06
        FREQ=MONTHLY;INTERVAL=2;BYDAY=3TH 2026-11-19 2027-01-21 2027-03-18 2027-05-20 2027-07-15 2027-09-16 2027-11-18 2028-01-20
        FREQ=MONTHLY;BYDAY=FR;BYSETPOS=-1 2026-11-27 2026-12-25 2027-01-29 2027-02-26 2027-03-26 2027-04-30 2027-05-28 2027-06-25
        FREQ=YEARLY 2026-11-19 2027-11-19 2028-11-19 2029-11-19 2030-11-19 2031-11-19 2032-11-19 2033-11-19
        FREQ=YEARLY 2024-02-29 2028-02-29 2032-02-29 2036-02-29 2040-02-29 2044-02-29 2048-02-29 2052-02-29
        FREQ=YEARLY 2096-02-29 2104-02-29 2108-02-29 2112-02-29 2116-02-29 2120-02-29 2124-02-29 2128-02-29
        FREQ=YEARLY;INTERVAL=3 2024-02-29 2036-02-29 2048-02-29 2060-02-29 2072-02-29 2084-02-29 2096-02-29 2108-02-29
        FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=16 2026-03-16 2027-03-16 2028-03-16 2029-03-16 2030-03-16 2031-03-16 2032-03-16 2033-03-16
        FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=28,29;BYSETPOS=-1 2028-02-29 2029-02-28 2030-02-28 2031-02-28 2032-02-29 2033-02-28 2034-02-28 2035-02-28
        FREQ=WEEKLY;BYDAY=MO,TH;UNTIL=20261203 2026-11-19 2026-11-23 2026-11-26 2026-11-30 2026-12-03
        FREQ=MONTHLY;COUNT=4 2026-01-31 2026-03-31 2026-05-31 2026-07-31
        FREQ=DAILY;COUNT=1 2026-01-31
        FREQ=DAILY;INTERVAL=2;UNTIL=20260205T120000Z 2026-01-31 2026-02-02 2026-02-04
        """.split(separator: "\n").map(String.init)

    private static let packages = Project.root.appending(path: ".build/icalendar")
    private static let isPeerInstalled =
        Programs.find("python3") != nil
        && FileManager.default.fileExists(atPath: packages.path + "/recurring_ical_events")

    /// Returns rules whose first day is one of theirs, as RFC 5545 demands.
    private static func randomRules(_ generator: inout SeededGenerator) -> [String] {
        (0..<60).map { _ in
            let start = Day(number: Int.random(in: 20_454...24_106, using: &generator))
            let names = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
            let own = names[start.weekday]
            let day = start.parts.day
            let others = names.filter { $0 != own && Bool.random(using: &generator) }
            let (frequency, part) =
                [
                    ("DAILY", ""), ("WEEKLY", ""), ("WEEKLY", ";BYDAY=" + ([own] + others).joined(separator: ",")),
                    ("MONTHLY", ""), ("MONTHLY", ";BYMONTHDAY=\(day)"), ("MONTHLY", ";BYDAY=\((day + 6) / 7)\(own)"),
                    ("YEARLY", ""),
                ].randomElement(using: &generator) ?? ("DAILY", "")
            let interval = Int.random(in: 1...4, using: &generator)
            let end = Bool.random(using: &generator) ? "" : ";COUNT=\(Int.random(in: 1...9, using: &generator))"
            return "FREQ=\(frequency);INTERVAL=\(interval)\(part)\(end) \(start)"
        }
    }

    @Test(
        "Each rule of the table, and random ones, have the days that recurring-ical-events computes",
        .enabled(if: isPeerInstalled, "recurring-ical-events is missing: .ci/run installs it")
    )
    func peer() throws {
        var generator = SeededGenerator()
        let starts = Self.rules.map { $0.split(separator: " ").prefix(2).joined(separator: " ") }
        let script = Project.root.appending(path: "Tests/Foundations/ICalendarTests/Peers/occurrences.py")
        let arguments = ["PYTHONPATH=\(Self.packages.path)", "python3", script.path]
        let output = try Programs.run(
            try #require(Programs.find("env")),
            arguments + starts + Self.randomRules(&generator)
        )
        let rows = String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
        #expect(rows.count == starts.count + 60)
        #expect(Array(rows.prefix(starts.count)) == Self.rules)
        for row in rows {
            let fields = row.split(separator: " ").map(String.init)
            let days = try fields.dropFirst().map { try #require(Day(iso: $0)) }
            #expect(try Self.days(of: fields[0], from: days[0]) == days, "seed \(generator.seed): \(row)")
        }
    }

    /// Returns the first days of a rule, eight unless it ends: the days on which a todo is due that is completed on each of them.
    private static func days(of text: String, from start: Day) throws -> [Day] {
        var todo = Todo(id: TodoID(serial: 0), title: "a", now: .distantPast)
        let recurrence: Recurrence = try #require(Recurrence(rule: text, start: start), "\(text)")
        (todo.due, todo.recurrence) = (start, recurrence)
        var found = [start]
        while found.count < 8, let next = todo.following(id: todo.id, todo.due ?? start, .distantPast) {
            todo = next
            found.append(try #require(todo.due))
        }
        return found
    }

    @Test("Completing each todo on its day leads through the days of the rule to its end", arguments: rules)
    func table(row: String) throws {
        let fields = row.split(separator: " ").map(String.init)
        let days = try fields.dropFirst().map { try #require(Day(iso: $0)) }
        let rule = try #require(Recurrence(rule: fields[0], start: days[0]))
        #expect(Recurrence("\(rule)") == rule, "\(rule)")
        let (_, month, day) = days[0].parts
        #expect(Recurrence(rule: rule.rule(monthDay: day, month: month), start: days[0]) == rule, "\(rule)")
        #expect(try Self.days(of: fields[0], from: days[0]) == days)
        // Completed at once on the last day but one, the last day follows.
        if days.count > 2, rule.remaining == nil {
            #expect(rule.next(after: days[0], completed: days[days.count - 2]) == days.last)
            #expect(rule.next(after: days[0], completed: days[days.count - 1].adding(-1)) == days.last)
        }
    }

    @Test(
        "A rule that no repetition represents is not read",
        arguments: [
            "FREQ=HOURLY", "FREQ=MONTHLY;BYDAY=MO,TU", "FREQ=MONTHLY;BYDAY=6MO",
            "FREQ=MONTHLY;BYMONTHDAY=1,15", "FREQ=YEARLY;BYMONTH=3", "FREQ=MONTHLY;BYMONTH=1",
            "FREQ=YEARLY;BYMONTH=1;BYDAY=1MO", "FREQ=YEARLY;BYMONTHDAY=31", "FREQ=WEEKLY;BYDAY=1MO",
            "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO;WKST=SU", "FREQ=DAILY;INTERVAL=2;BYDAY=MO", "FREQ=DAILY;COUNT=0",
            "FREQ=DAILY;UNTIL=soon", "FREQ=DAILY;FREQ=WEEKLY", "INTERVAL=2", "FREQ=DAILY;INTERVAL=0",
            "FREQ=MONTHLY;BYMONTHDAY=-2", "FREQ=MONTHLY;BYMONTHDAY=29,31;BYSETPOS=-1", "FREQ", "",
        ]
    )
    func unknown(rule: String) throws {
        #expect(Recurrence(rule: rule, start: Day(iso: "2026-01-31")) == nil)
    }

    @Test("From 31 January, +1m comes to 28 February and back to 31 March, also after an import of the same day")
    func shortMonths() throws {
        var todo = Todo(id: TodoID(serial: 0), title: "a", now: .distantPast)
        (todo.due, todo.recurrence) = (Day(iso: "2026-01-31"), Recurrence("+1m"))
        var found: [String] = []
        for _ in 0..<5 {
            let due = try #require(todo.due)
            todo = try #require(todo.following(id: todo.id, due, .distantPast))
            try TodoChange { $0.due = .init(todo.due) }.apply(to: &todo)
            found.append("\(try #require(todo.due))")
        }
        #expect(found == ["2026-02-28", "2026-03-31", "2026-04-30", "2026-05-31", "2026-06-30"])
        // Another day that the user sets is the new one.
        var change = TodoChange { $0.due = .init(Day(iso: "2026-06-28")) }
        try change.apply(to: &todo)
        let moved = try #require(todo.due)
        #expect(todo.following(id: todo.id, moved, .distantPast)?.due == Day(iso: "2026-07-28"))
        // No month is too short for the 28th.
        let monthly = try #require(Recurrence(rule: "FREQ=MONTHLY", start: Day(iso: "2026-06-28")))
        #expect(monthly == Recurrence("+1m") && monthly.rule(monthDay: 28) == "FREQ=MONTHLY")
        // In a leap year, the year after it and the next leap year.
        let yearly = try #require(Recurrence("+1y"))
        let leap = try #require(Day(iso: "2024-02-29"))
        #expect(yearly.next(after: leap, completed: leap) == Day(iso: "2025-02-28"))
        #expect(yearly.next(after: Day(iso: "2027-02-28"), completed: leap, monthDay: 29) == Day(iso: "2028-02-29"))
        // A threshold alone repeats in the same way.
        (todo.due, todo.threshold, todo.monthDay) = (nil, Day(iso: "2026-01-31"), nil)
        let january = try #require(todo.threshold)
        var next = try #require(todo.following(id: todo.id, january, .distantPast))
        #expect(next.due == nil && next.threshold == Day(iso: "2026-02-28"))
        #expect(next.following(id: todo.id, january, .distantPast)?.threshold == Day(iso: "2026-03-31"))
        change.due = nil
        change.threshold = .set(january.adding(28 + 10))
        try change.apply(to: &next)
        #expect(next.following(id: todo.id, january, .distantPast)?.threshold == Day(iso: "2026-04-10"))
    }

    @Test("A rule on days counts from the due day; without one, from completion; a day that is in no month is never")
    func anchors() throws {
        let thursday = try #require(Day(iso: "2026-11-19"))
        let rule = try #require(Recurrence("every mon,thu"))
        #expect(rule.next(after: thursday, completed: thursday.adding(-3)) == thursday.adding(4), "completed early")
        #expect(rule.next(after: nil, completed: thursday) == thursday.adding(4))
        #expect(Recurrence("1m:15")?.next(after: Day(iso: "2026-11-10"), completed: thursday) == Day(iso: "2026-12-15"))
        #expect(Recurrence("12m:31;skip")?.next(after: Day(iso: "2026-02-10"), completed: thursday) == nil)
        let far = try #require(Day(iso: "9999-11-30"))
        #expect(Recurrence("2m:last")?.next(after: far, completed: far) == nil)
        #expect(Recurrence("+1w")?.next(after: far.adding(31), completed: thursday) == nil)
        #expect(Recurrence("+1w")?.next(after: far.adding(24), completed: thursday) == far.adding(31))
    }

    @Test("The last todo of a limited repetition has none after it, and a phrase of several words is typed in a line")
    func ends() async throws {
        let folder = try TemporaryDirectory("todos")
        let store = TodoStore(directory: folder.url, now: { Date(timeIntervalSince1970: 1_795_000_000) })
        let today = Day(Date(timeIntervalSince1970: 1_795_000_000))
        let line = "swim rec:every mon,thu 3 times +sport due:\(today)"
        let entry = try TodoEntry(parsing: line, today: today)
        #expect(entry.problems.isEmpty && entry.title == "swim" && entry.projects == ["sport"])
        var todo = try await store.add(entry.change())
        var count = 1
        while let next = try await store.complete([todo.id]).dropFirst().first {
            todo = next
            count += 1
        }
        #expect(count == 3 && todo.recurrence?.remaining == 1)
        #expect(try await store.todos().allSatisfy { $0.isDone })
        _ = try await store.undo()
        #expect(try await store.complete([todo.id]).count == 1)
    }

    @Test(
        "A whole day of taskwarrior is a whole day where clock changes skip its midnight, and a time on it is a time",
        arguments: [
            ("Africa/Cairo", "2026-04-24"), ("America/Sao_Paulo", "2018-11-04"), ("Asia/Beirut", "2026-03-29"),
            ("Africa/Cairo", "2026-04-23"), ("Pacific/Apia", "2011-12-31"), ("Europe/Berlin", "2026-03-29"),
        ]
    )
    func missingMidnight(name: String, text: String) throws {
        let zone = try #require(Zone(named: name))
        let clock = TodoClock(zone: zone)
        let day = try #require(Day(iso: text))
        for expected in [nil, TimeOfDay("09:00")] {
            let due = Timestamp.basic(zone.date(day, expected ?? .midnight))
            let json = "[{\"description\":\"a\",\"status\":\"recurring\",\"recur\":\"daily\",\"due\":\"\(due)\"}]"
            let record = try #require(TodoFileFormat.taskwarrior.parse(Array(json.utf8), clock: clock).records.first)
            let todo = try Todo(id: TodoID(serial: 0), record.change, now: .distantPast)
            #expect(todo.due == day && todo.dueTime == expected, "\(due)")
            let exported = String(
                decoding: TodoFileFormat.taskwarrior.bytes([todo], all: [todo], clock: clock),
                as: UTF8.self
            )
            #expect(exported.contains("\"due\":\"\(due)\""))
            #expect(todo.recurrence?.next(after: day, completed: day) == day.adding(1))
        }
    }
}
