/// A date of the proleptic Gregorian calendar, without a time or a time zone.
///
/// The conversions are `days_from_civil` and `civil_from_days` of Howard Hinnant's "chrono-Compatible Low-Level Date
/// Algorithms": a year begins in March, so that a leap day is its last, and 400 years are an era of 146,097 days.
package struct CivilDate: Hashable, Sendable {
    /// The year; 0 is the year before year 1.
    package let year: Int
    /// The month, from 1 to 12.
    package let month: Int
    /// The day of the month, from 1 to 31.
    package let day: Int

    /// Creates a date; `nil` if the calendar has no such date, such as 30 February.
    package init?(year: Int, month: Int, day: Int) {
        guard (1...12).contains(month), day >= 1, day <= Self.daysInMonth(month, year: year) else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// Creates the date that is a number of days after 1970-01-01; before it if the number is negative.
    package init(daysSince1970 number: Int) {
        let shifted = number + 719_468
        let era = Self.floorDivision(shifted, by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    }

    /// The number of days since 1970-01-01; negative before it.
    package var daysSince1970: Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = Self.floorDivision(shifted, by: 400)
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// Returns the same day in a later month, or the last day of that month if it is shorter; earlier if `months` is
    /// negative.
    package func adding(months: Int) -> CivilDate {
        let index = year * 12 + month - 1 + months
        let newYear = Self.floorDivision(index, by: 12)
        let newMonth = index - newYear * 12 + 1
        return CivilDate(validYear: newYear, month: newMonth, day: min(day, Self.daysInMonth(newMonth, year: newYear)))
    }

    private init(validYear year: Int, month: Int, day: Int) {
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// Returns the number of days in a month.
    package static func daysInMonth(_ month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Returns the day of the week, 0 for Monday to 6 for Sunday, of a number of days since 1970-01-01.
    package static func weekday(ofDay number: Int) -> Int {
        // 1970-01-01 was a Thursday.
        number + 3 - floorDivision(number + 3, by: 7) * 7
    }

    /// Returns the number of days since 1970-01-01 of a number of seconds since its beginning.
    package static func day(ofSecond seconds: Int) -> Int { floorDivision(seconds, by: 86_400) }

    private static func floorDivision(_ number: Int, by divisor: Int) -> Int {
        (number >= 0 ? number : number - divisor + 1) / divisor
    }
}

extension CivilDate: CustomStringConvertible {
    /// The date in the form of ISO 8601, such as `2026-03-09`.
    package var description: String {
        "\(Self.padded(year, to: 4))-\(Self.padded(month, to: 2))-\(Self.padded(day, to: 2))"
    }

    /// Returns a number of at least `width` digits, with leading zeros.
    package static func padded(_ number: Int, to width: Int) -> String {
        let digits = String(number.magnitude)
        return (number < 0 ? "-" : "") + String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
