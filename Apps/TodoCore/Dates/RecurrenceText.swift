/// The text of repetitions: one form without spaces for files and `rec:`, and the phrases that people type.
///
/// | Form | Phrases | Repeats |
/// |---|---|---|
/// | `3d`, `2w`, `1m`, `1y` | `daily`, `every 2 weeks`, `monthly`, `매일` | after so long a time after completion |
/// | `+1m` | | after the due day |
/// | `mon,thu`, `2w:mon,thu` | `every mon,thu`, `every 2 weeks on mon`, `weekdays`, `매주 월,목` | on weekdays |
/// | `1m:2tue`, `1m:-1fri` | `every 2nd tue`, `every last fri`, `매월 둘째 화요일` | on a weekday of the month |
/// | `1m:15`, `1m:last` | `every 15th`, `every last day`, `매월 15일`, `매달 말일` | on a day of the month |
///
/// `;until=2026-12-31` or `until 2026-12-31`, `;count=5` or `5 times` end each of them; with `;skip`, months without the day
/// are skipped.
extension Recurrence: CustomStringConvertible {
    /// Parses a repetition; `nil` for any other text.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count <= 100 else { return nil }
        var fields = text.lowercased().split(separator: ";", omittingEmptySubsequences: false)
        var words = fields.removeFirst().split(whereSeparator: \.isWhitespace)
        var (until, remaining, skips) = (Day?.none, Int?.none, false)
        for field in fields {
            let pair = field.split(separator: "=", maxSplits: 1)
            switch (pair.first, pair.dropFirst().first) {
            case ("skip", nil): skips = true
            case ("until", let value?):
                guard let day = Day(iso: value) else { return nil }
                until = day
            case ("count", let value?):
                guard let count = CalendarDate.number(value, 1...4), count > 0 else { return nil }
                remaining = count
            default: return nil
            }
        }
        // The ends of a phrase.
        while words.count > 2 {
            if words[words.count - 2] == "until", let day = Day(iso: words[words.count - 1]) {
                until = day
            } else if words.last == "times", let count = CalendarDate.number(words[words.count - 2], 1...4), count > 0 {
                remaining = count
            } else {
                break
            }
            words.removeLast(2)
        }
        guard let rule = Self.rule(words) else { return nil }
        self = rule
        (self.until, self.remaining, skipsShortMonths) = (until, remaining, skips)
    }

    /// The form without spaces.
    public var description: String {
        var text: String
        switch days {
        case nil: text = (isStrict ? "+" : "") + "\(count)\(unit.letter)"
        case .weekdays(let weekdays):
            text = (count == 1 ? "" : "\(count)w:") + weekdays.map { Self.weekdays[$0] }.joined(separator: ",")
        case .weekday(let weekday, let ordinal): text = "\(count)m:\(ordinal)\(Self.weekdays[weekday])"
        case .monthDay(let day): text = "\(count)m:\(day)"
        case .lastDay: text = "\(count)m:last"
        }
        if skipsShortMonths { text += ";skip" }
        if let until { text += ";until=\(until)" }
        if let remaining { text += ";count=\(remaining)" }
        return text
    }

    /// What is valid, for messages.
    static let validForms =
        "daily, weekly, monthly, yearly, 3d, 2w, 1m or 1y, with + to count from the due day, or every mon,thu, every 2nd tue, "
        + "every last day, with until 2026-12-31 or 5 times"

    private static let names = ["daily", "weekly", "monthly", "yearly"]
    private static let koreanNames = ["매일": 0, "매주": 1, "매월": 2, "매달": 2, "매년": 3]
    static let weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    private static let fullWeekdays = [
        "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    ]
    private static let koreanWeekdays = Array("월화수목금토일")
    private static let ordinals = ["first", "second", "third", "fourth", "fifth"]
    private static let koreanOrdinals = ["첫째", "둘째", "셋째", "넷째", "다섯째"]

    private static func rule(_ words: [Substring]) -> Recurrence? {
        guard let first = words.first else { return nil }
        if first == "every" || first == "each" { return phrase(words.dropFirst()) }
        if let index = koreanNames[String(first)] {
            return words.count == 1 ? Recurrence(DateUnit.allCases[index]) : korean(index, words.dropFirst())
        }
        guard words.count == 1 else { return nil }
        if let colon = first.firstIndex(of: ":") {
            guard let unit = first[..<colon].last, let count = CalendarDate.number(first[..<colon].dropLast(), 1...3)
            else { return nil }
            let rest = first[first.index(after: colon)...]
            switch unit {
            case "w": return weekdays(rest).flatMap { Recurrence(every: count, on: .weekdays($0)) }
            case "m": return monthDays(rest).flatMap { Recurrence(every: count, on: $0) }
            default: return nil
            }
        }
        if first == "weekdays" || first == "평일" { return Recurrence(on: .weekdays(Array(0...4))) }
        if let weekdays = weekdays(first) { return Recurrence(on: .weekdays(weekdays)) }
        let isStrict = first.first == "+"
        let word = isStrict ? first.dropFirst() : first
        if let index = names.firstIndex(where: { word == $0 }) {
            return Recurrence(every: 1, DateUnit.allCases[index], isStrict: isStrict)
        }
        guard let unit = word.last.flatMap({ DateUnit(letter: $0) }),
            let count = CalendarDate.number(word.dropLast(), 1...3)
        else { return nil }
        return Recurrence(every: count, unit, isStrict: isStrict)
    }

    /// Parses the words after `every`.
    private static func phrase(_ words: ArraySlice<Substring>) -> Recurrence? {
        var words = words
        guard let first = words.first else { return nil }
        // `every 2 weeks on mon`, `every other week`, `every month`.
        let number = first == "other" ? 2 : CalendarDate.number(first, 1...3)
        let name = number == nil ? first : words.dropFirst().first
        if let unit = name.flatMap({ DateUnit(name: String($0)) }) {
            words = words.dropFirst(number == nil ? 1 : 2)
            if words.first == "on" { words = words.dropFirst() }
            if words.isEmpty { return Recurrence(every: number ?? 1, unit) }
            return days(words, unit).flatMap { Recurrence(every: number ?? 1, on: $0) }
        }
        // `every 3d` is `3d`, also after `every`.
        if words.count == 1, first.last?.isLetter == true, let rule = rule([first]), rule.days == nil { return rule }
        return (days(words, .week) ?? days(words, .month)).flatMap { Recurrence(on: $0) }
    }

    /// Parses days in a week or a month: `mon,thu`, `2nd tue`, `last day`, `15th`.
    private static func days(_ words: ArraySlice<Substring>, _ unit: DateUnit) -> Days? {
        switch unit {
        case .week:
            if words.count == 1, words.first == "weekday" { return .weekdays(Array(0...4)) }
            return weekdays(words.filter { $0 != "and" }.joined(separator: ",")).map(Days.weekdays)
        case .month:
            guard let first = words.first else { return nil }
            let rest = words.dropFirst()
            if rest.isEmpty { return ordinal(first).flatMap { (1...31).contains($0) ? .monthDay($0) : nil } }
            guard rest.count == 1, let second = rest.first else { return nil }
            if first == "last", second == "day" { return .lastDay }
            guard let weekday = weekday(second) else { return nil }
            return (first == "last" ? -1 : ordinal(first)).map { .weekday(weekday, ordinal: $0) }
        case .day, .year: return nil
        }
    }

    /// Parses the days of the form without spaces: `2tue`, `-1fri`, `15`, `last`.
    private static func monthDays(_ text: Substring) -> Days? {
        if text == "last" { return .lastDay }
        if let day = CalendarDate.number(text, 1...2) { return .monthDay(day) }
        guard let weekday = weekday(text.suffix(3)), let ordinal = Int(text.dropLast(3)) else { return nil }
        return .weekday(weekday, ordinal: ordinal)
    }

    /// Parses the words after `매주` or `매월`.
    private static func korean(_ unit: Int, _ words: ArraySlice<Substring>) -> Recurrence? {
        let text = words.joined()
        guard unit != 1 else { return weekdays(words.joined(separator: ",")).flatMap { Recurrence(on: .weekdays($0)) } }
        guard unit == 2 else { return nil }
        if text == "말일" || text == "마지막날" { return Recurrence(on: .lastDay) }
        if text.hasSuffix("일"), let day = CalendarDate.number(text.dropLast(), 1...2) {
            return Recurrence(on: .monthDay(day))
        }
        for (ordinal, name) in zip([1, 2, 3, 4, 5, -1], koreanOrdinals + ["마지막"]) where text.hasPrefix(name) {
            return weekday(text.dropFirst(name.count)).flatMap { Recurrence(on: .weekday($0, ordinal: ordinal)) }
        }
        return nil
    }

    private static func weekdays(_ text: some StringProtocol) -> [Int]? {
        let parts = text.split(separator: ",").map { weekday($0) }
        return parts.isEmpty || parts.contains(nil) ? nil : parts.compactMap(\.self)
    }

    private static func weekday(_ word: some StringProtocol) -> Int? {
        if let index = weekdays.firstIndex(where: { word == $0 }) ?? fullWeekdays.firstIndex(where: { word == $0 }) {
            return index
        }
        guard let first = word.first, word.count == 1 || word.dropFirst() == "요일" else { return nil }
        return koreanWeekdays.firstIndex(of: first)
    }

    /// Parses `2nd`, `15th`, `first`.
    private static func ordinal(_ word: Substring) -> Int? {
        if let index = ordinals.firstIndex(where: { word == $0 }) { return index + 1 }
        guard ["st", "nd", "rd", "th"].contains(where: word.hasSuffix) else { return nil }
        return CalendarDate.number(word.dropLast(2), 1...2)
    }
}
