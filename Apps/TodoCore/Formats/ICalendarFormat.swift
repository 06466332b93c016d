import CivilDates
package import ICalendar

/// The tasks of iCalendar (VTODO, RFC 5545).
///
/// The lines of an imported task are stored with the todo. An export writes them again, except for those whose field has
/// changed; so alarms, attachments and properties of other programs survive.
package enum ICalendarFormat {
    /// The extra fields that contain the lines of the task, and the time zones that they name.
    static let linesKey = "ics"
    static let zonesKey = "ics.zones"
    /// The extra field that contains a rule of repetition that no ``Recurrence`` represents.
    package static let ruleKey = "ics.rule"

    /// Parses a file.
    static func parse(_ bytes: [UInt8], clock: TodoClock) -> TodoImportFile {
        var file = TodoImportFile()
        let document = ICalendarDocument(bytes)
        file.problems = document.problems.map {
            TodoImportProblem(line: $0.line, column: $0.column, message: $0.message)
        }
        let zones = document.root.descendants("VTIMEZONE")
        for task in document.root.descendants("VTODO") where task.isClosed {
            do throws(TodoImportProblem) {
                file.records.append(try storedRecord(task, zones, clock))
            } catch {
                file.problems.append(error)
            }
        }
        if file.records.isEmpty, file.problems.isEmpty {
            if document.root.descendants("VCALENDAR").isEmpty {
                file.problems.append(TodoImportProblem(line: 1, message: "the file has no BEGIN:VCALENDAR"))
            } else {
                let count = document.root.descendants("VEVENT").count
                file.contents = "the file has \(count) event\(count == 1 ? "" : "s") and no task (VTODO)"
            }
        }
        return file
    }

    /// Returns the record of a task that stores its lines.
    private static func storedRecord(
        _ task: ICalendarComponent,
        _ zones: [ICalendarComponent],
        _ clock: TodoClock
    ) throws(TodoImportProblem) -> TodoRecord {
        var record = try record(task, zones: zones, clock: clock)
        record.extras[linesKey] = lines(task).joined(separator: "\n")
        let used = zoneNames(task)
        let kept = zones.filter { zone in zone.property("TZID").map { used.contains($0.plainText) } ?? false }
        if !kept.isEmpty {
            record.extras[zonesKey] = kept.map { zone in
                (["BEGIN:VTIMEZONE"] + lines(zone) + ["END:VTIMEZONE"]).joined(separator: "\n")
            }.joined(separator: "\n")
        }
        return record
    }

    /// Returns the unfolded lines of a component, without its BEGIN and END.
    private static func lines(_ component: ICalendarComponent) -> [String] {
        component.items.flatMap { item -> [String] in
            switch item {
            case .property(let property): [property.text]
            case .component(let inner): ["BEGIN:\(inner.name)"] + lines(inner) + ["END:\(inner.name)"]
            case .other: []
            }
        }
    }

    /// Returns the zones that the properties of a component name.
    static func zoneNames(_ component: ICalendarComponent) -> Set<String> {
        Set(component.properties.compactMap { $0["TZID"] }).union(component.components.flatMap { zoneNames($0) })
    }

    /// Returns the fields of a task.
    ///
    /// - Parameters:
    ///   - task: a VTODO.
    ///   - zones: the VTIMEZONE components of its calendar, for zones that are not in the zoneinfo database.
    ///   - clock: the time zone of the user.
    ///   - needsTitle: whether a task without a title, or with a longer one than a todo can have, is a problem. Otherwise its
    ///     title is the first line of its note or, cut short, that of its summary.
    /// - Returns: the fields, without the lines of the task.
    /// - Throws: ``TodoImportProblem`` if the task has no title, no UID, a malformed time, or a text that no todo can contain.
    package static func record(
        _ task: ICalendarComponent,
        zones: [ICalendarComponent],
        clock: TodoClock,
        needsTitle: Bool = true
    ) throws(TodoImportProblem) -> TodoRecord {
        let times = ICalendarTimes(zones, clock)
        let title = needsTitle ? task.property("SUMMARY")?.plainText : shownTitle(task)
        guard let title else { throw TodoImportProblem(line: task.line, message: "a task needs a SUMMARY") }
        var record = TodoRecord(line: task.line, title: title)
        guard let uuid = uuid(of: task) else {
            throw TodoImportProblem(line: task.line, message: "a task needs a UID")
        }
        record.uuid = uuid
        record.created = try times.first("CREATED", task)?.date
        record.change.note = task.property("DESCRIPTION").map { .set($0.plainText) } ?? .clear
        let status = task.property("STATUS")?.value.uppercased()
        let end = try times.first("COMPLETED", task)?.date
        // A cancelled task is closed, but not in the list of what was done.
        let isCancelled = status == "CANCELLED"
        let isDone =
            isCancelled
            || status.map { $0 == "COMPLETED" } ?? (end != nil || task.property("PERCENT-COMPLETE")?.value == "100")
        let written = (try? times.first("DTSTAMP", task))?.date
        record.completed = isDone ? .set(end ?? record.created ?? written ?? clock.now()) : .clear
        if end == nil { record.completedPrecision = .unknown }
        record.isArchived = isCancelled || task.property("X-PAWKIT-ARCHIVED")?.value == "TRUE"
        record.change.priority = .init(priority(task))
        let categories = task.properties("CATEGORIES").flatMap { ICalendarText.list($0.value) }.map { category($0) }
        record.change.projects = categories.filter { $0.hasPrefix("+") }
        record.change.tags = categories.filter { $0.hasPrefix("#") }
        record.change.contexts = categories.filter { !$0.hasPrefix("+") && !$0.hasPrefix("#") }
        try setDates(&record, task, times, clock.zone)
        record.parentUUID = task.properties("RELATED-TO").first { isParent($0) }.map { self.uuid($0.value) }
        do {
            _ = try record.todo(now: .distantPast)
        } catch {
            throw TodoImportProblem(line: task.line, message: "\(error)")
        }
        return record
    }

    /// Returns a title for every task. A task may have none, and a longer one than a todo.
    private static func shownTitle(_ task: ICalendarComponent) -> String {
        let texts = ["SUMMARY", "DESCRIPTION"].lazy.compactMap { task.property($0)?.plainText }
        guard let text = texts.first(where: { $0.contains { !$0.isWhitespace } }) else { return "(no title)" }
        guard task.property("SUMMARY")?.plainText != text || text.count > TodoText.titleLimit else { return text }
        let line = text.drop { $0.isWhitespace }.prefix { !$0.isNewline }
        return String(line.prefix(TodoText.titleLimit))
    }

    /// Returns a category as one word.
    static func category(_ text: String) -> String {
        String(text.map { $0.isWhitespace ? "-" : $0 }.prefix(TodoText.tagLimit))
    }

    static func isParent(_ property: ICalendarProperty) -> Bool {
        (property["RELTYPE"] ?? "PARENT").uppercased() == "PARENT"
    }

    /// Sets the due day, the threshold and the repetition of a record to those of a task.
    static func setDates(
        _ record: inout TodoRecord,
        _ task: ICalendarComponent,
        _ times: ICalendarTimes,
        _ zone: Zone
    ) throws(TodoImportProblem) {
        let due = try times.due(task)
        let start = try times.first("DTSTART", task)
        record.change.due = due.map { .set($0.day) } ?? .clear
        let wholeDay = try times.first("X-PAWKIT-DUE", task)?.day
        let text = task.property("RRULE")?.value
        // A copy by another program has the times of ``newTask(_:parent:clock:)``, but not its property.
        let isSpan = text != nil && start?.time == .midnight && start?.day == due?.day && due?.time == .lastMinute
        let isWholeDay = isSpan || wholeDay != nil && wholeDay == due?.day
        record.change.dueTime = .init(isWholeDay ? nil : due?.time)
        let own = try times.first("X-PAWKIT-THRESHOLD", task)?.day
        // A start that is not before the due day, or the day before its midnight, is there for the rule alone.
        let ruleDay = text != nil && due?.time == .midnight && start?.time == .midnight ? due?.day.adding(-1) : nil
        let isBefore = start.map { start in due.map { start.day < $0.day } ?? true } ?? false
        let hidden = isBefore && start?.day != ruleDay ? start?.day : nil
        record.change.threshold = .init(own ?? hidden)
        let first = due?.day ?? start?.day
        let read = text.flatMap { Recurrence(rule: $0, start: first, time: start?.time ?? due?.time, zone: zone) }
        let lastDay = text.flatMap { ICalendarRule($0) }?.monthDays.last.map { $0 == -1 ? 31 : $0 }
        let monthDay = lastDay.flatMap { (1...31).contains($0) ? $0 : nil }
        let kept = task.property("X-PAWKIT-RECURRENCE").flatMap { Recurrence($0.plainText) }.flatMap {
            kept -> Recurrence? in
            // Without a day to start from, there is no RRULE. Else the text counts while the RRULE still means it.
            guard let text else { return first == nil ? kept : nil }
            let rule = kept.rule(monthDay: monthDay)
            return rule == text || read != nil && read == Recurrence(rule: rule, start: first) ? kept : nil
        }
        var rule = read
        // The days of a rule are those of the zone in which the task was written.
        let written = task.property("DUE").flatMap { ICalendarTime($0) }?.date.daysSince1970
        if rule?.days != nil, let written, written != due?.day.number { rule = nil }
        record.change.recurrence = .init(kept ?? rule)
        // On the last day of a month that is too short, it repeats on a later day.
        if text != nil, let found = kept ?? rule, found.unit == .month || found.unit == .year, let first {
            let isShort = found.isStrict && found.days == nil && first == first.endOfMonth
            record.monthDay = .init(isShort ? monthDay.flatMap { $0 > first.parts.day ? $0 : nil } : nil)
        }
        // A series with exceptions cannot be moved forward.
        let isSimple = task.property("RDATE") == nil && task.property("EXDATE") == nil
        if !isSimple { record.change.recurrence = .clear }
        if !isSimple || text != nil && kept ?? rule == nil { record.extras[ruleKey] = text ?? "RDATE" }
    }

    private static func priority(_ task: ICalendarComponent) -> Priority? {
        guard let number = task.property("PRIORITY").flatMap({ Int($0.value) }) else { return nil }
        let letter = task.property("X-PAWKIT-PRIORITY").flatMap { Priority($0.value) }
        // The letter counts while the number still means it.
        if let letter, self.number(letter) == number { return letter }
        switch number {
        case 1...4: return Priority("A")
        case 5: return Priority("B")
        case 6...9: return Priority("C")
        default: return nil
        }
    }

    /// Returns the PRIORITY of a priority: 1, 5 or 9.
    package static func number(_ priority: Priority) -> Int {
        switch priority.rank {
        case 0: 1
        case 1: 5
        default: 9
        }
    }
}
