import CivilDates
package import ICalendar

/// The export to iCalendar.
extension ICalendarFormat {
    /// Returns a calendar with a VTODO for each todo.
    ///
    /// - Parameters:
    ///   - todos: the todos to write.
    ///   - all: all todos of the store, among which parents are found.
    ///   - clock: the time zone of the user.
    /// - Returns: the text in UTF-8.
    static func bytes(_ todos: [Todo], all: [Todo], clock: TodoClock) -> [UInt8] {
        // Only the UIDs of parents are written.
        let parents = Set(todos.compactMap(\.parent))
        let uids = Dictionary(all.lazy.filter { parents.contains($0.id) }.map { ($0.id, uid($0)) }) { $1 }
        var zones: [String] = []
        // The text of each task at once: the components of many need much memory.
        var tasks: [UInt8] = []
        for todo in todos {
            let task = task(todo, parent: todo.parent.flatMap { uids[$0] }, clock)
            tasks += task.bytes
            if let zone = todo.extras[zonesKey], !zones.contains(zone), !zoneNames(task).isEmpty { zones.append(zone) }
        }
        let zoneComponents = zones.flatMap { ICalendarDocument($0).root.components.map(\.withoutSource) }
        let end = "END:VCALENDAR\r\n".utf8
        return calendar(zoneComponents).bytes.dropLast(end.count) + tasks + end
    }

    /// Returns a calendar with components, such as tasks.
    package static func calendar(_ components: [ICalendarComponent]) -> ICalendarComponent {
        let head = [
            ICalendarProperty("VERSION", value: "2.0"), ICalendarProperty("PRODID", value: "-//PawKit//TodoCore//EN"),
        ]
        return ICalendarComponent("VCALENDAR", properties: head, components: components)
    }

    private static func task(_ todo: Todo, parent: String?, _ clock: TodoClock) -> ICalendarComponent {
        if var task = storedTask(todo) {
            let zones = todo.extras[zonesKey].map { Array(ICalendarDocument($0).root.components) } ?? []
            let oldParent = task.properties("RELATED-TO").first { isParent($0) }?.value ?? parent
            if let before = described(todo, by: task, zones, clock) {
                update(
                    &task,
                    from: before,
                    to: todo,
                    oldParent: oldParent,
                    parent: parent,
                    zones: zones,
                    clock: clock
                )
                return task.withoutSource
            }
        }
        return newTask(todo, parent: parent, clock: clock)
    }

    /// Returns a todo with the fields of a task; `nil` if it cannot have them.
    private static func described(
        _ todo: Todo,
        by task: ICalendarComponent,
        _ zones: [ICalendarComponent],
        _ clock: TodoClock
    ) -> Todo? {
        var todo = todo
        guard let record = try? record(task, zones: zones, clock: clock), (try? record.apply(to: &todo)) != nil else {
            return nil
        }
        if let created = record.created { todo.created = created }
        todo.extras[ruleKey] = record.extras[ruleKey]
        return todo
    }

    /// Returns the task of a todo.
    ///
    /// - Parameters:
    ///   - todo: the todo.
    ///   - parent: the UID of its parent.
    ///   - clock: the time zone of the user.
    /// - Returns: a VTODO.
    package static func newTask(_ todo: Todo, parent: String?, clock: TodoClock) -> ICalendarComponent {
        ICalendarComponent("VTODO", properties: fields(todo, parent: parent, clock))
    }

    /// The properties that are written anew with each change.
    private static let always: Set<String> = ["DTSTAMP", "LAST-MODIFIED"]
    private static let required: Set<String> = ["UID", "DTSTAMP", "STATUS"]
    /// The properties whose change is a new revision of the task.
    private static let revising: Set<String> = ["DUE", "DTSTART", "RRULE", "STATUS"]

