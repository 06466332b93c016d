/// Relative dates in English.
enum EnglishDate {
    /// The words of these dates, for suggestions.
    static let words =
        Array(named.keys) + weekdays + weekdays.map { String($0.prefix(3)) } + CalendarDate.names
        + ["next", "this", "week", "month", "year", "days", "weeks", "months", "years", "noon", "midnight"]

    private static let named = ["today": 0, "tomorrow": 1, "tmr": 1, "yesterday": -1]

    static let weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]

    /// Returns the day, or `nil` for another text.
    static func day(_ words: [String], _ context: DateContext) -> Day? {
        let (today, allowsPast) = (context.today, context.allowsPast)
        switch words.count {
        case 1:
            let word = words[0]
            if let distance = named[word] { return today.adding(distance) }
            if let weekday = weekday(word) { return today.next(weekday: weekday) }
            return end(word, context) ?? distance(word, today, allowsPast: allowsPast)
        case 2 where words[0] == "next" || words[0] == "this":
            let isNext = words[0] == "next"
            if let weekday = weekday(words[1]) { return context.day(weekday, weeks: isNext ? 1 : 0) }
            return isNext ? beginning(ofNext: words[1], context) : nil
        case 3 where words[0] == "in": return distance(words[1], words[2], today)
        case 3 where words[2] == "ago" && allowsPast: return distance("-" + words[0], words[1], today)
        case 3 where words[0] == "end" && words[1] == "of":
            if let month = CalendarDate.month(words[2]) { return end(ofMonth: month, today) }
            return ["week", "month", "year"].contains(words[2]) ? end("eo" + words[2].prefix(1), context) : nil
        default:
            return nil
        }
    }

    /// Returns the weekday of a name or at least three of its first letters.
    static func weekday(_ word: String) -> Int? {
        word.count < 3 ? nil : weekdays.firstIndex { $0.hasPrefix(word) }
    }

    /// Returns the number of weeks after this one to which `this week`, `next week` or `in 2 weeks` refer.
    static func weeks(_ words: [String]) -> Int? {
        switch words {
        case ["this", "week"]: 0
        case ["next", "week"]: 1
        default:
            words.count == 3 && words[0] == "in" && DateUnit(name: words[2]) == .week
                ? CalendarDate.number(words[1][...], 1...4) : nil
        }
    }

    /// Returns the next last day of a month, which may be today.
    private static func end(ofMonth month: Int, _ today: Day) -> Day? {
        let year = today.parts.year
        return (year...year + 1).lazy.compactMap { Day(year: $0, month: month, day: 1)?.endOfMonth }.first {
            $0 >= today
        }
    }

    private static func end(_ word: String, _ context: DateContext) -> Day? {
        let today = context.today
        return switch word {
        case "eow": context.day().adding(6)
        case "eom": today.endOfMonth
        case "eoy": Day(year: today.parts.year, month: 12, day: 31)
        default: nil
        }
    }

    private static func beginning(ofNext unit: String, _ context: DateContext) -> Day? {
        let today = context.today
        return switch unit {
        case "week": context.day(weeks: 1)
        case "month": today.endOfMonth.adding(1)
        case "year": Day(year: today.parts.year + 1, month: 1, day: 1)
        default: nil
        }
    }

    /// Parses `3d`, `+2w`, `1m` or `1y`, and `-7d` if that is allowed. At most four digits, so that every date is in the
    /// calendar.
    private static func distance(_ word: String, _ today: Day, allowsPast: Bool) -> Day? {
        guard let unit = word.last.flatMap({ DateUnit(letter: $0) }) else { return nil }
        var digits = word.dropLast()
        let sign = digits.first == "-" ? -1 : 1
        if digits.first == "+" || digits.first == "-" && allowsPast { digits = digits.dropFirst() }
        guard let count = CalendarDate.number(digits, 1...4) else { return nil }
        return unit.adding(sign * count, to: today)
    }

    private static func distance(_ count: String, _ unit: String, _ today: Day) -> Day? {
        let isPast = count.hasPrefix("-")
        let digits = isPast ? count.dropFirst() : count[...]
        let number = digits == "a" || digits == "an" || digits == "one" ? 1 : CalendarDate.number(digits, 1...4)
        guard let number, let unit = DateUnit(name: unit) else { return nil }
        return unit.adding(isPast ? -number : number, to: today)
    }
}

/// A unit of a distance between days.
public enum DateUnit: String, Hashable, Sendable, CaseIterable, Codable {
    case day, week, month, year

    /// Creates the unit of `d`, `w`, `m` or `y`.
    init?(letter: Character) {
        guard let unit = DateUnit.allCases.first(where: { $0.letter == letter }) else { return nil }
        self = unit
    }

    /// Creates the unit of an English word in the singular or the plural.
    init?(name: String) {
        guard let unit = DateUnit.allCases.first(where: { name == $0.rawValue || name == $0.rawValue + "s" })
        else { return nil }
        self = unit
    }

    /// The first letter of the name.
    var letter: Character { rawValue.first ?? "d" }

    /// Returns the day that is `count` units later; earlier if that is negative.
    func adding(_ count: Int, to day: Day) -> Day {
        switch self {
        case .day: day.adding(count)
        case .week: day.adding(7 * count)
        case .month: day.adding(months: count)
        case .year: day.adding(months: 12 * count)
        }
    }
}

extension Day {
    /// Returns the next day with this weekday, 0 for Monday; never the day itself.
    func next(weekday: Int) -> Day {
        let ahead = (weekday - self.weekday + 7) % 7
        return adding(ahead == 0 ? 7 : ahead)
    }
}
