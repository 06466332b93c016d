/// The part of a line of todo.txt or Markdown that names the task and its fields: `Buy milk +home @shop due:2026-03-09`.
///
/// Dates are ISO dates: a file has no present day.
enum TodoTextBody {
    /// The fields of a body, and the problems of words that look like fields but have no valid value.
    struct Parsed {
        var change = TodoChange()
        var problems: [TodoImportProblem] = []
    }

    /// Parses a body. All fields of the change are set, so that an import also removes values.
    ///
    /// - Parameters:
    ///   - text: the body.
    ///   - line: the number of its line.
    ///   - column: the column of its first character.
    /// - Returns: the fields and the problems.
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
        for word in TodoText.words(text) {
            func problem(_ message: String) {
                let offset = text.distance(from: text.startIndex, to: word.startIndex)
                parsed.problems.append(TodoImportProblem(line: line, column: column + offset, message: message))
            }
            func day() -> Day? {
                let value = word[word.index(after: word.firstIndex(of: ":") ?? word.startIndex)...]
                if let day = Day(iso: value) { return day }
                // `due:2026-02-30` is a mistake; `due:someday` is text.
                if value.utf8.count == 10, value.utf8.filter({ $0 == 0x2D }).count == 2, value.first?.isNumber == true {
                    do throws(DateError) {
                        _ = try DatePhrase(parsing: value, today: Day(number: 0))
                    } catch {
                        problem("\(error)")
                    }
                }
                return nil
            }
            let couldBeTime = followsDue
            followsDue = false
            if !couldBeTime, !isField(word) {
                title.append(word)
            } else if couldBeTime, time == nil, let found = TimeOfDay(word), word.utf8.count == 5 {
                time = found
            } else if let name = label(word, "+", "project:") {
                if !projects.contains(name) { projects.append(name) }
            } else if let name = label(word, "@", "context:") {
                if !contexts.contains(name) { contexts.append(name) }
            } else if let name = label(word, "#", "tag:") {
                if !tags.contains(name) { tags.append(name) }
            } else if due == nil, word.hasPrefix("due:"), let found = day() {
                due = found
                followsDue = true
            } else if threshold == nil, word.hasPrefix("t:"), let found = day() {
                threshold = found
            } else if recurrence == nil, word.hasPrefix("rec:"), let found = Recurrence(word.dropFirst(4)) {
                recurrence = found
            } else if priority == nil, word.hasPrefix("pri:"), let found = Priority(word.dropFirst(4)) {
                priority = found
            } else if list == nil, word.hasPrefix("list:"), let found = TodoList.name(ofWord: word.dropFirst(5)) {
                list = found
            } else {
                title.append(word)
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
        var words = [todo.title]
        words += todo.projects.map { word($0, "+", "project:") }
        words += todo.contexts.map { word($0, "@", "context:") }
        words += todo.tags.map { word($0, "#", "tag:") }
        if let due = todo.due { words.append("due:\(due)" + (todo.dueTime.map { " \($0)" } ?? "")) }
        if let threshold = todo.threshold { words.append("t:\(threshold)") }
        if let recurrence = todo.recurrence { words.append("rec:\(recurrence)") }
        if let list = todo.list { words.append("list:" + TodoList.word(list)) }
        return words.joined(separator: " ")
    }

    /// Returns whether a word begins with a sign or has a colon, as all but the words of a title do.
    private static func isField(_ word: Substring) -> Bool {
        switch word.utf8.first {
        case UInt8(ascii: "+"), UInt8(ascii: "@"), UInt8(ascii: "#"): true
        default: word.utf8.contains(UInt8(ascii: ":"))
        }
    }

    /// Returns the name of the label that a word stands for: `+home`, or `project:2024` for a name that begins with a digit or a
    /// sign. As todo.txt has it, any character may follow `+`; but `+1` is more likely text.
    private static func label(_ word: Substring, _ sign: Character, _ key: String) -> String? {
        let isPlain = word.first == sign
        guard isPlain || word.hasPrefix(key) else { return nil }
        let name = word.dropFirst(isPlain ? 1 : key.count)
        guard let first = name.first, name.utf8.count <= TodoText.tagLimit || name.count <= TodoText.tagLimit
        else { return nil }
        return isPlain == isName(first) ? String(name) : nil
    }

    /// Returns the word from which ``label(_:_:_:)`` reads a name.
    private static func word(_ name: String, _ sign: Character, _ key: String) -> String {
        (name.first.map(isName) == true ? String(sign) : key) + name
    }

    private static func isName(_ first: Character) -> Bool { first.isLetter || first == "_" }
}

extension Substring {
    /// Removes a priority such as "(A) " from the beginning, and returns it; `nil` without one.
    mutating func takePriority() -> Priority? {
        // The first byte alone takes a fraction of the time of the characters.
        guard utf8.first == UInt8(ascii: "("), first == "(", dropFirst(2).hasPrefix(") "),
            let letter = dropFirst().first, letter.isUppercase, let priority = Priority(String(letter))
        else { return nil }
        self = dropFirst(4)
        return priority
    }
}
