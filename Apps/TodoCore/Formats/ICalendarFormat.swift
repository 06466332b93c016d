import Checksums
import TextEscaping

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The tasks of iCalendar (VTODO, RFC 5545).
///
/// The lines of an imported task are stored with the todo. An export writes them again, except for those whose field has
/// changed; so alarms, attachments and properties of other programs survive.
enum ICalendarFormat {
    /// The extra fields that contain the lines of the task, and the time zones that they name.
    static let linesKey = "ics"
    static let zonesKey = "ics.zones"

    // MARK: Import

    /// Parses a file.
    static func parse(_ bytes: [UInt8], clock: TodoClock) -> TodoImportFile {
        var file = TodoImportFile()
        let lines = ICalendarText.lines(bytes, &file.problems)
        var stack: [(name: String, line: Int)] = []
        var task: [ICalendarText.Line] = []
        var zone: [String] = []
        var zones: [String] = []
        for line in lines {
            if line.name == "BEGIN" { stack.append((line.value.uppercased(), line.number)) }
            let isTask = stack.contains { $0.name == "VTODO" }
            if isTask { task.append(line) }
            if stack.contains(where: { $0.name == "VTIMEZONE" }) { zone.append(line.text) }
            guard line.name == "END" else { continue }
            guard let open = stack.popLast(), open.name == line.value.uppercased() else {
                let message = "END:\(line.value.escapingControls(limit: 40)) has no BEGIN; the file is malformed"
                file.problems.append(TodoImportProblem(line: line.number, message: message))
                return file
            }
            if open.name == "VTIMEZONE" {
                zones.append(zone.joined(separator: "\n"))
                zone = []
            }
            if open.name == "VTODO", isTask {
                do throws(TodoImportProblem) {
                    file.records.append(try record(Array(task.dropFirst().dropLast()), line: open.line, zones, clock))
                } catch {
                    file.problems.append(error)
                }
                task = []
            }
        }
        if let open = stack.first {
            let message = "BEGIN:\(open.name.escapingControls(limit: 40)) has no END; the file is cut short"
            file.problems.append(TodoImportProblem(line: open.line, message: message))
        } else if lines.isEmpty, file.problems.isEmpty {
            file.problems.append(TodoImportProblem(line: 1, message: "the file has no BEGIN:VCALENDAR"))
        }
        return file
    }

    /// The properties of a task itself, without those of the components in it.
    static func properties(_ lines: [ICalendarText.Line]) -> [ICalendarText.Line] {
        var depth = 0
        return lines.filter { line in
            if line.name == "BEGIN" { depth += 1 }
            defer { if line.name == "END" { depth -= 1 } }
            return depth == 0
        }
    }

    static func record(
        _ lines: [ICalendarText.Line],
        line: Int,
        _ zones: [String],
        _ clock: TodoClock
    ) throws(TodoImportProblem) -> TodoRecord {
        let properties = properties(lines)
        func first(_ name: String) -> ICalendarText.Line? { properties.first { $0.name == name } }
        guard let summary = first("SUMMARY") else {
            throw TodoImportProblem(line: line, message: "a task needs a SUMMARY")
        }
        var record = TodoRecord(line: line, title: ICalendarText.unescaped(summary.value))
        guard let uid = first("UID") else { throw TodoImportProblem(line: line, message: "a task needs a UID") }
        record.uuid = uuid(uid.value)
        record.created = try first("CREATED").map { property throws(TodoImportProblem) in try time(property, clock).date
        }
        record.change.note = first("DESCRIPTION").map { .set(ICalendarText.unescaped($0.value)) } ?? .clear
        let status = first("STATUS")?.value.uppercased()
        let end = try first("COMPLETED").map { property throws(TodoImportProblem) in try time(property, clock).date }
        let isDone = status.map { $0 == "COMPLETED" } ?? (end != nil || first("PERCENT-COMPLETE")?.value == "100")
        record.completed = isDone ? .set(end ?? record.created ?? clock.now()) : .clear
        record.isArchived = first("X-PAWKIT-ARCHIVED")?.value == "TRUE"
        record.change.priority = priority(properties).map { .set($0) } ?? .clear
        let categories = properties.filter { $0.name == "CATEGORIES" }.flatMap { ICalendarText.list($0.value) }
            .map { String($0.map { $0.isWhitespace ? "-" : $0 }.prefix(TodoText.tagLimit)) }
        record.change.projects = categories.filter { $0.hasPrefix("+") }
        record.change.tags = categories.filter { $0.hasPrefix("#") }
        record.change.contexts = categories.filter { !$0.hasPrefix("+") && !$0.hasPrefix("#") }
        try setDates(&record, properties, clock)
        if let parent = properties.first(where: {
            $0.name == "RELATED-TO" && ($0.parameters["RELTYPE"] ?? "PARENT").uppercased() == "PARENT"
        }) {
            record.parentUUID = uuid(parent.value)
        }
        record.extras[linesKey] = lines.map(\.text).joined(separator: "\n")
        let used = Set(lines.compactMap { $0.parameters["TZID"] })
        let kept = zones.filter { text in used.contains { text.contains("TZID:\($0)") } }
        if !kept.isEmpty { record.extras[zonesKey] = kept.joined(separator: "\n") }
        do {
            var todo = Todo(id: TodoID(serial: 0), line: record, clock: clock)
            try record.change.apply(to: &todo)
        } catch {
            throw TodoImportProblem(line: line, message: "\(error)")
        }
        return record
    }

