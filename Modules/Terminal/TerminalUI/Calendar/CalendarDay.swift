internal import CivilDates

/// A day of the proleptic Gregorian calendar, without a time or a time zone.
public struct CalendarDay: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The days since 1970-01-01; negative before it.
    public let number: Int

    /// Creates the day that is `number` days after 1970-01-01.
    public init(number: Int) { self.number = number }

    /// Creates a day from its parts; `nil` if the calendar has no such day or the year is not from 1 to 9999.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), let date = CivilDate(year: year, month: month, day: day) else { return nil }
        number = date.daysSince1970
    }

    private var date: CivilDate { CivilDate(daysSince1970: number) }

    /// The year, the month from 1 to 12 and the day from 1 to 31.
    public var parts: (year: Int, month: Int, day: Int) {
        let date = date
        return (date.year, date.month, date.day)
    }

    /// The day of the week, 0 for Monday to 6 for Sunday.
    public var weekday: Int { CivilDate.weekday(ofDay: number) }

    /// Returns the day that is a number of days later; earlier if that is negative.
    public func adding(days: Int) -> CalendarDay { CalendarDay(number: number + days) }

    /// Returns the same day in a later month, or the last day of that month if it is shorter. Stays in the years 1 to
    /// 9999.
    public func adding(months: Int) -> CalendarDay {
        let date = date
        let index = date.year * 12 + date.month - 1
        let target = max(12, min(9999 * 12 + 11, index + months))
        return CalendarDay(number: date.adding(months: target - index).daysSince1970)
    }

    /// The first day of the month.
    public var monthStart: CalendarDay { adding(days: 1 - date.day) }

    /// The number of days of the day's month.
    public var daysInMonth: Int { CivilDate.daysInMonth(date.month, year: date.year) }

    /// Whether the left day is earlier.
    public static func < (left: CalendarDay, right: CalendarDay) -> Bool { left.number < right.number }

    /// The day as in ISO 8601: `2026-11-22`.
    public var description: String { date.description }
}
