import AppLanguage
import Foundation
import TestSupport
import Testing

@testable import TodoCore

@Suite("Dates as people type them")
struct DatePhraseTests {
    /// Wednesday, 18 November 2026.
    private let today = Day(number: 20_775)

    @Test(
        "English and Korean dates have their day and their time",
        arguments: [
            ("2026-12-24", "2026-12-24"), ("12-24", "2026-12-24"), ("11-18", "2026-11-18"), ("11-17", "2027-11-17"),
            ("2-29", "2028-02-29"), ("24.12.", "2026-12-24"), ("1.2.2027", "2027-02-01"), ("24 Dec", "2026-12-24"),
            ("dec 24", "2026-12-24"), ("December 24, 2028", "2028-12-24"), ("24. dec", "2026-12-24"),
            ("today", "2026-11-18"), ("Tomorrow", "2026-11-19"), ("yesterday", "2026-11-17"),
            ("fri", "2026-11-20"), ("wed", "2026-11-25"), ("next fri", "2026-11-27"), ("this mon", "2026-11-16"),
            ("next week", "2026-11-23"), ("next month", "2026-12-01"), ("next year", "2027-01-01"),
            ("eow", "2026-11-22"), ("eom", "2026-11-30"), ("eoy", "2026-12-31"), ("end of month", "2026-11-30"),
            ("3d", "2026-11-21"), ("+2w", "2026-12-02"), ("1m", "2026-12-18"), ("1y", "2027-11-18"),
            ("in 3 days", "2026-11-21"), ("in a week", "2026-11-25"), ("in 2 months", "2027-01-18"),
            ("fri 15:00", "2026-11-20 15:00"), ("next fri at 3pm", "2026-11-27 15:00"), ("9:30", "2026-11-18 09:30"),
            ("tomorrow noon", "2026-11-19 12:00"), ("12am", "2026-11-18 00:00"),
            ("2026-12-24T07:05", "2026-12-24 07:05"),
            ("오늘", "2026-11-18"), ("내일", "2026-11-19"), ("모레", "2026-11-20"), ("글피", "2026-11-21"),
            ("금요일", "2026-11-20"), ("수요일", "2026-11-25"), ("이번 주 금요일", "2026-11-20"),
            ("다음 주 월요일", "2026-11-23"), ("다음주월요일", "2026-11-23"), ("다다음 주 일요일", "2026-12-06"),
            ("다음 주", "2026-11-23"), ("이번 주", "2026-11-22"), ("다음 주 금", "2026-11-27"), ("이번주토", "2026-11-21"),
            ("금", "2026-11-20"), ("금 오후 3시", "2026-11-20 15:00"), ("내일모레", "2026-11-20"), ("1주일 뒤", "2026-11-25"),
            ("2주일 후", "2026-12-02"), ("다음 달", "2026-12-01"), ("내년", "2027-01-01"), ("주말", "2026-11-21"),
            ("월말", "2026-11-30"), ("연말", "2026-12-31"), ("3일 뒤", "2026-11-21"), ("3일후", "2026-11-21"),
            ("2주 뒤", "2026-12-02"), ("한 달 뒤", "2026-12-18"), ("6개월 후", "2027-05-18"), ("일주일 뒤", "2026-11-25"),
            ("사흘 뒤", "2026-11-21"), ("12월 24일", "2026-12-24"), ("2027년 1월 2일", "2027-01-02"), ("20일", "2026-11-20"),
            ("1일", "2026-12-01"), ("내일 오후 3시", "2026-11-19 15:00"), ("금요일 15시 30분", "2026-11-20 15:30"),
            ("모레 오전 9시 반", "2026-11-20 09:30"), ("정오", "2026-11-18 12:00"), ("오전 12시", "2026-11-18 00:00"),
            ("오늘 밤 12시", "2026-11-19 00:00"), ("내일 밤 1시 반", "2026-11-20 01:30"), ("밤 12시", "2026-11-19 00:00"),
            ("오늘 밤 6시", "2026-11-18 18:00"), ("밤 11시 59분", "2026-11-18 23:59"), ("밤 4시", "2026-11-19 04:00"),
            ("저녁 12시", "2026-11-19 00:00"), ("저녁 5시", "2026-11-18 17:00"), ("새벽 2시", "2026-11-18 02:00"),
            ("낮 12시", "2026-11-18 12:00"), ("내일 낮 11시", "2026-11-19 11:00"), ("낮 1시", "2026-11-18 13:00"),
            ("다음 달 3일 오후 3시", "2026-12-03 15:00"), ("이번 달 3일", "2026-11-03"), ("다다음달 31일", "2027-01-31"),
            ("9999-12-31 밤 12시", "9999-12-31 00:00"), ("end of february", "2027-02-28"), ("end of nov", "2026-11-30"),
            ("Fri 27 Nov", "2026-11-27"), ("27 Nov, fri", "2026-11-27"), ("fri 2026-12-04 9:00", "2026-12-04 09:00"),
            ("12월 1일 화요일", "2026-12-01"), ("monday next week", "2026-11-23"), ("next week fri", "2026-11-27"),
            ("2주 뒤 금요일", "2026-12-04"), ("다음 주 금요일까지", "2026-11-27"), ("내일 오후 3시에", "2026-11-19 15:00"),
            ("3일 후에", "2026-11-21"), ("2일 뒤에 오후 3시", "2026-11-20 15:00"), ("15:00 tomorrow", "2026-11-19 15:00"),
            ("오후 3시 내일", "2026-11-19 15:00"), ("내년 3월 1일", "2027-03-01"), ("올해 12월 1일", "2026-12-01"),
            ("다음 달 말일", "2026-12-31"), ("이번 달 말", "2026-11-30"), ("다음 주말", "2026-11-28"),
            ("내일 점심 12시", "2026-11-19 12:00"),
            ("fri 24:00", "2026-11-21 00:00"), ("내일 오후 15시", "2026-11-19 15:00"), ("24시", "2026-11-19 00:00"),
            ("24th", "2026-11-24"), ("24th of Sept", "2027-09-24"), ("tues", "2026-11-24"), ("thurs", "2026-11-19"),
            ("12/24/2026", "2026-12-24"), ("24/12/2026", "2026-12-24"), ("2026.12.4", "2026-12-04"),
            ("2026. 12. 24.", "2026-12-24"),
        ] as [(String, String)]
    )
    func table(text: String, expected: String) throws {
        let phrase = try DatePhrase(parsing: text, today: today)
        let shown = "\(phrase.day)" + (phrase.time.map { " \($0)" } ?? "")
        #expect(shown == expected)
    }

