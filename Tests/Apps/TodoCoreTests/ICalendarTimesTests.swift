import TestSupport
import Testing

@testable import TodoCore

@Suite("Times of iCalendar files")
struct ICalendarTimesTests {
    private let fixture: TodoFormatFixture

    init() throws { fixture = try TodoFormatFixture() }

    @Test(
        "A day before the year 1 or after 9999 is the first or the last one, so that it is read again",
        arguments: [
            ("Asia/Seoul", "DUE:99991231T235959Z", "9999-12-31"),
            ("America/New_York", "DUE:00010101T000000Z", "0001-01-01"),
            ("America/New_York", "DTSTART:00010101T000000Z\nCREATED:00000101T000000Z", "0001-01-01"),
            ("UTC", "DUE;VALUE=DATE:00000229", "0001-01-01"),
            ("UTC", "DTSTART;VALUE=DATE:20261201\nDURATION:P999999999W", "9999-12-31"),
            ("UTC", "DTSTART:20261201T000000Z\nDURATION:PT999999999H", "9999-12-31"),
            ("Asia/Seoul", "DUE:20261201T220000Z\nRRULE:FREQ=DAILY;UNTIL=99991231T235959Z", "9999-12-31"),
            ("UTC", "DUE:20261201T090000\nRRULE:FREQ=DAILY;UNTIL=00010101T000000", "0001-01-01"),
        ]
    )
    func calendarFarDays(zone: String, lines: String, expected: String) async throws {
        let clock = TodoClock(zone: try #require(Zone(named: zone)), now: fixture.clock.now)
        let file = TodoFileFormat.ics.parse(Array(calendar(lines).utf8), clock: clock)
        _ = try await fixture.store.perform(.importing(file.records, .update))
        let todo = try #require(try await TodoStore(directory: fixture.folder.url).todos().first)
        #expect((todo.recurrence?.until ?? todo.due ?? todo.threshold)?.description == expected)
        #expect(!TodoFileFormat.ics.bytes([todo], all: [todo], clock: clock).isEmpty)
    }

    @Test("A time zone whose name has commas, as Outlook's, is found and kept")
    func calendarZoneName() async throws {
        let name = "(UTC+05:00) Bern\\, Rom"
        let zone = "BEGIN:STANDARD\nDTSTART:16010101T000000\nTZOFFSETFROM:+0500\nTZOFFSETTO:+0500\nEND:STANDARD"
        let text = calendar("DUE;TZID=\"(UTC+05:00) Bern, Rom\":20261201T090000").replacing(
            "BEGIN:VTODO",
            with: "BEGIN:VTIMEZONE\nTZID:\(name)\n\(zone)\nEND:VTIMEZONE\nBEGIN:VTODO"
        )
        #expect(try await fixture.take(text, .ics).todos.first?.dueTime == TimeOfDay(hour: 5))
        #expect(try await fixture.export(.ics).contains("TZID:\(name)\r\n"))
    }
}
