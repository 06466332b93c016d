import CivilDates
import TextEscaping

/// The repetition of a todo: completing it creates the next one.
///
/// The next due day counts from the day of completion or, in the strict form with `+`, from the due day: bills repeat
/// strictly, watering plants does not. A repetition on particular days, such as Mondays or the last day of the month, is
/// always strict.
public struct Recurrence: Hashable, Sendable {
    /// The days of a week or a month on which a todo repeats.
    public enum Days: Hashable, Sendable {
        /// Weekdays in ascending order, 0 for Monday; the unit is the week.
        case weekdays([Int])
        /// The first to the fifth such weekday of the month, or the last one for -1; the unit is the month.
        case weekday(Int, ordinal: Int)
        /// A day of the month from 1 to 31; the unit is the month.
        case monthDay(Int)
        /// The last day of the month; the unit is the month.
        case lastDay
    }

    /// The number of units, from 1 to 999.
    public let count: Int
    /// The unit.
    public let unit: DateUnit
    /// Whether the next day counts from the due day instead of the day of completion.
    public let isStrict: Bool
    /// The days in the week or the month; `nil` for the same day in each.
    public let days: Days?
    /// Whether months without the day are skipped, as RFC 5545 has it; otherwise their last day is used.
    public var skipsShortMonths = false
    /// The last day on which a todo can be due.
    public var until: Day?
    /// The number of todos including the present one, at least 1; `nil` without a limit.
    public var remaining: Int?

    /// Creates a recurrence; `nil` if the count is not from 1 to 999.
    public init?(every count: Int = 1, _ unit: DateUnit, isStrict: Bool = false) {
        guard (1...999).contains(count) else { return nil }
        (self.count, self.unit, self.isStrict, days) = (count, unit, isStrict, nil)
    }

    /// Creates a recurrence on particular days; `nil` if the count is not from 1 to 999 or there are no such days.
    public init?(every count: Int = 1, on days: Days) {
        guard (1...999).contains(count) else { return nil }
        switch days {
        case .weekdays(let weekdays):
            guard !weekdays.isEmpty, weekdays.allSatisfy((0...6).contains) else { return nil }
            (unit, self.days) = (.week, .weekdays(Set(weekdays).sorted()))
        case .weekday(let weekday, let ordinal):
            guard (0...6).contains(weekday), ordinal == -1 || (1...5).contains(ordinal) else { return nil }
            (unit, self.days) = (.month, days)
        case .monthDay(let day):
            guard (1...31).contains(day) else { return nil }
            (unit, self.days) = (.month, days)
        case .lastDay: (unit, self.days) = (.month, days)
        }
        (self.count, isStrict) = (count, true)
    }

    /// Returns the due day of the next todo: the first one in the future.
    ///
    /// - Parameters:
    ///   - due: the due day of the completed todo; `nil` if it has none.
    ///   - completed: the day of completion.
    ///   - monthDay: the day of the month on which it repeats, if the month of `due` is too short for it.
    /// - Returns: the day; `nil` if there is no such day until ``until`` or the year 9999, or if no further todo is allowed.
    public func next(after due: Day?, completed: Day, monthDay: Int? = nil) -> Day? {
        if let remaining, remaining <= 1 { return nil }
        let day = day(after: due ?? completed, completed: completed, isDue: due != nil, monthDay)
        return day.flatMap { day in day > min(until ?? .last, .last) ? nil : day }
    }

    private func day(after due: Day, completed: Day, isDue: Bool, _ monthDay: Int?) -> Day? {
        let last = max(due, completed)
        switch days {
        case .weekdays(let weekdays):
            // Each period of weeks has one of the days in its first week.
            return (1...7 * (count + 1)).lazy.map { last.adding($0) }.first { day in
                (day.startOfWeek().number - due.startOfWeek().number) / 7 % count == 0 && weekdays.contains(day.weekday)
            }
        case nil where !isStrict || !isDue: return unit.adding(count, to: completed)
        case nil where unit == .day || unit == .week:
            let length = unit == .week ? 7 * count : count
            return due.adding(((last.number - due.number) / length + 1) * length)
        default:
            let months = unit == .year ? 12 * count : count
            let (year, month, day) = due.parts
            let wanted = days ?? .monthDay(monthDay ?? day)
            let (lastYear, lastMonth, _) = last.parts
            let first = ((lastYear - year) * 12 + lastMonth - month) / months
            // 29 February is missing in most years, and a day may be in none of the months: the search ends.
            return (first...first + 400).lazy.compactMap { step in
                self.day(wanted, inMonth: year * 12 + month - 1 + step * months)
            }.first { $0 > last }
        }
    }

    /// Returns the day in a month, counted from the year 0.
    private func day(_ days: Days, inMonth month: Int) -> Day? {
        guard let first = Day(year: month / 12, month: month % 12 + 1, day: 1) else { return nil }
        let length = first.endOfMonth.parts.day
        switch days {
        case .weekdays: return nil
        case .lastDay: return first.endOfMonth
        case .monthDay(let day):
            if day > length, skipsShortMonths { return nil }
            return first.adding(min(day, length) - 1)
        case .weekday(let weekday, let ordinal):
            if ordinal < 0 { return first.endOfMonth.adding(-((first.endOfMonth.weekday - weekday + 7) % 7)) }
            let offset = (weekday - first.weekday + 7) % 7 + 7 * (ordinal - 1)
            return offset < length ? first.adding(offset) : nil
        }
    }
}

extension Recurrence: TextCodable {
    public static func explanation(ofInvalid text: String) -> String {
        "\(text.quoted()) is not a recurrence; write \(validForms)"
    }
}
