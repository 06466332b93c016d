import CivilDates

/// Dates with a number for the day: `2026-03-09`, `12-24`, `24.12.`, `24 Dec`.
enum CalendarDate {
    /// Returns the day, or `nil` for a text of another form.
    static func day(_ words: [String], _ today: Day) throws(DateError) -> Day? {
        let text = words.joined(separator: " ")
        // Also `2026. 12. 24.`.
        let isWhole = words.dropLast().allSatisfy { $0.hasSuffix(".") }
        if isWhole, let day = try full(words.joined(), text) { return day }
        if words.count == 1 {
            let byDash = words[0].split(separator: "-", omittingEmptySubsequences: false)
            if byDash.count == 2, let numbers = numbers(byDash, 1...2) {
                return try next(month: numbers[0], day: numbers[1], today, text)
            }
            let byDot = words[0].split(separator: ".", omittingEmptySubsequences: false)
            if byDot.count == 3, byDot[2].isEmpty, let numbers = numbers(byDot.dropLast(), 1...4) {
                return try next(month: numbers[1], day: numbers[0], today, text)
            }
            guard let day = ordinal(words[0][...]) else { return nil }
            return try next(day: day, today, text)
        }
        // `24 Dec 2026`, `Dec 24, 2026`, `24th of December`; the year is optional.
        var rest = words.map { $0.hasSuffix(",") ? String($0.dropLast()) : $0 }
        if rest[1] == "of" { rest.remove(at: 1) }
        guard (2...3).contains(rest.count) else { return nil }
        guard let place = rest.prefix(2).firstIndex(where: { month($0) != nil }),
            let month = month(rest.remove(at: place))
        else { return nil }
        guard let day = dayNumber(rest[0].hasSuffix(".") ? String(rest[0].dropLast()) : rest[0]) else { return nil }
        guard rest.count == 2 else { return try next(month: month, day: day, today, text) }
        guard let year = number(rest[1][...], 4...4) else { return nil }
        return try make(year, month, day, text)
    }

    /// Returns a day in digits with its year: `2026-03-09`, `2026.3.9.`, `9.3.2026`, `3/9/2026`; `nil` for a text of another
    /// form.
    static func full(_ word: String, _ text: String) throws(DateError) -> Day? {
        let byDash = word.split(separator: "-", omittingEmptySubsequences: false)
        if byDash.map(\.utf8.count) == [4, 2, 2], let numbers = numbers(byDash, 2...4) {
            return try make(numbers[0], numbers[1], numbers[2], text)
        }
        let byDot = word.split(separator: ".", omittingEmptySubsequences: false)
        let isYearFirst = byDot[0].utf8.count == 4
        let dotted = isYearFirst && byDot.last?.isEmpty == true ? byDot.dropLast() : byDot[...]
        if dotted.count == 3, isYearFirst || dotted[2].utf8.count == 4, let numbers = numbers(dotted, 1...4) {
            return try make(numbers[isYearFirst ? 0 : 2], numbers[1], numbers[isYearFirst ? 2 : 0], text)
        }
        let bySlash = word.split(separator: "/", omittingEmptySubsequences: false)
        guard bySlash.count == 3, bySlash[2].utf8.count == 4, let numbers = numbers(bySlash, 1...4) else { return nil }
        let (first, second) = (numbers[0], numbers[1])
        guard first == second || first > 12 || second > 12 else { throw .ambiguous(text) }
        return try first > 12 ? make(numbers[2], second, first, text) : make(numbers[2], first, second, text)
    }

    /// Returns the next day with this month and day, which may be today.
    static func next(month: Int, day: Int, _ today: Day, _ text: String) throws(DateError) -> Day {
        let year = today.parts.year
        // 29 February is at most eight years away.
        for candidate in year...year + 8 {
            if let found = Day(year: candidate, month: month, day: day), found >= today { return found }
        }
        return try make(2024, month, day, text)
    }

    /// Returns the next day with this number, which may be today.
    static func next(day: Int, _ today: Day, _ text: String) throws(DateError) -> Day? {
        guard (1...31).contains(day) else { throw .impossible(text, reason: "a month has the days 1 to 31") }
        // At most one month in between is too short.
        let (year, month, _) = today.parts
        for later in 0...2 {
            let index = year * 12 + month - 1 + later
            if let found = Day(year: index / 12, month: index % 12 + 1, day: day), found >= today { return found }
        }
        return nil
    }

    /// Returns a day of the calendar.
    static func make(_ year: Int, _ month: Int, _ day: Int, _ text: String) throws(DateError) -> Day {
        if let found = Day(year: year, month: month, day: day) { return found }
        guard (1...9999).contains(year) else { throw .impossible(text, reason: "the year is from 1 to 9999") }
        guard (1...12).contains(month) else { throw .impossible(text, reason: "the month is from 1 to 12") }
        let length = CivilDate.daysInMonth(month, year: year)
        throw .impossible(text, reason: "\(year)-\(month < 10 ? "0" : "")\(month) has the days 1 to \(length)")
    }

    static let names = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
        "december",
    ]

    /// Returns the month of a name or at least three of its first letters.
    static func month(_ word: String) -> Int? {
        word.count < 3 ? nil : names.firstIndex { $0.hasPrefix(word) }.map { $0 + 1 }
    }

    /// Parses a number such as `24th`.
    static func ordinal(_ word: Substring) -> Int? {
        ["st", "nd", "rd", "th"].contains(where: word.hasSuffix) ? number(word.dropLast(2), 1...2) : nil
    }

    /// Parses `24` or `24th`.
    private static func dayNumber(_ word: String) -> Int? { ordinal(word[...]) ?? number(word[...], 1...2) }

    private static func numbers(_ fields: some Collection<Substring>, _ digits: ClosedRange<Int>) -> [Int]? {
        let numbers = fields.map { number($0, digits) }
        return numbers.contains(nil) ? nil : numbers.compactMap(\.self)
    }

    /// Parses a number of ASCII digits.
    static func number(_ text: Substring, _ digits: ClosedRange<Int>) -> Int? {
        guard digits.contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }
}
