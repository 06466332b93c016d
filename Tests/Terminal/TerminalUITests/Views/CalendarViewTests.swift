import NeedleKit
import TerminalTesting
import Testing

@testable import TerminalUI

@Suite("Calendars")
@MainActor
struct CalendarViewTests {
    private func day(_ year: Int, _ month: Int, _ day: Int) throws -> CalendarDay {
        try #require(CalendarDay(year: year, month: month, day: day))
    }

    @Test("A day has its parts and its weekday, from year 1 to 9999")
    func days() throws {
        #expect(try day(1970, 1, 1).number == 0)
        #expect(try day(2026, 11, 22).weekday == 6)
        #expect(try day(2026, 11, 22).description == "2026-11-22")
        #expect(try day(1, 1, 1).number == -719_162)
        #expect(try day(9999, 12, 31).number == 2_932_896)
        for number in stride(from: -719_162, through: 2_932_896, by: 977) {
            let (year, month, date) = CalendarDay(number: number).parts
            #expect(CalendarDay(year: year, month: month, day: date)?.number == number)
        }
        #expect(CalendarDay(year: 2025, month: 2, day: 29) == nil)
        #expect(CalendarDay(year: 0, month: 1, day: 1) == nil)
        #expect(CalendarDay(year: 2024, month: 13, day: 1) == nil)
    }

    @Test("A month later is the same day, or the last one of a shorter month")
    func months() throws {
        #expect(try day(2024, 1, 31).adding(months: 1) == day(2024, 2, 29))
        #expect(try day(2024, 3, 31).adding(months: -13) == day(2023, 2, 28))
        #expect(try day(1, 1, 5).adding(months: -1) == day(1, 1, 5))
        #expect(try day(9999, 12, 5).adding(months: 100) == day(9999, 12, 5))
    }

