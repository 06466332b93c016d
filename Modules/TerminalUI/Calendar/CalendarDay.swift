/// A day of the proleptic Gregorian calendar, without a time or a time zone.
public struct CalendarDay: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The days since 1970-01-01; negative before it.
    public let number: Int

    /// Creates the day that is `number` days after 1970-01-01.
    public init(number: Int) {
        self.number = number
    }

    /// Creates a day from its parts; `nil` if the calendar has no such day or the year is not from 1 to 9999.
    ///
    /// The algorithm is Howard Hinnant's `days_from_civil`.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1 else { return nil }
        guard day <= CalendarDay.count(ofMonth: month, year: year) else { return nil }
        self.init(validYear: year, month: month, day: day)
    }

    private init(validYear year: Int, month: Int, day: Int) {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        number = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The year, the month from 1 to 12 and the day from 1 to 31, by Howard Hinnant's `civil_from_days`.
    public var parts: (year: Int, month: Int, day: Int) {
        let shifted = number + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    /// The day of the week, 0 for Monday to 6 for Sunday.
    public var weekday: Int {
        // 1970-01-01 was a Thursday.
        let remainder = (number + 3) % 7
        return remainder < 0 ? remainder + 7 : remainder
    }

    /// Returns the day that is a number of days later; earlier if that is negative.
    public func adding(days: Int) -> CalendarDay { CalendarDay(number: number + days) }

    /// Returns the same day in a later month, or the last day of that month if it is shorter. Stays in the years 1 to
    /// 9999.
    public func adding(months: Int) -> CalendarDay {
        let (year, month, day) = parts
        let index = max(12, min(9999 * 12 + 11, year * 12 + month - 1 + months))
        let target = (year: index / 12, month: index % 12 + 1)
        let last = CalendarDay.count(ofMonth: target.month, year: target.year)
        return CalendarDay(validYear: target.year, month: target.month, day: min(day, last))
    }

    /// The first day of the month.
    public var monthStart: CalendarDay { adding(days: 1 - parts.day) }

    /// The number of days of the day's month.
    public var daysInMonth: Int { CalendarDay.count(ofMonth: parts.month, year: parts.year) }

    /// Returns the number of days of a month.
    static func count(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Whether the left day is earlier.
    public static func < (left: CalendarDay, right: CalendarDay) -> Bool { left.number < right.number }

    /// The day as in ISO 8601: `2026-11-22`.
    public var description: String {
        func padded(_ value: Int, _ width: Int) -> String {
            let digits = String(value)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        let (year, month, day) = parts
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }
}
