#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif
#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A day of the proleptic Gregorian calendar, without a time or a time zone.
///
/// Kept as the count of days since 1970-01-01, so that days compare and add as numbers do.
public struct Day: Hashable, Sendable, Comparable {
    /// Days since 1970-01-01; negative before it.
    public let number: Int

    /// Creates the day that lies `number` days after 1970-01-01.
    public init(number: Int) {
        self.number = number
    }

    /// Creates a day from its parts; `nil` where the calendar has no such day, or its year is not from 1 to 9999.
    ///
    /// The count is Howard Hinnant's `days_from_civil`.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1 else { return nil }
        guard day <= Day.length(ofMonth: month, year: year) else { return nil }
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        number = era * 146_097 + dayOfEra - 719_468
    }

    /// The day it is at `date` where this machine stands.
    public init(_ date: Date) {
        var seconds = time_t(date.timeIntervalSince1970.rounded(.down))
        var parts = tm()
        localtime_r(&seconds, &parts)
        let local = Int(seconds) + Int(parts.tm_gmtoff)
        number = (local >= 0 ? local : local - 86_399) / 86_400
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
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    /// The day of the week, 0 for Monday to 6 for Sunday.
    public var weekday: Int {
        // 1970-01-01 was a Thursday.
        let remainder = (number + 3) % 7
        return remainder < 0 ? remainder + 7 : remainder
    }

    /// The day that lies `days` later, or earlier where that is negative.
    public func adding(_ days: Int) -> Day {
        Day(number: number + days)
    }

    /// Earlier days come first.
    public static func < (left: Day, right: Day) -> Bool {
        left.number < right.number
    }

    private static func length(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
