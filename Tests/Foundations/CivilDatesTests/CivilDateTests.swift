import Testing

@testable import CivilDates

@Suite("Civil dates")
struct CivilDateTests {
    @Test(
        "A date has the day number and the weekday of the calendar",
        arguments: [
            ("1970-01-01", 0, 3), ("1969-12-31", -1, 2), ("2000-02-29", 11_016, 1), ("2026-11-23", 20_780, 0),
            ("0001-01-01", -719_162, 0), ("0000-03-01", -719_468, 2), ("-0001-12-31", -719_529, 4),
            ("9999-12-31", 2_932_896, 4),
        ] as [(String, Int, Int)]
    )
    func knownDates(text: String, number: Int, weekday: Int) {
        let date = CivilDate(daysSince1970: number)
        #expect(date.description == text)
        #expect(date.daysSince1970 == number)
        #expect(CivilDate.weekday(ofDay: number) == weekday)
    }

    @Test("Consecutive days follow each other for more than an era, and convert back")
    func consecutiveDays() {
        var (year, month, day) = (-1, 1, 1)
        for number in -719_893..<(-719_893 + 2 * 146_097) {
            let date = CivilDate(daysSince1970: number)
            guard date == CivilDate(year: year, month: month, day: day), date.daysSince1970 == number else {
                Issue.record("day \(number) is \(date), not \(year)-\(month)-\(day)")
                return
            }
            day += 1
            if day > CivilDate.daysInMonth(month, year: year) { (month, day) = (month + 1, 1) }
            if month > 12 { (year, month) = (year + 1, 1) }
        }
    }

    @Test(
        "A date outside the calendar is nil",
        arguments: [(2026, 2, 29), (1900, 2, 29), (2026, 4, 31), (2026, 13, 1), (2026, 0, 1), (2026, 1, 0)]
            as [(Int, Int, Int)]
    )
    func invalidDates(year: Int, month: Int, day: Int) {
        #expect(CivilDate(year: year, month: month, day: day) == nil)
    }

    @Test(
        "A month later is the same day or the last of a shorter month",
        arguments: [
            ("2026-01-31", 1, "2026-02-28"), ("2024-01-31", 1, "2024-02-29"), ("2026-01-31", -2, "2025-11-30"),
            ("2026-12-15", 1, "2027-01-15"), ("0000-01-01", -1, "-0001-12-01"),
            ("2024-02-29", 12, "2025-02-28"), ("2023-02-28", 12, "2024-02-28"), ("2024-02-29", -48, "2020-02-29"),
        ] as [(String, Int, String)]
    )
    func laterMonths(text: String, months: Int, expected: String) throws {
        let fields = text.split(separator: "-").compactMap { Int($0) }
        let date = try #require(CivilDate(year: fields[0], month: fields[1], day: fields[2]))
        #expect(date.adding(months: months).description == expected)
    }

    @Test("A second before 1970 belongs to the day that it is in")
    func seconds() {
        #expect([-86_401, -86_400, -1, 0, 86_399, 86_400].map(CivilDate.day(ofSecond:)) == [-2, -1, -1, 0, 0, 1])
    }
}
