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
        for word in text.split(whereSeparator: \.isWhitespace) {
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
            if couldBeTime, time == nil, let found = TimeOfDay(word), word.utf8.count == 5 {
                time = found
            } else if isLabel(word, "+") {
                if !projects.contains(String(word.dropFirst())) { projects.append(String(word.dropFirst())) }
            } else if isLabel(word, "@") {
                if !contexts.contains(String(word.dropFirst())) { contexts.append(String(word.dropFirst())) }
            } else if isLabel(word, "#") {
                if !tags.contains(String(word.dropFirst())) { tags.append(String(word.dropFirst())) }
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
        words += todo.projects.map { "+" + $0 } + todo.contexts.map { "@" + $0 } + todo.tags.map { "#" + $0 }
        if let due = todo.due { words.append("due:\(due)" + (todo.dueTime.map { " \($0)" } ?? "")) }
        if let threshold = todo.threshold { words.append("t:\(threshold)") }
        if let recurrence = todo.recurrence { words.append("rec:\(recurrence)") }
        if let list = todo.list { words.append("list:" + TodoList.word(list)) }
        return words.joined(separator: " ")
    }

    private static func isLabel(_ word: Substring, _ sign: Character) -> Bool {
        guard word.first == sign, word.count <= TodoText.tagLimit, let next = word.dropFirst().first else {
            return false
        }
        // As todo.txt has it, any character may follow; a number or a sign is more likely text.
        return next.isLetter || next == "_"
    }
}
