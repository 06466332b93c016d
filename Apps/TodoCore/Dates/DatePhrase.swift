import TextEscaping

/// A day, perhaps with a time, as people type it in English or Korean.
///
/// - A date: `2026-03-09`, `2026.3.9`, `12/24/2026`, `12-24`, `24.12.`, `24.12.2026`, `24 Dec`, `Dec 24 2026`, `24th`,
///   `12월 24일`, `내년 3월 1일`. Without a year, the next such day, which may be today. `12/11/2026` is an error, because its
///   first number is the month for some and the day for others.
/// - A name: `today`, `tomorrow`, `yesterday`, `오늘`, `내일`, `모레`, `내일모레`, `글피`, `어제`,
///   `그제`.
/// - A weekday: `fri`, `friday`, `금요일`, `금` (but not `일`, which is a word): the next one, never today; `this fri`,
///   `next fri`, `fri next week`, `이번 주 금요일`, `다음 주 월`, `2주 뒤 금요일`: in this or a later week. Beside another date,
///   such as `Fri 27 Mar`, it is that of the date, or an error.
/// - An end: `eow`, `eom`, `eoy`, `end of month` (`이번 주`, `월말`, `연말`): the last day of the week, the month, the year;
///   `end of may`: the next last day of the month.
/// - A weekend: `주말`, `다음 주말`: its Saturday, or today if that is its Sunday.
/// - A beginning: `next week`, `next month`, `next year`, `다음 주`, `다음 달`, `내년`: its first day.
/// - A day of a month: `이번 달 20일`, `다음 달 3일`, `다음 달 말일`.
/// - A distance: `3d`, `2w`, `1m`, `1y`, `in 3 days`, `3일 뒤`, `2주 뒤`, `한 달 뒤`, `일주일 후`; in queries also `-7d`,
///   `3 days ago` and `3일 전`.
///
/// A time may follow or be first: `15:00`, `3pm`, `noon`, `오후 3시`, `새벽 2시`, `15시 30분`, `정오`. A time alone is one of
/// today. `밤 12시` and `24:00` are the midnight that ends the day, and `밤 1시` is an hour later. `까지` and `에` may end a phrase.
public struct DatePhrase: Hashable, Sendable {
    /// The day.
    public let day: Day
    /// The time; `nil` if none was typed.
    public let time: TimeOfDay?