    /// Writes the fields of a task that differ between two states of a todo. All other properties retain their text.
    ///
    /// - Parameters:
    ///   - task: a VTODO.
    ///   - before: the todo as the task describes it.
    ///   - todo: the todo.
    ///   - oldParent: the UID of the parent before.
    ///   - parent: the UID of the parent.
    ///   - zones: the VTIMEZONE components of its calendar.
    ///   - clock: the time zone of the user.
    package static func update(
        _ task: inout ICalendarComponent,
        from before: Todo,
        to todo: Todo,
        oldParent: String?,
        parent: String?,
        zones: [ICalendarComponent],
        clock: TodoClock
    ) {
        let new = Dictionary(grouping: fields(todo, parent: parent, clock), by: \.name)
        let old = Dictionary(grouping: fields(before, parent: oldParent, clock), by: \.name)
        func isChanged(_ name: String) -> Bool { new[name]?.map(\.text) != old[name]?.map(\.text) }
        let isMoved = isChanged("DUE") || isChanged("DTSTART")
        let replacesDuration = isMoved && task.property("DURATION") != nil
        let start = task.property("DTSTART").flatMap { ICalendarTime($0) }
        // Another rule, or none, in the place of one that is not understood is a series without exceptions.
        var isRevised = replacesRule(of: before, in: todo)
        if isRevised { for name in ["RRULE", "RDATE", "EXDATE", "EXRULE"] { task.set(name, nil) } }
        for name in Set(new.keys).union(old.keys).sorted() {
            let (new, old) = (new[name] ?? [], old[name] ?? [])
            let isSame = !isChanged(name)
            let isMissing = required.contains(name) && task.property(name) == nil
            let isNeeded = always.contains(name) || isMissing || name == "DUE" && replacesDuration
            guard !isSame || isNeeded else { continue }
            if !isSame, revising.contains(name) { isRevised = true }
            switch name {
            // A rule of another program may count from DUE.
            case "DTSTART" where task.property(name) == nil && !old.isEmpty && todo.threshold == before.threshold: break
            case "DUE", "DTSTART":
                task.set(name, new.map { moved($0, from: old.first, in: task.property(name), before, todo, clock) })
            case "CATEGORIES": task.set(name, categories(new, in: task))
            case "RELATED-TO": task.set(name, new + task.properties(name).filter { !isParent($0) })
            default: task.set(name, new)
            }
        }
        if isMoved { task.set("DURATION", nil) }
        if isMoved, new["DTSTART"] == nil, old["DTSTART"] == nil { moveStart(of: &task, from: before, to: todo) }
        if movesOn(from: before, to: todo) {
            task.set("STATUS", ICalendarProperty("STATUS", value: "NEEDS-ACTION"))
            task.set("PERCENT-COMPLETE", nil)
        }
        if isRevised {
            let sequence = task.property("SEQUENCE").flatMap { Int($0.value) } ?? 0
            task.set("SEQUENCE", ICalendarProperty("SEQUENCE", value: "\(sequence + 1)"))
            joinDates(&task, clock)
        }
        if isMoved || isChanged("X-PAWKIT-THRESHOLD") { correctDates(of: &task, to: todo, new, zones, clock) }
        // The end of a rule is a time of day if the start is one.
        let present = task.property("DTSTART").flatMap { ICalendarTime($0) }
        if todo.recurrence != nil, (present?.seconds, present?.zone) != (start?.seconds, start?.zone) {
            task.set("RRULE", new["RRULE"] ?? [])
        }
    }

    /// Returns the categories of a change, with the spelling of those that the task has.
    private static func categories(_ new: [ICalendarProperty], in task: ICalendarComponent) -> [ICalendarProperty] {
        let present = task.properties("CATEGORIES").flatMap { ICalendarText.list($0.value) }
        // Several can be one label of a todo, which has no @.
        let spellings = Dictionary(grouping: present) { text in
            let label = category(text)
            return label.hasPrefix("@") ? String(label.dropFirst()) : label
        }
        return new.map { property in
            let names = ICalendarText.list(property.value).flatMap { spellings[$0] ?? [$0] }
            return ICalendarProperty("CATEGORIES", value: names.map(ICalendarText.escaped).joined(separator: ","))
        }
    }

