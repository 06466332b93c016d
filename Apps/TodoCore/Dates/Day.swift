#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A day of the proleptic Gregorian calendar, without a time or a time zone.
///
/// It is stored as the number of days since 1970-01-01, so that days are compared and added like numbers.
public struct Day: Hashable, Sendable, Comparable {
    /// Days since 1970-01-01; negative before it.
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
        guard day <= Day.length(ofMonth: month, year: year) else { return nil }
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        number = era * 146_097 + dayOfEra - 719_468
    }

    /// Creates the day of a time in a time zone, which is that of the machine by default.
    public init(_ date: Date, in zone: Zone = .system) {
        let seconds = Int(date.timeIntervalSince1970.rounded(.down))
        let local = seconds + zone.offset(at: seconds)
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

    /// Returns the day that is `days` later; earlier if that is negative.
    public func adding(_ days: Int) -> Day {
        Day(number: number + days)
    }

    /// Earlier days come first.
    public static func < (left: Day, right: Day) -> Bool {
        left.number < right.number
    }

    /// Returns the day `months` later with the same day of the month, or the last day of a month that is shorter.
    public func adding(months: Int) -> Day {
        let (year, month, day) = parts
        let count = year * 12 + month - 1 + months
        let (newYear, newMonth) = (min(max(count / 12, 1), 9999), count % 12 + 1)
        let clamped = min(day, Day.length(ofMonth: newMonth, year: newYear))
        return Day(year: newYear, month: newMonth, day: clamped) ?? self
    }

    /// The Monday of the week.
    public var startOfWeek: Day { adding(-weekday) }

    /// The last day of the month.
    public var endOfMonth: Day {
        let (year, month, day) = parts
        return adding(Day.length(ofMonth: month, year: year) - day)
    }

    /// Returns the number of days of a month.
    static func length(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension Day: CustomStringConvertible {
    /// The day in the form of ISO 8601, such as `2026-03-09`.
    public var description: String {
        let (year, month, day) = parts
        return Self.padded(year, to: 4) + "-" + Self.padded(month, to: 2) + "-" + Self.padded(day, to: 2)
    }

    /// Parses a day in the form `2026-03-09`; `nil` for any other text.
    public init?(iso text: some StringProtocol) {
        let fields = text.split(separator: "-", omittingEmptySubsequences: false)
        guard fields.count == 3, fields[0].utf8.count == 4, fields[1].utf8.count == 2, fields[2].utf8.count == 2,
            fields.allSatisfy({ $0.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } }),
            let year = Int(fields[0]), let month = Int(fields[1]), let day = Int(fields[2])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// Parses a day as people type it; see ``DatePhrase``. A text with a time of day is no day.
    ///
    /// - Parameters:
    ///   - text: the text, such as `2026-03-09`, `fri`, `3d`, `next week` or `내일`.
    ///   - today: the day that relative dates count from.
    public init?(_ text: some StringProtocol, today: Day) {
        guard let phrase = try? DatePhrase(parsing: text, today: today), phrase.time == nil else { return nil }
        self = phrase.day
    }

    private static func padded(_ number: Int, to width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}

extension Day: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let value = Day(iso: text) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "a day is written 2026-03-09, not \"\(text)\""
            )
        }
        self = value
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