    @Test(
        "Impossible and unknown dates are errors that say what is right",
        arguments: [
            ("2026-02-30", "days 1 to 28"), ("2026-13-01", "month is from 1 to 12"), ("31.4.", "days 1 to 30"),
            ("0000-01-01", "year is from 1"), ("13월 1일", "month is from 1 to 12"), ("32일", "days 1 to 31"),
            ("tomorow", "did you mean \"tomorrow\""), ("next firday", "did you mean \"next friday\""),
            ("someday", "write 2026-03-09"), ("", "write 2026-03-09"), ("fri 25:00", "write"), ("13pm", "write"),
            (String(repeating: "9", count: 5_000), "is not a date"), ("3 days ago", "write"), ("-7d", "write"),
            ("mayhem 3", "write"), ("이번 달 31일", "days 1 to 30"), ("낮 8시", "write"), ("다음 주 일", "is not a date"),
            ("일", "is not a date"), ("지난 주", "is not a date"), ("end of work", "write 2026-03-09"),
            ("fri 28 nov", "2026-11-28 is a Saturday"), ("내일 25시", "not a time"), ("내일 저녁 1시", "not a time"),
            ("밤 5시", "not a time"), ("fri 13pm", "not a time"), ("11/12/2026", "two meanings"),
            ("nex", "write 2026-03-09"),
        ] as [(String, String)]
    )
    func errors(text: String, hint: String) {
        #expect {
            try DatePhrase(parsing: text, today: today)
        } throws: {
            "\($0)".contains(hint)
        }
    }

    @Test(
        "Past distances are valid where they are allowed",
        arguments: [("-7d", -7), ("2 weeks ago", -14), ("3일 전", -3)]
    )
    func past(text: String, distance: Int) throws {
        #expect(try DatePhrase(parsing: text, today: today, allowsPast: true).day == today.adding(distance))
    }

    @Test("For every day of five years, relative dates are those that a walk over the calendar finds")
    func walk() throws {
        let names = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
        let korean = ["월요일", "화요일", "수요일", "목요일", "금요일", "토요일", "일요일"]
        for number in today.number..<today.number + 5 * 366 {
            let today = Day(number: number)
            func day(_ text: String) throws -> Day { try DatePhrase(parsing: text, today: today).day }
            func first(after start: Day, where matches: (Day) -> Bool) -> Day {
                var day = start.adding(1)
                while !matches(day) { day = day.adding(1) }
                return day
            }
            let weekday = number % 7
            let next = first(after: today) { $0.weekday == weekday }
            #expect(try day(names[weekday]) == next)
            #expect(try day(korean[weekday]) == next)
            let nextMonday = first(after: today) { $0.weekday == 0 }
            #expect(try day("next week") == nextMonday)
            #expect(try day("다음 주") == nextMonday)
            #expect(try day("next " + names[weekday]) == nextMonday.adding(weekday))
            #expect(try day("다음주 " + korean[weekday]) == nextMonday.adding(weekday))
            #expect(try day("eow") == nextMonday.adding(-1))
            let weekend = today.weekday == 6 ? today : first(after: today.adding(-1)) { $0.weekday == 5 }
            #expect(try day("주말") == weekend)
            #expect(try day("다음 주말") == nextMonday.adding(5))
            // What the app shows is read.
            let shown = DayText.exact(today.adding(number % 400), today: today, style: DateStyle())
            for language in AppLanguage.allCases { #expect(try day(shown(language)) == today.adding(number % 400)) }
            let nextMonth = first(after: today) { $0.parts.day == 1 }
            #expect(try day("next month") == nextMonth)
            #expect(try day("eom") == nextMonth.adding(-1))
            for date in 28...31 {
                #expect(try day("\(date)일") == first(after: today.adding(-1)) { $0.parts.day == date })
            }
            let parts = Day(number: number + 100).parts
            if parts.month != 2 || parts.day != 29 {
                let expected = first(after: today.adding(-1)) {
                    $0.parts.month == parts.month && $0.parts.day == parts.day
                }
                #expect(try day("\(parts.month)-\(parts.day)") == expected)
                #expect(try day("\(parts.month)월 \(parts.day)일") == expected)
                #expect(try day("\(parts.day).\(parts.month).") == expected)
            }
        }
    }

    @Test("Every text of random pieces is a date or an error, never a crash, and a date is within the calendar")
    func random() {
        var generator = SeededGenerator()
        let pieces = [
            "next", "fri", "3", "일", "뒤", "월", "12", "-", ".", ":", "00", "d", "w", "in", "days", "9999",
            "오후", "시", " ", "T", "2026-02-30", "+", "\u{301}", "년", "다음", "주",
        ]
        for _ in 0..<(isLongRun ? 100_000 : 5_000) {
            let text = (0..<Int.random(in: 1...6, using: &generator)).compactMap { _ in
                pieces.randomElement(using: &generator)
            }.joined()
            guard let phrase = try? DatePhrase(parsing: text, today: today) else { continue }
            #expect(Day(iso: "\(phrase.day)") == phrase.day, "seed \(generator.seed): \(text)")
        }
    }
}

