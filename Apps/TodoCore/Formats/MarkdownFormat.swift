/// Task lists in Markdown: `- [x] (A) Buy milk +home due:2026-03-09`, subtasks indented, notes as indented text below.
///
/// Any character may be in the box: `x` is done, `-` cancelled, and others are open. What is in fenced code is no task. The dates
/// and priorities of ``MarkdownMarks`` are read, too.
///
/// A backslash before a word of the title that looks like a field, or before a line of a note that looks like a task, makes it
/// text.
enum MarkdownFormat {
    /// Parses a file. Lines that are neither tasks nor below a task are ignored.
    static func parse(_ bytes: [UInt8], clock: TodoClock) -> TodoImportFile {
        var file = TodoImportFile()
        /// The tasks around the present line: their indentation, their index, `nil` for one that was refused, and the indentation
        /// of their notes.
        var open: [(indentation: Int, index: Int?, note: Int?)] = []
        /// The fenced code around the present line, and whether it is below a task.
        var fence: (code: MarkdownFence, isNote: Bool)?
        var notes: [Int: [String]] = [:]
        TodoTextReader.forEachLine(bytes, &file.problems) { line, problems in
            if let problem = TodoTextReader.controlProblem(line.text, line: line.number) {
                problems.append(problem)
                return
            }
            let text = line.text[...].withoutIndentation
            guard !text.isEmpty else {
                if let index = open.last?.index, notes[index] != nil { notes[index]?.append("") }
                return
            }
            let indentation = line.text[..<text.startIndex].unicodeScalars.reduce(0) { $0 + width($1) }
            let isBelow = open.last.map { indentation > $0.indentation } ?? false
            // Text that is not indented also ends the code below a task.
            if let found = fence, found.isNote, !isBelow { fence = nil }
            let (isCode, code) = (fence != nil, fence == nil ? MarkdownFence(opening: text) : nil)
            guard !isCode, code == nil, let (box, body) = task(text) else {
                // Text that is indented below a task is its note; other text ends the list.
                if isBelow, let last = open.last {
                    let base = last.note ?? indentation
                    open[open.count - 1].note = base
                    let rest = withoutIndentation(line.text, base)
                    if let index = last.index {
                        notes[index, default: []].append(isCode ? String(rest) : unescaped(rest))
                    }
                } else {
                    open = []
                }
                if let code { fence = (code, isBelow) }
                if isCode, fence?.code.isClosed(by: text) == true { fence = nil }
                return
            }
            while let last = open.last, last.indentation >= indentation { open.removeLast() }
            var rest = body
            let priority = rest.takePriority()
            if priority == nil, rest.first == "\\", rest.beginsWithPriority { rest = rest.dropFirst() }
            let column = line.text.distance(from: line.text.startIndex, to: rest.startIndex) + 1
            let marks = MarkdownMarks(removingFrom: &rest)
            let parsed = TodoTextBody.parse(rest, line: line.number, column: column)
            var record = TodoRecord(line: line.number, title: "")
            (record.change, record.statesSpaces) = (parsed.change, false)
            marks.setFields(&record.change)
            if let priority { record.change.priority = .set(priority) }
            record.completed = "xX-".contains(box) ? .set(clock.zone.date(clock.today)) : .clear
            // A cancelled task is closed, but not in the list of what was done.
            if box == "-" { record.isArchived = true }
            record.completedPrecision = .unknown
            if let day = marks.completed, record.completed != .clear {
                record.completed = .set(clock.zone.date(day))
                record.completedPrecision = .day
            }
            record.created = marks.created.map { clock.zone.date($0) }
            record.parentIndex = open.last?.index
            record.change.note = .clear
            do {
                _ = try record.todo(now: .distantPast)
                guard parsed.problems.isEmpty else {
                    problems += parsed.problems
                    open.append((indentation, nil, nil))
                    return
                }
                open.append((indentation, file.records.count, nil))
                file.records.append(record)
            } catch {
                problems.append(TodoImportProblem(line: line.number, column: column, message: "\(error)"))
                open.append((indentation, nil, nil))
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

    private static func width(_ blank: UnicodeScalar) -> Int { blank == "\t" ? 4 : 1 }

    /// Returns a line without a number of columns of its indentation.
    private static func withoutIndentation(_ line: String, _ columns: Int) -> Substring {
        var (rest, column) = (line[...].unicodeScalars, 0)
        while column < columns, let first = rest.first, first.isBlank {
            column += width(first)
            rest.removeFirst()
        }
        return Substring(rest)
    }

    /// Parses `- [ ] text`; `nil` for a line of another form.
    private static func task(_ text: Substring) -> (box: Character, body: Substring)? {
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
        guard rest.unicodeScalars.first?.isBlank == true else { return nil }
        rest = rest.withoutIndentation
        guard rest.first == "[", let box = rest.dropFirst().first, rest.dropFirst(2).first == "]" else { return nil }
        rest = rest.dropFirst(3)
        guard rest.unicodeScalars.first?.isBlank != false else { return nil }
        return (box, rest.withoutIndentation)
    }

    /// Returns the task list of todos, subtasks below their parents.
    static func text(_ todos: [Todo]) -> String {
        TodoTree.rows(todos).map { row in
            let indentation = String(repeating: "  ", count: row.depth)
            let todo = row.todo
            let body = MarkdownMarks.escaped(TodoTextBody.text(todo))
            let priority = todo.priority.map { "(\($0)) " } ?? (body[...].beginsWithPriority ? "\\" : "")
            var text = "\(indentation)- [\(todo.isDone ? "x" : " ")] \(priority)\(body)\n"
            for line in todo.note.map(lines) ?? [] { text += line.isEmpty ? "\n" : "\(indentation)  \(line)\n" }
            return text
        }.joined()
    }

    /// Returns the lines of a note, of which none is taken for a task, or for the beginning of code that does not end.
    private static func lines(_ note: String) -> [String] {
        let lines = note.split(separator: "\n", omittingEmptySubsequences: false)
        var end = 0
        return lines.enumerated().map { index, line in
            let bare = line.withoutIndentation
            if index < end { return String(line) }
            let fence = MarkdownFence(opening: bare)
            // The indentation of the first line is that of the note.
            let isIndented = bare != line
            if let fence, index > 0 || !isIndented,
                let last = lines[(index + 1)...].firstIndex(where: { fence.isClosed(by: $0.withoutIndentation) })
            {
                end = last + 1
                return String(line)
            }
            let isPlain =
                line.first != "\\" && task(bare.drop { $0 == "\\" }) == nil && fence == nil
                && (!isIndented || index > 0 && !bare.isEmpty)
            return line.isEmpty || isPlain ? String(line) : "\\" + line
        }
    }

    private static func unescaped(_ line: Substring) -> String {
        String(line.first == "\\" ? line.dropFirst() : line)
    }
}
