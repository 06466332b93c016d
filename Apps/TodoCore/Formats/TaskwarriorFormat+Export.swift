import JSONValues

/// The export to taskwarrior.
extension TaskwarriorFormat {
    /// Returns the objects of todos as an array, one a line, as `task export` does.
    ///
    /// - Parameters:
    ///   - todos: the todos to write.
    ///   - all: all todos of the store, among which parents are found.
    ///   - clock: the time zone of the user.
    /// - Returns: the JSON.
    static func bytes(_ todos: [Todo], all: [Todo], clock: TodoClock) -> [UInt8] {
        let parents = Set(todos.compactMap(\.parent))
        let uuids = Dictionary(all.lazy.filter { parents.contains($0.id) }.map { ($0.id, $0.uuid) }) { $1 }
        let successors = TodoSuccessors(all)
        var bytes = Array("[\n".utf8)
        var isFirst = true
        for todo in todos {
            let parent = todo.parent.flatMap { uuids[$0] ?? nil }
            for task in tasks(todo, parent: parent, repeated: successors.last(of: todo)?.recurrence, clock) {
                if !isFirst { bytes += ",\n".utf8 }
                isFirst = false
                bytes += JSONWriter.bytes(.object(task.members))
            }
        }
        return bytes + Array((isFirst ? "]\n" : "\n]\n").utf8)
    }

    /// Returns the tasks of a todo, whose repetition may have passed to the next one: one, and the open instances of a series.
    private static func tasks(
        _ todo: Todo,
        parent: UUID?,
        repeated recurrence: Recurrence?,
        _ clock: TodoClock
    ) -> [TaskwarriorTask] {
        let new = fields(todo, parent: parent, clock)
        guard let stored = todo.extras[objectKey].flatMap(TaskwarriorTask.init(parsing:)) else {
            var task = new
            task[.annotations] = annotations(task[.annotations], imported: nil)
            // An earlier export may have made it a series in taskwarrior.
            if let recurrence, todo.recurrence == nil, task[.due] != nil {
                task[.recur] = .string(duration(recurrence))
                task[.ownRecurrence] = .string(noRecurrence)
            }
            return [task]
        }
        var task = new
        // With a series, its instance is completed.
        let old = todo.isDone ? stored.withInstance : stored
        var changed = Set(TaskwarriorTask.Attribute.allCases)
        // The todo as the stored object describes it: fields that are still the same are written as they were.
        var before = todo
        if let record = try? Self.record(stored, line: 1, clock: clock), (try? record.apply(to: &before)) != nil {
            if let created = record.created { before.created = created }
            let same = fields(before, parent: record.parentUUID ?? parent, clock)
            // A value that no field can hold is in neither.
            for attribute in TaskwarriorTask.Attribute.allCases where isSame(attribute, task, same) {
                task[attribute] = old[attribute]
                changed.remove(attribute)
            }
        }
        if task[.annotations] != old[.annotations] {
            task[.annotations] = annotations(task[.annotations], imported: old[.annotations])
        }
        for attribute: TaskwarriorTask.Attribute in [.parent, .until] where task[attribute] == nil {
            task[attribute] = old[attribute]
        }
        task.others = old.others
        // A time of modification that is older than the change would lose it in a merge.
        task[.modified] = new[.modified]
        if stored.text(.status) == "recurring" { keepSeries(&task, of: todo, stored) }
        (task[.ownDepends], task[.ownInstances]) = (nil, nil)
        return [task] + instances(stored, of: todo, new, changed)
    }

    /// Writes what taskwarrior requires of a task that it has as a series.
    private static func keepSeries(_ task: inout TaskwarriorTask, of todo: Todo, _ stored: TaskwarriorTask) {
        if !todo.isDone {
            task[.status] = stored[.status]
            // It counts from this day, and has a mark for each instance since then.
            if stored[.ownInstances] != nil {
                for attribute: TaskwarriorTask.Attribute in [.due, .ownDue, .ownTime] {
                    task[attribute] = stored[attribute]
                }
            }
        }
        for attribute: TaskwarriorTask.Attribute in [.due, .recur] where task[attribute] == nil {
            task[attribute] = stored[attribute]
        }
        if todo.recurrence == nil, todo.extras[ICalendarFormat.ruleKey] == nil {
            task[.ownRecurrence] = .string(noRecurrence)
        }
    }

    /// Returns the instances that are stored with a series. The first one has the changed fields of the todo, and is completed
    /// with it; the others are deleted then, because another series follows.
    private static func instances(
        _ stored: TaskwarriorTask,
        of todo: Todo,
        _ new: TaskwarriorTask,
        _ changed: Set<TaskwarriorTask.Attribute>
    ) -> [TaskwarriorTask] {
        stored.instances.enumerated().map { index, old in
            var task = old
            for attribute in computed.union([.ownDepends]) { task[attribute] = nil }
            if index == 0 {
                for attribute in TaskwarriorTask.ofInstance where changed.contains(attribute) {
                    task[attribute] = new[attribute]
                }
                if task[.due] == nil { task[.due] = old[.due] }
                if task[.annotations] != old[.annotations] {
                    task[.annotations] = annotations(task[.annotations], imported: old[.annotations])
                }
                task[.modified] = new[.modified]
            }
            if todo.isDone {
                task[.status] = .string(index == 0 ? "completed" : "deleted")
                (task[.end], task[.modified]) = (new[.end], new[.modified])
            }
            return task
        }
    }