    /// Creates the phrase of a day.
    public init(day: Day, time: TimeOfDay? = nil) { (self.day, self.time) = (day, time) }

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
        guard text.utf8.count <= Self.limit else { throw .unknown(String(text.prefix(40)) + "…", nearest: nil) }
        let words = text.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
        guard !words.isEmpty else { throw .unknown(String(text), nearest: nil) }
        guard let phrase = try Self.parse(words, context) else {
            throw .unknown(String(text), nearest: Self.nearest(to: words, context))
        }
        self = phrase
    }

    /// The maximum number of bytes. No date is longer; the limit also bounds the work for hostile input.
    private static let limit = 64

    /// Returns the phrase of words; `nil` for words of no known form.
    static func found(in words: [String], _ context: DateContext) throws(DateError) -> DatePhrase? {
        guard words.reduce(words.count - 1, { $0 + $1.utf8.count }) <= limit else { return nil }
        return try parse(words.map { $0.lowercased() }, context)
    }

    /// Returns the phrase of words in lower case; `nil` for words of no known form.
    static func parse(_ words: [String], _ context: DateContext) throws(DateError) -> DatePhrase? {
        if let day = try day(words, context) { return DatePhrase(day: day) }
        // The longest time, such as `오후 3시 30분`, at the end or before the day.
        for count in stride(from: min(3, words.count), to: 0, by: -1) {
            let head = words.dropLast(count).last == "at" ? words.dropLast(count + 1) : words.dropLast(count)
            if let found = try phrase(head, words.suffix(count), context) { return found }
        }
        for count in stride(from: min(3, words.count - 1), to: 0, by: -1) {
            let rest = words.dropFirst(count)
            guard rest.count > 1 || !isOrdinary(words[count]) else { continue }
            if let found = try phrase(rest, words.prefix(count), context) { return found }
        }
        if words.count == 1, let mark = words[0].firstIndex(of: "t"), let day = Day(iso: words[0][..<mark]),
            let time = TimeOfDay(words[0][words[0].index(after: mark)...])
        {
            return DatePhrase(day: day, time: time)
        }
        // `금요일까지`, `내일 오후 3시에`.
        guard let last = words.last, let particle = ["까지", "에"].first(where: last.hasSuffix), last != particle
        else { return nil }
        return try parse(words.dropLast() + [String(last.dropLast(particle.count))], context)
    }

    /// Returns a day with a time; a time alone is one of today.
    private static func phrase(
        _ words: ArraySlice<String>,
        _ timeWords: ArraySlice<String>,
        _ context: DateContext
    ) throws(DateError) -> DatePhrase? {
        // `1 2:00` is no time.
        let isDivided = zip(timeWords, timeWords.dropFirst()).contains {
            $0.last?.isNumber == true && $1.first?.isNumber == true
        }
        guard !isDivided, let (time, days) = time(timeWords.joined()),
            let day = words.isEmpty ? context.today : try day(Array(words), context)
        else { return nil }
        guard let time else { throw .noTime(timeWords.joined(separator: " ")) }
        return DatePhrase(day: day.adding(days).inCalendar, time: time)
    }

    private static func day(_ words: [String], _ context: DateContext) throws(DateError) -> Day? {
        if let day = try plainDay(words, context) { return day }
        guard words.count > 1 else { return nil }
        // A weekday before or after a date or a week: `Fri 27 Mar`, `3월 27일 금요일`, `monday next week`.
        for (name, rest) in [(words[0], words.dropFirst()), (words[words.count - 1], words.dropLast())] {
            let name = name.hasSuffix(",") ? name.dropLast() : name[...]
            guard let weekday = EnglishDate.weekday(String(name)) ?? KoreanDate.weekday(name) else { continue }
            if let weeks = EnglishDate.weeks(Array(rest)) ?? KoreanDate.weeks(rest.joined()) {
                return context.day(weekday, weeks: weeks)
            }
            // One letter is more often another word, and no weekday has a distance: `fri 3d printer`.
            let isText = name.count == 1 || rest.count == 1 && rest.allSatisfy { isDistance($0[...]) }
            guard !isText, let day = try plainDay(Array(rest), context) else { continue }
            guard day.weekday == weekday else { throw .otherWeekday(words.joined(separator: " "), day: day) }
            return day
        }
        return nil
    }

    private static func plainDay(_ words: [String], _ context: DateContext) throws(DateError) -> Day? {
        if let day = try CalendarDate.day(words, context.today) { return day }
        if let day = EnglishDate.day(words, context) { return day }
        // In Korean, spaces between the words are optional.
        return try KoreanDate.day(words.joined(), context)
    }

    /// Returns a time, and the number of days after the day with which it is written. The time is `nil` if the text has the form
    /// of a time but the clock has no such time; the result is `nil` for any other text.
    static func time(_ text: String) -> (time: TimeOfDay?, days: Int)? {
        if let time = TimeOfDay(text) { return (time, 0) }
        if text == "24:00" { return (.midnight, 1) }
        let isHalf = text.hasSuffix("am") || text.hasSuffix("pm")
        let fields = (isHalf ? text.dropLast(2) : text[...]).split(separator: ":", omittingEmptySubsequences: false)
        if (isHalf ? 1...2 : 2...2).contains(fields.count), CalendarDate.number(fields[0], 1...2) != nil,
            fields.dropFirst().allSatisfy({ CalendarDate.number($0, 2...2) != nil })
        {
            return (nil, 0)
        }
        return KoreanDate.time(text)
    }

    /// Returns the date with the known word that a mistyped one was probably meant to be.
    private static func nearest(to words: [String], _ context: DateContext) -> String? {
        let known = EnglishDate.words + KoreanDate.words
        for word in words where !known.contains(word) {
            guard let name = NearestName.of(word, among: known) else { continue }
            let corrected = words.map { $0 == word ? name : $0 }
            if (try? parse(corrected, context)) != nil { return corrected.joined(separator: " ") }
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
