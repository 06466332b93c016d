/// The fields of a task in the form of the Tasks plugin of Obsidian: `Pay rent 🔺 🔁 every month 📅 2026-03-09`.
///
/// | mark | field |
/// |---|---|
/// | 📅; ⏳, 🛫 | due; threshold |
/// | ✅, ❌; ➕ | the day of completion; that of creation |
/// | 🔺 ⏫ 🔼 🔽 ⏬ | priority A to E |
/// | 🔁 | a repetition in words, from the due day unless they end with `when done` |
///
/// A mark without a valid value is text, and so is one behind a backslash.
struct MarkdownMarks {
    private(set) var due: Day?
    private(set) var threshold: Day?
    private(set) var completed: Day?
    private(set) var created: Day?
    private(set) var priority: Priority?
    private(set) var recurrence: Recurrence?

    /// Removes the fields from a body.
    init(removingFrom body: inout Substring) {
        guard Self.canHaveMarks(body) else { return }
        let words = TodoText.words(body)
        var rest: [Substring] = []
        var index = 0
        while index < words.count {
            if let (field, count) = Self.field(words[index...]), set(field) {
                index += count
            } else {
                rest.append(Self.isEscapable(words[index...]) ? words[index].dropFirst() : words[index])
                index += 1
            }
        }
        body = rest.joined(separator: " ")[...]
    }

    /// Returns a body with a backslash before each mark that would be read as a field.
    static func escaped(_ body: String) -> String {
        guard canHaveMarks(body[...]) else { return body }
        let words = TodoText.words(body[...])
        let marks = words.indices.filter { field(words[$0...]) != nil || isEscapable(words[$0...]) }
        guard !marks.isEmpty else { return body }
        return words.indices.map { marks.contains($0) ? "\\" + words[$0] : words[$0] }.joined(separator: " ")
    }

    /// Sets the fields of a change that have no value.
    func setFields(_ change: inout TodoChange) {
        if change.due?.value == nil, let due { change.due = .set(due) }
        if change.threshold?.value == nil, let threshold { change.threshold = .set(threshold) }
        if change.priority?.value == nil, let priority { change.priority = .set(priority) }
        if change.recurrence?.value == nil, let recurrence { change.recurrence = .set(recurrence) }
    }

    private enum Field {
        case due(Day), threshold(Day), completed(Day), created(Day), priority(Priority), recurrence(Recurrence)
    }

    /// The letters of the priorities by their marks.
    private static let priorities: [Unicode.Scalar: String] = ["🔺": "A", "⏫": "B", "🔼": "C", "🔽": "D", "⏬": "E"]

    /// No field has more words, and a line may have many marks.
    private static let wordLimit = 16

    /// Whether a text has a byte with which a mark begins, as few titles have.
    private static func canHaveMarks(_ text: Substring) -> Bool { text.utf8.contains { $0 == 0xE2 || $0 == 0xF0 } }

    /// Returns whether the first word, without the backslashes before it, begins a field.
    private static func isEscapable(_ words: ArraySlice<Substring>) -> Bool {
        guard let first = words.first, first.first == "\\" else { return false }
        return field([first.drop { $0 == "\\" }] + words.dropFirst().prefix(wordLimit)) != nil
    }

    /// Returns the field with which words begin, and the number of its words.
    private static func field(_ words: ArraySlice<Substring>) -> (Field, count: Int)? {
        guard let word = words.first, let mark = word.unicodeScalars.first else { return nil }
        // A variation selector may follow, and the value without a space.
        let value = Substring(word.unicodeScalars.dropFirst().drop { $0 == "\u{FE0F}" })
        if let letter = priorities[mark], value.isEmpty { return Priority(letter).map { (.priority($0), 1) } }
        let next = value.isEmpty ? words.dropFirst() : [value] + words.dropFirst().prefix(wordLimit)
        let own = value.isEmpty ? 1 : 0
        if mark == "🔁" { return recurrence(next).map { (.recurrence($0.recurrence), own + $0.count) } }
        guard let day = next.first.flatMap({ Day(iso: $0) }) else { return nil }
        switch mark {
        case "📅": return (.due(day), own + 1)
        case "⏳", "🛫": return (.threshold(day), own + 1)
        case "✅", "❌": return (.completed(day), own + 1)
        case "➕": return (.created(day), own + 1)
        default: return nil
        }
    }

    /// Returns the repetition in the words before the next mark or label.
    private static func recurrence(_ words: ArraySlice<Substring>) -> (recurrence: Recurrence, count: Int)? {
        let phrase = words.prefix(wordLimit).prefix { word in
            word.utf8.allSatisfy { $0 < 0x80 } && !"+@#".contains(word.prefix(1))
        }
        let isAfterCompletion = phrase.suffix(2).elementsEqual(["when", "done"])
        let text = phrase.dropLast(isAfterCompletion ? 2 : 0).joined(separator: " ")
        guard text.hasPrefix("every "), let found = Recurrence(text) else { return nil }
        guard !isAfterCompletion, found.days == nil,
            var strict = Recurrence(every: found.count, found.unit, isStrict: true)
        else { return (found, phrase.count) }
        (strict.until, strict.remaining) = (found.until, found.remaining)
        return (strict, phrase.count)
    }

    /// Sets a field; `false` if it has a value already.
    private mutating func set(_ field: Field) -> Bool {
        func set<Value>(_ place: inout Value?, _ value: Value) -> Bool {
            guard place == nil else { return false }
            place = value
            return true
        }
        switch field {
        case .due(let day): return set(&due, day)
        case .threshold(let day): return set(&threshold, day)
        case .completed(let day): return set(&completed, day)
        case .created(let day): return set(&created, day)
        case .priority(let found): return set(&priority, found)
        case .recurrence(let found): return set(&recurrence, found)
        }
    }
}
