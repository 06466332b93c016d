import AppLanguage
import TextEscaping

/// Parses a line into a ``TodoEntry``.
struct TodoEntryParser {
    private struct Word {
        let text: Substring
        /// The position in characters, counted from 0.
        let range: Range<Int>
    }

    private let words: [Word]
    private let today: Day
    private let firstWeekday: Int
    private let labels: Set<String>
    private var entry = TodoEntry()
    private var title: [Substring] = []
    private var index = 0

    init(line: String, today: Day, firstWeekday: Int, labels: Set<String>) {
        (self.today, self.firstWeekday, self.labels) = (today, firstWeekday, labels)
        var words: [Word] = []
        var start: (index: String.Index, offset: Int)?
        var offset = 0
        for index in line.indices {
            if line[index].isWhitespace {
                if let begun = start {
                    words.append(Word(text: line[begun.index..<index], range: begun.offset..<offset))
                    start = nil
                }
            } else if start == nil {
                start = (index, offset)
            }
            offset += 1
        }
        if let begun = start { words.append(Word(text: line[begun.index...], range: begun.offset..<offset)) }
        self.words = words
    }

    /// The names of the fields.
    static let keys = ["due", "t", "rec", "pri", "parent", "after", "project"]

    mutating func parse() -> TodoEntry {
        while index < words.count {
            let word = words[index]
            if index == 0, word.text.count == 3, word.text.first == "(", word.text.last == ")",
                let rank = Priority(word.text.dropFirst().prefix(1))
            {
                entry.priority = .set(rank)
                note(.priority)
            } else if let kind = label(word.text) {
                note(kind)
            } else if let colon = word.text.firstIndex(of: ":"), colon > word.text.startIndex {
                field(word.text[..<colon].lowercased(), String(word.text[word.text.index(after: colon)...]), word)
            } else {
                text()
            }
        }
        entry.title = title.joined(separator: " ")
        return entry
    }

    /// Adds a project, a context or a label.
    private mutating func label(_ word: Substring) -> TodoEntry.Piece.Kind? {
        guard let sign = word.first, word.count <= TodoText.tagLimit,
            word.dropFirst().first?.isLetter == true || labels.contains(String(word))
        else { return nil }
        let name = String(word.dropFirst())
        func add(_ name: String, to names: inout [String]) { if !names.contains(name) { names.append(name) } }
        switch sign {
        case "+":
            add(name, to: &entry.projects)
            return .project
        case "@":
            add(name, to: &entry.contexts)
            return .context
        case "#":
            add(name, to: &entry.tags)
            return .tag
        default: return nil
        }
    }

    private mutating func note(_ kind: TodoEntry.Piece.Kind, words count: Int = 1) {
        let range = words[index].range.lowerBound..<words[index + count - 1].range.upperBound
        entry.pieces.append(TodoEntry.Piece(kind: kind, range: range))
        index += count
    }

    private mutating func text() {
        title.append(words[index].text)
        note(.text)
    }

    private mutating func problem(_ explanation: LocalizedText) {
        let word = words[index]
        entry.problems.append(
            TodoEntry.Problem(text: String(word.text), column: word.range.lowerBound + 1, explanation: explanation)
        )
        title.append(word.text)
        note(.problem)
    }

    private mutating func field(_ key: String, _ value: String, _ word: Word) {
        let isNone = value.lowercased() == "none"
        switch key {
        case _ where value.isEmpty: text()
        case "due" where entry.due == nil:
            if isNone {
                entry.due = .clear
                note(.due)
                return
            }
            switch phrase(value) {
            case .success(let (phrase, count)):
                entry.due = .set(phrase.day)
                entry.dueTime = phrase.time
                note(.due, words: count)
            case .failure(let error): problem(error.text)
            }
        case "t" where entry.threshold == nil:
            if isNone {
                entry.threshold = .clear
                note(.threshold)
            } else if let days = Self.relative(value) {
                entry.threshold = .set(.relative(days))
                note(.threshold)
            } else {
                switch phrase(value) {
                case .success(let (phrase, count)) where phrase.time == nil:
                    entry.threshold = .set(.day(phrase.day))
                    note(.threshold, words: count)
                case .success:
                    problem(LocalizedText("t: takes a day without a time", ko: "t:에는 시각 없이 날짜만 적습니다"))
                case .failure where value.first == "-" && DatePhrase.isDistance(value.dropFirst()):
                    problem(
                        LocalizedText("t: counts in days or weeks, as in -2d or -1w", ko: "t:에는 -2d나 -1w처럼 일이나 주로 적습니다")
                    )
                // Not every `t:` is a field: `t:r` stays text.
                case .failure(.unknown(_, nearest: nil)): text()
                case .failure(let error): problem(error.text)
                }
            }
        case "rec" where entry.recurrence == nil:
            if let (recurrence, count) = recurrence(value) {
                if let other = Recurrence.trailing(following(count)) {
                    return problem(Self.noRepetition(other.joined(separator: " ")))
                }
                entry.recurrence = .set(recurrence)
                note(.recurrence, words: count)
                return
            }
            entry.recurrence = update(.recurrence) { () throws(TodoFieldError) in
                try TodoForm.recurrence(isNone ? "" : value)
            }
        case "pri" where entry.priority == nil:
            entry.priority = update(.priority) { () throws(TodoFieldError) in
                try TodoForm.priority(isNone ? "" : value)
            }
        case "project" where value.utf8.count <= TodoText.tagLimit && !entry.replacesProjects:
            if !isNone, !entry.projects.contains(value) { entry.projects.append(value) }
            entry.replacesProjects = true
            note(.project)
        case "parent" where entry.parent == nil:
            if isNone {
                entry.parent = .clear
            } else if Self.isID(value) {
                entry.parent = .set(value)
            } else {
                return problem(Self.noID(value))
            }
            note(.parent)
        case "after":
            if isNone {
                entry.removesDependencies = true
            } else if Self.isID(value) {
                if !entry.after.contains(value) { entry.after.append(value) }
            } else {
                return problem(Self.noID(value))
            }
            note(.after)
        default: text()
        }
    }

