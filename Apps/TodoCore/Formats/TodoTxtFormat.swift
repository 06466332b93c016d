/// The format of todo.txt: `x 2026-03-10 2026-03-01 Buy milk +home @shop due:2026-03-09`.
///
/// An import stores each line, and an export writes it again, byte for byte, as long as it has the meaning of the todo.
enum TodoTxtFormat {
    /// The extra field that contains the line of an import.
    static let lineKey = "todo.txt"

    /// Parses a file.
    static func parse(_ bytes: [UInt8], clock: TodoClock) -> TodoImportFile {
        var file = TodoImportFile()
        TodoTextReader.forEachLine(bytes, &file.problems) { line, problems in
            guard !line.text.isBlank else { return }
            if let problem = TodoTextReader.controlProblem(line.text, line: line.number) {
                problems.append(problem)
                return
            }
            let parsed = record(line.text, number: line.number, clock: clock)
            if let record = parsed.record { file.records.append(record) }
            problems += parsed.problems
        }
        return file
    }

    private static func record(_ line: String, number: Int, clock: TodoClock) -> (
        record: TodoRecord?, problems: [TodoImportProblem]
    ) {
        var rest = line[...]
        func takeDay() -> Day? {
            let following = rest.utf8.dropFirst(10)
            guard following.first ?? UInt8(ascii: " ") == UInt8(ascii: " "),
                let day = Day(iso: rest[..<following.startIndex])
            else { return nil }
            rest = Substring(following).withoutIndentation
            return day
        }
        let isDone = rest.utf8.starts(with: "x ".utf8)
        if isDone { rest = Substring(rest.utf8.dropFirst(2)).withoutIndentation }
        var priority: Priority?
        func takePriority() {
            guard priority == nil, rest.utf8.count > 4 else { return }
            priority = rest.takePriority()
            if priority != nil { rest = rest.withoutIndentation }
        }
        takePriority()
        let first = takeDay()
        var second: Day?
        if isDone, first != nil {
            // Some programs write the priority after either day.
            takePriority()
            second = takeDay()
            takePriority()
            if priority == nil, rest.first == "\\", rest.beginsWithPriority { rest = rest.dropFirst() }
        }
        let column = line.distance(from: line.startIndex, to: rest.startIndex) + 1
        let body = TodoTextBody.parse(rest, line: number, column: column)
        guard body.problems.isEmpty else { return (nil, body.problems) }
        var record = TodoRecord(line: number, title: "")
        (record.change, record.statesSpaces) = (body.change, false)
        if let priority { record.change.priority = .set(priority) }
        if isDone {
            record.completed = .set(clock.zone.date(first ?? clock.today))
            record.completedPrecision = first == nil ? .unknown : .day
        } else {
            record.completed = .clear
        }
        if let created = isDone ? second : first { record.created = clock.zone.date(created) }
        record.extras[lineKey] = line
        do {
            _ = try record.todo(now: .distantPast)
        } catch {
            return (nil, [TodoImportProblem(line: number, column: column, message: "\(error)")])
        }
        return (record, [])
    }

    /// Returns the lines of todos.
    static func text(_ todos: [Todo], clock: TodoClock) -> String {
        todos.map { line($0, clock: clock) + "\n" }.joined()
    }

    /// Returns the line of a todo.
    static func line(_ todo: Todo, clock: TodoClock) -> String {
        if let line = todo.extras[lineKey], !line.contains(where: \.isNewline),
            let record = record(line, number: 1, clock: clock).record, hasMeaning(record, of: todo, clock)
        {
            return line
        }
        var words: [String] = []
        if let completed = todo.completed {
            words += ["x", "\(Day(completed, in: clock.zone))"]
        } else if let priority = todo.priority {
            words.append("(\(priority))")
        }
        words.append("\(Day(todo.created, in: clock.zone))")
        let body = TodoTextBody.text(todo)
        words.append(todo.isDone && body[...].beginsWithPriority ? "\\" + body : body)
        // A completed line has no letter in brackets: todo.sh would take it for text.
        if todo.isDone, let priority = todo.priority { words.append("pri:\(priority)") }
        return words.joined(separator: " ")
    }

    private static func hasMeaning(_ record: TodoRecord, of todo: Todo, _ clock: TodoClock) -> Bool {
        var other = todo
        guard (try? record.apply(to: &other)) != nil else { return false }
        other.completed = todo.completed
        guard other == todo else { return false }
        switch (record.completed, todo.completed) {
        case (.clear, nil): return true
        case (.set(let date), let completed?):
            // Without a date in the line, any day is right.
            return todo.extras[lineKey]?.dropFirst(2).first?.isNumber != true
                || Day(date, in: clock.zone) == Day(completed, in: clock.zone)
        default: return false
        }
    }
}
