import CivilDates
import Testing

@testable import ICalendar

@Suite("Values of iCalendar")
struct ICalendarValueTests {
    @Test("A time is read and written in each of its forms")
    func times() throws {
        for line in [
            "DUE;VALUE=DATE:20260309", "DUE:20260309T150000Z", "DUE:20260309T150059",
            "DUE;TZID=Europe/Berlin:20260309T150000",
        ] {
            let property = try #require(ICalendarProperty(line: line))
            #expect(ICalendarTime(property)?.property("DUE").text == line)
        }
        #expect(ICalendarTime("19700102T000001Z")?.clockSeconds == 86_401)
        #expect(ICalendarTime(secondsSince1970: -1).value == "19691231T235959Z")
        #expect(ICalendarTime("20261231T235960Z")?.value == "20261231T235959Z", "a leap second")
        for text in [
            "", "2026", "20260230", "20260309Z", "20260309T", "20260309T2400", "20260309T240000", "20260309T150000X",
            "2026030９", "20260309 150000",
        ] { #expect(ICalendarTime(text) == nil, "\(text)") }
    }

    @Test(
        "A duration is read and written",
        arguments: [
            ("P1W", 7, 0, "P7D"), ("-PT15M", 0, -900, "-PT15M"), ("P15DT5H0M20S", 15, 18_020, "P15DT5H20S"),
            ("+PT0S", 0, 0, "PT0S"), ("PT1H30M", 0, 5_400, "PT1H30M"), ("P3D", 3, 0, "P3D"),
            ("P1W2D", 9, 0, "P9D"),
        ]
    )
    func durations(text: String, days: Int, seconds: Int, written: String) {
        let duration = ICalendarDuration(text)
        #expect(duration == ICalendarDuration(days: days, seconds: seconds) && duration?.value == written)
    }

    @Test(
        "Any other text is no duration",
        arguments: ["", "P", "PT", "1D", "P1", "P1H", "PT1D", "PTT1S", "P-1D", "P9999999999D"]
    )
    func noDurations(text: String) { #expect(ICalendarDuration(text) == nil) }

    @Test("A rule has its parts, known or not")
    func rules() throws {
        let text = "FREQ=MONTHLY;INTERVAL=2;BYDAY=MO,-1FR;COUNT=4;X-NEW=a,b"
        let rule = try #require(ICalendarRule(text))
        #expect(rule.frequency == "MONTHLY" && rule.interval == 2 && rule.count == 4 && rule.until == nil)
        #expect(rule.weekdays.map(\.day) == [0, 4] && rule.weekdays.map(\.ordinal) == [nil, -1])
        #expect(rule["X-NEW"] == ["A", "B"] && rule.value == text.uppercased())
        #expect(ICalendarRule("freq=daily;until=20261231T000000Z")?.until?.zone == .utc)
        #expect(ICalendarRule("FREQ=DAILY;INTERVAL=x")?.interval == nil)
        for text in ["", "INTERVAL=2", "FREQ", "FREQ=;X"] { #expect(ICalendarRule(text) == nil, "\(text)") }
    }

    @Test(
        "A yearly rule selects a day by weekday and by day of the month",
        arguments: [
            ("BYMONTH=3;BYDAY=-1SU", 29), ("BYMONTH=11;BYDAY=1SU", 1), ("BYMONTH=11;BYDAY=1SA", 7),
            ("BYMONTH=3;BYDAY=SU;BYMONTHDAY=8,9,10,11,12,13,14", 8),
            ("BYMONTH=2;BYMONTHDAY=-1", 28), ("BYMONTH=2;BYDAY=5MO", nil), ("BYMONTH=2", nil), ("BYDAY=1SU", nil),
            ("BYMONTH=3;BYDAY=XSU", nil),
        ] as [(String, Int?)]
    )
    func yearly(parts: String, day: Int?) throws {
        let rule = try #require(ICalendarRule("FREQ=YEARLY;" + parts))
        #expect(rule.firstDay(inYear: 2026)?.day == day)
    }

    @Test(
        "A VTIMEZONE has the distance from UTC of each clock time",
        arguments: [
            ("20260101T000000", 3600), ("20260329T015959", 3600), ("20260329T020000", 5400),
            ("20260329T022959", 5400), ("20260329T023000", 7200), ("20260701T000000", 7200),
            ("20261025T025959", 7200), ("20261025T030000", 3600), ("20270101T000000", 3600), ("19600101T000000", 5400),
            ("20300701T000000", 10_800), ("20350701T000000", 10_800), ("20350802T000000", 14_400),
            ("20360102T000000", 10_800),
        ]
    )
    func zones(time: String, offset: Int) throws {
        let text = """
            BEGIN:VTIMEZONE
            TZID:Middle\\, East
            BEGIN:STANDARD
            DTSTART:19701025T030000
            TZOFFSETFROM:+0200
            TZOFFSETTO:+0100
            RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU;UNTIL=20291028T010000Z
            END:STANDARD
            BEGIN:DAYLIGHT
            DTSTART:19700329T020000
            TZOFFSETFROM:+0130
            TZOFFSETTO:+0200
            RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU;BYHOUR=2;BYMINUTE=0;BYSECOND=0;UNTIL=20290325T010000Z
            END:DAYLIGHT
            BEGIN:STANDARD
            DTSTART:20300101T000000
            TZOFFSETFROM:+0100
            TZOFFSETTO:+0300
            RRULE:FREQ=YEARLY
            END:STANDARD
            BEGIN:DAYLIGHT
            DTSTART:20300801T000000
            TZOFFSETFROM:+0300
            TZOFFSETTO:+0400
            RRULE:FREQ=YEARLY;BYMONTH=8
            END:DAYLIGHT
            END:VTIMEZONE
            """
        let component = try #require(ICalendarDocument(text).root.components.first { _ in true })
        let zone = try #require(ICalendarTimeZone(component))
        #expect(zone.name == "Middle, East")
        #expect(zone.offset(atClock: try #require(ICalendarTime(time)).clockSeconds) == offset)
    }

    @Test(
        "A VTIMEZONE without a distance from UTC is invalid",
        arguments: ["", "BEGIN:STANDARD\nTZOFFSETTO:+01\nEND:STANDARD\n"]
    )
    func emptyZone(body: String) throws {
        let document = ICalendarDocument("BEGIN:VTIMEZONE\nTZID:X\n\(body)END:VTIMEZONE")
        #expect(ICalendarTimeZone(try #require(document.root.descendants("VTIMEZONE").first)) == nil)
    }
}