    private static func setDates(
        _ record: inout TodoRecord,
        _ properties: [ICalendarText.Line],
        _ clock: TodoClock
    ) throws(TodoImportProblem) {
        func first(_ name: String) throws(TodoImportProblem) -> (day: Day, time: TimeOfDay?)? {
            guard let property = properties.first(where: { $0.name == name }) else { return nil }
            let (day, time, _) = try self.time(property, clock)
            return (day, time)
        }
        let due = try first("DUE")
        let start = try first("DTSTART")
        record.change.due = due.map { .set($0.day) } ?? .clear
        record.change.dueTime = due?.time.map { .set($0) } ?? .clear
        let own = try first("X-PAWKIT-THRESHOLD")?.day
        // A start that is not before the due day is there for the rule alone.
        let hidden = start.flatMap { start in due.map { start.day < $0.day } ?? true ? start.day : nil }
        record.change.threshold = (own ?? hidden).map { .set($0) } ?? .clear
        let rule = properties.first { $0.name == "RRULE" }.flatMap { recurrence($0.value) }
        let kept = properties.first { $0.name == "X-PAWKIT-RECURRENCE" }.flatMap { Recurrence($0.value) }
        record.change.recurrence = (kept ?? rule).map { .set($0) } ?? .clear
    }

    /// Returns the day and the time of a property, in the zone of the user.
    private static func time(
        _ property: ICalendarText.Line,
        _ clock: TodoClock
    ) throws(TodoImportProblem) -> (day: Day, time: TimeOfDay?, date: Date) {
        let value = property.value
        let isUTC = value.hasSuffix("Z")
        guard let (day, seconds) = Timestamp.local(isUTC ? value.dropLast() : value[...]) else {
            let message = "\(property.name) is not a time; write 20260309 or 20260309T150000Z"
            throw TodoImportProblem(
                line: property.number,
                column: property.text.count - value.count + 1,
                message: message
            )
        }
        guard let seconds else { return (day, nil, clock.zone.date(day)) }
        let clockTime = Double(day.number * 86_400 + seconds)
        let date: Date
        if isUTC {
            date = Date(timeIntervalSince1970: clockTime)
        } else if let name = property.parameters["TZID"], let zone = zone(name) {
            let time = TimeOfDay(hour: seconds / 3600, minute: seconds / 60 % 60) ?? .midnight
            date = zone.date(day, time).addingTimeInterval(Double(seconds % 60))
        } else {
            // Floating: the time of whoever looks.
            let time = TimeOfDay(hour: seconds / 3600, minute: seconds / 60 % 60) ?? .midnight
            return (day, time, clock.zone.date(day, time))
        }
        let (localDay, localTime) = clock.zone.local(date)
        return (localDay, localTime, date)
    }

    /// Returns the zone of a TZID; some programs write a prefix before the name of the database.
    private static func zone(_ name: String) -> Zone? {
        if let zone = Zone(named: name) { return zone }
        let parts = name.split(separator: "/")
        return parts.count > 2 ? Zone(named: parts.suffix(2).joined(separator: "/")) : nil
    }

    /// Returns the UUID of a UID. One of another form gets a UUID that is computed from it.
    static func uuid(_ uid: String) -> UUID {
        if let uuid = UUID(uuidString: uid) { return uuid }
        var bytes = Array(SHA256.digest(of: Array(uid.utf8)).prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        let hex = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { range in
            String(hex.dropFirst(range.lowerBound).prefix(range.count))
        }
        return UUID(uuidString: parts.joined(separator: "-")) ?? UUID()
    }

    private static func priority(_ properties: [ICalendarText.Line]) -> Priority? {
        guard let number = properties.first(where: { $0.name == "PRIORITY" }).flatMap({ Int($0.value) }) else {
            return nil
        }
        let letter = properties.first { $0.name == "X-PAWKIT-PRIORITY" }.flatMap { Priority($0.value) }
        // The letter counts while the number still means it.
        if let letter, self.number(letter) == number { return letter }
        switch number {
        case 1...4: return Priority("A")
        case 5: return Priority("B")
        case 6...9: return Priority("C")
        default: return nil
        }
    }

    static func number(_ priority: Priority) -> Int { [1, 5][safe: Int(priority.rank)] ?? 9 }

    private static func recurrence(_ rule: String) -> Recurrence? {
        var fields: [String: String] = [:]
        for part in rule.split(separator: ";") {
            let pair = part.split(separator: "=", maxSplits: 1)
            if pair.count == 2 { fields[pair[0].uppercased()] = pair[1].uppercased() }
        }
        let units = ["DAILY": DateUnit.day, "WEEKLY": .week, "MONTHLY": .month, "YEARLY": .year]
        guard Set(fields.keys).isSubset(of: ["FREQ", "INTERVAL", "WKST"]), let unit = units[fields["FREQ"] ?? ""] else {
            return nil
        }
        return Recurrence(every: Int(fields["INTERVAL"] ?? "1") ?? 0, unit, isStrict: true)
    }
}

extension Array {
    /// The element at an index, or `nil`.
    fileprivate subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
