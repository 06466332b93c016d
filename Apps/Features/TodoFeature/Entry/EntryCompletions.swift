import AppLanguage
import TerminalUI
import TodoCore

/// What can complete the word at the caret of a line: projects, contexts, labels, days and todos.
struct EntryCompletions {
    /// The largest number of suggestions.
    private static let limit = 50

    /// The todos and names to choose from.
    let snapshot: TodoSnapshot
    /// The day that relative dates count from.
    let today: Day
    /// How days are written, and with which day a week begins.
    var dates = DateStyle()
    /// The language of the suggested dates and of the explanations.
    let language: AppLanguage
    /// The todo that is edited: it is not a part of itself and does not wait for itself.
    var edited: TodoID?

    /// Returns the suggestions for the word before the caret. An accepted one replaces the whole word.
    ///
    /// - Parameters:
    ///   - line: the text of a field.
    ///   - caret: the number of characters before the caret.
    ///   - key: what each word of the field has before it in a line, such as `after:`; empty for a whole line.
    /// - Returns: the suggestions, best first; `nil` without any.
    func list(_ line: String, caret: Int, of key: String = "") -> CompletionList? {
        let characters = Array(line)
        guard characters.indices.contains(caret - 1) else { return nil }
        let start = characters[..<caret].lastIndex { $0.isWhitespace }.map { $0 + 1 } ?? 0
        let end = characters[caret...].firstIndex { $0.isWhitespace } ?? characters.count
        // In a form, Tab moves on from a complete word.
        guard key.isEmpty || start < caret else { return nil }
        let found = suggestions(for: key + String(characters[start..<caret]))
        guard !found.isEmpty else { return nil }
        // The next word follows at once.
        let space = key.isEmpty && end == characters.count ? " " : ""
        return CompletionList(
            replacing: start..<end,
            items: found.prefix(Self.limit).map { Completion($0.text.dropFirst(key.count) + space, detail: $0.detail) }
        )
    }

    private func suggestions(for word: String) -> [Completion] {
        guard let colon = word.firstIndex(of: ":") else {
            return snapshot.names.completions(of: word).map { Completion($0) }
        }
        let (key, value) = (word[...colon], String(word[word.index(after: colon)...]))
        switch key.lowercased() {
        case "due:": return days(key, value)
        case "t:": return distances(key, value) + days(key, value)
        case "parent:", "after:": return todos(key, value)
        default: return []
        }
    }

    private func days(_ key: Substring, _ value: String) -> [Completion] {
        let first = dates.firstWeekday.number
        return DatePhrase.suggestions(for: value, today: today, firstWeekday: first, language: language).map {
            text,
            day in
            Completion(key + text, detail: DayText.exact(day, today: today, style: dates)(language))
        }
    }

    /// The distances of a threshold from the due day.
    private func distances(_ key: Substring, _ value: String) -> [Completion] {
        TodoListText.distances.filter { $0.text.hasPrefix(value) && $0.text != value && !value.isEmpty }.map {
            Completion(key + $0.text, detail: $0.meaning(language))
        }
    }

    private func todos(_ key: Substring, _ value: String) -> [Completion] {
        snapshot.candidates(value, limit: Self.limit + 1).filter { $0.id != edited && $0.id.description != value }.map {
            Completion("\(key)\($0.id)", detail: TextLayout.truncate($0.title, to: 40))
        }
    }
}