    @Test("The weeks of a month begin on the first weekday, with marks on the days that have lines")
    func month() async throws {
        let calendar = CalendarView(selectedDay: try day(2026, 11, 22), today: try day(2026, 11, 20))
        calendar.content = { "\($0)" == "2026-11-05" ? .init(lines: ["milk"]) : nil }
        let app = await show(calendar, width: 28, height: 8)
        #expect(
            app.text == """
                 ‹     November 2026      ›
                 Mo  Tu  We  Th  Fr  Sa  Su
                 26  27  28  29  30  31   1
                  2   3   4   5•  6   7   8
                  9  10  11  12  13  14  15
                 16  17  18  19  20  21  22
                 23  24  25  26  27  28  29
                 30   1   2   3   4   5   6
                """
        )
        calendar.firstWeekday = 6
        await app.settle()
        #expect(app.screen.line(1) == " Su  Mo  Tu  We  Th  Fr  Sa")
        #expect(app.screen.line(2) == "  1   2   3   4   5•  6   7")
        calendar.selectedDay = try day(2026, 12, 1)
        await app.settle()
        #expect(app.screen.line(2) == " 29  30   1   2   3   4   5")
    }

    @Test("A day has a badge in its style, cut to the room; the plain text names the days on which there is something")
    func content() async throws {
        let calendar = CalendarView(selectedDay: try day(2026, 3, 20))
        calendar.content = { day in
            switch day.parts.day {
            case 5:
                .init(badge: "!12", badgeStyle: TextStyle(foreground: .rgb(255, 0, 0)), accessibilityLabel: "12, late")
            case 20: .init(lines: ["milk", "bread"])
            case 21: .init()
            default: nil
            }
        }
        calendar.dayName = { "day \($0.parts.day)" }
        let app = await show(calendar, width: 42, height: 8)
        let place = try #require(app.screen.find(" 5!12 "))
        #expect(app.screen[place.x + 2, place.y].style.foreground == .rgb(255, 0, 0))
        #expect(!app.text.contains("30    31     1     2     3     4     5\n"), "only the weeks of the month")
        #expect(
            app.application.window.plainLines == [
                "1* March 2026", "  day 5: 12, late", "> day 20: milk, bread", "  day 21: •",
            ]
        )
        for width in [35, 28] {
            await app.resize(GridSize(width: width, height: 8))
            #expect(app.text.contains(" 5! "))
        }
        await app.resize(GridSize(width: 21, height: 8))
        #expect(app.text.contains(" 5!"))
        // In two columns the whole number is shown, in the style of the badge, and apart from the next day.
        for width in [20, 14] {
            await app.resize(GridSize(width: width, height: 8))
            #expect(app.screen.line(1) == "MoTuWeThFrSaSu")
            #expect(app.screen.line(2) == "232425262728 1" && app.screen.line(3) == " 2 3 4 5 6 7 8")
            #expect(app.screen[7, 3].style.foreground == .rgb(255, 0, 0))
            let underlined = (0..<14).filter { app.screen[$0, 2].style.attributes.contains(.underline) }
            #expect(underlined == [2, 3, 6, 7, 10, 11])
        }
        await app.resize(GridSize(width: 13, height: 8))
        #expect(app.screen.line(0) == "day 20" && app.screen.line(1).isEmpty)
    }

    @Test("A key can be used before the calendar uses it")
    func onKey() async throws {
        let calendar = CalendarView(selectedDay: try day(2026, 3, 20), today: try day(2026, 3, 1))
        calendar.onKey = { $0 == .character("t") || $0 == .character("l") && calendar.keyDown(Key(.right)) }
        let app = await show(calendar, width: 28, height: 8)
        await app.type("tl")
        #expect(calendar.selectedDay == (try day(2026, 3, 21)))
    }

    @Test("Keys move by day, week, month and year, and Enter activates")
    func keys() async throws {
        let calendar = CalendarView(selectedDay: try day(2026, 1, 31), today: try day(2026, 5, 1))
        var selected: [String] = []
        var activated: [String] = []
        calendar.onSelect = { selected.append("\($0)") }
        calendar.onActivate = { activated.append("\($0)") }
        let app = await show(calendar, width: 28, height: 8)
        await app.press(.right, .down, .left, .up, .pageDown, .home, .end)
        await app.press(Key(.pageUp, .shift), Key(.pageDown, .shift))
        await app.type("t\r")
        #expect(
            selected == [
                "2026-02-01", "2026-02-08", "2026-02-07", "2026-01-31", "2026-02-28", "2026-02-01", "2026-02-28",
                "2025-02-28", "2026-02-28", "2026-05-01",
            ]
        )
        #expect(activated == ["2026-05-01"])
    }

    @Test("A click selects a day, a second one activates it, and the arrows and the wheel change the month")
    func mouse() async throws {
        let calendar = CalendarView(selectedDay: try day(2026, 11, 22))
        var activated: CalendarDay?
        calendar.onActivate = { activated = $0 }
        let app = await show(calendar, width: 34, height: 8)
        // The week is 28 columns wide: there is nothing beside it.
        await app.click(GridPoint(x: 31, y: 0))
        await app.click(GridPoint(x: 31, y: 3))
        #expect(calendar.selectedDay == (try day(2026, 11, 22)))
        await app.click(GridPoint(x: 13, y: 3))
        #expect(calendar.selectedDay == (try day(2026, 11, 5)))
        await app.click(GridPoint(x: 13, y: 3))
        #expect(activated == (try day(2026, 11, 5)))
        await app.click(GridPoint(x: 26, y: 0))
        #expect(calendar.selectedDay == (try day(2026, 12, 5)))
        await app.mouse(.wheelUp, at: GridPoint(x: 5, y: 5))
        #expect(calendar.selectedDay == (try day(2026, 11, 5)))
        // A month of four weeks has nothing in the fifth row.
        calendar.selectedDay = try day(2027, 2, 10)
        await app.click(GridPoint(x: 1, y: 6))
        calendar.isEnabled = false
        await app.mouse(.wheelUp, at: GridPoint(x: 5, y: 5))
        #expect(calendar.selectedDay == (try day(2027, 2, 10)))
    }

    @Test("Days outside of the selectable range are not selected, and a large calendar shows the lines of a day")
    func rangeAndDetails() async throws {
        let calendar = CalendarView(selectedDay: try day(2026, 11, 10))
        calendar.selectableDays = try day(2026, 11, 9)...day(2026, 11, 12)
        calendar.content = { $0.parts.day == 10 ? .init(lines: ["우유 사기", "Call", "third", "fourth"]) : nil }
        let app = await show(calendar, width: 84, height: 26)
        calendar.ndl.makeConstraints { $0.height.equalTo(26) }
        await app.press(.pageUp)
        #expect(calendar.selectedDay == (try day(2026, 11, 9)))
        await app.press(.down)
        #expect(calendar.selectedDay == (try day(2026, 11, 12)))
        #expect(app.text.contains("우유 사기"))
        #expect(app.text.contains("+2"))
        // As many lines as there is room for: all of them are shown.
        calendar.content = { $0.parts.day == 12 ? .init(lines: ["one", "two", "three"]) : nil }
        await app.settle()
        #expect(app.text.contains("three") && !app.text.contains("+"))
    }
}
