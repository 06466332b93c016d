import JSONValues
import TextEscaping

/// The JSON of `task export` and `task import`: an array of objects, or one object a line.
///
/// | taskwarrior | here |
/// |---|---|
/// | `description`, `entry`, `modified`, `end`, `uuid` | title, created, modified, completed, UUID |
/// | `priority` H, M, L; `pawkit_priority` | A, B, C to Z; D to Z exactly |
/// | `project`, `tags` | first project, labels; contexts as tags with `@`, further projects as tags with `+` |
/// | `due`, `wait`, `recur` | due, threshold, recurrence |
/// | `pawkit_due`, `pawkit_wait` | due and threshold that taskwarrior cannot have: before 1980, or the end of 9999 |
/// | `pawkit_time`, `pawkit_monthday` | the time of `pawkit_due` or of a midnight; the 31st, in a shorter month |
/// | `annotations`, `depends`, `start` | note, a line each; dependencies; the time since which it is in progress |
///
/// A line of the note begins with the time of its annotation (``TodoAnnotation``), unless that is the first minute of the task.
///
/// Everything else is stored with the todo and written again. So is a task that this table cannot represent exactly: its
/// attributes are written as they were, as long as the todo's field still has the value that the attribute was read as.
///
/// A task with the status `recurring` is a todo with a recurrence. It has the fields of the earliest open task that taskwarrior
/// has made of it; these instances are stored with it, and exported again. taskwarrior refuses a series whose `recur` is missing,
/// so that a todo without its repetition is exported with it, and with `pawkit_recurrence` `none`.
enum TaskwarriorFormat {
    /// The extra field that contains the attributes of an import that the todo's fields do not.
    static let objectKey = "taskwarrior"

    // MARK: Import

    /// Parses a file.
    static func parse(_ bytes: [UInt8], clock: TodoClock) -> TodoImportFile {
        var file = TodoImportFile()
        var tasks: [(line: Int, task: TaskwarriorTask)] = []
        func read(_ reader: inout JSONReader) throws(JSONError) -> TaskwarriorTask? {
            if try reader.kind() == .object { return try TaskwarriorTask(reading: &reader) }
            try reader.skipValue()
            return nil
        }
        func add(_ task: TaskwarriorTask?, line: Int) {
            if let task {
                tasks.append((line, task))
            } else {
                file.problems.append(TodoImportProblem(line: line, message: "a task is an object in braces"))
            }
        }
        if bytes.first(where: { !" \t\r\n".utf8.contains($0) }) == UInt8(ascii: "[") {
            do throws(JSONError) {
                var lines = LineCounter(bytes)
                try JSONReader.read(bytes) { reader throws(JSONError) in
                    try reader.readArray { reader throws(JSONError) in
                        _ = try reader.kind()
                        let line = lines.line(at: reader.offset)
                        add(try read(&reader), line: line)
                    }
                }
            } catch {
                // What was read before the error is not used: the file may be cut short.
                file.problems = [TodoImportProblem(line: error.line, column: error.column, message: error.message)]
                return file
            }
        } else if isObjectOverLines(bytes) {
            do throws(JSONError) {
                let task = try JSONReader.read(bytes, read)
                guard let task, task[.description] != nil else {
                    let message = "the file is neither this app's JSON nor an export of taskwarrior (task export)"
                    file.problems = [TodoImportProblem(line: 1, message: message)]
                    return file
                }
                add(task, line: 1)
            } catch {
                file.problems = [TodoImportProblem(line: error.line, column: error.column, message: error.message)]
                return file
            }
        } else {
            var problems: [TodoImportProblem] = []
            TodoTextReader.forEachLine(bytes, &problems) { line, problems in
                guard !line.text.isBlank else { return }
                var text = line.text.trimmed
                if text.hasSuffix(",") { text.removeLast() }
                do throws(JSONError) {
                    add(try JSONReader.read(Array(text.utf8), read), line: line.number)
                } catch {
                    problems.append(TodoImportProblem(line: line.number, column: error.column, message: error.message))
                }
            }
            file.problems += problems
        }
        let series = TaskwarriorSeries(tasks.map(\.task))
        file.records.reserveCapacity(tasks.count)
        for (line, var task) in tasks where !series.contains(task) {
            do throws(TodoImportProblem) {
                series.link(&task)
                var record = try record(task, line: line, clock: clock)
                let extras = try extras(task, of: record, clock)
                record.extras[objectKey] =
                    extras.isEmpty ? "" : String(decoding: JSONWriter.bytes(.object(extras)), as: UTF8.self)
                file.records.append(record)
            } catch {
                file.problems.append(error)
            }
        }
        return file
    }

