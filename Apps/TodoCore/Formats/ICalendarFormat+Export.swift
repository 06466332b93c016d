#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The export to iCalendar.
extension ICalendarFormat {
    /// Returns a calendar with a VTODO for each todo.
    ///
    /// - Parameters:
    ///   - todos: the todos to write.
    ///   - all: all todos of the store, among which parents are found.
    ///   - clock: the time zone of the user.
    /// - Returns: the text.
    static func text(_ todos: [Todo], all: [Todo], clock: TodoClock) -> String {
        let uids = Dictionary(all.map { ($0.id, uid($0)) }) { $1 }
        var zones: [String] = []
        var tasks = ""
        for todo in todos {
            let lines = lines(todo, parent: todo.parent.flatMap { uids[$0] }, clock)
            tasks += (["BEGIN:VTODO"] + lines + ["END:VTODO"]).map(ICalendarText.folded).joined()
            if let zone = todo.extras[zonesKey], !zones.contains(zone), lines.contains(where: { $0.contains(";TZID=") })
            {
                zones.append(zone)
            }
        }
        let head = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//PawKit//TodoCore//EN"]
        let zoneLines = zones.flatMap { $0.split(separator: "\n").map(String.init) }
        return (head + zoneLines).map(ICalendarText.folded).joined() + tasks + ICalendarText.folded("END:VCALENDAR")
    }

    private static func uid(_ todo: Todo) -> String {
        if let kept = todo.extras[linesKey],
            let line = kept.split(separator: "\n").first(where: { $0.uppercased().hasPrefix("UID:") })
        {
            let uid = String(line.dropFirst(4))
            if uuid(uid) == todo.uuid { return uid }
        }
        return (todo.uuid ?? UUID()).uuidString.lowercased()
    }

    /// Returns the unfolded lines of a task, without its BEGIN and END.
    private static func lines(_ todo: Todo, parent: String?, _ clock: TodoClock) -> [String] {
        let present = fields(todo, parent: parent, clock)
        guard let kept = todo.extras[linesKey] else { return present.map(\.text) }
        let old = kept.split(separator: "\n").compactMap { ICalendarText.parse(String($0), number: 1) }
        var before = todo
        guard let record = try? record(old, line: 1, [], clock), (try? record.change.apply(to: &before)) != nil else {
            return present.map(\.text)
        }
        if case .set(let date) = record.completed { before.completed = date } else { before.completed = nil }
        if let isArchived = record.isArchived { before.isArchived = isArchived }
        if let created = record.created { before.created = created }
        let oldParent = properties(old).first { $0.name == "RELATED-TO" }?.value ?? parent
        let same = fields(before, parent: oldParent, clock)
        let unchanged = Set(present.map(\.name)).union(same.map(\.name)).filter { name in
            present.filter { $0.name == name } == same.filter { $0.name == name }
        }
        // A property whose field has changed is written anew, in its place at the end; all others stay as they are.
        let ours = Set(present.map(\.name)).union(same.map(\.name))
        var lines: [String] = []
        var depth = 0
        for line in old {
            if line.name == "BEGIN" { depth += 1 }
            let isOwn =
                depth == 0 && ours.contains(line.name) && (!unchanged.contains(line.name) || always.contains(line.name))
            if !isOwn { lines.append(line.text) }
            if line.name == "END" { depth -= 1 }
        }
        let names = Set(properties(old).map(\.name))
        let added = present.filter { field in
            always.contains(field.name) || !unchanged.contains(field.name)
                || !names.contains(field.name) && required.contains(field.name)
        }
        // Components, such as alarms, come after the properties.
        let end = lines.firstIndex { $0.uppercased().hasPrefix("BEGIN:") } ?? lines.count
        return lines[..<end] + added.map(\.text) + lines[end...]
    }

    /// The properties that are written anew at each export.
    private static let always: Set<String> = ["DTSTAMP", "LAST-MODIFIED"]
    private static let required: Set<String> = ["UID", "DTSTAMP", "STATUS"]

    private struct Field: Hashable {
        let name: String
        let text: String
    }

    private static func fields(_ todo: Todo, parent: String?, _ clock: TodoClock) -> [Field] {
        var fields: [Field] = []
        func add(_ name: String, _ value: String?, _ parameter: String = "") {
            if let value { fields.append(Field(name: name, text: name + parameter + ":" + value)) }
        }
        func add(_ name: String, _ day: Day?, _ time: TimeOfDay?) {
            guard let day else { return }
            if let time {
                add(name, Timestamp.basic(clock.zone.date(day, time)))
            } else {
                add(name, day.description.filter { $0 != "-" }, ";VALUE=DATE")
            }
        }
        add("UID", uid(todo))
        add("DTSTAMP", Timestamp.basic(todo.modified))
        add("CREATED", Timestamp.basic(todo.created))
        add("LAST-MODIFIED", Timestamp.basic(todo.modified))
        add("SUMMARY", ICalendarText.escaped(todo.title))
        add("DESCRIPTION", todo.note.map(ICalendarText.escaped))
        add("STATUS", todo.isDone ? "COMPLETED" : "NEEDS-ACTION")
        if let completed = todo.completed {
            add("PERCENT-COMPLETE", "100")
            add("COMPLETED", Timestamp.basic(completed))
        }
        if let priority = todo.priority {
            add("PRIORITY", "\(number(priority))")
            if priority.rank > 1 { add("X-PAWKIT-PRIORITY", priority.description) }
        }
        let categories = todo.contexts + todo.projects.map { "+" + $0 } + todo.tags.map { "#" + $0 }
        if !categories.isEmpty { add("CATEGORIES", categories.map(ICalendarText.escaped).joined(separator: ",")) }
        add("DUE", todo.due, todo.dueTime)
        addStart(todo, clock, add, add)
        if let recurrence = todo.recurrence {
            let frequency = ["DAILY", "WEEKLY", "MONTHLY", "YEARLY"][
                DateUnit.allCases.firstIndex(of: recurrence.unit) ?? 0
            ]
            if todo.due != nil || todo.threshold != nil {
                add("RRULE", "FREQ=\(frequency)" + (recurrence.count == 1 ? "" : ";INTERVAL=\(recurrence.count)"))
            }
            if !recurrence.isStrict || todo.due == nil { add("X-PAWKIT-RECURRENCE", recurrence.description) }
        }
        add("RELATED-TO", parent)
        if todo.isArchived { add("X-PAWKIT-ARCHIVED", "TRUE") }
        return fields
    }

    /// Adds DTSTART, which has the type of DUE and is not after it; a rule requires it.
    private static func addStart(
        _ todo: Todo,
        _ clock: TodoClock,
        _ add: (String, Day?, TimeOfDay?) -> Void,
        _ addText: (String, String?, String) -> Void
    ) {
        let isTimed = todo.dueTime != nil
        if let threshold = todo.threshold {
            if todo.due.map({ threshold < $0 }) ?? true {
                add("DTSTART", threshold, isTimed ? .midnight : nil)
                return
            }
            addText("X-PAWKIT-THRESHOLD", threshold.description.filter { $0 != "-" }, "")
        }
        if todo.recurrence != nil { add("DTSTART", todo.due, todo.dueTime) }
    }
}
