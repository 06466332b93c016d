/// The part of a line of todo.txt or Markdown that names the task and its fields: `Buy milk +home @shop due:2026-03-09`.
///
/// Dates are ISO dates: a file has no present day. A backslash before a word that would be a field, as in `\+home`, makes it a
/// word of the title.
enum TodoTextBody {
    /// The fields of a body, and the problems of words that look like fields but have no valid value.
    struct Parsed {
        var change = TodoChange()
        var problems: [TodoImportProblem] = []
    }

    /// Parses a body. All fields of the change are set, so that an import also removes values.
    static func parse(_ text: Substring, line: Int, column: Int) -> Parsed {
        var parsed = Parsed()
        var title: [Substring] = []
        var projects: [String] = []
        var contexts: [String] = []
        var tags: [String] = []
        var (due, threshold): (Day?, Day?) = (nil, nil)
        var time: TimeOfDay?
        var recurrence: Recurrence?
        var priority: Priority?
        var list: String?
        var followsDue = false
        var (place, offset) = (text.startIndex, column)
        for word in TodoText.words(text) {
            func day(_ result: Result<Day, DateError>) -> Day? {
                switch result {
                case .success(let day): return day
                case .failure(let error):
                    // From the last problem on: a line may have many.
                    offset += text.distance(from: place, to: word.startIndex)
                    place = word.startIndex
                    parsed.problems.append(TodoImportProblem(line: line, column: offset, message: "\(error)"))
                    title.append(word)
                    return nil
                }
            }
            let couldBeTime = followsDue
            followsDue = false
            if couldBeTime, time == nil, word.utf8.count == 5, let found = TimeOfDay(word) {
                time = found
                continue
            }
            switch field(word) {
            case .project(let name): projects.append(name)
            case .context(let name): contexts.append(name)
            case .tag(let name): tags.append(name)
            case .due(let result) where due == nil:
                due = day(result)
                followsDue = due != nil
            case .threshold(let result) where threshold == nil: threshold = day(result)
            case .recurrence(let found) where recurrence == nil: recurrence = found
            case .priority(let found) where priority == nil: priority = found
            case .list(let name) where list == nil: list = name
            case .escaped: title.append(word.dropFirst())
            default: title.append(word)
            }
        }
        parsed.change.title = title.joined(separator: " ")
        parsed.change.projects = projects
        parsed.change.contexts = contexts
        parsed.change.tags = tags
        parsed.change.due = .init(due)
        parsed.change.dueTime = .init(time)
        parsed.change.threshold = .init(threshold)
        parsed.change.recurrence = .init(recurrence)
        parsed.change.priority = .init(priority)
        parsed.change.list = .init(list)
        return parsed
    }

    /// Returns the body of a todo, without its priority.
    static func text(_ todo: Todo) -> String {
        var words = [title(todo.title)]
        words += todo.projects.map { word($0, "+", "project:") }
        words += todo.contexts.map { word($0, "@", "context:") }
        words += todo.tags.map { word($0, "#", "tag:") }
        if let due = todo.due { words.append("due:\(due)" + (todo.dueTime.map { " \($0)" } ?? "")) }
        if let threshold = todo.threshold { words.append("t:\(threshold)") }
        if let recurrence = todo.recurrenceWithMonthDay ?? todo.recurrence { words.append("rec:\(recurrence)") }
        if let list = todo.list { words.append("list:" + TodoList.word(list)) }
        return words.joined(separator: " ")
    }

    /// The meaning of a word that is not a word of the title as it is.
    private enum Field {
        case project(String), context(String), tag(String), list(String)
        case due(Result<Day, DateError>), threshold(Result<Day, DateError>)
        case recurrence(Recurrence), priority(Priority)
        /// A word of the title that would be a field without its backslash.
        case escaped
    }

