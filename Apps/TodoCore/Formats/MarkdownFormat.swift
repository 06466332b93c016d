/// Task lists in Markdown: `- [x] (A) Buy milk +home due:2026-03-09`, subtasks indented, notes as indented text below.
///
/// A backslash before a word of the title that looks like a field, or before a line of a note that looks like a task, makes it
/// text.
enum MarkdownFormat {
    /// Parses a file. Lines that are neither tasks nor below a task are ignored.
    static func parse(_ bytes: [UInt8], clock: TodoClock) -> TodoImportFile {
        var file = TodoImportFile()
        /// The tasks around the present line: their indentation and their index, `nil` for one that was refused.
        var open: [(indentation: Int, index: Int?)] = []
        var notes: [Int: [String]] = [:]
        TodoTextReader.forEachLine(bytes, &file.problems) { line, problems in
            if let problem = TodoTextReader.controlProblem(line.text, line: line.number) {
                problems.append(problem)
                return
            }
            let text = line.text.drop { $0 == " " || $0 == "\t" }
            guard !text.isEmpty else {
                if let index = open.last?.index, notes[index] != nil { notes[index]?.append("") }
                return
            }
            let indentation = line.text[..<text.startIndex].reduce(0) { $0 + ($1 == "\t" ? 4 : 1) }
            guard let (isDone, body) = task(text) else {
                // Text that is indented below a task is its note; other text ends the list.
                if let last = open.last, indentation > last.indentation {
                    if let index = last.index { notes[index, default: []].append(unescaped(text)) }
                } else {
                    open = []
                }
                return
            }
            while let last = open.last, last.indentation >= indentation { open.removeLast() }
            var rest = body
            let priority = rest.takePriority()
            if priority == nil, rest.first == "\\", beginsWithPriority(rest) { rest = rest.dropFirst() }
            let column = line.text.distance(from: line.text.startIndex, to: rest.startIndex) + 1
            let parsed = TodoTextBody.parse(rest, line: line.number, column: column)
            var record = TodoRecord(line: line.number, title: "")
            record.change = parsed.change
            if let priority { record.change.priority = .set(priority) }
            record.completed = isDone ? .set(clock.zone.date(clock.today)) : .clear
            record.completedPrecision = .unknown
            record.parentIndex = open.last?.index
            record.change.note = .clear
            do {
                _ = try record.todo(now: .distantPast)
                guard parsed.problems.isEmpty else {
                    problems += parsed.problems
                    open.append((indentation, nil))
                    return
                }
                open.append((indentation, file.records.count))
                file.records.append(record)
            } catch {
                problems.append(TodoImportProblem(line: line.number, column: column, message: "\(error)"))
                open.append((indentation, nil))
            }
        }
        add(notes, to: &file)
        return file
    }

    /// Sets the notes of records by their index, and removes those whose note no todo can hold.
    private static func add(_ notes: [Int: [String]], to file: inout TodoImportFile) {
        var refused: Set<Int> = []
        for (index, var lines) in notes {
            while lines.last == "" { lines.removeLast() }
            let note = lines.joined(separator: "\n")
            file.records[index].change.note = .set(note)
            do throws(TodoError) {
                _ = try TodoText.note(note)
            } catch {
                file.problems.append(TodoImportProblem(line: file.records[index].line, message: "\(error)"))
                refused.insert(index)
            }
        }
        guard !refused.isEmpty else { return }
        file.problems.sort { $0.line < $1.line }
        /// The new index of each record; `nil` for one that is removed.
        var places: [Int?] = []
        var count = 0
        for index in file.records.indices {
            places.append(refused.contains(index) ? nil : count)
            if places[index] != nil { count += 1 }
        }
        file.records = file.records.indices.filter { places[$0] != nil }.map { index in
            var record = file.records[index]
            record.parentIndex = record.parentIndex.flatMap { places[$0] }
            return record
        }
    }

    /// Parses `- [ ] text`; `nil` for a line of another form.
    private static func task(_ text: Substring) -> (isDone: Bool, body: Substring)? {
        var rest = text
        if let first = rest.first, "-*+".contains(first) {
            rest = rest.dropFirst()
        } else {
            let digits = rest.prefix(while: \.isNumber)
            guard !digits.isEmpty, digits.count <= 9 else { return nil }
            rest = rest.dropFirst(digits.count)
            guard rest.first == "." || rest.first == ")" else { return nil }
            rest = rest.dropFirst()
        }
        guard rest.first == " " else { return nil }
        rest = rest.drop { $0 == " " }
        let box = rest.prefix(4).lowercased()
        guard box == "[ ] " || box == "[x] " else { return nil }
        return (box == "[x] ", rest.dropFirst(4))
    }

    /// Returns the task list of todos, subtasks below their parents.
    static func text(_ todos: [Todo]) -> String {
        TodoTree.rows(todos).map { row in
            let indentation = String(repeating: "  ", count: row.depth)
            let todo = row.todo
            let body = TodoTextBody.text(todo)
            let priority = todo.priority.map { "(\($0)) " } ?? (beginsWithPriority(body[...]) ? "\\" : "")
            var text = "\(indentation)- [\(todo.isDone ? "x" : " ")] \(priority)\(body)\n"
            for line in (todo.note ?? "").split(separator: "\n", omittingEmptySubsequences: false)
            where todo.note != nil {
                text += line.isEmpty ? "\n" : "\(indentation)  \(escaped(line))\n"
            }
            return text
        }.joined()
    }

    /// Whether a title without a priority begins with what would be taken for one, also behind backslashes.
    private static func beginsWithPriority(_ body: Substring) -> Bool {
        var rest = body.drop { $0 == "\\" }
        return rest.takePriority() != nil
    }

    /// Returns a line of a note that is not taken for a task.
    private static func escaped(_ line: Substring) -> String {
        let bare = line.drop { $0 == " " || $0 == "\t" || $0 == "\\" }
        return task(bare) == nil && line.first != "\\" && line.first != " " && line.first != "\t"
            ? String(line) : "\\" + line
    }

    private static func unescaped(_ line: Substring) -> String {
        String(line.first == "\\" ? line.dropFirst() : line)
    }
}