    /// Returns whether the first object continues on the second line, so that the lines are not objects.
    private static func isObjectOverLines(_ bytes: [UInt8]) -> Bool {
        let lines = bytes.split(separator: 0x0A, maxSplits: 2).prefix(2).map {
            String(decoding: $0, as: UTF8.self).trimmed
        }
        guard let first = lines.first, first.hasPrefix("{"), !first.hasSuffix("}"), !first.hasSuffix("},")
        else { return false }
        return lines.count > 1 && !lines[1].hasPrefix("{")
    }

    private static func set(due: Date, of change: inout TodoChange, _ task: TaskwarriorTask, _ clock: TodoClock) {
        let (day, time) = clock.zone.local(due)
        change.due = .set(day)
        // A whole day begins later where a clock change skips midnight.
        let isMidnight = clock.zone.date(day) == due
        change.dueTime = !isMidnight ? .set(time) : ownTime(task) == .midnight ? .set(.midnight) : .clear
    }

    private static func ownTime(_ task: TaskwarriorTask) -> TimeOfDay? { task.text(.ownTime).flatMap { TimeOfDay($0) } }

    /// Returns the day of the month on which a task repeats, if it is due on the last day of a month that is too short for it.
    private static func monthDay(_ task: TaskwarriorTask, _ change: TodoChange) -> TodoChange.Update<Int>? {
        guard let monthDay = task.text(.ownMonthDay).flatMap({ Int($0) }), (1...31).contains(monthDay),
            let recurrence = change.recurrence?.value, recurrence.isStrict, recurrence.days == nil,
            let day = change.due?.value ?? change.threshold?.value, day == day.endOfMonth, day.parts.day < monthDay
        else { return nil }
        return .set(monthDay)
    }