@Suite("Recurrence and time zones")
struct RecurrenceTests {
    @Test(
        "Recurrences are parsed in all their forms",
        arguments: [
            ("daily", "1d"), ("weekly", "1w"), ("monthly", "1m"), ("yearly", "1y"), ("3d", "3d"), ("+2w", "+2w"),
            ("+monthly", "+1m"), ("0d", nil), ("1000d", nil), ("d", nil), ("+-1d", nil), ("often", nil),
            ("every mon,thu", "mon,thu"), ("THU,mon", "mon,thu"), ("every friday", "fri"),
            ("weekdays", "mon,tue,wed,thu,fri"),
            ("every weekday", "mon,tue,wed,thu,fri"), ("every mon and fri", "mon,fri"), ("2w:mon", "2w:mon"),
            ("every 2 weeks on mon,wed", "2w:mon,wed"), ("every other week", "2w"), ("every month", "1m"),
            ("every 3 days", "3d"), ("every 3d", "3d"), ("every 2nd tue", "1m:2tue"), ("every first monday", "1m:1mon"),
            ("every last fri", "1m:-1fri"), ("every 3 months on the 1st", "3m:1"), ("every 3 months on 1st", "3m:1"),
            ("every last day", "1m:last"), ("every 15th", "1m:15"), ("1m:31;skip", "1m:31;skip"), ("1m:0", nil),
            ("1m:32", nil), ("every 32nd", nil), ("1m:6mon", nil), ("1m:0mon", nil), ("every", nil), ("every x", nil),
            ("2w:", nil), ("mon,", "mon"), ("mon,xyz", nil), ("1y:mon", nil),
            ("every day until 2026-12-31", "1d;until=2026-12-31"),
            ("every mon 5 times", "mon;count=5"),
            ("every mon until 2026-12-31 5 times", "mon;until=2026-12-31;count=5"),
            ("every mon 5 times until 2026-12-31", "mon;until=2026-12-31;count=5"),
            ("+1m;count=2", "+1m;count=2"), ("1d;count=0", nil), ("1d;until=soon", nil), ("1d;what", nil), ("매일", "1d"),
            ("매주 월,목", "mon,thu"), ("매주 월요일", "mon"), ("평일", "mon,tue,wed,thu,fri"), ("매월 15일", "1m:15"),
            ("매달 말일", "1m:last"), ("매월 둘째 화요일", "1m:2tue"), ("매월 마지막 금요일", "1m:-1fri"), ("매년", "1y"),
            ("every second week", "2w"), ("every 3rd month", "3m"), ("every month on the 2nd tue", "1m:2tue"),
            ("every month on day 15, 3 times", "1m:15;count=3"), ("every day until 31.12.2026", "1d;until=2026-12-31"),
            ("every 2 weeks on Fri", "2w:fri"), ("+1w after the due day", "+1w"), ("every mon after the due day", nil),
            ("격주", "2w"), ("격주 월요일", "2w:mon"), ("3일마다", "3d"), ("1개월마다", "1m"), ("0일마다", nil), ("월요일마다", "mon"),
            ("매주 월요일마다", "mon"), ("매주 월요일과 목요일", "mon,thu"), ("매주 월수금", "mon,wed,fri"), ("매주 토목", nil),
            ("매월 첫 번째 월요일", "1m:1mon"), ("2개월마다 말일", "2m:last"), ("마감일 기준 2주마다", "+2w"), ("매주 5번", nil),
        ] as [(String, String?)]
    )
    func parses(text: String, expected: String?) {
        #expect(Recurrence(text)?.description == expected)
        // The form without spaces leads back.
        #expect(expected.map { Recurrence($0) == Recurrence(text) } ?? true)
    }

