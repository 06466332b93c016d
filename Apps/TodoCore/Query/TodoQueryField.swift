import AppLanguage
import TextEscaping

/// Parses one term of a query, such as `due<fri`.
struct TodoQueryField {
    /// The day that relative dates count from.
    let today: Day
    /// The present time, for `is:overdue`.
    let time: TimeOfDay?
    /// The time zone in which days begin.
    let zone: Zone
    /// The day with which weeks begin, 0 for Monday to 6 for Sunday.
    let firstWeekday: Int
    /// Returns the error of a fault at an offset in the term, in characters.
    let error: (_ offset: Int, _ message: LocalizedText) -> TodoQueryError

    private static let dates = ["due", "t", "created", "modified", "done"]
    private static let labels: [String: TodoRow.Field] = [
        "project": .project, "context": .context, "tag": .tag, "list": .list,
    ]
    /// The names of the fields that may be empty, with the condition that they are not.
    private static let presence: [String: TodoQueryTerm] = [
        "due": .due(TodoQueryTerm.anyDay), "t": .threshold(TodoQueryTerm.anyDay), "pri": .priority(0...25),
        "project": .flag(.project), "context": .flag(.context), "tag": .flag(.tag), "note": .flag(.note),
        "list": .label(.list, []), "rec": .flag(.recurring), "parent": .flag(.subtask), "done": .flag(.done),
    ]
    private static let states = [
        "open", "done", "overdue", "waiting", "archived", "recurring", "subtask", "blocked", "blocking", "active",
    ]
    private static let keys =
        dates + labels.keys.sorted() + ["pri", "is", "id", "parent", "title", "note", "rec"]