    /// Returns what a task describes.
    ///
    /// - Throws: ``TodoImportProblem`` for a missing or invalid attribute.
    static func record(_ task: TaskwarriorTask, line: Int, clock: TodoClock) throws(TodoImportProblem) -> TodoRecord {
        // The open instance of a series is the one to do now.
        let task = task.withInstance
        func problem(_ message: String) -> TodoImportProblem { TodoImportProblem(line: line, message: message) }
        func date(_ attribute: TaskwarriorTask.Attribute) throws(TodoImportProblem) -> Date? {
            guard let value = task[attribute] else { return nil }
            guard let text = value.text, let date = Timestamp.utc(text) else {
                throw problem("\(attribute.rawValue) is not a time; write it as 20260309T150000Z")
            }
            return date
        }
        guard let title = task.text(.description) else { throw problem("a task needs a \"description\"") }
        var record = TodoRecord(line: line, title: title)
        if let value = task[.uuid] {
            guard let uuid = value.text.flatMap(UUID.init(text:)) else {
                throw problem("uuid is not a UUID; write it as 8f796528-caf7-45b0-a72e-d51b42d3e53f")
            }
            record.uuid = uuid
        }
        let status = task.text(.status) ?? "pending"
        guard ["pending", "waiting", "recurring", "completed", "deleted"].contains(status) else {
            throw problem(
                "there is no status \(status.quoted()); it is pending, waiting, recurring, completed or deleted"
            )
        }
        record.created = try date(.entry)
        let end = try date(.end)
        record.completed =
            status == "completed" || status == "deleted" ? .set(end ?? record.created ?? clock.now()) : .clear
        if end == nil { record.completedPrecision = .unknown }
        record.isArchived = status == "deleted" || task.text(.ownArchived) == "true"
        record.started = TodoChange.Update(try date(.start))
        var change = record.change
        change.priority = .init(priority(task))
        func own(_ attribute: TaskwarriorTask.Attribute) -> TodoChange.Update<Day> {
            TodoChange.Update(task.text(attribute).flatMap { Day(iso: $0) })
        }
        if let due = try date(.due) {
            set(due: due, of: &change, task, clock)
        } else {
            change.due = own(.ownDue)
            change.dueTime = .init(change.due?.value == nil ? nil : ownTime(task))
        }
        change.threshold = try date(.wait).map { .set(Day($0, in: clock.zone)) } ?? own(.ownWait)
        var recurrence = status == "recurring" || task[.parent] == nil ? recurrence(task) : nil
        if task[.recur] != nil, let end = try date(.until) { recurrence?.until = Day(end, in: clock.zone) }
        change.recurrence = .init(recurrence)
        // As a rule of iCalendar that no recurrence represents, it must not end unnoticed with the first completion.
        if recurrence == nil, task[.parent] == nil, task[.end] == nil, task.text(.ownRecurrence) != noRecurrence {
            record.extras[ICalendarFormat.ruleKey] = task.text(.recur)
        }
        var tags: [String] = []
        if case .array(let values) = task[.tags] { tags = values.compactMap(\.text) }
        change.contexts = tags.filter { $0.hasPrefix("@") }.map(word)
        change.tags = tags.filter { !$0.hasPrefix("@") && !$0.hasPrefix("+") }.map(word)
        let project = task.text(.project).map(word)
        change.projects = (project.map { [$0] } ?? []) + tags.filter { $0.hasPrefix("+") }.map(word)
        change.note = .init(note(task, created: record.created, clock.zone))
        change.list = .init(task.text(.ownList).flatMap { try? TodoList.name($0) })
        record.change = change
        record.monthDay = monthDay(task, change)
        record.dependencies = dependencies(task[.ownDepends] ?? task[.depends])
        record.parentUUID = task.text(.ownParent).flatMap(UUID.init(text:))
        return record
    }

    /// Returns the attributes of a task that have no field or, if an export of the todo would write another task, all of them.
    ///
    /// - Throws: ``TodoImportProblem`` if a todo cannot hold the fields of the record.
    private static func extras(
        _ task: TaskwarriorTask,
        of record: TodoRecord,
        _ clock: TodoClock
    ) throws(TodoImportProblem) -> [String: JSONValue] {
        var todo: Todo
        do throws(TodoError) {
            todo = try record.todo(now: clock.now())
        } catch {
            throw TodoImportProblem(line: record.line, message: "\(error)")
        }
        todo.uuid = record.uuid
        // The times of annotations are needed when the note changes.
        if record.uuid != nil, task[.annotations] == nil, task.text(.status) != "recurring",
            task.isSame(as: fields(todo, parent: record.parentUUID, clock), besides: notWritten)
        {
            var others = task.others
            others["parent"] = task[.parent]
            return others
        }
        var task = task
        for attribute in computed { task[attribute] = nil }
        return task.members
    }

    /// The text of a series whose todo has no repetition any more.
    static let noRecurrence = "none"

    /// The attributes that `task export` computes.
    static let computed: Set<TaskwarriorTask.Attribute> = [.id, .urgency]
    /// The attributes that the export writes with other values, or not at all.
    private static let notWritten = computed.union([.modified, .parent])

    private static func priority(_ task: TaskwarriorTask) -> Priority? {
        let found = task.text(.priority)
        // Another program may have changed the priority, and not the one of this app.
        if let own = task.text(.ownPriority).flatMap({ Priority($0) }), letter(own) == found { return own }
        return switch found {
        case "H": Priority("A")
        case "M": Priority("B")
        case "L": Priority("C")
        default: nil
        }
    }

    /// Returns a text as one word.
    private static func word(_ text: String) -> String {
        if TodoText.isPlain(text, limit: TodoText.tagLimit), !text.utf8.contains(UInt8(ascii: " ")) { return text }
        return String(text.map { $0.isWhitespace ? "-" : $0 }.prefix(TodoText.tagLimit))
    }