    /// Whether a text may be the ID of a todo or the beginning of one, or its UUID.
    private static func isID(_ text: String) -> Bool {
        let isShort = text.utf8.count <= 13
        return isShort && text.utf8.allSatisfy { (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) }
            || UUID(text: text) != nil
    }

    private static func noID(_ text: String) -> LocalizedText {
        LocalizedText(
            "\(text.quoted()) is not the ID of a todo; write one such as k7f2",
            ko: "\(text.quoted().with(.topic)) 할 일의 아이디가 아닙니다. k7f2처럼 적어 주세요"
        )
    }

    /// Returns the value of the current word, or `nil` after noting that the word has no valid value.
    private mutating func update<Value>(
        _ kind: TodoEntry.Piece.Kind,
        _ parse: () throws(TodoFieldError) -> TodoChange.Update<Value>
    ) -> TodoChange.Update<Value>? {
        do throws(TodoFieldError) {
            let value = try parse()
            note(kind)
            return value
        } catch {
            problem(error.text)
            return nil
        }
    }

    /// Parses the longest repetition that begins in the value of the current word, such as `every 2nd tue until 2026-12-31`.
    private func recurrence(_ value: String) -> (Recurrence, words: Int)? {
        for count in stride(from: min(12, words.count - index), through: 1, by: -1) {
            let text = ([value[...]] + words[index + 1..<index + count].map(\.text)).joined(separator: " ")
            if let found = Recurrence(text) { return (found, count) }
        }
        return nil
    }

    /// Parses the longest date that begins in the value of the current word.
    private func phrase(_ value: String) -> Result<(DatePhrase, Int), DateError> {
        let rest = following(1)
        let context = DateContext(today: today, firstWeekday: firstWeekday, allowsPast: false)
        for count in stride(from: min(6, rest.count), through: 0, by: -1) {
            let date = [value] + rest.prefix(count)
            do throws(DateError) {
                // A suggestion is for the value alone.
                guard let found = try count == 0 ? self.date(value) : DatePhrase.found(in: date, context) else {
                    continue
                }
                if let other = DatePhrase.trailing(Array(rest.dropFirst(count)), after: date, context) {
                    throw .trailing(other.joined(separator: " "), after: date.joined(separator: " "))
                }
                return .success((found, count + 1))
            } catch {
                // The words of a day that the calendar does not have are not text behind a shorter date.
                return .failure(error)
            }
        }
        return .failure(.unknown(value, nearest: nil))
    }

    /// Returns the words behind the first `count` ones from the current one, up to the next field.
    private func following(_ count: Int) -> [String] {
        words[(index + count)...].prefix { !isField($0.text) }.prefix(11).map { $0.text.lowercased() }
    }

    private static func noRepetition(_ text: String) -> LocalizedText {
        LocalizedText(
            "\(text.quoted()) is not read as part of the repetition; write \(Recurrence.validForms)",
            ko: "\(text.quoted().with(.topic)) 반복의 일부로 읽을 수 없습니다. 매주 월,목, 매월 둘째 화요일, 2026-12-31까지처럼 적어 주세요"
        )
    }

    /// Whether a word is that of another field, which is not part of a date.
    private func isField(_ word: Substring) -> Bool {
        Self.keys.contains { word.hasPrefix($0 + ":") } || ["+", "@", "#"].contains(word.first)
    }

    private func date(_ text: String) throws(DateError) -> DatePhrase {
        try DatePhrase(parsing: text, today: today, firstWeekday: firstWeekday)
    }

    /// Parses `-2d` or `-1w` as a number of days.
    private static func relative(_ value: String) -> Int? {
        guard value.first == "-", let unit = value.last.flatMap({ DateUnit(letter: $0) }),
            let count = CalendarDate.number(value.dropFirst().dropLast(), 1...3)
        else { return nil }
        switch unit {
        case .day: return -count
        case .week: return -7 * count
        case .month, .year: return nil
        }
    }
}

extension TodoEntry {
    init() {}
}