    @Test("After completion it counts from that day; strictly from the due day, past the missed ones")
    func next() throws {
        let due = try #require(Day(iso: "2026-01-31"))
        let late = try #require(Day(iso: "2026-04-02"))
        #expect(Recurrence("1m")?.next(after: due, completed: late)?.description == "2026-05-02")
        #expect(Recurrence("+1m")?.next(after: due, completed: due)?.description == "2026-02-28")
        // The 31st is not lost after the short February.
        #expect(Recurrence("+1m")?.next(after: due, completed: late)?.description == "2026-04-30")
        #expect(Recurrence("+1w")?.next(after: nil, completed: late) == late.adding(7))
        #expect(Recurrence("+1w")?.next(after: due, completed: due.adding(-3)) == due.adding(7))
        // Completed on the day on which the next one would be due: the one after it.
        #expect(Recurrence("+1w")?.next(after: due, completed: due.adding(7)) == due.adding(14))
    }

    @Test("Day J60 of a rule is the first of March, in leap years, too; day 59 counts the leap day")
    func julianDays() throws {
        let noon = Day(year: 2028, month: 2, day: 29).map { $0.number * 86_400 + 17 * 3600 }
        let leapDay = try #require(noon)
        for (rule, offsets) in [("EST5EDT,J60,J300", [-5, -4]), ("EST5EDT,59,300", [-4, -4])] {
            let zone = try #require(PosixZone(rule))
            #expect(
                [zone.offset(at: leapDay), zone.offset(at: leapDay + 86_400)] == offsets.map { $0 * 3600 },
                "\(rule)"
            )
        }
    }

    @Test(
        "The zones of the database agree with Foundation, before and after the last transition of the file",
        arguments: ["Asia/Seoul", "Europe/Berlin", "America/New_York", "Australia/Sydney", "America/St_Johns", "UTC"]
    )
    func zones(name: String) throws {
        let zone = try #require(Zone(named: name))
        let foundation = try #require(TimeZone(identifier: name))
        for step in 0..<1_500 {
            // From 1960 to 2060, at odd times.
            let date = Date(timeIntervalSince1970: -315_000_000 + Double(step) * 2_101_337)
            #expect(zone.offset(at: Int(date.timeIntervalSince1970)) == foundation.secondsFromGMT(for: date), "\(date)")
        }
    }

    @Test("A local time is found again, over both clock changes of a year")
    func localTimes() throws {
        let zone = try #require(Zone(named: "Europe/Berlin"))
        let start = try #require(Day(iso: "2026-01-01"))
        for number in 0..<366 {
            for hour in [0, 1, 2, 3, 12, 23] {
                let day = start.adding(number)
                let time = try #require(TimeOfDay(hour: hour, minute: 30))
                let (foundDay, foundTime) = zone.local(zone.date(day, time))
                #expect(foundDay == day)
                // Half past two on 29 March does not exist.
                if foundTime != time { #expect("\(day) \(time)" == "2026-03-29 02:30" && "\(foundTime)" == "03:30") }
            }
        }
    }

    @Test("Names outside the database and malformed files are no zones")
    func hostileZones() throws {
        for name in ["../etc/passwd", "", "/etc/passwd", "Nowhere/Land", String(repeating: "a", count: 100)] {
            #expect(Zone(named: name) == nil)
        }
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/Europe/Berlin")))
        for length in 0..<bytes.count { _ = TimeZoneRules(Array(bytes.prefix(length))) }
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<2_000 {
            var changed = bytes
            for _ in 0..<3 {
                changed[Int.random(in: 0..<changed.count, using: &generator)] = UInt8.random(
                    in: 0...255,
                    using: &generator
                )
            }
            _ = TimeZoneRules(changed)?.offset(at: 1_800_000_000)
        }
    }

    @Test("The clock's day changes at midnight of its zone")
    func midnight() throws {
        let seoul = try #require(Zone(named: "Asia/Seoul"))
        let before = Date(
            timeIntervalSince1970: 1_800_000_000 - 1_800_000_000.truncatingRemainder(dividingBy: 86_400) + 53_999
        )
        let clock = TodoClock(zone: seoul, now: { before })
        let later = TodoClock(zone: seoul, now: { before.addingTimeInterval(1) })
        #expect(later.today == clock.today.adding(1))
        #expect(
            TodoClock(zone: .utc, now: { before }).today
                == TodoClock(zone: .utc, now: { before.addingTimeInterval(1) }).today
        )
    }
}