    /// Parses a term.
    ///
    /// - Parameters:
    ///   - text: the term without quotation marks.
    ///   - plainCount: the number of characters before the first quotation mark; `nil` without one.
    /// - Returns: the term.
    /// - Throws: ``TodoQueryError``.
    func term(_ text: String, plainCount: Int?) throws(TodoQueryError) -> TodoQuery.Node {
        let plain = plainCount.map { text.prefix($0) } ?? text[...]
        if text.count > 1, let first = plain.first, let field = ["+": "project", "@": "context", "#": "tag"][first] {
            return Self.label(Self.labels[field] ?? .project, TodoRow.folded(text.dropFirst()))
        }
        guard let mark = plain.firstIndex(where: { ":<>=".contains($0) }), mark > plain.startIndex,
            plain[..<mark].allSatisfy(\.isLetter)
        else { return .term(.text(TodoRow.folded(text))) }
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
                return .term(.text(TodoRow.folded(text)))
            }
            throw error(
                0,
                LocalizedText(
                    "there is no field \(key.quoted()); did you mean \(nearest.quoted())? Quote it to search for the text",
                    ko: "\(key.quoted()) 항목이 없습니다. \(nearest.quoted())입니까? 이 글을 찾으려면 따옴표로 묶으세요"
                )
            )
        }
        let example = Self.example(key)
        guard !value.isEmpty else {
            throw error(
                offset,
                LocalizedText("a value is missing; write \(example.english)", ko: "값이 없습니다. \(example.korean)처럼 적어 주세요")
            )
        }
        let word = value.lowercased()
        if word == "none" || word == "any", let term = Self.presence[key] {
            return word == "any" ? .term(term) : .not(.term(term))
        }
        if Self.dates.contains(key) {
            let days = try days(comparison, String(value), offset)
            if let field = TodoQueryTerm.TimeField(rawValue: key) { return .term(.time(field, times(days))) }
            return .term(key == "due" ? .due(days) : .threshold(days))
        }
        guard comparison == ":" || comparison == "=" else {
            throw error(
                offset - comparison.count,
                LocalizedText(
                    "\(key) cannot be compared; write \(example.english)",
                    ko: "\(key.with(.topic)) 비교할 수 없습니다. \(example.korean)처럼 적어 주세요"
                )
            )
        }
        let bytes = TodoRow.folded(value)
        if let field = Self.labels[key] { return Self.label(field, bytes) }
        switch key {
        case "title": return .term(.field(.title, bytes))
        case "note": return .term(.field(.note, bytes))
        case "id": return .term(.id(TodoID.normalised(value)))
        case "parent": return .term(.parent(TodoID.normalised(value)))
        case "is": return try state(word, offset)
        case "pri": return .term(.priority(try priorities(word, offset)))
        default:
            throw error(
                offset,
                LocalizedText("\(key) is \"none\" or \"any\"", ko: "\(key)에는 none이나 any를 적어 주세요")
            )
        }
    }

    private static func label(_ field: TodoRow.Field, _ text: [UInt8]) -> TodoQuery.Node {
        guard field == .project else { return .term(.label(field, text)) }
        if text.last == UInt8(ascii: "*") { return .term(.label(field, text.dropLast())) }
        return .term(.project(text))
    }

    private func state(_ name: String, _ offset: Int) throws(TodoQueryError) -> TodoQuery.Node {
        switch name {
        case "open": return .not(.term(.flag(.done)))
        case "done": return .term(.flag(.done))
        case "overdue": return .term(.overdue(today, time))
        case "waiting": return .term(.waiting(today))
        case "archived": return .term(.flag(.archived))
        case "recurring": return .term(.flag(.recurring))
        case "subtask": return .term(.flag(.subtask))
        case "blocked": return .term(.flag(.blocked))
        case "active": return .term(.flag(.active))
        case "blocking": return .term(.flag(.blocking))
        default:
            let nearest = NearestName.of(name, among: Self.states).map {
                LocalizedText("did you mean \($0.quoted())?", ko: "\($0.quoted())입니까?")
            }
            let states = Self.states.joined(separator: ", ")
            let hint = nearest ?? LocalizedText("it is one of \(states)", ko: "\(states) 가운데 하나를 적어 주세요")
            throw error(
                offset,
                LocalizedText(
                    "there is no state \(name.quoted()); \(hint.english)",
                    ko: "\(name.quoted()) 상태가 없습니다. \(hint.korean)"
                )
            )
        }
    }

    private static func example(_ key: String) -> LocalizedText {
        switch key {
        case "is": LocalizedText(verbatim: "is:open")
        case "pri": LocalizedText("pri:A or pri:A..C", ko: "pri:A, pri:A..C")
        case "id", "parent": LocalizedText(verbatim: "\(key):k7f2")
        case "rec": LocalizedText(verbatim: "rec:any")
        case _ where dates.contains(key):
            LocalizedText("\(key):today, \(key)<fri or \(key):none", ko: "\(key):오늘, \(key)<금요일, \(key):none")
        default: LocalizedText("\(key):home", ko: "\(key):집")
        }
    }

    private func priorities(_ text: String, _ offset: Int) throws(TodoQueryError) -> ClosedRange<UInt8> {
        let ends = Self.split(text).map { Priority($0)?.rank }
        guard let first = ends.first ?? nil, let last = ends.last ?? nil else {
            let example = Self.example("pri")
            throw error(
                offset,
                LocalizedText(
                    "\(text.quoted()) is not a priority; write \(example.english)",
                    ko: "\(text.quoted().with(.topic)) 우선순위가 아닙니다. \(example.korean)처럼 적어 주세요"
                )
            )
        }
        return min(first, last)...max(first, last)
    }

    /// Parses the days of a comparison.
    private func days(_ comparison: String, _ text: String, _ start: Int) throws(TodoQueryError) -> ClosedRange<Int32> {
        let all = TodoQueryTerm.anyDay
        func day(_ text: some StringProtocol, _ offset: Int, from today: Day) throws(TodoQueryError) -> Int32 {
            let phrase: DatePhrase
            do throws(DateError) {
                phrase = try DatePhrase(parsing: text, today: today, firstWeekday: firstWeekday, allowsPast: true)
            } catch let problem {
                throw error(start + offset, problem.text)
            }
            guard phrase.time == nil else {
                throw error(
                    start + offset,
                    LocalizedText("a query compares days; leave the time out", ko: "날짜만 찾을 수 있습니다. 시각을 빼 주세요")
                )
            }
            return Int32(phrase.day.number)
        }
        let ends = Self.split(text)
        if ends.count == 2 {
            guard comparison == ":" || comparison == "=" else {
                throw error(
                    start,
                    LocalizedText("a range follows a colon: due:mon..fri", ko: "범위는 쌍점 뒤에 적습니다: due:월요일..금요일")
                )
            }
            let from = try day(ends[0], 0, from: today)
            var to = try day(ends[1], ends[0].count + 2, from: today)
            // On a Wednesday, `mon..fri` is next week.
            if to < from { to = try day(ends[1], ends[0].count + 2, from: Day(number: Int(from))) }
            return min(from, to)...max(from, to)
        }
        let number = try day(text, 0, from: today)
        switch comparison {
        case "<": return all.lowerBound...number - 1
        case "<=": return all.lowerBound...number
        case ">": return number + 1...all.upperBound
        case ">=": return number...all.upperBound
        default: return number...number
        }
    }

    /// Returns the times of days in the time zone.
    private func times(_ days: ClosedRange<Int32>) -> Range<Double> {
        func start(_ number: Int32) -> Double {
            // Days outside the calendar: the comparison has no end there.
            if number <= TodoQueryTerm.anyDay.lowerBound { return -.infinity }
            if number >= TodoQueryTerm.anyDay.upperBound { return .infinity }
            return zone.date(Day(number: Int(number))).timeIntervalSinceReferenceDate
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
