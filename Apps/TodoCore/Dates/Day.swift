import CivilDates

/// A day of the proleptic Gregorian calendar, without a time or a time zone.
///
/// It is stored as the number of days since 1970-01-01, so that days are compared and added like numbers.
public struct Day: Hashable, Sendable, Comparable {
    /// Days since 1970-01-01; negative before it.
    public let number: Int

    /// Creates the day that is `number` days after 1970-01-01.
    public init(number: Int) { self.number = number }

    /// Creates a day from its parts; `nil` if the calendar has no such day or the year is not from 1 to 9999.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), let date = CivilDate(year: year, month: month, day: day) else { return nil }
        number = date.daysSince1970
    }

    /// Creates the day of a time in a time zone, which is that of the machine by default.
    public init(_ date: Date, in zone: Zone = .system) { self = zone.local(date).day }

    /// The year, the month from 1 to 12 and the day from 1 to 31.
    public var parts: (year: Int, month: Int, day: Int) {
        let date = CivilDate(daysSince1970: number)
        return (date.year, date.month, date.day)
    }

    /// The day of the week, 0 for Monday to 6 for Sunday.
    public var weekday: Int { CivilDate.weekday(ofDay: number) }

    /// Returns the day that is `days` later; earlier if that is negative.
    public func adding(_ days: Int) -> Day { Day(number: number + days) }

    /// Earlier days come first.
    public static func < (left: Day, right: Day) -> Bool { left.number < right.number }

    /// Returns the day `months` later with the same day of the month, or the last day of a month that is shorter.
    public func adding(months: Int) -> Day {
        let later = Day(number: CivilDate(daysSince1970: number).adding(months: months).daysSince1970)
        return min(later, Day.last)
    }

    /// The first and the last day that can be written.
    private static let first = Day(number: -719_162)
    static let last = Day(number: 2_932_896)

    /// This day or, for one that cannot be written, the nearest one that can.
    var inCalendar: Day { min(max(self, Day.first), Day.last) }

    /// Returns the first day of the week.
    ///
    /// - Parameter first: the weekday with which weeks begin, 0 for Monday to 6 for Sunday.
    /// - Returns: the day, which is this one or an earlier one.
    package func startOfWeek(_ first: Int = 0) -> Day { adding(-((weekday - first + 7) % 7)) }

    /// The last day of the month.
    public var endOfMonth: Day {
        let (year, month, day) = parts
        return adding(CivilDate.daysInMonth(month, year: year) - day)
    }
}

extension Day: CustomStringConvertible {
    /// The day in the form of ISO 8601, such as `2026-03-09`.
    public var description: String { CivilDate(daysSince1970: number).description }

    /// Parses a day in the form `2026-03-09`; `nil` for any other text.
    public init?(iso text: some StringProtocol) {
        guard text.utf8.count == 10 else { return nil }
        var number = 0
        for (index, byte) in text.utf8.enumerated() {
            if index == 4 || index == 7 {
                guard byte == UInt8(ascii: "-") else { return nil }
            } else {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                number = number * 10 + Int(byte - UInt8(ascii: "0"))
            }
        }
        self.init(year: number / 10_000, month: number / 100 % 100, day: number % 100)
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
}

extension Day: TextCodable {
    /// Creates a day from its description, such as `2026-03-09`.
    public init?(_ text: String) { self.init(iso: text) }

    public static func explanation(ofInvalid text: String) -> String {
        "a day is written 2026-03-09, not \"\(text)\""
    }
}