    /// Whether a todo has another repetition, or none, instead of a rule that is not understood or has exceptions.
    package static func replacesRule(of before: Todo, in todo: Todo) -> Bool {
        before.extras[ruleKey] != nil && todo.extras[ruleKey] == nil
    }

    /// Whether a todo is the next one of a repetition, which has not been begun yet.
    private static func movesOn(from before: Todo, to todo: Todo) -> Bool {
        guard before.recurrence != nil, todo.recurrence != nil, !before.isDone, !todo.isDone,
            let day = before.due ?? before.threshold, let next = todo.due ?? todo.threshold
        else { return false }
        return day < next
    }

    private static func fields(_ todo: Todo, parent: String?, _ clock: TodoClock) -> [ICalendarProperty] {
        var fields: [ICalendarProperty] = []
        func add(_ name: String, _ value: String?) {
            if let value { fields.append(ICalendarProperty(name, value: value)) }
        }
        func isAtEnd(_ day: Day?) -> Bool {
            day.map { $0.adding(-1).inCalendar == $0 || $0.adding(1).inCalendar == $0 } ?? false
        }
        // A repetition stays at the same clock time when the clocks change, which a time in UTC does not. On the first and the
        // last day of the calendar, UTC may have another year. DUE and DTSTART have the same form.
        let isLocal = todo.recurrence != nil || isAtEnd(todo.due) || isAtEnd(todo.threshold)
        func add(_ name: String, _ day: Day?, _ time: TimeOfDay?) {
            guard let day else { return }
            if let time {
                add(name, isLocal ? Timestamp.local(day, time) : Timestamp.basic(clock.zone.date(day, time)))
            } else {
                fields.append(ICalendarProperty(name, [("VALUE", "DATE")], value: basic(day)))
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
        let startsBefore = todo.threshold.map { threshold in todo.due.map { threshold < $0 } ?? true } ?? false
        if todo.recurrence != nil, todo.dueTime == nil, !startsBefore, let due = todo.due {
            // A rule counts from DTSTART, which must be before DUE on the same day.
            add("DUE", due, .lastMinute)
            add("X-PAWKIT-DUE", basic(due))
        } else {
            add("DUE", todo.due, todo.dueTime)
        }
        if startsBefore {
            add("DTSTART", todo.threshold, todo.dueTime == nil ? nil : .midnight)
            // Without it, this start would be the one of the rule.
            let isAmbiguous = todo.recurrence != nil && todo.dueTime == .midnight
            if isAmbiguous, let start = todo.threshold, todo.due?.adding(-1) == start {
                add("X-PAWKIT-THRESHOLD", basic(start))
            }
        } else {
            add("X-PAWKIT-THRESHOLD", todo.threshold.map { basic($0) })
            if todo.recurrence != nil, let due = todo.due {
                // From midnight to the last minute is a day without a time.
                let start = todo.dueTime == .lastMinute ? TimeOfDay(hour: 0, minute: 1) : .midnight
                add("DTSTART", todo.dueTime == .midnight ? due.adding(-1) : due, start)
            }
        }
        if let recurrence = todo.recurrence {
            let start = todo.due ?? todo.threshold
            let (monthDay, hasTime) = (todo.monthDay ?? start?.parts.day, todo.dueTime != nil || !startsBefore)
            let rule = recurrence.rule(monthDay: monthDay, month: start?.parts.month, hasTime: hasTime)
            if start != nil { add("RRULE", rule) }
            if start == nil || Recurrence(rule: rule, start: start) != recurrence {
                add("X-PAWKIT-RECURRENCE", ICalendarText.escaped(recurrence.description))
            }
        }
        add("RELATED-TO", parent)
        if todo.isArchived { add("X-PAWKIT-ARCHIVED", "TRUE") }
        return fields
    }

    private static func basic(_ day: Day) -> String { day.description.filter { $0 != "-" } }
}
