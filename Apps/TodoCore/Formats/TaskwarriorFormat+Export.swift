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
        var bytes = Array("[\n".utf8)
        for (index, todo) in todos.enumerated() {
            bytes += JSONWriter.bytes(.object(object(todo, parent: todo.parent.flatMap { uuids[$0] ?? nil }, clock)))
            bytes += (index + 1 < todos.count ? ",\n" : "\n").utf8
        }
        return bytes + Array("]\n".utf8)
    }

    private static func object(_ todo: Todo, parent: UUID?, _ clock: TodoClock) -> [String: JSONValue] {
        var members = fields(todo, parent: parent, clock)
        guard let kept = todo.extras[objectKey], case .object(let old) = try? JSONValue(parsing: Array(kept.utf8))
        else {
            members["annotations"] = annotations(members["annotations"], imported: nil)
            return members
        }
        // The todo as the stored object describes it: fields that are still the same are written as they were.
        var before = todo
        if let record = try? Self.record(old, line: 1, clock: clock), (try? record.apply(to: &before)) != nil {
            if let created = record.created { before.created = created }
            let same = fields(before, parent: record.parentUUID ?? parent, clock)
            // A value that no field can hold is in neither.
            for name in Set(members.keys).union(same.keys).union(known) where members[name] == same[name] {
                members[name] = old[name]
            }
        }
        if members["annotations"] != old["annotations"] {
            members["annotations"] = annotations(members["annotations"], imported: old["annotations"])
        }
        for (name, value) in old where members[name] == nil && !known.contains(name) { members[name] = value }
        // A time of modification that is older than the change would lose it in a merge.
        members["modified"] = .string(Timestamp.basic(todo.modified))
        return members
    }

    /// The attributes that ``fields(_:parent:_:)`` writes.
    static let known: Set<String> = [
        "description", "uuid", "status", "entry", "modified", "end", "priority", "project", "tags", "due", "wait",
        "recur",
        "annotations", "depends", "start", "pawkit_archived", "pawkit_list", "pawkit_parent", "pawkit_priority",
        "pawkit_recurrence",
    ]

    /// Returns taskwarrior's priority for one of A to Z.
    static func letter(_ priority: Priority) -> String { ["H", "M", "L"][min(2, Int(priority.rank))] }

    static func fields(_ todo: Todo, parent: UUID?, _ clock: TodoClock) -> [String: JSONValue] {
        var members: [String: JSONValue] = [
            "description": .string(todo.title),
            "uuid": .string((todo.uuid ?? UUID()).text),
            "entry": .string(Timestamp.basic(todo.created)),
            "modified": .string(Timestamp.basic(todo.modified)),
        ]
        func set(_ name: String, _ value: String?) { if let value { members[name] = .string(value) } }
        // taskwarrior requires a due time for a recurrence.
        let recurs = todo.recurrence != nil && todo.due != nil && !todo.isDone
        if let completed = todo.completed {
            set("end", Timestamp.basic(completed))
            set("status", "completed")
        } else {
            set("status", recurs ? "recurring" : "pending")
        }
        set("start", todo.started.map(Timestamp.basic))
        set("priority", todo.priority.map(letter))
        if let priority = todo.priority, priority.rank > 2 { set("pawkit_priority", priority.description) }
        set("project", todo.project)
        set("due", todo.due.map { Timestamp.basic(clock.zone.date($0, todo.dueTime ?? .midnight)) })
        set("wait", todo.threshold.map { Timestamp.basic(clock.zone.date($0)) })
        let tags = todo.tags + todo.contexts.map { "@" + $0 } + todo.projects.dropFirst().map { "+" + $0 }
        if !tags.isEmpty { members["tags"] = .array(tags.map(JSONValue.string)) }
        if recurs, let recurrence = todo.recurrence {
            set("recur", duration(recurrence))
            set(
                "until",
                recurrence.until.map {
                    Timestamp.basic(clock.zone.date($0, TimeOfDay(hour: 23, minute: 59) ?? .midnight))
                }
            )
        }
        if let recurrence = todo.recurrence { set("pawkit_recurrence", recurrence.description) }
        if !todo.dependencies.isEmpty {
            members["depends"] = .array(todo.dependencies.map { .string($0.text) })
        }
        if let note = todo.note {
            let lines = note.split(separator: "\n", omittingEmptySubsequences: false)
            members["annotations"] = .array(
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
        if todo.isArchived { set("pawkit_archived", "true") }
        set("pawkit_list", todo.list)
        set("pawkit_parent", parent?.text)
        return members
    }

    private static func annotation(_ text: String, at date: Date) -> JSONValue {
        .object(["entry": .string(Timestamp.basic(date)), "description": .string(text)])
    }

    /// Returns annotations with the exact times of those that were imported. Two cannot have the same time.
    private static func annotations(_ annotations: JSONValue?, imported: JSONValue?) -> JSONValue? {
        guard case .array(let new) = annotations else { return annotations }
        func member(_ name: String, _ annotation: JSONValue) -> String? {
            if case .object(let members) = annotation { text(members[name]) } else { nil }
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

    private static func duration(_ recurrence: Recurrence) -> String {
        if recurrence.count == 1, recurrence.days == .weekdays(Array(0...4)) { return "weekdays" }
        if recurrence.count == 1 {
            return ["daily", "weekly", "monthly", "yearly"][DateUnit.allCases.firstIndex(of: recurrence.unit) ?? 0]
        }
        return "\(recurrence.count)" + (recurrence.unit == .month ? "mo" : String(recurrence.unit.letter))
    }
}