    /// Returns the field that a word stands for; `nil` for a word of the title.
    private static func field(_ word: Substring) -> Field? {
        // Most words of a title have neither a sign at their beginning nor a colon.
        switch word.utf8.first {
        case UInt8(ascii: "\\"): return isEscapable(word.dropFirst()) ? .escaped : nil
        case UInt8(ascii: "+"), UInt8(ascii: "@"), UInt8(ascii: "#"): break
        default: guard word.utf8.contains(UInt8(ascii: ":")) else { return nil }
        }
        if let name = label(word, "+", "project:") { return .project(name) }
        if let name = label(word, "@", "context:") { return .context(name) }
        if let name = label(word, "#", "tag:") { return .tag(name) }
        if let value = value(of: "due:", word) { return day(value).map { .due($0) } }
        if let value = value(of: "t:", word) { return day(value).map { .threshold($0) } }
        if let value = value(of: "rec:", word) { return Recurrence(value).map { .recurrence($0) } }
        if let value = value(of: "pri:", word) { return Priority(value).map { .priority($0) } }
        if let value = value(of: "list:", word) { return TodoList.name(ofWord: value).map { .list($0) } }
        return nil
    }

    /// Returns what follows a key. By bytes: a combining mark at its beginning makes one character with the colon.
    private static func value(of key: String, _ word: Substring) -> Substring? {
        word.utf8.starts(with: key.utf8) ? Substring(word.utf8.dropFirst(key.utf8.count)) : nil
    }

    /// Returns the day of a field; `nil` for a text.
    private static func day(_ value: Substring) -> Result<Day, DateError>? {
        if let day = Day(iso: value) { return .success(day) }
        // `due:2026-02-30` is a mistake; `due:someday` is text.
        guard value.utf8.count == 10, value.utf8.filter({ $0 == 0x2D }).count == 2, value.first?.isNumber == true else {
            return nil
        }
        do throws(DateError) {
            _ = try DatePhrase(parsing: value, today: Day(number: 0))
            return nil
        } catch {
            return .failure(error)
        }
    }

    /// Returns whether a word, without the backslashes before it, is a field.
    private static func isEscapable(_ word: Substring) -> Bool {
        let bare = word.drop { $0 == "\\" }
        return !bare.isEmpty && field(bare) != nil
    }

    /// Whether a byte is a sign or the colon of a field.
    private static func hasMeaning(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ":"), UInt8(ascii: "+"), UInt8(ascii: "@"), UInt8(ascii: "#"): true
        default: false
        }
    }

    /// Returns a title with a backslash before each word that would be read as a field, or as such a word.
    private static func title(_ title: String) -> String {
        guard title.utf8.contains(where: hasMeaning) else { return title }
        let words = TodoText.words(title[...])
        guard words.contains(where: isEscapable) else { return title }
        return words.map { isEscapable($0) ? "\\" + $0 : String($0) }.joined(separator: " ")
    }

    /// Returns the name of the label that a word stands for: `+home`, or `project:2024` for a name that begins with a digit or a
    /// sign. As todo.txt has it, any character may follow `+`; but `+1` is more likely text.
    private static func label(_ word: Substring, _ sign: Character, _ key: String) -> String? {
        let isPlain = word.first == sign
        guard let name = isPlain ? word.dropFirst() : value(of: key, word), let first = name.first,
            name.utf8.count <= TodoText.tagLimit || name.count <= TodoText.tagLimit
        else { return nil }
        return isPlain == isName(first) ? String(name) : nil
    }

    /// Returns the word from which ``label(_:_:_:)`` reads a name.
    private static func word(_ name: String, _ sign: Character, _ key: String) -> String {
        (name.first.map(isName) == true ? String(sign) : key) + name
    }

    private static func isName(_ first: Character) -> Bool { first.isLetter || first == "_" }
}

extension UnicodeScalar {
    /// Whether it is a space or a tab.
    var isBlank: Bool { self == " " || self == "\t" }
}

// A combining mark at the beginning of a text makes one character with a blank before it: scalars and bytes are compared.
extension Substring {
    /// The text without the spaces and tabs at its beginning.
    var withoutIndentation: Substring { Substring(unicodeScalars.drop(while: \.isBlank)) }

    /// Removes a priority such as "(A) " from the beginning, and returns it; `nil` without one.
    mutating func takePriority() -> Priority? {
        guard utf8.first == UInt8(ascii: "("), utf8.dropFirst(2).starts(with: ") ".utf8),
            let letter = dropFirst().first, letter.isUppercase, let priority = Priority(String(letter))
        else { return nil }
        self = Substring(utf8.dropFirst(4))
        return priority
    }

    /// Whether a title without a priority begins with what would be taken for one, also behind backslashes.
    var beginsWithPriority: Bool {
        var rest = drop { $0 == "\\" }
        return rest.takePriority() != nil
    }
}