    /// Returns whether an attribute of a task still has the value that the imported one was read as.
    private static func isSame(
        _ attribute: TaskwarriorTask.Attribute,
        _ task: TaskwarriorTask,
        _ imported: TaskwarriorTask
    ) -> Bool {
        guard task[attribute] == imported[attribute] else { return false }
        return switch attribute {
        case .due: task[.ownDue] == imported[.ownDue]
        case .wait: task[.ownWait] == imported[.ownWait]
        // One that was not heeded could count again after a later change.
        case .ownDue, .ownMonthDay, .ownTime, .ownWait: task[attribute] != nil
        default: true
        }
    }

    /// The times that the export writes. From a task with another one, taskwarrior refuses the whole file.
    private static let times =
        Date(timeIntervalSince1970: 315_532_800)...Date(timeIntervalSince1970: 253_402_300_798)

    /// Returns taskwarrior's priority for one of A to Z.
    static func letter(_ priority: Priority) -> String { ["H", "M", "L"][min(2, Int(priority.rank))] }

    /// Returns the attributes that the fields of a todo are written as.
    static func fields(_ todo: Todo, parent: UUID?, _ clock: TodoClock) -> TaskwarriorTask {
        var task = TaskwarriorTask()
        func set(_ attribute: TaskwarriorTask.Attribute, _ text: String?) {
            task[attribute] = text.map(JSONValue.string)
        }
        set(.description, todo.title)
        set(.uuid, (todo.uuid ?? UUID()).text)
        set(.entry, Timestamp.basic(todo.created))
        set(.modified, Timestamp.basic(todo.modified))
        func time(_ day: Day?, _ time: TimeOfDay? = nil) -> String? {
            guard let date = day.map({ clock.zone.date($0, time ?? .midnight) }), times.contains(date) else {
                return nil
            }
            return Timestamp.basic(date)
        }
        let (due, wait) = (time(todo.due, todo.dueTime), time(todo.threshold))
        // taskwarrior requires a due time for a recurrence.
        let recurs = todo.recurrence != nil && due != nil && !todo.isDone
        set(.end, todo.completed.map(Timestamp.basic))
        set(.status, todo.isDone ? "completed" : recurs ? "recurring" : "pending")
        set(.start, todo.started.map(Timestamp.basic))
        set(.priority, todo.priority.map(letter))
        if let priority = todo.priority, priority.rank > 2 { set(.ownPriority, priority.description) }
        set(.project, todo.project)
        set(.due, due)
        if due == nil { set(.ownDue, todo.due?.description) }
        // A whole day is written as its midnight.
        if let time = todo.dueTime, due == nil || time == .midnight { set(.ownTime, time.description) }
        set(.wait, wait)
        if wait == nil { set(.ownWait, todo.threshold?.description) }
        let tags = todo.tags + todo.contexts.map { "@" + $0 } + todo.projects.dropFirst().map { "+" + $0 }
        if !tags.isEmpty { task[.tags] = .array(tags.map(JSONValue.string)) }
        if recurs, let recurrence = todo.recurrence {
            set(.recur, duration(recurrence))
            set(.until, time(recurrence.until, .lastMinute))
        }
        set(.ownRecurrence, todo.recurrence?.description)
        if todo.recurrence != nil { set(.ownMonthDay, todo.monthDay?.description) }
        if !todo.dependencies.isEmpty { task[.depends] = .array(todo.dependencies.map { .string($0.text) }) }
        if let note = todo.note {
            let lines = note.split(separator: "\n", omittingEmptySubsequences: false)
            task[.annotations] = .array(
                lines.enumerated().map { index, line in
                    if let annotation = TodoAnnotation(line, zone: clock.zone),
                        isDated(annotation.date, created: todo.created, index: index)
                    {
                        return self.annotation(annotation.text, at: annotation.date)
                    }
                    let date = todo.created.addingTimeInterval(Double(index))
                    return annotation(line.isEmpty ? " " : String(line), at: date)
                }
            )
        }
        if todo.isArchived { set(.ownArchived, "true") }
        set(.ownList, todo.list)
        set(.ownParent, parent?.text)
        return task
    }

    private static func annotation(_ text: String, at date: Date) -> JSONValue {
        .object(["entry": .string(Timestamp.basic(date)), "description": .string(text)])
    }

    /// Returns annotations with the exact times of those that were imported. Two cannot have the same time.
    private static func annotations(_ annotations: JSONValue?, imported: JSONValue?) -> JSONValue? {
        guard case .array(let new) = annotations else { return annotations }
        func member(_ name: String, _ annotation: JSONValue) -> String? {
            if case .object(let members) = annotation { members[name]?.text } else { nil }
        }
        var rest: [JSONValue] = []
        if case .array(let known) = imported { rest = known }
        var times: Set<String> = []
        return .array(
            new.map { value in
                let description = member("description", value)
                let known = rest.firstIndex { member("description", $0) == description }
                let value = known.map { rest.remove(at: $0) } ?? value
                guard var entry = member("entry", value), var date = Timestamp.utc(entry) else { return value }
                while !times.insert(entry).inserted {
                    date += 1
                    entry = Timestamp.basic(date)
                }
                return annotation(description ?? "", at: date)
            }
        )
    }

    static func duration(_ recurrence: Recurrence) -> String {
        if recurrence.count == 1, recurrence.days == .weekdays(Array(0...4)) { return "weekdays" }
        if recurrence.count == 1 {
            return ["daily", "weekly", "monthly", "yearly"][DateUnit.allCases.firstIndex(of: recurrence.unit) ?? 0]
        }
        return "\(recurrence.count)" + (recurrence.unit == .month ? "mo" : String(recurrence.unit.letter))
    }
}
