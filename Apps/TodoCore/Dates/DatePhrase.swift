import CivilDates
import TextEscaping

/// A day, perhaps with a time, as people type it in English or Korean.
///
/// - A date: `2026-03-09`, `12-24`, `24.12.`, `24.12.2026`, `24 Dec`, `Dec 24 2026`, `12월 24일`. Without a year, the next
///   such day, which may be today.
/// - A name: `today`, `tomorrow`, `yesterday`, `오늘`, `내일`, `모레`, `내일모레`, `글피`, `어제`,
///   `그제`.
/// - A weekday: `fri`, `friday`, `금요일`, `금` (but not `일`, which is a word): the next one, never today; `this fri`,
///   `next fri`, `이번 주 금요일`, `다음 주 월`: in this or the next week.
/// - An end: `eow`, `eom`, `eoy` (`이번 주`, `월말`, `연말`): the last day of the week, the month, the year.
/// - A beginning: `next week`, `next month`, `next year`, `다음 주`, `다음 달`, `내년`: its first day.
/// - A day of a month: `이번 달 20일`, `다음 달 3일`.
/// - A distance: `3d`, `2w`, `1m`, `1y`, `in 3 days`, `3일 뒤`, `2주 뒤`, `한 달 뒤`, `일주일 후`; in queries also `-7d`,
///   `3 days ago` and `3일 전`.
///
/// A time may follow: `15:00`, `3pm`, `noon`, `오후 3시`, `새벽 2시`, `15시 30분`, `정오`. A time alone is one of today. `밤 12시`
/// is the midnight that ends the day, and `밤 1시` an hour later.
public struct DatePhrase: Hashable, Sendable {
    /// The day.
    public let day: Day
    /// The time; `nil` if none was typed.
    public let time: TimeOfDay?

    /// Creates the phrase of a day.
    public init(day: Day, time: TimeOfDay? = nil) {
        self.day = day
        self.time = time
    }

    /// Parses a text.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - today: the day that relative dates count from.
    ///   - firstWeekday: the day with which weeks begin, 0 for Monday to 6 for Sunday.
    ///   - allowsPast: whether `-7d`, `3 days ago` and `3일 전` are valid.
    /// - Throws: ``DateError`` for any other text.
    public init(
        parsing text: some StringProtocol,
        today: Day,
        firstWeekday: Int = 0,
        allowsPast: Bool = false
    ) throws(DateError) {
        let context = DateContext(today: today, firstWeekday: firstWeekday, allowsPast: allowsPast)
        // No date is longer; the check also bounds the work for hostile input.
        guard text.utf8.count <= 64 else { throw .unknown(String(text.prefix(40)) + "…", nearest: nil) }
        let words = text.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
        guard !words.isEmpty else { throw .unknown(String(text), nearest: nil) }
        if let whole = try Self.day(words, context) {
            self.init(day: whole)
            return
        }
        // The longest time at the end, such as `오후 3시 30분`.
        for count in stride(from: min(3, words.count), to: 0, by: -1) {
            let head = words.dropLast(count).last == "at" ? words.dropLast(count + 1) : words.dropLast(count)
            guard let (time, days) = Self.time(Array(words.suffix(count))) else { continue }
            if let day = head.isEmpty ? today : try Self.day(Array(head), context) {
                self.init(day: day.adding(days).inCalendar, time: time)
                return
            }
        }
        if words.count == 1, let mark = words[0].firstIndex(of: "t"), let day = Day(iso: words[0][..<mark]),
            let time = TimeOfDay(words[0][words[0].index(after: mark)...])
        {
            self.init(day: day, time: time)
            return
        }
        throw .unknown(String(text), nearest: Self.nearest(to: words))
    }

    private static func day(_ words: [String], _ context: DateContext) throws(DateError) -> Day? {
        if let day = try CalendarDate.day(words, context.today) { return day }
        if let day = EnglishDate.day(words, context) { return day }
        // In Korean, spaces between the words are optional.
        return try KoreanDate.day(words.joined(), context)
    }

    /// Returns a time, and the number of days after the day before it.
    private static func time(_ words: [String]) -> (TimeOfDay, days: Int)? {
        TimeOfDay(words.joined()).map { ($0, 0) } ?? KoreanDate.time(words.joined())
    }

