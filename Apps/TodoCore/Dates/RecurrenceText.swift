/// The text of repetitions: one form without spaces for files and `rec:`, and the phrases that people type.
///
/// | Form | Phrases | Repeats |
/// |---|---|---|
/// | `3d`, `2w`, `1m`, `1y` | `daily`, `every 2 weeks`, `every second week`, `monthly`, `매일`, `2주마다`, `격주` | after so long a time after completion |
/// | `+1m` | `every month after the due day`, `마감일 기준 매월` | after the due day |
/// | `mon,thu`, `2w:mon,thu` | `every mon,thu`, `every 2 weeks on mon`, `weekdays`, `매주 월,목`, `월요일마다` | on weekdays |
/// | `1m:2tue`, `1m:-1fri` | `every 2nd tue`, `every month on the last fri`, `매월 둘째 화요일` | on a weekday of the month |
/// | `1m:15`, `1m:last` | `every 15th`, `every month on day 15`, `every last day`, `매월 15일`, `매달 말일` | on a day of the month |
///
/// `;until=2026-12-31`, `until 2026-12-31` or `2026-12-31까지` and `;count=5`, `5 times` or `, 5번` end each of them; with `;skip`, months without the day
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
        while words.count > 1 {
            let last = words[words.count - 1]
            let before = words[words.count - 2]
            if words.suffix(3) == ["the", "last", "time"] {
                remaining = 1
                words.removeLast(3)
            } else if words.count > 2, before == "until", let day = Self.end(last) {
                until = day
                words.removeLast(2)
            } else if words.count > 2, last == "times", let count = Self.times(before) {
                remaining = count
                words.removeLast(2)
            } else if last.hasSuffix("까지"), let day = Self.end(last.dropLast(2)) {
                until = day
                words.removeLast()
            } else if last.hasSuffix("번"), before.hasSuffix(","), let count = Self.times(last.dropLast()) {
                // `매주 5번` is five times in each week.
                remaining = count
                words.removeLast()
            } else {
                break
            }
            // `every day, 3 times`.
            if let last = words.last, last.hasSuffix(",") { words[words.count - 1] = last.dropLast() }
        }
        guard let rule = Self.rule(words) else { return nil }
        self = rule
        (self.until, self.remaining, skipsShortMonths) = (until, remaining, skips)
    }

    /// Parses the last day of a repetition, with its year.
    private static func end(_ word: Substring) -> Day? {
        Day(iso: word) ?? (try? CalendarDate.full(String(word), String(word)))
    }

    private static func times(_ word: Substring) -> Int? {
        CalendarDate.number(word, 1...4).flatMap { $0 > 0 ? $0 : nil }
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
    private static let ordinals = ["first", "second", "third", "fourth", "fifth"]
    static let koreanOrdinals: [(name: String, number: Int)] = [
        ("첫째", 1), ("둘째", 2), ("셋째", 3), ("넷째", 4), ("다섯째", 5), ("첫번째", 1), ("두번째", 2), ("세번째", 3), ("네번째", 4),
        ("다섯번째", 5), ("마지막", -1),
    ]

    private static func rule(_ words: [Substring]) -> Recurrence? {
        guard let first = words.first else { return nil }
        if words.suffix(4) == ["after", "the", "due", "day"] { return strict(words.dropLast(4)) }
        if words.prefix(2) == ["마감일", "기준"] { return strict(words.dropFirst(2)) }
        if first == "every" || first == "each" { return phrase(words.dropFirst()) }
        if let (count, unit) = koreanInterval(first) {
            return words.count == 1 ? Recurrence(every: count, unit) : korean(count, unit, words.dropFirst())
        }
        if words.last?.hasSuffix("요일마다") == true {
            return weekdays(words.joined(separator: ",")).flatMap { Recurrence(on: .weekdays($0)) }
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

    /// Parses a distance that counts from the due day.
    private static func strict(_ words: ArraySlice<Substring>) -> Recurrence? {
        guard let rule = rule(Array(words)), rule.days == nil else { return nil }
        return Recurrence(every: rule.count, rule.unit, isStrict: true)
    }

    /// Parses `매주`, `격주` or `2주마다`.
    private static func koreanInterval(_ word: Substring) -> (count: Int, unit: DateUnit)? {
        if word == "격주" { return (2, .week) }
        if let index = koreanNames[String(word)] { return (1, DateUnit.allCases[index]) }
        guard word.hasSuffix("마다") else { return nil }
        let distance = word.dropLast(2)
        for (name, unit) in KoreanDate.units where distance.hasSuffix(name) {
            return CalendarDate.number(distance.dropLast(name.count), 1...3).map { ($0, unit) }
        }
        return nil
    }

    /// Parses the words after `every`.
    private static func phrase(_ words: ArraySlice<Substring>) -> Recurrence? {
        var words = words
        guard let first = words.first else { return nil }
        // `every 2 weeks on mon`, `every other week`, `every second week`, `every month`.
        var number = first == "other" ? 2 : CalendarDate.number(first, 1...3)
        let second = words.dropFirst().first
        if let second, DateUnit(name: String(second)) != nil {
            number = number ?? ordinal(first).flatMap { $0 > 1 ? $0 : nil }
        }
        let name = number == nil ? first : second
        if let unit = name.flatMap({ DateUnit(name: String($0)) }) {
            words = words.dropFirst(number == nil ? 1 : 2)
            if words.first == "on" { words = words.dropFirst() }
            if words.first == "the" { words = words.dropFirst() }
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
            if first == "day" { return CalendarDate.number(second, 1...2).map(Days.monthDay) }
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

    /// Parses the words after `매주`, `2주마다` or `매월`.
    private static func korean(_ count: Int, _ unit: DateUnit, _ words: ArraySlice<Substring>) -> Recurrence? {
        if unit == .week {
            return weekdays(words.joined(separator: ",")).flatMap { Recurrence(every: count, on: .weekdays($0)) }
        }
        guard unit == .month else { return nil }
        let text = words.joined()
        if text == "말일" || text == "마지막날" { return Recurrence(every: count, on: .lastDay) }
        if text.hasSuffix("일"), let day = CalendarDate.number(text.dropLast(), 1...2) {
            return Recurrence(every: count, on: .monthDay(day))
        }
        for (name, ordinal) in koreanOrdinals where text.hasPrefix(name) {
            return weekday(text.dropFirst(name.count)).flatMap {
                Recurrence(every: count, on: .weekday($0, ordinal: ordinal))
            }
        }
        return nil
    }

    /// Parses `mon,thu`, `월,목`, `월목`, `월요일과,목요일`, `월요일마다`.
    static func weekdays(_ text: some StringProtocol) -> [Int]? {
        let parts = text.split(separator: ",").map { part in
            let word = ["마다", "과"].first { part.hasSuffix("요일\($0)") }.map { part.dropLast($0.count) } ?? part[...]
            return weekday(word).map { [$0] } ?? letters(word)
        }
        return parts.isEmpty || parts.contains(nil) ? nil : parts.flatMap { $0 ?? [] }
    }

    /// Parses Korean weekdays without a separator, in the order of the week: `월수금`.
    private static func letters(_ word: some StringProtocol) -> [Int]? {
        let days = word.map { KoreanDate.weekdays.firstIndex(of: $0) }
        let found = days.compactMap(\.self)
        return found.count == days.count && zip(found, found.dropFirst()).allSatisfy { $0 < $1 } ? found : nil
    }

    private static func weekday(_ word: some StringProtocol) -> Int? {
        for names in [weekdays, EnglishDate.weekdays] {
            if let index = names.firstIndex(where: { word == $0 }) { return index }
        }
        guard let first = word.first, word.count == 1 || word.dropFirst() == "요일" else { return nil }
        return KoreanDate.weekdays.firstIndex(of: first)
    }

    /// Parses `2nd`, `15th`, `first`.
    static func ordinal(_ word: Substring) -> Int? {
        if let index = ordinals.firstIndex(where: { word == $0 }) { return index + 1 }
        return CalendarDate.ordinal(word)
    }
}