    private static func note(_ task: TaskwarriorTask, created: Date?, _ zone: Zone) -> String? {
        guard case .array(let annotations) = task[.annotations] else { return nil }
        let lines = annotations.enumerated().compactMap { index, annotation -> String? in
            guard case .object(let fields) = annotation, let text = fields["description"]?.text else { return nil }
            // taskwarrior has no empty annotations; see the export.
            if text == " " { return "" }
            guard let date = fields["entry"]?.text.flatMap({ Timestamp.utc($0) }), let created,
                isDated(date, created: created, index: index)
            else { return text }
            return TodoAnnotation.line(text, at: date, zone: zone)
        }
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }

    /// Whether the line of an annotation has its time. The lines of other notes are exported as annotations of the first seconds.
    static func isDated(_ date: Date, created: Date, index: Int) -> Bool {
        let seconds = date.timeIntervalSince(created)
        return !(0..<60).contains(seconds) && Int(seconds.rounded(.down)) != index
    }

    /// Returns the UUIDs of the attribute `depends`.
    static func dependencies(_ value: JSONValue?) -> [UUID] {
        switch value {
        case .array(let values): values.compactMap { $0.text.flatMap(UUID.init(text:)) }
        // Before version 2.6.
        case .string(let text): text.split(separator: ",").compactMap { UUID(text: String($0)) }
        default: []
        }
    }

    private static func recurrence(_ task: TaskwarriorTask) -> Recurrence? {
        let own = task.text(.ownRecurrence).flatMap { Recurrence($0) }
        if task.text(.ownRecurrence) == noRecurrence { return nil }
        guard let text = task.text(.recur)?.lowercased() else {
            // Without a due day, and for a completed task, only the own text is written.
            return task[.due] == nil || task[.end] != nil ? own : nil
        }
        // Another program may have changed the repetition, and not the one of this app.
        let recurrence = recurrence(ofDuration: text)
        if let own,
            duration(own) == text || recurrence != nil && self.recurrence(ofDuration: duration(own)) == recurrence
        {
            return own
        }
        return recurrence
    }

    private static func recurrence(ofDuration text: String) -> Recurrence? {
        if text == "weekdays" { return Recurrence(on: .weekdays(Array(0...4))) }
        let names: [String: (Int, DateUnit)] = [
            "day": (1, .day), "week": (1, .week), "month": (1, .month), "year": (1, .year), "annual": (1, .year),
            "yearly": (1, .year), "biweekly": (2, .week), "fortnight": (2, .week), "quarterly": (3, .month),
            "semiannual": (6, .month), "biannual": (2, .year), "biyearly": (2, .year), "bimonthly": (2, .month),
            "daily": (1, .day), "weekly": (1, .week), "monthly": (1, .month),
        ]
        // taskwarrior counts from the due day.
        if let (count, unit) = names[text] { return Recurrence(every: count, unit, isStrict: true) }
        let isISO = text.hasPrefix("p")
        let body = isISO ? text.dropFirst() : text[...]
        let digits = body.prefix { $0.isASCII && $0.isNumber }
        let units: [String: DateUnit] = [
            "d": .day, "day": .day, "days": .day, "w": .week, "wk": .week, "wks": .week, "week": .week, "weeks": .week,
            "mo": .month, "mos": .month, "mth": .month, "month": .month, "months": .month, "y": .year, "yr": .year,
            "yrs": .year, "year": .year, "years": .year,
        ]
        let quarters: Set = ["q", "qtr", "qtrs", "quarter", "quarters"]
        let name = String(body.dropFirst(digits.count)).trimmed
        guard digits.utf8.count <= 3, let count = Int(digits) else { return nil }
        if quarters.contains(name) { return Recurrence(every: 3 * count, .month, isStrict: true) }
        guard let unit = isISO && name == "m" ? .month : units[name] else { return nil }
        return Recurrence(every: count, unit, isStrict: true)
    }
}

/// Finds the line of an offset, for ascending offsets.
private struct LineCounter {
    private let bytes: [UInt8]
    private var offset = 0
    private var number = 1

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func line(at target: Int) -> Int {
        while offset < min(target, bytes.count) {
            if bytes[offset] == 0x0A { number += 1 }
            offset += 1
        }
        return number
    }
}