    /// Returns the known word that a mistyped one was probably meant to be.
    private static func nearest(to words: [String]) -> String? {
        let known = EnglishDate.words + KoreanDate.words
        for word in words where !known.contains(word) {
            if let name = NearestName.of(word, among: known) {
                return words.map { $0 == word ? name : $0 }.joined(separator: " ")
            }
        }
        return nil
    }
}

/// What relative dates depend on.
struct DateContext {
    /// The day that they count from.
    let today: Day
    /// The day with which weeks begin, 0 for Monday to 6 for Sunday.
    let firstWeekday: Int
    /// Whether days before the present one can be named by a distance.
    let allowsPast: Bool

    /// Returns a day of this week or a later one.
    ///
    /// - Parameters:
    ///   - weekday: the day, 0 for Monday to 6 for Sunday; `nil` for the first one of the week.
    ///   - weeks: the number of weeks after this one.
    /// - Returns: the day.
    func day(_ weekday: Int? = nil, weeks: Int = 0) -> Day {
        let ahead = weekday.map { ($0 - firstWeekday + 7) % 7 } ?? 0
        return today.startOfWeek(firstWeekday).adding(7 * weeks + ahead)
    }
}

/// The error of a text that is not a date.
public enum DateError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text has no known form.
    case unknown(String, nearest: String?)
    /// The calendar has no such day.
    case impossible(String, reason: String)

    /// What is wrong, and what would be right.
    public var description: String {
        switch self {
        case .unknown(let text, let nearest):
            text.quoted() + " is not a date; "
                + (nearest.map { "did you mean \($0.quoted())?" }
                    ?? "write 2026-03-09, today, tomorrow, fri, 3d, 2w, next week or 내일")
        case .impossible(let text, let reason):
            "\(text.quoted()) is not a date: \(reason)"
        }
    }
}

/// Dates with a number for the day: `2026-03-09`, `12-24`, `24.12.`, `24 Dec`.
enum CalendarDate {
    /// Returns the day, or `nil` for a text of another form.
    static func day(_ words: [String], _ today: Day) throws(DateError) -> Day? {
        let text = words.joined(separator: " ")
        if words.count == 1 {
            let word = words[0]
            let byDash = word.split(separator: "-", omittingEmptySubsequences: false)
            if byDash.count == 3, byDash[0].utf8.count == 4, let numbers = numbers(byDash, 2...4),
                byDash[1].utf8.count == 2, byDash[2].utf8.count == 2
            {
                return try make(numbers[0], numbers[1], numbers[2], text)
            }
            if byDash.count == 2, let numbers = numbers(byDash, 1...2) {
                return try next(month: numbers[0], day: numbers[1], today, text)
            }
            var byDot = word.split(separator: ".", omittingEmptySubsequences: false)
            guard byDot.count == 3 else { return nil }
            let hasYear = byDot[2].utf8.count == 4
            guard hasYear || byDot[2].isEmpty else { return nil }
            if !hasYear { byDot.removeLast() }
            guard let numbers = numbers(byDot, 1...4) else { return nil }
            if hasYear { return try make(numbers[2], numbers[1], numbers[0], text) }
            return try next(month: numbers[1], day: numbers[0], today, text)
        }
        guard (2...3).contains(words.count) else { return nil }
        // `24 Dec 2026`, `Dec 24, 2026`; the year is optional.
        var rest = words.map { $0.hasSuffix(",") ? String($0.dropLast()) : $0 }
        guard let place = rest.prefix(2).firstIndex(where: { month($0) != nil }),
            let month = month(rest.remove(at: place))
        else { return nil }
        guard let day = number(rest[0].hasSuffix(".") ? rest[0].dropLast() : rest[0][...], 1...2) else { return nil }
        guard rest.count == 2 else { return try next(month: month, day: day, today, text) }
        guard let year = number(rest[1][...], 4...4) else { return nil }
        return try make(year, month, day, text)
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

    /// Returns the month of a name or its first three letters.
    private static func month(_ word: String) -> Int? {
        names.firstIndex { word == $0 || word == $0.prefix(3) }.map { $0 + 1 }
    }

    private static func numbers(_ fields: [Substring], _ digits: ClosedRange<Int>) -> [Int]? {
        let numbers = fields.map { number($0, digits) }
        return numbers.contains(nil) ? nil : numbers.compactMap(\.self)
    }

    /// Parses a number of ASCII digits.
    static func number(_ text: Substring, _ digits: ClosedRange<Int>) -> Int? {
        guard digits.contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }
}
