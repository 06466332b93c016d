import TextEscaping

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Parses one term of a query, such as `due<fri`.
struct TodoQueryField {
    /// The day that relative dates count from.
    let today: Day
    /// The present time, for `is:overdue`.
    let time: TimeOfDay?
    /// The time zone in which days begin.
    let zone: Zone
    /// Returns the error of a fault at an offset in the term, in characters.
    let error: (_ offset: Int, _ message: String) -> TodoQueryError

    private static let dates = ["due", "t", "created", "modified", "done"]
    private static let labels: [String: TodoQueryTerm.LabelField] = [
        "project": .project, "context": .context, "tag": .tag,
    ]
    private static let keys =
        dates + labels.keys.sorted() + ["pri", "is", "id", "parent", "title", "note", "rec"]

    /// Parses a term.
    ///
    /// - Parameters:
    ///   - text: the term without quotation marks.
    ///   - plainCount: the number of characters before the first quotation mark; `nil` if there is none.
    /// - Returns: the term.
    /// - Throws: ``TodoQueryError``.
    func term(_ text: String, plainCount: Int?) throws(TodoQueryError) -> TodoQueryTerm {
        let plain = plainCount.map { text.prefix($0) } ?? text[...]
        if text.count > 1, let first = plain.first, let field = ["+": "project", "@": "context", "#": "tag"][first] {
            return .label(Self.labels[field] ?? .project, text.dropFirst().lowercased())
        }
        guard let mark = plain.firstIndex(where: { ":<>=".contains($0) }), mark > plain.startIndex,
            plain[..<mark].allSatisfy(\.isLetter)
        else { return .text(.any, text.lowercased()) }
        let key = plain[..<mark].lowercased()
        var comparison = String(text[mark])
        var value = text[text.index(after: mark)...]
        if comparison != ":", comparison != "=", value.first == "=" {
            comparison += "="
            value = value.dropFirst()
        }
        let offset = text.distance(from: text.startIndex, to: value.startIndex)
        guard Self.keys.contains(key) else {
            guard key.count > 1, let nearest = NearestName.of(key, among: Self.keys) else {
                return .text(.any, text.lowercased())
            }
            throw error(
                0,
                "there is no field \(key.quoted()); did you mean \(nearest.quoted())? Quote it to search for the text"
            )
        }
        guard !value.isEmpty else { throw error(offset, "a value is missing; write \(Self.example(key))") }
        let word = value.lowercased()
        if word == "none" || word == "any", let field = TodoQueryTerm.OptionalField(rawValue: key) {
            return .presence(field, word == "any")
        }
        if Self.dates.contains(key) {
            let days = try days(comparison, String(value), offset)
            if let field = TodoQueryTerm.DateField(rawValue: key) { return .date(field, days) }
            if let field = TodoQueryTerm.TimeField(rawValue: key) { return .time(field, times(days)) }
        }
        guard comparison == ":" || comparison == "=" else {
            throw error(offset - comparison.count, "\(key) cannot be compared; write \(Self.example(key))")
        }
        if let field = Self.labels[key] { return .label(field, word) }
        switch key {
        case "title": return .text(.title, word)
        case "note": return .text(.note, word)
        case "id": return .name(.id, TodoID.normalised(value))
        case "parent": return .name(.parent, TodoID.normalised(value))
        case "is":
            if let state = TodoQueryTerm.State(rawValue: word) { return .state(state, today, time) }
            let states = TodoQueryTerm.State.allCases.map(\.rawValue)
            let nearest = NearestName.of(word, among: states).map { "did you mean \($0.quoted())?" }
            throw error(
                offset,
                "there is no state \(word.quoted()); " + (nearest ?? "it is one of " + states.joined(separator: ", "))
            )
        case "pri": return .priority(try priorities(word, offset))
        default: throw error(offset, "\(key) is \"none\" or \"any\"")
        }
    }

    private static func example(_ key: String) -> String {
        switch key {
        case "is": "is:open"
        case "pri": "pri:A or pri:A..C"
        case "id", "parent": "\(key):k7f2"
        case "rec": "rec:any"
        case _ where dates.contains(key): "\(key):today, \(key)<fri or \(key):none"
        default: "\(key):home"
        }
    }

    private func priorities(_ text: String, _ offset: Int) throws(TodoQueryError) -> ClosedRange<UInt8> {
        let ends = Self.split(text).map { Priority($0)?.rank }
        guard let first = ends.first ?? nil, let last = ends.last ?? nil else {
            throw error(offset, "\(text.quoted()) is not a priority; write pri:A or pri:A..C")
        }
        return min(first, last)...max(first, last)
    }

    /// Parses the days of a comparison. The numbers at the ends are far from overflow, and outside the calendar.
    private func days(_ comparison: String, _ text: String, _ start: Int) throws(TodoQueryError) -> ClosedRange<Int> {
        let (first, last) = (-10_000_000, 10_000_000)
        func day(_ text: some StringProtocol, _ offset: Int, from today: Day) throws(TodoQueryError) -> Int {
            let phrase: DatePhrase
            do throws(DateError) {
                phrase = try DatePhrase(parsing: text, today: today, allowsPast: true)
            } catch let problem {
                throw error(start + offset, "\(problem)")
            }
            guard phrase.time == nil else { throw error(start + offset, "a query compares days; leave the time out") }
            return phrase.day.number
        }
        let ends = Self.split(text)
        if ends.count == 2 {
            guard comparison == ":" || comparison == "=" else {
                throw error(start, "a range follows a colon: due:mon..fri")
            }
            let from = try day(ends[0], 0, from: today)
            var to = try day(ends[1], ends[0].count + 2, from: today)
            // On a Wednesday, `mon..fri` is next week.
            if to < from { to = try day(ends[1], ends[0].count + 2, from: Day(number: from)) }
            return min(from, to)...max(from, to)
        }
        let number = try day(text, 0, from: today)
        switch comparison {
        case "<": return first...number - 1
        case "<=": return first...number
        case ">": return number + 1...last
        case ">=": return number...last
        default: return number...number
        }
    }

    /// Returns the times of days in the time zone.
    private func times(_ days: ClosedRange<Int>) -> Range<Double> {
        func start(_ number: Int) -> Double {
            // Days outside the calendar: the comparison has no end there.
            if number <= -5_000_000 { return -.infinity }
            if number >= 5_000_000 { return .infinity }
            return zone.date(Day(number: number)).timeIntervalSinceReferenceDate
        }
        return start(days.lowerBound)..<start(days.upperBound + 1)
    }

    /// Splits `a..b`; a text without two dots is returned whole.
    private static func split(_ text: String) -> [Substring] {
        var index = text.startIndex
        while let dot = text[index...].firstIndex(of: ".") {
            let next = text.index(after: dot)
            guard next < text.endIndex else { break }
            if text[next] == ".", dot > text.startIndex, text.index(after: next) < text.endIndex {
                return [text[..<dot], text[text.index(after: next)...]]
            }
            index = next
        }
        return [text[...]]
    }
}
